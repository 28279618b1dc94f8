"""Where the data folders are: inside the package once installed, at the top in a checkout."""

from pathlib import Path

PACKAGE = Path(__file__).resolve().parent
INSTALLED = (PACKAGE / "_data").is_dir()

ROOT = PACKAGE / "_data" if INSTALLED else PACKAGE.parent
TEMPLATES = ROOT / "templates"
STATIC = ROOT / "static"
SCENARIOS = ROOT / "scenarios"
EXERCISE = ROOT / "exercise"
LOCALES = ROOT / "locales"

# Third-party files of the page, under static/vendor/: our name, then the place in its npm package.
# The build reads this table to bring them (`hatch_build.py`), the start to look whether they came.
_FONTS = "@fontsource-variable"
VENDOR = {
    "htmx.min.js": "htmx.org/dist/htmx.min.js",
    "htmx.LICENSE.txt": "htmx.org/LICENSE",
    **{
        f"{font}-{script}-wght-normal.woff2": (
            f"{_FONTS}/{font}/files/{font}-{script}-wght-normal.woff2"
        )
        for font, scripts in {
            "inter": ("latin", "latin-ext", "cyrillic", "cyrillic-ext"),
            "jetbrains-mono": ("latin", "latin-ext", "cyrillic"),
            "vazirmatn": ("arabic", "latin"),
        }.items()
        for script in scripts
    },
    **{
        f"{font}.LICENSE.txt": f"{_FONTS}/{font}/LICENSE"
        for font in ("inter", "jetbrains-mono", "vazirmatn")
    },
}


class MissingAsset(Exception):
    """A file or folder that Halqa cannot do without is not there; the message is one sentence."""


def require_assets() -> None:
    """Look whether every data folder and third-party file is there.

    Raises `MissingAsset`, naming the first one that is not and the command that brings it.
    """
    needed = [
        TEMPLATES,
        STATIC,
        SCENARIOS,
        EXERCISE,
        *(STATIC / "vendor" / name for name in VENDOR),
    ]
    missing = next((path for path in needed if not path.exists()), None)
    if missing is None:
        return
    command = (
        "python -m pip install --force-reinstall halqa"
        if INSTALLED
        else "python -m pip install -e . (in the folder of the checkout)"
    )
    raise MissingAsset(f"{missing} is missing; this command brings it: {command}")

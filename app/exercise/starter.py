"""Writes the exercise's starter into a folder: it runs with Python alone, nothing installed."""

import shutil
from pathlib import Path

from app.paths import EXERCISE, PACKAGE
from app.said import Said

COPIED = (  # of the package, as they are
    "__init__.py",
    "engine",
    *(f"exercise/{name}.py" for name in ("__init__", "play", "scripts", "tools")),
)
FILE = "exercise.py"  # where the learner writes
INSTRUCTIONS = "README.%s.md"  # in a language


class CannotWrite(Exception):
    """The starter cannot be written there; the message is one sentence."""


def write_starter(folder: Path) -> list[str]:
    """Write the starter into a folder that is new or empty; nothing is ever overwritten.

    Returns the names of what stands in it for the learner. Raises CannotWrite.
    """
    try:
        if folder.is_dir() and any(folder.iterdir()):
            raise CannotWrite(
                Said(
                    "%(folder)s is not empty; name a new folder, or an empty one.",
                    folder=str(folder),
                )
            )
        if folder.exists() and not folder.is_dir():
            raise CannotWrite(
                Said(
                    "%(folder)s is a file; name a new folder, or an empty one.", folder=str(folder)
                )
            )
        folder.mkdir(parents=True, exist_ok=True)
        for source in sorted(EXERCISE.iterdir()):
            if source.is_file():
                shutil.copyfile(source, folder / source.name)
        for name in COPIED:
            _copy(PACKAGE / name, folder / "app" / name)
    except OSError as error:
        raise CannotWrite(
            Said("%(file)s cannot be written: %(why)s.", file=str(folder), why=str(error.strerror))
        ) from error
    return sorted(entry.name for entry in folder.iterdir())


def _copy(source: Path, target: Path) -> None:
    if source.is_dir():
        shutil.copytree(source, target, ignore=shutil.ignore_patterns("__pycache__", "*.pyc"))
        return
    target.parent.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(source, target)

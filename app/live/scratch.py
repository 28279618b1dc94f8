"""The folder that a run's tools see: a copy of the lesson's own, so that an edit of the lesson
does not reach into a run that is under way."""

import shutil
import tempfile
from pathlib import Path


def scratch(top: Path, run: str, original: Path) -> Path:
    """The copy for a run, made where there is none yet; it is renamed into place whole."""
    place = top / run
    if place.is_dir():
        return place
    top.mkdir(parents=True, exist_ok=True)
    made = Path(tempfile.mkdtemp(prefix=".new-", dir=top))
    if original.is_dir():
        shutil.copytree(original, made, dirs_exist_ok=True, symlinks=True)
    try:
        made.rename(place)
    except OSError:  # another worker was quicker
        shutil.rmtree(made, ignore_errors=True)
    return place


def forget(top: Path, run: str) -> None:
    """Take a run's copy away."""
    shutil.rmtree(top / run, ignore_errors=True)

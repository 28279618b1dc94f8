"""The files of a lesson's folder."""

import hashlib
from os import stat_result
from pathlib import Path


def files_of(folder: Path) -> list[tuple[Path, stat_result]]:
    """The files of a lesson with their stat results, in a fixed order; links are not followed.

    The byte code that an installer may put beside Python files is none of the lesson's.
    """
    files = [file for file in sorted(folder.rglob("*")) if "__pycache__" not in file.parts]
    return [(file, file.lstat()) for file in files if file.is_symlink() or not file.is_dir()]


def digest_of(folder: Path) -> str:
    """A hex digest that changes with the name or content of any file of the folder."""
    whole = hashlib.sha256()
    for file, _ in files_of(folder):
        whole.update(file.relative_to(folder).as_posix().encode("utf-8", "surrogateescape") + b"\0")
        if file.is_file() and not file.is_symlink():
            whole.update(hashlib.sha256(file.read_bytes()).digest())
    return whole.hexdigest()[:16]

"""The files of a lesson's folder."""

import hashlib
from os import stat_result
from pathlib import Path


def files_of(folder: Path) -> list[tuple[Path, stat_result]]:
    """The files of a lesson with their stat results, in a fixed order; links are not followed."""
    return [(file, file.lstat()) for file in sorted(folder.rglob("*")) if not file.is_dir()]


def digest_of(folder: Path) -> str:
    """A hex digest that changes with the name or content of any file of the folder."""
    whole = hashlib.sha256()
    for file, _ in files_of(folder):
        whole.update(file.relative_to(folder).as_posix().encode("utf-8", "surrogateescape") + b"\0")
        if file.is_file() and not file.is_symlink():
            whole.update(hashlib.sha256(file.read_bytes()).digest())
    return whole.hexdigest()[:16]

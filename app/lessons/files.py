"""The files of a lesson's folder."""

import hashlib
import os
from collections.abc import Iterator
from pathlib import Path


def files_of(folder: Path) -> list[Path]:
    """The files of a lesson in a fixed order; links are not followed.

    The byte code that an installer may put beside Python files is none of the lesson's.
    """
    return sorted(Path(entry.path) for entry in _entries(folder))


def stamp_of(folder: Path) -> object:
    """Something that is equal as long as no file of the folder has changed; read at each request,
    so it asks the system for no more than it must."""
    stats = ((entry.path, entry.stat(follow_symlinks=False)) for entry in _entries(folder))
    return {path: (stat.st_mtime_ns, stat.st_size) for path, stat in stats}


def digest_of(folder: Path) -> str:
    """A hex digest that changes with the name or content of any file of the folder."""
    whole = hashlib.sha256()
    for file in files_of(folder):
        whole.update(file.relative_to(folder).as_posix().encode("utf-8", "surrogateescape") + b"\0")
        if file.is_file() and not file.is_symlink():
            whole.update(hashlib.sha256(file.read_bytes()).digest())
    return whole.hexdigest()[:16]


def _entries(folder: Path | str) -> Iterator[os.DirEntry[str]]:
    with os.scandir(folder) as entries:
        for entry in entries:
            if entry.name == "__pycache__":
                continue
            if entry.is_dir(follow_symlinks=False):
                yield from _entries(entry.path)
            else:
                yield entry

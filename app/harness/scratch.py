"""A copy of a workspace for one run: what its tools write is seen by no other run."""

import shutil
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def scratch(original: Path, links: Mapping[str, str] | None = None) -> Iterator[Path]:
    """A copy of a folder, taken away again afterwards; an empty one where there is no folder.

    `links` are made in it, each by its place, with where it leads.
    """
    with tempfile.TemporaryDirectory(prefix="halqa-") as made:
        if original.is_dir():
            shutil.copytree(original, made, dirs_exist_ok=True)
        for place, target in (links or {}).items():
            Path(made, place).symlink_to(target)
        yield Path(made)

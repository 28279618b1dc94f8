"""A copy of a workspace for one run: what its tools write is seen by no other run."""

import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def scratch(original: Path) -> Iterator[Path]:
    """A copy of a folder, taken away again afterwards; an empty one where there is no folder."""
    with tempfile.TemporaryDirectory(prefix="halqa-") as made:
        if original.is_dir():
            shutil.copytree(original, made, dirs_exist_ok=True)
        yield Path(made)

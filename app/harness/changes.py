"""What became of a workspace: its files before a call and after it, whatever the call says."""

import difflib
from pathlib import Path

from app.engine.steps import Change
from app.harness.workspace import READ_LIMIT, Workspace

MOST_LINES = 20  # of one file's difference
MOST_CHANGES = 20  # files of one call
LINE_LIMIT = 200  # characters
MOST_FILES = 2_000  # of a workspace that is looked at
MOST_BYTES = 20_000_000

Files = dict[str, bytes]


def files_of(workspace: Workspace) -> Files | None:
    """Each file's bytes, by the name that the model knows it under; of a large one its first. None
    for a workspace that is too large to look at before and after each call."""
    files: Files = {}
    size = 0
    for file in workspace.files(workspace.root):
        try:
            files[workspace.name(file)] = data = _start(file)
        except OSError:  # one that may not be opened, or is gone by now
            continue
        size += len(data)
        if len(files) > MOST_FILES or size > MOST_BYTES:
            return None
    return files


def changes(before: Files | None, after: Files | None) -> tuple[Change, ...]:
    """The files that were made, changed or removed, by name; none where they were not looked at."""
    if before is None or after is None:
        return ()
    found = []
    for name in sorted(before.keys() | after.keys()):
        old, new = before.get(name), after.get(name)
        if old == new:
            continue
        how = "made" if old is None else "removed" if new is None else "changed"
        lines = _difference(old or b"", new or b"")
        shown = tuple(line[:LINE_LIMIT] for line in lines[:MOST_LINES])
        found.append(Change(name, how, shown, len(lines) - len(shown)))
    return tuple(found[:MOST_CHANGES])


def _difference(old: bytes, new: bytes) -> list[str]:
    """The lines that came and went, each with one line around them; none of a binary file."""
    try:
        a, b = old.decode("utf-8").splitlines(), new.decode("utf-8").splitlines()
    except UnicodeDecodeError:
        return []
    lines = list(difflib.unified_diff(a, b, n=1, lineterm=""))[2:]
    return [line for line in lines if not line.startswith("@@")]


def _start(file: Path) -> bytes:
    with file.open("rb") as opened:
        return opened.read(READ_LIMIT)

"""The tools that write. Each says what it did, and "nothing was changed" where it did nothing."""

from typing import Annotated

from pydantic import Field

from app.harness.results import Report, ToolError, count, quoted
from app.harness.schemas import IN_WORKSPACE, Tool
from app.harness.workspace import Workspace

WrittenPath = Annotated[
    str, IN_WORKSPACE, Field(description="The file, relative to the workspace, such as notes.txt.")
]
Line = Annotated[str, Field(min_length=1, description="One line of text, without a line break.")]
Key = Annotated[
    str,
    Field(
        pattern=r"^[A-Za-z0-9._-]{1,40}$",
        description="A name that you choose for this entry; a repeat under it adds nothing.",
    ),
]


def write_file(
    workspace: Workspace,
    path: WrittenPath,
    text: Annotated[str, Field(description="The whole new text of the file.")],
) -> Report:
    """Write a text file whole. What stood in it before is replaced; a missing file is made."""
    place = workspace.writable(path)
    name, old = workspace.name(place), workspace.text(place)
    if old == text:
        return Report(f"{name} holds this text already; nothing was changed")
    workspace.write(place, text)
    return Report(f"{name} {'made' if old is None else 'changed'}, {_lines(text)}")


def append_line(workspace: Workspace, path: WrittenPath, line: Line) -> Report:
    """Add one line at the end of a text file. A missing file is made."""
    place = workspace.writable(path)
    number = _append(workspace, path, line)
    return Report(f"{workspace.name(place)}, line {number:,} added")


def add_entry(workspace: Workspace, path: WrittenPath, key: Key, entry: Line) -> Report:
    """Add an entry under a key at the end of a text file. If the key stands there already, nothing
    is added."""
    place = workspace.writable(path)
    name = workspace.name(place)
    for known in (workspace.text(place) or "").split("\n"):
        if known.partition(" ")[0] == key:
            if known != f"{key} {entry}":
                raise ToolError(f"{name} has another entry under {key}; choose a new key")
            return Report(f"{name} has this entry under {key} already; nothing was added")
    number = _append(workspace, path, f"{key} {entry}")
    return Report(f"{name}, line {number:,} added under {key}")


def replace_text(
    workspace: Workspace,
    path: WrittenPath,
    old: Annotated[
        str, Field(min_length=1, description="The text to replace, exactly as it stands there.")
    ],
    new: Annotated[str, Field(description="The text to put in its place.")],
) -> Report:
    """Replace one piece of a text file. It must stand there exactly once."""
    place = workspace.file(path)
    name, text = workspace.name(place), workspace.text(workspace.writable(path)) or ""
    found = text.count(old)
    if found != 1:
        right = "give more of the text around it" if found else "read the file and copy it exactly"
        raise ToolError(f"{quoted(old)} stands {count(found, 'time', 'times')} in {name}; {right}")
    if old == new:
        return Report(f"{name} holds this text already; nothing was changed")
    workspace.write(place, text.replace(old, new))
    number = text[: text.index(old)].count("\n") + 1
    return Report(f"{name} changed at line {number:,}")


def delete_file(workspace: Workspace, path: WrittenPath) -> Report:
    """Delete a file. It cannot be brought back."""
    place = workspace.file(path)
    place.unlink()
    return Report(f"{workspace.name(place)} deleted")


def _append(workspace: Workspace, path: str, line: str) -> int:
    """Add a line, on a line of its own; returns its number."""
    if "\n" in line or "\r" in line:
        raise ToolError("one line has no line break; add each line by itself")
    place = workspace.writable(path)
    text = workspace.text(place) or ""
    if text and not text.endswith("\n"):
        text += "\n"
    workspace.write(place, f"{text}{line}\n")
    return text.count("\n") + 1


def _lines(text: str) -> str:
    return count(len(text.splitlines()), "line", "lines")


WRITING = (
    Tool.of(write_file, writes=True, idempotent=True),
    Tool.of(append_line, writes=True),
    Tool.of(add_entry, writes=True, key="key"),
    Tool.of(replace_text, writes=True),
    Tool.of(delete_file, writes=True),
)

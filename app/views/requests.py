"""A request as a page shows it: its strip of signs, its envelope, its `messages[]`, with marks."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from app.engine.steps import Json
from app.views.glyphs import OTHER, SYSTEM, TOOL, Glyph
from app.views.glyphs import glyph_of as glyph_of_claude
from app.views.marked import Folded, Line, Mark, Marks, Path, marked_lines
from app.views.texts import compact

QUIET = ("tools", "functions")  # keys of which only the number of entries is shown


@dataclass(frozen=True)
class Entry:
    """A message; `mark` is what stands out about it as a whole. `lines` is empty where it is
    absent."""

    index: int
    glyph: Glyph
    lines: tuple[Line, ...]
    mark: Mark


def glyph_of(message: Any, dialect: str) -> Glyph:
    """The sign of a message of either dialect."""
    role = message.get("role") if isinstance(message, dict) else None
    if role in ("system", "developer"):
        return SYSTEM
    if dialect == "openai" and role in ("tool", "function"):
        return TOOL
    if role == "tool":
        return OTHER
    return glyph_of_claude(message)


def messages_of(request: Mapping[str, Any]) -> list[Any]:
    """The messages of a request; none where it has no list of them."""
    messages = request.get("messages")
    return messages if isinstance(messages, list) else []


def entry(index: int, message: Any, dialect: str, marks: Marks) -> Entry:
    """A message with the marks at it and in it."""
    at: Path = ("messages", index)
    mark = stands_out(marks, at)
    return Entry(index, glyph_of(message, dialect), tuple(marked_lines(message, marks, at)), mark)


def stands_out(marks: Marks, at: Path) -> Mark:
    """The first of the marks at a place or inside it."""
    return next((mark for path, mark in marks.items() if path[: len(at)] == at), Mark(""))


def envelope(request: Json, marks: Marks) -> tuple[Line, ...]:
    """All keys of a request but its list of messages; of `tools` only how many there are, unless
    a mark stands in it."""
    shown: Json = {}
    for name, value in request.items():
        if name == "messages" and isinstance(value, list):
            continue
        folds = name in QUIET and isinstance(value, list) and value
        whole = not folds or stands_out(marks, (name,)).look
        shown[name] = value if whole else Folded(len(value))
    return tuple(marked_lines(shown, marks))


def written(request: Mapping[str, Any]) -> str:
    """A request as a person writes it: a line for each key, each tool and each message."""
    lines = []
    for key, value in request.items():
        if isinstance(value, list) and value:
            items = ",\n    ".join(compact(item) for item in value)
            lines.append(f"  {compact(key)}: [\n    {items}\n  ]")
        else:
            lines.append(f"  {compact(key)}: {compact(value)}")
    return "{\n" + ",\n".join(lines) + "\n}"

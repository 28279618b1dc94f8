"""A minimal pair of requests side by side: what stands in one and not in the other."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

from app.engine.rules import Rule, check
from app.engine.steps import Fault, Json
from app.views.glyphs import Glyph
from app.views.marked import ABSENT, RIGHT, WRONG, Line, Mark, Marks, Path
from app.views.requests import Entry, entry, envelope, messages_of

NOBODY = Glyph("absent", "", "message that is absent")


class Difference(NamedTuple):
    """A place where two requests differ; `left` and `right` tell which of them has it."""

    path: Path
    left: bool
    right: bool


@dataclass(frozen=True)
class Sign:
    glyph: Glyph
    mark: str


@dataclass(frozen=True)
class Side:
    """One request of a pair. `fault` is the first one that refuses it, None where accepted."""

    strip: tuple[Sign, ...]
    envelope: tuple[Line, ...]
    entries: tuple[Entry, ...]
    fault: Fault | None


def dialect_of(rule: Rule) -> str:
    """The dialect that a rule belongs to, by its number."""
    return "openai" if rule.number.startswith("O") else "anthropic"


def pair_of(rule: Rule) -> tuple[Side, ...]:
    """The examples of a rule: the accepted one and, where there is one, the refused one."""
    dialect = dialect_of(rule)
    if rule.accepted is None:
        return ()
    if rule.refused is None:
        return (_side(dict(rule.accepted), {}, dialect),)
    left, right = dict(rule.accepted), dict(rule.refused)
    marks = marks_of(left, right)
    return (_side(left, marks[0], dialect), _side(right, marks[1], dialect))


def marks_of(left: Json, right: Json) -> tuple[Marks, Marks]:
    """What stands out in each of two requests: in the second what is wrong or absent."""
    marks: tuple[dict[Path, Mark], dict[Path, Mark]] = ({}, {})
    for found in differences(left, right):
        if found.left:
            marks[0][found.path] = Mark(RIGHT)
        if found.right:
            marks[1][found.path] = Mark(WRONG)
        else:
            marks[1][found.path] = Mark(ABSENT, _name(left, found.path))
    return marks


def entries_of(messages: list[Any], marks: Marks, dialect: str) -> tuple[Entry, ...]:
    """Messages with their marks, and an entry without lines for each that is absent."""
    absent = {path[1]: mark for path, mark in marks.items() if _is_absent_message(path, mark)}
    inside = {p: mark for p, mark in marks.items() if not _is_absent_message(p, mark)}
    entries: list[Entry] = []
    for n in range(len(messages) + len(absent)):
        if n in absent:
            entries.append(Entry(n, NOBODY, (), absent[n]))
        if n < len(messages):
            entries.append(entry(n, messages[n], dialect, inside))
    return tuple(entries)


def _side(request: Json, marks: Marks, dialect: str) -> Side:
    entries = entries_of(messages_of(request), marks, dialect)
    faults = [fault for fault in check(request, dialect) if fault.effect == "refuse"]
    return Side(
        strip=tuple(Sign(e.glyph, e.mark.look) for e in entries),
        envelope=envelope(request, marks),
        entries=entries,
        fault=faults[0] if faults else None,
    )


def _is_absent_message(path: Path, mark: Mark) -> bool:
    return mark.look == ABSENT and path[0] == "messages" and len(path) == 2


def _name(request: Json, path: Path) -> str:
    """What stands at a path, for the gap where it is absent: its key, or a block's type."""
    value: Any = request
    for part in path:
        value = value[part]
    if isinstance(path[-1], str):
        return path[-1]
    if path[:-1] == ("messages",):
        return "message"
    return str(value.get("type", "")) if isinstance(value, dict) else ""


def differences(left: Any, right: Any, path: Path = ()) -> Iterator[Difference]:
    """Where two JSON values differ; what was put in or left out counts as a whole."""
    if isinstance(left, dict) and isinstance(right, dict):
        for key in {**left, **right}:
            if key in left and key in right:
                yield from differences(left[key], right[key], (*path, key))
            else:
                yield Difference((*path, key), key in left, key in right)
    elif isinstance(left, list) and isinstance(right, list):
        yield from _list_differences(left, right, path)
    elif left != right or type(left) is not type(right):
        yield Difference(path, True, True)


def _list_differences(left: list[Any], right: list[Any], path: Path) -> Iterator[Difference]:
    if len(left) == len(right):
        for n, (one, other) in enumerate(zip(left, right, strict=True)):
            yield from differences(one, other, (*path, n))
        return
    short, long = sorted((left, right), key=len)
    at = next((n for n, item in enumerate(short) if item != long[n]), len(short))
    for n in range(at, at + len(long) - len(short)):
        yield Difference((*path, n), long is left, long is right)

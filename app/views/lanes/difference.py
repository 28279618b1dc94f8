"""Where two lanes part: their `messages[]` side by side, and their loops as one difference."""

from dataclasses import dataclass, replace

from app.compare import renumbered
from app.engine.steps import Json
from app.views.lanes.shown import Lanes
from app.views.pair import entries_of, marks_of
from app.views.requests import Entry
from app.views.source import Row, code_between

BEFORE, AFTER = 1, 4  # messages shown before the first one that differs, and from it on


@dataclass(frozen=True)
class Side:
    """One lane's messages around the first difference; `before` and `after` are not shown."""

    name: str
    entries: tuple[Entry, ...]
    before: int
    after: int


@dataclass(frozen=True)
class Pair:
    """Two sides; `tasks` are those that the two lanes are given, at a step where that alone is what
    differs."""

    left: Side
    right: Side
    same: bool
    tasks: tuple[str, str] | None = None


@dataclass(frozen=True)
class Sources:
    """Two loops in one: `left` are the lines that only the first has, `right` the second."""

    left: str
    right: str
    rows: tuple[Row, ...]


def pairs(lanes: Lanes, row: int) -> tuple[Pair, ...]:
    """The first lane's messages after a row beside those of each other lane."""
    held = [lane.trace.messages(lanes.now(row, at)) for at, lane in enumerate(lanes.shown)]
    names = [lane.name for lane in lanes.shown]
    found = [
        _pair((names[0], list(held[0])), (names[n], list(held[n]))) for n in range(1, len(held))
    ]
    if lanes.rows[row].kind != "start":
        return tuple(found)
    first, *others = (lane.lane.task(lanes.lang) for lane in lanes.shown)
    return tuple(
        replace(pair, tasks=(first, task)) if task != first else pair
        for pair, task in zip(found, others, strict=True)
    )


def _pair(left: tuple[str, list[Json]], right: tuple[str, list[Json]]) -> Pair:
    marks = marks_of({"messages": renumbered(left[1])}, {"messages": renumbered(right[1])})
    places = [int(path[1]) for side in marks for path in side]
    first = max(0, min(places, default=0) - BEFORE)
    sides = []
    for (name, messages), own in zip((left, right), marks, strict=True):
        entries = entries_of(list(messages), own, "anthropic")
        shown = entries[first : first + BEFORE + AFTER]
        after = len(entries) - first - len(shown)
        sides.append(Side(name, shown, first, after))
    return Pair(sides[0], sides[1], not places)


def sources(lanes: Lanes) -> tuple[Sources, ...]:
    """The first lane's loop beside each other one."""
    first, *others = (lane.loop.name for lane in lanes.shown)
    return tuple(Sources(first, name, code_between(first, name).rows) for name in others)

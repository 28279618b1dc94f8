"""The table of one lane as a page shows it: the rows asked for, with a bar for when each ran."""

from collections.abc import Sequence
from dataclasses import dataclass

from markupsafe import Markup

from app.engine.steps import Trace
from app.views.addresses import Place
from app.views.calls.query import Query, picked
from app.views.calls.table import Row, Table
from app.views.carried import in_short
from app.views.chat import Ended
from app.views.texts import Words

MOST_ROWS = 200  # that a page shows of one lane
WIDE = 1_000  # units of a bar
NARROWEST = 8  # so that what takes no time is still seen


@dataclass(frozen=True)
class Bar:
    """When a call was: the model's part, from where and how wide, then the tool's."""

    model: tuple[int, int]
    tool: tuple[int, int] | None


@dataclass(frozen=True)
class Line:
    """A row with its bar; `more` is what came of the call besides its result, in a few words."""

    row: Row
    bar: Bar
    more: Markup


@dataclass(frozen=True)
class Sheet:
    """A lane's table. `place` leads to its steps; `lines` are the first of the rows asked for,
    `asked` counts these."""

    name: str
    place: Place
    table: Table
    lines: tuple[Line, ...]
    asked: int
    ended: Ended


def sheet_of(
    name: str,
    place: Place,
    trace: Trace,
    table: Table,
    query: Query,
    words: Words,
) -> Sheet:
    """The sheet of a run from its table."""
    rows = picked(table.rows, query)
    lines = tuple(_line(row, table.total.seconds, words) for row in rows[:MOST_ROWS])
    ended = Ended(trace.ending, len(trace.asks))
    return Sheet(name, place, table, lines, len(rows), ended)


def tools_of(sheets: Sequence[Sheet]) -> tuple[str, ...]:
    """The names of all tools called, in the order of their first calls."""
    return tuple(dict.fromkeys(tool for sheet in sheets for tool in sheet.table.tools))


def _line(row: Row, total: float, words: Words) -> Line:
    more = in_short(words, row.outcome) if row.outcome else Markup()
    return Line(row, _bar(row, total), more)


def _bar(row: Row, total: float) -> Bar:
    def part(began: float, seconds: float) -> tuple[int, int]:
        width = max(NARROWEST, round(WIDE * seconds / total)) if total else NARROWEST
        start = round(WIDE * began / total) if total else 0
        return min(start, WIDE - width), width

    return Bar(
        part(row.asked_at, row.turn_spent.seconds),
        None if row.ran is None else part(row.began, row.seconds),
    )

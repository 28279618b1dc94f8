"""The table of one lane as a page shows it: the rows asked for, with a bar for when each ran."""

from collections.abc import Sequence
from dataclasses import dataclass

from app.engine.steps import Trace
from app.views.addresses import Place
from app.views.calls.query import Query, picked
from app.views.calls.table import Row, Table, table_of
from app.views.chat import Ended

WIDE = 1_000  # units of a bar
NARROWEST = 8  # so that what takes no time is still seen


@dataclass(frozen=True)
class Bar:
    """When a call was: the model's part, from where and how wide, then the tool's."""

    model: tuple[int, int]
    tool: tuple[int, int] | None


@dataclass(frozen=True)
class Sheet:
    """A lane's table. `place` leads to its steps; `rows` are those asked for, with their bars."""

    name: str
    place: Place
    table: Table
    rows: tuple[tuple[Row, Bar], ...]
    ended: Ended


def sheet_of(
    name: str, place: Place, trace: Trace, dollars: Sequence[float | None], query: Query
) -> Sheet:
    """The sheet of a run; `dollars` is the cost of each of its requests."""
    table = table_of(trace, dollars)
    rows = tuple((row, _bar(row, table.total.seconds)) for row in picked(table.rows, query))
    return Sheet(name, place, table, rows, Ended(trace.ending, len(trace.asks)))


def tools_of(sheets: Sequence[Sheet]) -> tuple[str, ...]:
    """The names of all tools called, in the order of their first calls."""
    return tuple(dict.fromkeys(tool for sheet in sheets for tool in sheet.table.tools))


def _bar(row: Row, total: float) -> Bar:
    def part(began: float, seconds: float) -> tuple[int, int]:
        width = max(NARROWEST, round(WIDE * seconds / total)) if total else NARROWEST
        start = round(WIDE * began / total) if total else 0
        return min(start, WIDE - width), width

    return Bar(
        part(row.asked_at, row.turn_spent.seconds),
        None if row.ran is None else part(row.began, row.seconds),
    )

"""The calls as comma-separated values, for a spreadsheet."""

import csv
import io
from collections.abc import Iterable

from app.views.calls.table import Row
from app.views.texts import compact

COLUMNS = (
    *("lesson", "lane", "server", "depth", "parent", "call", "turn"),
    *("asked_step", "ran_step", "asked_at", "began"),
    *("tool", "id", "arguments", "result", "is_error", "decision", "tries", "seconds"),
    *("turn_tokens_in", "turn_tokens_out", "turn_dollars"),
    *("total_seconds", "total_tokens", "total_dollars"),
)
# What a spreadsheet takes for the begin of a formula, wide forms included.
FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")


def csv_text(rows: Iterable[tuple[str, str, str, Row]]) -> str:
    """The rows with the names of their lesson, lane and server; no cell begins a formula.

    A helper's call counts in its `turn` and its `call`; `parent` is the call that asked the helper.
    """
    text = io.StringIO()
    writer = csv.writer(text)
    writer.writerow(COLUMNS)
    for lesson, lane, server, row in rows:
        writer.writerow([_cell(value) for value in (lesson, lane, server, *_values(row))])
    return text.getvalue()


def _values(row: Row) -> tuple[object, ...]:
    return (
        *(row.depth, ".".join(map(str, row.inside)), row.number, row.turn),
        *(row.asked, row.ran, row.asked_at, row.began),
        *(row.tool, row.id, compact(row.arguments), row.result),
        "yes" if row.failed else "no",
        *(row.decision, row.tries, row.seconds),
        *(row.turn_spent.tokens_in, row.turn_spent.tokens_out, _dollars(row.turn_spent.dollars)),
        *(row.so_far.seconds, row.so_far.tokens, _dollars(row.so_far.dollars)),
    )


def _dollars(value: float | None) -> str | None:
    return None if value is None else f"{value:.6f}"


def _cell(value: object) -> object:
    """A quote before what a spreadsheet would run: it then shows the text as it is."""
    return f"'{value}" if isinstance(value, str) and value.startswith(FORMULA) else value

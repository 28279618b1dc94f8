"""What a lane does in a row, as a clause that other lanes may share."""

from collections.abc import Callable

from app.engine.steps import Append, Ask, Edit, End, Helper, Reply, Start, Step, Tool, Wait
from app.views.helper import in_short
from app.views.lanes.cells import MESSAGES, Cell
from app.views.lanes.clauses.append import append_clause, appended
from app.views.lanes.clauses.ask import ask_clause
from app.views.lanes.clauses.clause import Clause
from app.views.lanes.clauses.end import end_clause
from app.views.lanes.clauses.reply import reply_clause
from app.views.lanes.clauses.tool import tool_clause, wait_clause
from app.views.lanes.shown import Lanes, Shown
from app.views.texts import Words

__all__ = ["Clause", "appended", "clause"]


def clause(w: Words, lanes: Lanes, number: int, at: int, cell: Cell) -> Clause | None:
    """What a lane does in a row, whose `cell` is drawn; None where it waits or has ended."""
    step = lanes.step(number, at)
    if step is not None:
        return _CLAUSES[type(step)](w, lanes.shown[at], step)
    if cell.look == "hole":
        lost = cell.word
        return lambda who, n: w.ngettext(
            "%(who)s appends nothing: %(lost)s.",
            "%(who)s append nothing: %(lost)s.",
            n,
            who=who,
            lost=lost,
        )
    if cell.look == "note" and cell.text and lanes.rows[number].kind == "append":
        why = cell.text
        return lambda who, n: w.ngettext(
            "%(who)s appends nothing yet: %(why)s.",
            "%(who)s append nothing yet: %(why)s.",
            n,
            who=who,
            why=why,
        )
    if cell.look == "note" and lanes.rows[number].kind == "end":
        return lambda who, n: w.ngettext("%(who)s goes on.", "%(who)s go on.", n, who=who)
    if cell.look == "note":
        return lambda who, n: w.ngettext(
            "%(who)s does nothing here.", "%(who)s do nothing here.", n, who=who
        )
    return None


def _start(w: Words, lane: Shown, step: Step) -> Clause:
    return lambda who, n: w.gettext("%(who)s: the task.", who=who)


def _helper(w: Words, lane: Shown, step: Step) -> Clause:
    assert isinstance(step, Helper)
    what = in_short(w, step)
    return lambda who, n: w.ngettext(
        "The helper of %(who)s: %(what)s.",
        "The helpers of %(who)s: %(what)s.",
        n,
        who=who,
        what=what,
    )


def _edit(w: Words, lane: Shown, step: Step) -> Clause:
    assert isinstance(step, Edit)
    return lambda who, n: w.ngettext(
        "%(who)s changes %(messages)s from entry %(index)s on.",
        "%(who)s change %(messages)s from entry %(index)s on.",
        n,
        who=who,
        messages=MESSAGES,
        index=step.index,
    )


_CLAUSES: dict[type[Step], Callable[[Words, Shown, Step], Clause]] = {
    Start: _start,
    Ask: ask_clause,
    Reply: reply_clause,
    Append: append_clause,
    Tool: tool_clause,
    Wait: wait_clause,
    Helper: _helper,
    Edit: _edit,
    End: end_clause,
}

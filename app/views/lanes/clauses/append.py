"""What some lanes append in a row."""

from markupsafe import Markup

from app.engine.steps import Append, Step
from app.views.lanes.cells import MESSAGES
from app.views.lanes.clauses.clause import Clause
from app.views.lanes.shown import Shown
from app.views.strip import CALLS_LOST, NO_ID, STRANGE, SWAPPED, results_in
from app.views.texts import Words


def appended(w: Words, lane: Shown, step: Append) -> Markup:
    """What a lane appends."""
    message = lane.trace.messages(step)[step.index]
    faults = lane.rounds[step.turn].faults
    results = results_in(message)
    if message.get("role") == "system":
        return w.gettext("a system message")
    if not results:
        lost = CALLS_LOST in faults
        return w.gettext("the reply without its calls") if lost else w.gettext("the reply")
    if NO_ID in faults:
        return w.ngettext("the result without its id", "%(num)s results without ids", results)
    if SWAPPED in faults:
        return w.gettext("each result under the other call's id")
    if STRANGE in faults:
        return w.gettext("the result under a wrong id")
    return w.ngettext("one result", "%(num)s results in one message", results)


def append_clause(w: Words, lane: Shown, step: Step) -> Clause:
    assert isinstance(step, Append)
    what = appended(w, lane, step)
    return lambda who, n: w.ngettext(
        "%(who)s appends %(what)s: %(messages)s holds %(length)s.",
        "%(who)s append %(what)s: %(messages)s holds %(length)s.",
        n,
        who=who,
        what=what,
        messages=MESSAGES,
        length=step.length,
    )

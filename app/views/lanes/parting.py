"""How a lane differs from the first one where they part, in a few words."""

from typing import Any

from markupsafe import Markup

from app.compare import renumbered
from app.engine.dialects.parts import calls_of, reason_key, reason_of
from app.engine.steps import Append, Helper, Reply, Result, Start, Step, Tool
from app.views.lanes.clauses import appended
from app.views.lanes.shown import Lanes
from app.views.texts import Words, apart, code, one_line


def parting(w: Words, lanes: Lanes, number: int, at: int) -> Markup:
    """What a lane does in a row otherwise than the first lane there; of what it appends always
    what that is. "" where the lane does the same, or where its cell says it all."""
    step, row = lanes.step(number, at), lanes.rows[number]
    first = next(other for n in range(len(row.steps)) if (other := lanes.step(number, n)))
    if isinstance(step, Append):
        what = appended(w, lanes.shown[at], step)
        if row.differs[at] and isinstance(first, Append):
            lane = next(lane for n, lane in enumerate(lanes.shown) if row.steps[n] is not None)
            if what == appended(w, lane, first):
                return w.gettext("%(what)s, changed", what=what)
        return what
    return _otherwise(w, first, step) if step and row.differs[at] else Markup()


def _otherwise(w: Words, first: Step, step: Step) -> Markup:
    match first, step:
        case Reply(), Reply():
            return _reply(w, first, step)
        case Tool(), Tool():
            return _result(w, first.result, step.result)
        case Start(), _:
            return w.gettext("another task")
        case Helper(), _:
            return w.gettext("the helper does otherwise")
    return Markup()


def _result(w: Words, first: Result, result: Result) -> Markup:
    if (first.content, first.is_error) == (result.content, result.is_error):
        return w.gettext("another effect")
    before, now = first.content.split("\n"), result.content.split("\n")
    new = next((line for line in now if line.strip() and line not in before), "")
    if before[0] != now[0] or not new:  # a cell shows the first line
        return w.gettext("another result")
    return w.gettext("another result: “%(said)s”", said=apart(one_line(new)))


def _reply(w: Words, first: Reply, step: Reply) -> Markup:
    before, now = calls_of(first.reply), calls_of(step.reply)
    if len(before) != len(now):
        return w.gettext("other calls")
    if _all(before, "name") != _all(now, "name"):
        return w.ngettext("another tool", "other tools", len(now))
    if _all(before, "input") != _all(now, "input"):
        return w.gettext("other parameters")
    if reason_of(first.reply) != reason_of(step.reply):
        return w.gettext("another %(key)s", key=code(reason_key(step.reply)))
    return w.gettext("other words")


def _all(calls: Any, key: str) -> list[Any]:
    return [renumbered(call.get(key)) for call in calls]

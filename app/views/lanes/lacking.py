"""A cell for a step that a lane lacks: what does not happen, and what that does."""

from markupsafe import Markup

from app.compare import Row
from app.engine.steps import Append, Step
from app.views.lanes.cells import MESSAGES, Cell
from app.views.lanes.shown import Lanes, Shown
from app.views.strip import REPLY_LOST, RESULTS_LOST
from app.views.texts import Words


def lacking(w: Words, lanes: Lanes, number: int, at: int) -> Cell:
    """A `hole` where something is lost by it, else a `note`."""
    lane, row = lanes.shown[at], lanes.rows[number]
    now = lanes.now(number, at)
    if row.kind != "append":
        return Cell(lane.name, "note", text=_without(w, row))
    faults = lane.rounds[row.turn].faults if row.turn else frozenset()
    lost = _lost(w, lanes, number, faults)
    if not lost or lane.is_base:
        later = any(isinstance(s, Append) for s in _rest_of_turn(lane, now))
        text = w.gettext("all results go in one message") if later else ""
        title = w.gettext("Nothing yet") if later else w.gettext("Nothing appended")
        return Cell(lane.name, "note", title=title, text=text)
    stays = w.gettext(
        "%(messages)s stays at %(length)s: %(lost)s",
        messages=MESSAGES,
        length=now.length,
        lost=lost,
    )
    return Cell(lane.name, "hole", title=w.gettext("Nothing appended"), text=stays, word=lost)


def _lost(w: Words, lanes: Lanes, number: int, faults: frozenset[str]) -> str:
    """What the others append in a row and this lane never does."""
    row = lanes.rows[number]
    for at, lane in enumerate(lanes.shown):
        step = lanes.step(number, at)
        if not isinstance(step, Append):
            continue
        message = lane.trace.messages(step)[step.index]
        if message.get("role") == "assistant":
            return w.gettext("the reply is lost") if REPLY_LOST in faults else ""
        if RESULTS_LOST in faults:
            many = len(lane.rounds[row.turn].tools)
            return w.ngettext("the result is lost", "the results are lost", many)
    return ""


def _rest_of_turn(lane: Shown, now: Step) -> list[Step]:
    steps = lane.trace.steps
    return [step for step in steps[steps.index(now) + 1 :] if step.turn == now.turn]


def _without(w: Words, row: Row) -> Markup:
    return {
        "tool": w.gettext("no call runs here"),
        "ask": w.gettext("nothing is sent here"),
        "reply": w.gettext("no reply here"),
        "wait": w.gettext("nobody is asked here"),
        "helper": w.gettext("no helper works here"),
    }.get(row.kind) or w.gettext("nothing happens here")

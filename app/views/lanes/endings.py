"""The foot of a comparison: how each lane ended, and how many messages it sent each turn."""

from dataclasses import dataclass

from markupsafe import Markup

from app.engine.steps import End, Fault
from app.views.addresses import View
from app.views.lanes.shown import Lanes
from app.views.picture import Piece
from app.views.spent import spent_of
from app.views.texts import Words, apart, one_line

HEIGHTS = 12  # of the tallest bar; a class names each


@dataclass(frozen=True)
class Bar:
    """The messages of one turn's request: a bar of `height` 1 to HEIGHTS; 0 is one not sent yet."""

    turn: int
    messages: int = 0
    height: int = 0


@dataclass(frozen=True)
class EndingShown:
    """How a lane ended. `kind` is the ending's, or `running`."""

    lane: str
    kind: str
    title: str = ""
    about: str = ""
    fault: Fault | None = None
    more: int = 0  # further faults
    rule: str = ""  # the address of the first one's rule
    spent: str = ""


def ending(w: Words, lanes: Lanes, row: int, at: int, view: View) -> EndingShown:
    """How a lane ended, where it has by this row."""
    lane = lanes.shown[at]
    if not lanes.has_ended(row, at):
        waits = lane.waits and lanes.stands(row, at)
        now = w.gettext("waits for a person") if waits else w.gettext("still running")
        return EndingShown(lane.name, "running", title=now)
    last = lane.trace.steps[-1]
    assert isinstance(last, End)
    found = last.ending
    turns = w.ngettext("%(num)s turn", "%(num)s turns", last.turn)
    steps = w.ngettext("%(num)s step", "%(num)s steps", len(lane.trace.steps) - 1)
    about = w.gettext("%(turns)s, %(steps)s", turns=turns, steps=steps)
    title: str = one_line(found.text, 160)
    if not found.text and found.kind in ("answer", "wrong"):
        title = w.gettext("an empty text")
    elif found.kind in ("answer", "wrong"):
        title = w.gettext("“%(answer)s”", answer=one_line(found.text, 160))
    if found.kind == "answer":
        about = w.gettext("the answer, after %(about)s", about=about)
    elif found.kind == "wrong":
        about = w.gettext("a wrong answer, after %(about)s", about=about)
    elif found.kind == "error":
        title = one_line(f"{found.error}: {found.text}", 160)
        about = w.gettext("line %(line)s, after %(about)s", line=last.lines[0], about=about)
    elif found.kind == "cut":
        title = w.gettext(found.text)
        about = w.gettext("cut by Halqa, after %(about)s", about=about)
    elif found.outage:
        why = apart(one_line(found.outage, 160))
        title = w.gettext("stopped: the environment failed: %(why)s", why=why)
    elif found.kind == "refused":
        title = w.gettext(found.faults[0].sentence)
    spent = spent_of(lane.trace, w) if lanes.lesson.number else Markup("")
    fault = found.faults[0] if found.faults else None
    more = max(0, len(found.faults) - 1)
    rule = view.rule(fault.rule) if fault else ""
    return EndingShown(lane.name, found.kind, title, about, fault, more, rule, spent)


class Bars:
    """The bars of one lane: one for each turn that any lane takes, on one scale for all lanes."""

    def __init__(self, lanes: Lanes, at: int) -> None:
        self._lanes, self._at = lanes, at
        most = max(count for lane in lanes.shown for count in lane.trace.messages_sent)
        sent = {ask.turn: ask.length for ask in lanes.shown[at].trace.asks}
        name, turns = lanes.shown[at].name, range(1, lanes.turns + 1)
        self._full = [
            _bar(name, Bar(turn, sent.get(turn, 0), -(-HEIGHTS * sent.get(turn, 0) // most)))
            for turn in turns
        ]
        self._empty = [_bar(name, Bar(turn, 0, 0)) for turn in turns]

    def pieces(self, row: int) -> tuple[Piece, ...]:
        """The bars at a row, empty for the turns that the lane has not reached."""
        turn = self._lanes.now(row, self._at).turn
        return (*self._full[:turn], *self._empty[turn:])


def _bar(lane: str, bar: Bar) -> Piece:
    return Piece(f"bar-{lane}-{bar.turn}", "bar", bar)

"""What is wrong in a step, in a short red word."""

from app.engine.dialects.parts import calls_of
from app.engine.steps import Append, Ask, Reply, Step, Tool
from app.views.lanes.cells import Added
from app.views.lanes.shown import Lanes, Shown
from app.views.strip import (
    CALLS_LOST,
    NO_ID,
    REPLY_LOST,
    RESULTS_LOST,
    STRANGE,
    SWAPPED,
    results_in,
)
from app.views.texts import Words


def slip_of(w: Words, added: tuple[Added, ...], faults: frozenset[str]) -> str:
    """What is wrong with messages that a lane appends."""
    looks = {one.glyph.look for one in added}
    if "?" in {one.glyph.letter for one in added}:
        return w.gettext("no id")
    if "swapped" in looks:
        return w.gettext("wrong id") if STRANGE in faults else w.gettext("ids swapped")
    return w.gettext("calls lost") if "no-call" in looks else ""


def slip_in(w: Words, lanes: Lanes, number: int, at: int, step: Step) -> str:
    """A short red word for a step that the slip has changed."""
    lane, row = lanes.shown[at], lanes.rows[number]
    if isinstance(step, Ask):
        return _ask_word(w, lanes, number, lane, step)
    if isinstance(step, Append):
        return _append_word(w, lane, step) if row.differs[at] else ""
    if isinstance(step, Tool) and _is_lost_unseen(lanes, number, at):
        return w.gettext("result lost")
    again = lane.repeats(step)
    if isinstance(step, Reply) and again and calls_of(step.reply):
        return w.gettext("and again") if again > 1 else w.gettext("same question again")
    if isinstance(step, Tool) and again:
        return w.gettext("same result") if again == 1 else ""
    is_last = step.turn == lane.trace.steps[-1].turn
    if isinstance(step, Reply) and is_last and lane.trace.ending.kind == "wrong":
        return w.gettext("wrong answer")
    if number == lanes.comparison.first_difference:
        return ""  # there it is said how
    return w.gettext("differs") if row.differs[at] and isinstance(step, Reply | Tool) else ""


def _ask_word(w: Words, lanes: Lanes, number: int, lane: Shown, step: Ask) -> str:
    """What a request lacks, the first time that it does; then how many messages."""
    if "tools" in step.changed and not step.envelope.get("tools"):
        return w.gettext("no tools offered")
    before = lane.rounds[step.turn - 1].faults if step.turn > 1 else frozenset()
    word = _missing(w, before - lane.faults_before[max(1, step.turn - 1)])
    base = next((n for n, other in enumerate(lanes.shown) if other.is_base), None)
    asked = None if base is None else lanes.step(number, base)
    if word or not isinstance(asked, Ask) or asked.length == step.length:
        return word
    if step.length < asked.length:
        return w.ngettext("%(num)s fewer", "%(num)s fewer", asked.length - step.length)
    return w.ngettext("%(num)s more", "%(num)s more", step.length - asked.length)


def _append_word(w: Words, lane: Shown, step: Append) -> str:
    """A reply that the model gave before, or some of a turn's results."""
    message, brought = lane.trace.messages(step)[step.index], lane.rounds[step.turn]
    if message.get("role") == "assistant":
        replies = [s for s in lane.trace.steps if isinstance(s, Reply) and s.turn == step.turn]
        again = any(lane.repeats(reply) for reply in replies)
        return w.gettext("the same again") if again else ""
    results, made = results_in(message), len(brought.tools)
    if 0 < results < made:
        return w.gettext("%(some)s of %(all)s results", some=results, all=made)
    return ""


def _missing(w: Words, faults: frozenset[str]) -> str:
    """What a request lacks, said the first time that it does."""
    if {REPLY_LOST, RESULTS_LOST} <= faults:
        return w.gettext("round missing")
    words = {
        REPLY_LOST: w.gettext("reply missing"),
        RESULTS_LOST: w.gettext("result missing"),
        CALLS_LOST: w.gettext("calls missing"),
        NO_ID: w.gettext("no id"),
        SWAPPED: w.gettext("ids swapped"),
        STRANGE: w.gettext("wrong id"),
    }
    return next((word for fault, word in words.items() if fault in faults), "")


def _is_lost_unseen(lanes: Lanes, number: int, at: int) -> bool:
    """Whether the results of a turn are lost and no row of the turn has a hole that says so."""
    row = lanes.rows[number]
    if RESULTS_LOST not in lanes.shown[at].rounds[row.turn].faults:
        return False
    later = [other for other in lanes.rows[number + 1 :] if other.turn == row.turn]
    if any(other.steps[at] is not None and other.kind == "tool" for other in later):
        return False
    return not any(other.holes[at] for other in later)

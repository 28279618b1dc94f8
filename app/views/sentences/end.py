"""Why a run stopped."""

from markupsafe import Markup, escape

from app.engine.dialects.parts import reason_of
from app.engine.steps import End, Fault, Reply, Trace
from app.source import Loop
from app.views.reasons import said_by
from app.views.sentences.sentence import Sentence, joined
from app.views.texts import Words, apart, code, one_line


def end_sentence(trace: Trace, step: End, loop: Loop, words: Words) -> Sentence:
    _, ngettext = words.gettext, words.ngettext
    ending, turns = step.ending, len(trace.asks)
    handed_over = not ending.text.endswith(f" {turns} turns")  # there is more than the bare fact
    after = ngettext("%(num)s request was sent.", "%(num)s requests were sent.", turns)
    match ending.kind:
        case "answer":
            return Sentence(_("The loop returns the answer."), after)
        case "wrong" if not ending.text:
            return Sentence(
                _("The loop returns an empty text: the person reads nothing."),
                joined(after, _own_slip(loop, words)),
                "error",
            )
        case "wrong":
            return Sentence(
                _("The loop returns an answer, and it is wrong."),
                joined(_("No request was refused."), _own_slip(loop, words)),
                "error",
            )
        case "no_answer":
            return Sentence(
                ngettext(
                    "The loop gives up after %(num)s turn, its cap.",
                    "The loop gives up after %(num)s turns, its cap.",
                    turns,
                ),
                joined(
                    _("The model was still asking."),
                    _("The person reads: “%(said)s”", said=apart(one_line(ending.text)))
                    if handed_over
                    else _own_slip(loop, words),
                ),
            )
        case "stopped":
            if ending.outage:
                why = _(
                    "The harness ends the run: the environment failed: %(why)s.",
                    why=code(ending.outage),
                )
                return Sentence(why, after)
            reason = ending.text.removeprefix("stopped: ")
            said = _("The loop stops: %(reason)s.", reason=code(reason))
            return Sentence(said, joined(_of_the_model(trace, reason, words), after))
        case "refused":
            first = ending.faults[0]
            return Sentence(
                _("The server refuses request %(turn)s.", turn=turns),
                _own(first, words),
                "error",
            )
        case "failed":
            return Sentence(
                _("The call fails: %(error)s.", error=code(ending.error)),
                _(ending.text),
                "error",
            )
        case "error":
            return Sentence(
                _(
                    "The loop breaks in line %(line)s: %(error)s.",
                    line=step.lines[0],
                    error=code(ending.error),
                ),
                escape(one_line(ending.text)),
                "error",
            )
    return Sentence(
        _("Halqa ends this run: %(why)s.", why=_(ending.text)),
        _("This is a limit of Halqa, not of the loop."),
    )


def _of_the_model(trace: Trace, reason: str, words: Words) -> Markup:
    """What the reason says, where it is the last reply's own; nothing where it is the loop's."""
    replies = [step.reply for step in trace.steps if isinstance(step, Reply)]
    own = bool(replies) and reason_of(replies[-1]) == reason
    return said_by(words, reason) if own else Markup("")


def _own_slip(loop: Loop, words: Words) -> Markup:
    if loop.base is None:
        return Markup("")
    return words.gettext("The slip of this loop: %(slip)s", slip=words.gettext(loop.slip))


def _own(fault: Fault, words: Words) -> Markup:
    """Our own sentence of a fault."""
    return words.gettext(fault.sentence)

"""One sentence for each step: what happened, and why. The first half stands alone."""

from dataclasses import replace

from app.engine.steps import Append, Ask, Edit, End, Helper, Reply, Start, Tool, Trace, Wait
from app.source import Loop, loops
from app.views.fates import Fate, fates_of
from app.views.sentences.append import append_sentence
from app.views.sentences.ask import ask_sentence
from app.views.sentences.end import end_sentence
from app.views.sentences.reply import reply_sentence
from app.views.sentences.sentence import MESSAGES, Sentence, joined
from app.views.sentences.tool import tool_sentence
from app.views.sentences.used import used_sentence
from app.views.sentences.wait import wait_sentence
from app.views.texts import Words, code, one_line

__all__ = ["Sentence", "sentence"]


def sentence(
    trace: Trace, number: int, loop: Loop, fates: dict[int, Fate], words: Words
) -> Sentence:
    """The sentence of a step."""
    step = trace.steps[number]
    told = _of_its_kind(trace, number, loop, fates, words)
    if not step.printed:
        return told
    printed = words.gettext(
        "Before that the loop printed %(text)s.", text=code(one_line(step.printed.rstrip("\n")))
    )
    return replace(told, why=joined(told.why, printed))


def _of_its_kind(
    trace: Trace, number: int, loop: Loop, fates: dict[int, Fate], words: Words
) -> Sentence:
    step = trace.steps[number]
    match step:
        case Start():
            return _start(words)
        case Ask():
            return ask_sentence(trace, number, step, fates, words)
        case Reply():
            told = reply_sentence(trace, number, step, fates[number], words)
            used = used_sentence(trace, number, loop, words)
            return replace(told, why=joined(told.why, used))
        case Append():
            return append_sentence(trace, number, step, fates, words)
        case Tool():
            return tool_sentence(trace, number, step, fates[number], words)
        case Wait():
            return wait_sentence(step, words)
        case Helper():
            return _helper(step, words)
        case Edit():
            return _edit(step, words)
        case End():
            return end_sentence(trace, step, loop, words)
    raise TypeError(step)


def _helper(step: Helper, words: Words) -> Sentence:
    """The sentence of the helper's own step."""
    own = loops()[step.loop]
    told = sentence(step.run, step.number, own, fates_of(step.run), words)
    return replace(told, said=joined(words.gettext("The helper agent:"), told.said), look="")


def _start(words: Words) -> Sentence:
    _ = words.gettext
    return Sentence(
        _("A person asks, and nothing is sent yet."),
        _(
            "The loop will put the question into %(messages)s and send that to the model.",
            messages=MESSAGES,
        ),
    )


def _edit(step: Edit, words: Words) -> Sentence:
    _ = words.gettext
    place = code(f"[{step.index}]")
    if not step.after:
        said = words.ngettext(
            "%(num)s message leaves %(messages)s.",
            "%(num)s messages leave %(messages)s.",
            len(step.before),
            messages=MESSAGES,
        )
        return Sentence(
            said, _("It stood at %(place)s. The model will not see it again.", place=place)
        )
    return Sentence(
        _("%(messages)s changes at %(place)s.", messages=MESSAGES, place=place),
        _("What was sent before is not what will be sent next."),
    )

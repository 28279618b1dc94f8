"""What the model asks for, or why it stopped."""

from markupsafe import Markup

from app.engine.dialects.parts import calls_of, read_reply, reason_key, reason_of, tools_of
from app.engine.steps import Reply, Trace
from app.views.fates import LOST, Fate, answered_before, asked_before
from app.views.sentences.sentence import MESSAGES, Sentence, called, joined
from app.views.texts import Words, code


def reply_sentence(trace: Trace, number: int, step: Reply, fate: Fate, words: Words) -> Sentence:
    _, ngettext = words.gettext, words.ngettext
    calls = calls_of(step.reply)
    reason = read_reply(step.reply)["stop_reason"]
    key, word = code(reason_key(step.reply)), code(reason_of(step.reply))
    if reason == "end_turn" and not calls:
        offered = tools_of(trace.asks[step.turn - 1].envelope)
        none = Markup("") if offered else _("None was offered to it.")
        sign = _(
            "%(key)s is %(reason)s: this is the loop's sign to stop.",
            key=key,
            reason=word,
        )
        return Sentence(_("The model answers and asks for no tool."), joined(none, sign))
    if not calls or reason not in ("tool_use", "end_turn"):
        why = _("%(key)s is %(reason)s.", key=key, reason=word)
        none = _("No call in it may run.") if calls else Markup("")
        return Sentence(_("The reply stops early."), joined(why, none))
    if asked_before(trace, number):
        return Sentence(
            ngettext(
                "The model asks for the same tool again: %(call)s.",
                "The model asks for the same tools again.",
                len(calls),
                call=called(calls[0]),
            ),
            _why_again(answered_before(trace, number), words),
        )
    said = ngettext(
        "The model asks for a tool: %(call)s.",
        "The model asks for %(num)s tools at once.",
        len(calls),
        call=called(calls[0]),
    )
    where = (
        _(
            "Its reply is in a variable, and this loop never appends it to %(messages)s.",
            messages=MESSAGES,
        )
        if fate.how == LOST
        else _("Its reply is in a variable, not in %(messages)s yet.", messages=MESSAGES)
    )
    return Sentence(said, joined(_("It can only ask."), where))


def _why_again(answered: bool, words: Words) -> Markup:
    if answered:
        return words.gettext("The request holds the result of that call; it asks all the same.")
    return words.gettext(
        "No result in the request answers its call, and what is not in the request did not happen."
    )

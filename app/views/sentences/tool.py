"""What the harness does with a call."""

from app.engine.steps import Tool, Trace
from app.views.fates import LOST, Fate
from app.views.sentences.sentence import MESSAGES, Sentence, called, joined
from app.views.texts import Words, code, one_line


def tool_sentence(trace: Trace, number: int, step: Tool, fate: Fate, words: Words) -> Sentence:
    _ = words.gettext
    if fate.how == LOST:
        where = _("This loop never appends the result: the model will not get to know it.")
    else:
        where = words.ngettext(
            "The result is in a variable; %(messages)s still holds %(num)s message.",
            "The result is in a variable; %(messages)s still holds %(num)s messages.",
            step.length,
            messages=MESSAGES,
        )
    failed = next((check for check in step.result.checks if not check.passed), None)
    name = code(step.call.get("name", ""))
    if failed:
        said = _(
            "The harness does not run %(tool)s: %(why)s.",
            tool=name,
            why=one_line(failed.said).rstrip("."),
        )
        return Sentence(said, joined(_("The reason becomes the result."), where))
    if step.result.is_error:
        said = _("%(tool)s fails.", tool=name)
        return Sentence(said, joined(_("The error is its result."), where))
    if _ran_before(trace, number, step):
        said = _("The harness runs %(tool)s once more, for the same result.", tool=name)
    else:
        said = _("The harness runs %(tool)s.", tool=called(step.call))
    return Sentence(said, where)


def _ran_before(trace: Trace, number: int, step: Tool) -> bool:
    return any(
        isinstance(earlier, Tool)
        and earlier.call.get("name") == step.call.get("name")
        and earlier.call.get("input") == step.call.get("input")
        and earlier.result.content == step.result.content
        for earlier in trace.steps[:number]
    )

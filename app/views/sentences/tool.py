"""What the harness does with a call."""

from markupsafe import Markup

from app.engine.steps import Tool, Trace
from app.views.carried import changed
from app.views.fates import ENDED, LOST, Fate
from app.views.sentences.sentence import MESSAGES, Sentence, called, joined
from app.views.texts import Words, apart, code, one_line


def tool_sentence(trace: Trace, number: int, step: Tool, fate: Fate, words: Words) -> Sentence:
    _ = words.gettext
    if fate.how == LOST:
        where = _("This loop never appends the result: the model will not get to know it.")
    elif fate.how == ENDED:
        where = _("The harness ends the run here: the model will not get to know it.")
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
            why=apart(one_line(failed.said).rstrip(".")),
        )
        return Sentence(said, joined(_("The reason becomes the result."), where))
    if step.result.failure == "environment":
        said = _("%(tool)s fails: the environment is at fault, not the call.", tool=name)
        return Sentence(said, joined(_tried(step, words), changed(words, step.result), where))
    if step.result.is_error:
        said = _("%(tool)s fails.", tool=name)
        return Sentence(
            said, joined(_("The error is its result."), changed(words, step.result), where)
        )
    if len(step.result.tries) > 1:
        said = words.ngettext(
            "The harness tries %(tool)s %(num)s time; the last try succeeds.",
            "The harness tries %(tool)s %(num)s times; the last try succeeds.",
            len(step.result.tries),
            tool=name,
        )
        untold = _("The model is told of that one alone.")
        return Sentence(said, joined(untold, changed(words, step.result), where))
    if _ran_before(trace, number, step):
        said = _("The harness runs %(tool)s once more, for the same result.", tool=name)
    else:
        said = _("The harness runs %(tool)s.", tool=called(step.call))
    return Sentence(said, joined(_hooked(step, words), changed(words, step.result), where))


def _tried(step: Tool, words: Words) -> Markup:
    """How often a call was tried that failed for good."""
    _ = words.gettext
    if len(step.result.tries) > 1:
        return words.ngettext(
            "It was tried %(num)s time.", "It was tried %(num)s times.", len(step.result.tries)
        )
    return _("It is not tried again.")


def _hooked(step: Tool, words: Words) -> Markup:
    """What the harness ran by itself after a call."""
    if not step.result.hooks:
        return Markup()
    names = words.listed(code(hook.name) for hook in step.result.hooks)
    return words.gettext("After it the harness runs %(tools)s by itself.", tools=names)


def _ran_before(trace: Trace, number: int, step: Tool) -> bool:
    return any(
        isinstance(earlier, Tool)
        and earlier.call.get("name") == step.call.get("name")
        and earlier.call.get("input") == step.call.get("input")
        and earlier.result.content == step.result.content
        for earlier in trace.steps[:number]
    )

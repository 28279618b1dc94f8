"""What a request holds, and what it lacks."""

from markupsafe import Markup

from app.engine.dialects.parts import tools_of
from app.engine.steps import Ask, Tool, Trace
from app.views.fates import LOST, NO_ID, OTHER_ID, PART, STRANGE_ID, Fate
from app.views.sentences.sentence import MESSAGES, Sentence, joined
from app.views.texts import Words, code, one_line


def ask_sentence(
    trace: Trace, number: int, step: Ask, fates: dict[int, Fate], words: Words
) -> Sentence:
    _ = words.gettext
    said, why = _what_is_sent(trace, step, _turn_before(trace, number, fates), words)
    tools = tools_of(step.envelope)
    if "tools" in step.changed and not tools:
        why = joined(
            why, _("The loop itself passes %(tools)s: no tool is offered.", tools=code("tools=[]"))
        )
    elif step.turn == 1 and tools:
        offered = words.ngettext(
            "With it goes the description of %(num)s tool.",
            "With it go the descriptions of %(num)s tools.",
            len(tools),
        )
        why = joined(why, offered)
    elif step.turn > 1:
        why = joined(why, _offered_anew(trace.asks[step.turn - 2], step, words))
    warnings = [fault.rule for fault in step.faults if fault.effect == "warn"]
    if warnings:
        rules = words.listed(dict.fromkeys(warnings))
        why = joined(why, _("The server takes it, with a warning: %(rules)s.", rules=rules))
    return Sentence(said, why)


def _offered_anew(before: Ask, now: Ask, words: Words) -> Markup:
    """Which tools are offered since this request, and which no longer."""
    old, new = _names(before), _names(now)
    come = [code(name) for name in new if name not in old]
    gone = [code(name) for name in old if name not in new]
    said = []
    if come:
        said.append(words.gettext("From now on it offers %(tools)s.", tools=words.listed(come)))
    if gone:
        said.append(words.gettext("It offers %(tools)s no longer.", tools=words.listed(gone)))
    return joined(*said)


def _names(ask: Ask) -> list[str]:
    return [one_line(str(tool["name"])) for tool in tools_of(ask.envelope) if "name" in tool]


def _what_is_sent(
    trace: Trace, step: Ask, before: dict[int, Fate], words: Words
) -> tuple[Markup, Markup]:
    _, ngettext = words.gettext, words.ngettext
    if step.turn == 1:
        return (
            _("The first request leaves."),
            ngettext(
                "All that the model gets to know is in it: %(num)s message.",
                "All that the model gets to know is in it: %(num)s messages.",
                step.length,
            ),
        )
    new = step.length - step.fresh
    if new == 0 and _as_before(trace, step):
        return (
            _("The same request once more, byte for byte."),
            _(
                "Nothing joined %(messages)s, so for the model nothing has happened.",
                messages=MESSAGES,
            ),
        )
    held = ngettext(
        "%(num)s message: %(again)s sent again, %(new)s new.",
        "%(num)s messages: %(again)s sent again, %(new)s new.",
        step.length,
        again=step.fresh,
        new=new,
    )
    manners = {fate.how for fate in before.values()}
    lost = [at for at, fate in before.items() if fate.how == LOST]
    results = [at for at in lost if isinstance(trace.steps[at], Tool)]
    if results:
        said = ngettext(
            "Request %(turn)s leaves without the result.",
            "Request %(turn)s leaves without the results.",
            len(results),
            turn=step.turn,
        )
        return said, joined(held, _("What the tool gave back is in none of them."))
    ran = any(isinstance(trace.steps[at], Tool) for at in before)
    if ran and (lost or PART in manners):
        said = _("Request %(turn)s leaves without the call that was made.", turn=step.turn)
        return said, joined(held, _("The result in it answers nothing that stands there."))
    if NO_ID in manners:
        said = _("Request %(turn)s leaves with a result that names no call.", turn=step.turn)
        return said, held
    if manners & {OTHER_ID, STRANGE_ID}:
        said = _("Request %(turn)s leaves with each result under a wrong id.", turn=step.turn)
        return said, held
    return (
        _(
            "Request %(turn)s leaves, with all of %(messages)s again.",
            turn=step.turn,
            messages=MESSAGES,
        ),
        joined(held, _("The model keeps nothing between two requests.")),
    )


def _as_before(trace: Trace, step: Ask) -> bool:
    """Whether a request is the one before it."""
    before = trace.asks[step.turn - 2]
    return (before.envelope, before.length) == (step.envelope, step.length)


def _turn_before(trace: Trace, number: int, fates: dict[int, Fate]) -> dict[int, Fate]:
    """What became of the replies and results of the turn before a request."""
    turn = trace.steps[number].turn - 1
    return {at: fate for at, fate in fates.items() if trace.steps[at].turn == turn}

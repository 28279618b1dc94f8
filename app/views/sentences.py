"""One sentence for each step: what happened, and why. The first half stands alone."""

from dataclasses import dataclass

from markupsafe import Markup, escape

from app.engine.steps import (
    Append,
    Ask,
    Edit,
    End,
    Fault,
    Reply,
    Start,
    Tool,
    Trace,
    client_calls,
)
from app.source import Loop
from app.views.fates import (
    ALTERED,
    LOST,
    NO_ID,
    OTHER_ID,
    PART,
    Fate,
    answered_before,
    asked_before,
)
from app.views.texts import Words, code, compact, one_line

MESSAGES = code("messages[]")
SHOWN_INPUT = 60  # characters of a call's input in a sentence


@dataclass(frozen=True)
class Sentence:
    """`said` is what happened, `why` the rest; `look` is "" or `error` where the run broke."""

    said: Markup
    why: Markup
    look: str = ""


def sentence(
    trace: Trace, number: int, loop: Loop, fates: dict[int, Fate], words: Words
) -> Sentence:
    """The sentence of a step."""
    step = trace.steps[number]
    match step:
        case Start():
            return _start(words)
        case Ask():
            return _ask(trace, number, step, fates, words)
        case Reply():
            return _reply(trace, number, step, fates[number], words)
        case Append():
            return _append(trace, number, step, fates, words)
        case Tool():
            return _tool(trace, number, step, fates[number], words)
        case Edit():
            return _edit(step, words)
        case End():
            return _end(trace, step, loop, words)
    raise TypeError(step)


def _start(words: Words) -> Sentence:
    _ = words.gettext
    return Sentence(
        _("A person asks, and nothing is sent yet."),
        _(
            "The loop will put the question into %(messages)s and send that to the model.",
            messages=MESSAGES,
        ),
    )


# --- ask


def _ask(trace: Trace, number: int, step: Ask, fates: dict[int, Fate], words: Words) -> Sentence:
    _ = words.gettext
    said, why = _what_is_sent(trace, step, _turn_before(trace, number, fates), words)
    tools = step.envelope.get("tools")
    if "tools" in step.changed and not tools:
        why = _join(
            why, _("The loop itself passes %(tools)s: no tool is offered.", tools=code("tools=[]"))
        )
    elif step.turn == 1 and tools:
        offered = words.ngettext(
            "With it goes the description of %(num)s tool.",
            "With it go the descriptions of %(num)s tools.",
            len(tools),
        )
        why = _join(why, offered)
    warnings = [fault.rule for fault in step.faults if fault.effect == "warn"]
    if warnings:
        rules = ", ".join(dict.fromkeys(warnings))
        why = _join(why, _("The server takes it, with a warning: %(rules)s.", rules=rules))
    return Sentence(said, why)


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
        return said, _join(held, _("What the tool gave back is in none of them."))
    ran = any(isinstance(trace.steps[at], Tool) for at in before)
    if ran and (lost or PART in manners):
        said = _("Request %(turn)s leaves without the call that was made.", turn=step.turn)
        return said, _join(held, _("The result in it answers nothing that stands there."))
    if NO_ID in manners:
        said = _("Request %(turn)s leaves with a result that names no call.", turn=step.turn)
        return said, held
    if OTHER_ID in manners:
        said = _("Request %(turn)s leaves with each result under a wrong id.", turn=step.turn)
        return said, held
    return (
        _(
            "Request %(turn)s leaves, with all of %(messages)s again.",
            turn=step.turn,
            messages=MESSAGES,
        ),
        _join(held, _("The model keeps nothing between two requests.")),
    )


def _as_before(trace: Trace, step: Ask) -> bool:
    """Whether a request is the one before it."""
    before = trace.asks[step.turn - 2]
    return (before.envelope, before.length) == (step.envelope, step.length)


def _turn_before(trace: Trace, number: int, fates: dict[int, Fate]) -> dict[int, Fate]:
    """What became of the replies and results of the turn before a request."""
    turn = trace.steps[number].turn - 1
    return {at: fate for at, fate in fates.items() if trace.steps[at].turn == turn}


# --- reply


def _reply(trace: Trace, number: int, step: Reply, fate: Fate, words: Words) -> Sentence:
    _, ngettext = words.gettext, words.ngettext
    calls = client_calls(step.reply["content"])
    reason = step.reply["stop_reason"]
    if reason == "end_turn" and not calls:
        offered = trace.asks[step.turn - 1].envelope.get("tools")
        none = Markup("") if offered else _("None was offered to it.")
        sign = _(
            "%(key)s is %(reason)s: this is the loop's sign to stop.",
            key=code("stop_reason"),
            reason=code("end_turn"),
        )
        return Sentence(_("The model answers and asks for no tool."), _join(none, sign))
    if not calls or reason not in ("tool_use", "end_turn"):
        why = _("%(key)s is %(reason)s.", key=code("stop_reason"), reason=code(reason))
        none = _("No call in it may run.") if calls else Markup("")
        return Sentence(_("The reply stops early."), _join(why, none))
    if asked_before(trace, number):
        return Sentence(
            ngettext(
                "The model asks for the same tool again: %(call)s.",
                "The model asks for the same tools again.",
                len(calls),
                call=_called(calls[0]),
            ),
            _why_again(answered_before(trace, number), words),
        )
    said = ngettext(
        "The model asks for a tool: %(call)s.",
        "The model asks for %(num)s tools at once.",
        len(calls),
        call=_called(calls[0]),
    )
    where = (
        _(
            "Its reply is in a variable, and this loop never appends it to %(messages)s.",
            messages=MESSAGES,
        )
        if fate.how == LOST
        else _("Its reply is in a variable, not in %(messages)s yet.", messages=MESSAGES)
    )
    return Sentence(said, _join(_("It can only ask."), where))


def _why_again(answered: bool, words: Words) -> Markup:
    if answered:
        return words.gettext("The request holds the result of that call; it asks all the same.")
    return words.gettext(
        "No result in the request answers its call, and what is not in the request did not happen."
    )


# --- append


def _append(
    trace: Trace, number: int, step: Append, fates: dict[int, Fate], words: Words
) -> Sentence:
    _, ngettext = words.gettext, words.ngettext
    came = {at: fate for at, fate in fates.items() if fate.step == number}
    holds = ngettext(
        "It holds %(num)s message now.",
        "It holds %(num)s messages now.",
        step.length,
    )
    place = code(f"[{step.index}]")
    if any(isinstance(trace.steps[at], Reply) for at in came):
        if any(fate.how == PART for fate in came.values()):
            return Sentence(
                _("Only a part of the reply joins %(messages)s.", messages=MESSAGES),
                _(
                    "Its %(kinds)s is left out, so in the list that call was never made.",
                    kinds=_lost_kinds(trace, came),
                ),
            )
        if any(fate.how == ALTERED for fate in came.values()):
            return Sentence(
                _("The reply joins %(messages)s, but not as it came.", messages=MESSAGES),
                _(
                    "Its %(kinds)s is left out or changed; its calls stand there.",
                    kinds=_lost_kinds(trace, came),
                ),
            )
        said = _("The reply joins %(messages)s as %(place)s.", messages=MESSAGES, place=place)
        return Sentence(said, holds)
    if not came:
        said = ngettext(
            "%(num)s message joins %(messages)s.",
            "%(num)s messages join %(messages)s.",
            step.count,
            messages=MESSAGES,
        )
        return Sentence(said, holds)
    return _append_results(trace, number, step, came, fates, words)


def _append_results(
    trace: Trace,
    number: int,
    step: Append,
    came: dict[int, Fate],
    fates: dict[int, Fate],
    words: Words,
) -> Sentence:
    _, ngettext = words.gettext, words.ngettext
    manners = {fate.how for fate in came.values()}
    if NO_ID in manners:
        return Sentence(
            _(
                "The result joins %(messages)s without its %(key)s.",
                messages=MESSAGES,
                key=code("tool_use_id"),
            ),
            _("Nothing in it says which call it answers."),
        )
    if OTHER_ID in manners:
        return Sentence(
            _("Each result joins %(messages)s under the id of another call.", messages=MESSAGES),
            _("The list looks right. The model will take each result for that of the other call."),
        )
    reply = next(
        (
            at
            for at in sorted(fates, reverse=True)
            if at < number and isinstance(trace.steps[at], Reply)
        ),
        None,
    )
    if reply is not None and fates[reply].how in (LOST, PART):
        return Sentence(
            ngettext(
                "The result joins %(messages)s, but its call does not stand there.",
                "The results join %(messages)s, but their calls do not stand there.",
                len(came),
                messages=MESSAGES,
            ),
            _("A result without the call it answers means nothing."),
        )
    turn = [
        at
        for at in fates
        if isinstance(trace.steps[at], Tool) and trace.steps[at].turn == step.turn
    ]
    if len(came) < len(turn):
        return Sentence(
            _("One result joins %(messages)s in a message of its own.", messages=MESSAGES),
            _("Results of one round belong into one message; each gets its own here."),
        )
    return Sentence(
        ngettext(
            "The result joins %(messages)s, under the id of its call.",
            "All %(num)s results join %(messages)s in one message, each under the id of its call.",
            len(came),
            messages=MESSAGES,
        ),
        _("Only now can the model get to know it."),
    )


def _lost_kinds(trace: Trace, came: dict[int, Fate]) -> Markup:
    """The types of a reply's blocks that did not join the list as they came."""
    at, fate = next((at, fate) for at, fate in came.items() if fate.how in (PART, ALTERED))
    reply = trace.steps[at]
    assert isinstance(reply, Reply)
    assert fate.index is not None
    message = trace.messages(trace.steps[fate.step or 0])[fate.index]
    kept, content = message.get("content"), reply.reply["content"]
    lost = [block for block in content if not (isinstance(kept, list) and block in kept)]
    kinds = list(
        dict.fromkeys(str(block.get("type", "")) for block in lost if isinstance(block, dict))
    )
    return Markup(", ").join(code(kind) for kind in kinds)


# --- tool


def _tool(trace: Trace, number: int, step: Tool, fate: Fate, words: Words) -> Sentence:
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
        return Sentence(said, _join(_("The reason becomes the result."), where))
    if step.result.is_error:
        said = _("%(tool)s fails.", tool=name)
        return Sentence(said, _join(_("The error is its result."), where))
    if _ran_before(trace, number, step):
        said = _("The harness runs %(tool)s once more, for the same result.", tool=name)
    else:
        said = _("The harness runs %(tool)s.", tool=_called(step.call))
    return Sentence(said, where)


def _ran_before(trace: Trace, number: int, step: Tool) -> bool:
    return any(
        isinstance(earlier, Tool)
        and earlier.call.get("name") == step.call.get("name")
        and earlier.call.get("input") == step.call.get("input")
        and earlier.result.content == step.result.content
        for earlier in trace.steps[:number]
    )


# --- edit and end


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


def _end(trace: Trace, step: End, loop: Loop, words: Words) -> Sentence:
    _, ngettext = words.gettext, words.ngettext
    ending, turns = step.ending, len(trace.asks)
    after = ngettext("%(num)s request was sent.", "%(num)s requests were sent.", turns)
    match ending.kind:
        case "answer":
            return Sentence(_("The loop returns the answer."), after)
        case "wrong":
            return Sentence(
                _("The loop returns an answer, and it is wrong."),
                _join(_("No request was refused."), _own_slip(loop, words)),
                "error",
            )
        case "no_answer":
            return Sentence(
                ngettext(
                    "The loop gives up after %(num)s turn, its cap.",
                    "The loop gives up after %(num)s turns, its cap.",
                    turns,
                ),
                _join(_("The model was still asking."), _own_slip(loop, words)),
            )
        case "stopped":
            reason = ending.text.removeprefix("stopped: ")
            return Sentence(_("The loop stops: %(reason)s.", reason=code(reason)), after)
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


def _own_slip(loop: Loop, words: Words) -> Markup:
    if loop.base is None:
        return Markup("")
    return words.gettext("The slip of this loop: %(slip)s", slip=words.gettext(loop.slip))


def _own(fault: Fault, words: Words) -> Markup:
    """Our own sentence of a fault."""
    return words.gettext(fault.sentence)


def _called(call: object) -> Markup:
    """A call as code: its name and its input."""
    assert isinstance(call, dict)
    given = compact(call.get("input"))
    shown = given[:SHOWN_INPUT] + ("…" if len(given) > SHOWN_INPUT else "")
    return code(f"{call.get('name', '')} {shown}")


def _join(*sentences: Markup) -> Markup:
    return Markup(" ").join(part for part in sentences if part)

"""What joins `messages[]`, and how."""

from markupsafe import Markup

from app.engine.dialects.parts import content_of, is_completion, read_reply
from app.engine.steps import Append, Reply, Tool, Trace
from app.views.fates import ALTERED, LOST, NO_ID, OTHER_ID, PART, STRANGE_ID, Fate
from app.views.sentences.sentence import MESSAGES, Sentence, joined
from app.views.texts import Words, code

IN_CHAT = {"tool_use": "tool_calls", "text": "content"}  # what a reply's parts are called there


def append_sentence(
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
                    kinds=_lost_kinds(words, trace, came),
                ),
            )
        if any(fate.how == ALTERED for fate in came.values()):
            return Sentence(
                _("The reply joins %(messages)s, but not as it came.", messages=MESSAGES),
                _(
                    "Its %(kinds)s is left out or changed; its calls stand there.",
                    kinds=_lost_kinds(words, trace, came),
                ),
            )
        said = _("The reply joins %(messages)s as %(place)s.", messages=MESSAGES, place=place)
        return Sentence(said, holds)
    if not came and trace.messages(step)[step.index].get("role") == "system":
        return Sentence(
            _("A system message joins %(messages)s.", messages=MESSAGES),
            joined(_("The harness tells the model what holds from here on."), holds),
        )
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
    role = trace.messages(step)[step.index].get("role")
    chat = role in ("tool", "function")
    if NO_ID in manners:
        return Sentence(
            _(
                "The result joins %(messages)s without its %(key)s.",
                messages=MESSAGES,
                key=code("tool_call_id" if chat else "tool_use_id"),
            ),
            _("Nothing in it says which call it answers."),
        )
    if STRANGE_ID in manners:
        return Sentence(
            _("The result joins %(messages)s under an id that no call has.", messages=MESSAGES),
            _("Nothing ties it to the call it answers."),
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
    if len(came) < len(turn) and not chat:
        return Sentence(
            _("One result joins %(messages)s in a message of its own.", messages=MESSAGES),
            _("Results of one round belong into one message; each gets its own here."),
        )
    if role == "function":
        return Sentence(
            _("The result joins %(messages)s, under the name of its function.", messages=MESSAGES),
            _("This older form has no ids. Only now can the model get to know it."),
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


def _lost_kinds(words: Words, trace: Trace, came: dict[int, Fate]) -> Markup:
    """The types of a reply's blocks that did not join the list as they came."""
    at, fate = next((at, fate) for at, fate in came.items() if fate.how in (PART, ALTERED))
    reply = trace.steps[at]
    assert isinstance(reply, Reply)
    assert fate.index is not None
    message = trace.messages(trace.steps[fate.step or 0])[fate.index]
    kept, content = content_of(message), read_reply(reply.reply)["content"]
    lost = [block for block in content if not (isinstance(kept, list) and block in kept)]
    kinds = list(
        dict.fromkeys(str(block.get("type", "")) for block in lost if isinstance(block, dict))
    )
    names = IN_CHAT if is_completion(reply.reply) else {}
    return words.listed(code(names.get(kind, kind)) for kind in kinds)

"""What a lane does in a row, as a clause that other lanes may share."""

from collections.abc import Callable

from markupsafe import Markup

from app.engine.dialects.parts import calls_of, read_reply, reason_of
from app.engine.steps import (
    APPROVE,
    Append,
    Ask,
    Edit,
    End,
    Fault,
    Helper,
    Reply,
    Start,
    Step,
    Tool,
    Wait,
)
from app.views.helper import in_short
from app.views.lanes.cells import MESSAGES, Cell
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
from app.views.texts import Words, apart, code, compact, one_line

# A clause says what some lanes do: `(who, how many they are) -> sentence`.
Clause = Callable[[Markup, int], Markup]


def clause(w: Words, lanes: Lanes, number: int, at: int, cell: Cell) -> Clause | None:
    """What a lane does in a row, whose `cell` is drawn; None where it waits or has ended."""
    step = lanes.step(number, at)
    if step is not None:
        return _CLAUSES[type(step)](w, lanes.shown[at], step)
    if cell.look == "hole":
        lost = cell.word
        return lambda who, n: w.ngettext(
            "%(who)s appends nothing: %(lost)s.",
            "%(who)s append nothing: %(lost)s.",
            n,
            who=who,
            lost=lost,
        )
    if cell.look == "note" and cell.text and lanes.rows[number].kind == "append":
        why = cell.text
        return lambda who, n: w.ngettext(
            "%(who)s appends nothing yet: %(why)s.",
            "%(who)s append nothing yet: %(why)s.",
            n,
            who=who,
            why=why,
        )
    if cell.look == "note" and lanes.rows[number].kind == "end":
        return lambda who, n: w.ngettext("%(who)s goes on.", "%(who)s go on.", n, who=who)
    if cell.look == "note":
        return lambda who, n: w.ngettext(
            "%(who)s does nothing here.", "%(who)s do nothing here.", n, who=who
        )
    return None


def _start(w: Words, lane: Shown, step: Step) -> Clause:
    return lambda who, n: w.gettext("%(who)s: the task.", who=who)


def _ask(w: Words, lane: Shown, step: Step) -> Clause:
    assert isinstance(step, Ask)
    messages = w.ngettext("%(num)s message", "%(num)s messages", step.length)
    before = lane.rounds[step.turn - 1].faults if step.turn > 1 else frozenset()
    lack = _lack(w, before)
    if "tools" in step.changed and not step.envelope.get("tools"):
        lack = w.gettext("and offers no tools")
    elif step.changed:
        keys = w.listed(code(key) for key in step.changed)
        lack = w.gettext("with %(keys)s of its own", keys=keys)
    warning = _warning(w, step.faults)
    if lack:
        return lambda who, n: (
            w.ngettext(
                "%(who)s sends %(messages)s, %(lack)s.",
                "%(who)s send %(messages)s, %(lack)s.",
                n,
                who=who,
                messages=messages,
                lack=lack,
            )
            + warning
        )
    return lambda who, n: (
        w.ngettext(
            "%(who)s sends %(messages)s.",
            "%(who)s send %(messages)s.",
            n,
            who=who,
            messages=messages,
        )
        + warning
    )


def _lack(w: Words, faults: frozenset[str]) -> str:
    if {REPLY_LOST, RESULTS_LOST} <= faults:
        return w.gettext("the same as before")
    lacks = {
        REPLY_LOST: w.gettext("without the reply that asked"),
        RESULTS_LOST: w.gettext("without the result"),
        CALLS_LOST: w.gettext("without the calls"),
        NO_ID: w.gettext("the result without its id"),
        SWAPPED: w.gettext("each result under the other call's id"),
        STRANGE: w.gettext("the result under a wrong id"),
    }
    return next((lack for fault, lack in lacks.items() if fault in faults), "")


def _warning(w: Words, faults: tuple[Fault, ...]) -> Markup:
    rules = w.listed(dict.fromkeys(fault.rule for fault in faults if fault.effect == "warn"))
    return (
        Markup(" ") + w.gettext("The server warns: %(rules)s.", rules=rules) if rules else Markup()
    )


def _reply(w: Words, lane: Shown, step: Step) -> Clause:
    assert isinstance(step, Reply)
    calls = calls_of(step.reply)
    if not calls:
        blocks = read_reply(step.reply)["content"]
        text = "".join(str(block.get("text", "")) for block in blocks if isinstance(block, dict))
        said = apart(one_line(text, 60))
        if lane.trace.ending.kind == "wrong" and step.turn == lane.trace.steps[-1].turn:
            return lambda who, n: w.ngettext(
                "%(who)s gets a wrong answer: “%(said)s”",
                "%(who)s get a wrong answer: “%(said)s”",
                n,
                who=who,
                said=said,
            )
        if read_reply(step.reply)["stop_reason"] not in ("end_turn", "stop_sequence"):
            return lambda who, n: w.ngettext(
                "%(who)s gets a reply that stops early: %(reason)s.",
                "%(who)s get a reply that stops early: %(reason)s.",
                n,
                who=who,
                reason=code(reason_of(step.reply)),
            )
        return lambda who, n: w.ngettext(
            "%(who)s gets the answer “%(said)s”",
            "%(who)s get the answer “%(said)s”",
            n,
            who=who,
            said=said,
        )
    names = w.listed(code(name) for name in dict.fromkeys(str(c["name"]) for c in calls))
    if lane.repeats(step):
        return lambda who, n: w.ngettext(
            "%(who)s is asked for %(names)s again, the same as before.",
            "%(who)s are asked for %(names)s again, the same as before.",
            n,
            who=who,
            names=names,
        )
    if any(turn < step.turn and brought.calls for turn, brought in lane.rounds.items()):
        return lambda who, n: w.ngettext(
            "%(who)s gets the next question, for %(names)s.",
            "%(who)s get the next question, for %(names)s.",
            n,
            who=who,
            names=names,
        )
    return lambda who, n: w.ngettext(
        "%(who)s gets a reply that asks for %(names)s.",
        "%(who)s get a reply that asks for %(names)s.",
        n,
        who=who,
        names=names,
    )


def appended(w: Words, lane: Shown, step: Append) -> Markup:
    """What a lane appends."""
    message = lane.trace.messages(step)[step.index]
    faults = lane.rounds[step.turn].faults
    results = results_in(message)
    if message.get("role") == "system":
        return w.gettext("a system message")
    if not results:
        lost = CALLS_LOST in faults
        return w.gettext("the reply without its calls") if lost else w.gettext("the reply")
    if NO_ID in faults:
        return w.ngettext("the result without its id", "%(num)s results without ids", results)
    if SWAPPED in faults:
        return w.gettext("each result under the other call's id")
    if STRANGE in faults:
        return w.gettext("the result under a wrong id")
    return w.ngettext("one result", "%(num)s results in one message", results)


def _append(w: Words, lane: Shown, step: Step) -> Clause:
    assert isinstance(step, Append)
    what = appended(w, lane, step)
    return lambda who, n: w.ngettext(
        "%(who)s appends %(what)s: %(messages)s holds %(length)s.",
        "%(who)s append %(what)s: %(messages)s holds %(length)s.",
        n,
        who=who,
        what=what,
        messages=MESSAGES,
        length=step.length,
    )


def _tool(w: Words, lane: Shown, step: Step) -> Clause:
    assert isinstance(step, Tool)
    called = str(step.call.get("name"))
    if len(lane.rounds[step.turn].tools) > 1:
        called += f" {compact(step.call.get('input'))}"
    name, said = code(one_line(called, 60)), apart(one_line(step.result.content, 48))
    if not all(check.passed for check in step.result.checks):
        return lambda who, n: w.ngettext(
            "%(who)s turns %(name)s away: “%(said)s”",
            "%(who)s turn %(name)s away: “%(said)s”",
            n,
            who=who,
            name=name,
            said=said,
        )
    return lambda who, n: w.ngettext(
        "%(who)s runs %(name)s: “%(said)s”",
        "%(who)s run %(name)s: “%(said)s”",
        n,
        who=who,
        name=name,
        said=said,
    )


def _wait(w: Words, lane: Shown, step: Step) -> Clause:
    assert isinstance(step, Wait)
    name = code(one_line(str(step.call.get("name")), 60))
    if not step.decision:
        return lambda who, n: w.ngettext(
            "%(who)s waits: a person must decide about %(name)s.",
            "%(who)s wait: a person must decide about %(name)s.",
            n,
            who=who,
            name=name,
        )
    if step.decision == APPROVE:
        return lambda who, n: w.ngettext(
            "%(who)s asks a person, who approves %(name)s.",
            "%(who)s ask a person, who approves %(name)s.",
            n,
            who=who,
            name=name,
        )
    return lambda who, n: w.ngettext(
        "%(who)s asks a person, who denies %(name)s.",
        "%(who)s ask a person, who denies %(name)s.",
        n,
        who=who,
        name=name,
    )


def _helper(w: Words, lane: Shown, step: Step) -> Clause:
    assert isinstance(step, Helper)
    what = in_short(w, step)
    return lambda who, n: w.ngettext(
        "The helper of %(who)s: %(what)s.",
        "The helpers of %(who)s: %(what)s.",
        n,
        who=who,
        what=what,
    )


def _edit(w: Words, lane: Shown, step: Step) -> Clause:
    assert isinstance(step, Edit)
    return lambda who, n: w.ngettext(
        "%(who)s changes %(messages)s from entry %(index)s on.",
        "%(who)s change %(messages)s from entry %(index)s on.",
        n,
        who=who,
        messages=MESSAGES,
        index=step.index,
    )


def _end(w: Words, lane: Shown, step: Step) -> Clause:
    assert isinstance(step, End)
    ending = step.ending
    said = apart(one_line(ending.text, 80))
    if ending.outage:
        why = apart(one_line(ending.outage, 80))
        said = w.gettext("stopped: the environment failed: %(why)s", why=why)
    if ending.kind == "refused":
        fault = w.gettext(ending.faults[0].sentence)
        return lambda who, n: w.ngettext(
            "%(who)s is refused. %(fault)s",
            "%(who)s are refused. %(fault)s",
            n,
            who=who,
            fault=fault,
        )
    if ending.kind == "answer":
        return lambda who, n: w.ngettext(
            "%(who)s ends with the answer “%(said)s”",
            "%(who)s end with the answer “%(said)s”",
            n,
            who=who,
            said=said,
        )
    if ending.kind == "wrong" and not ending.text:
        return lambda who, n: w.ngettext(
            "%(who)s returns an empty text.", "%(who)s return an empty text.", n, who=who
        )
    if ending.kind == "wrong":
        return lambda who, n: w.ngettext(
            "%(who)s ends with a wrong answer: “%(said)s”",
            "%(who)s end with a wrong answer: “%(said)s”",
            n,
            who=who,
            said=said,
        )
    if ending.kind == "no_answer":
        turns = w.ngettext("%(num)s turn", "%(num)s turns", step.turn)
        return lambda who, n: w.ngettext(
            "%(who)s stops after %(turns)s without an answer.",
            "%(who)s stop after %(turns)s without an answer.",
            n,
            who=who,
            turns=turns,
        )
    return lambda who, n: w.ngettext(
        "%(who)s ends: %(said)s.", "%(who)s end: %(said)s.", n, who=who, said=said
    )


_CLAUSES: dict[type[Step], Callable[[Words, Shown, Step], Clause]] = {
    Start: _start,
    Ask: _ask,
    Reply: _reply,
    Append: _append,
    Tool: _tool,
    Wait: _wait,
    Helper: _helper,
    Edit: _edit,
    End: _end,
}

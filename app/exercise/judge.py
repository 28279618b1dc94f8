"""Judges a run by its history: the first thing that is wrong with it, and what would be right."""

from collections.abc import Iterator
from dataclasses import dataclass

from app.engine.rules import check
from app.engine.steps import Ask, End, Fault, Reply, Step, client_calls
from app.exercise.child import MOST_PRINTED, PRINTED, line_of
from app.exercise.grading import Run
from app.exercise.history import Slip, Turn, first_slip, next_slip, outline, turns_of
from app.said import Number, Said, quoted

# What ends a loop by an exception, where there is more to say than its name.
ERRORS = {
    "SystemExit": Said(
        "It calls %(call)s, which ends the program; return a text instead.", call="exit()"
    ),
    "EOFError": Said("It reads from the keyboard, and nobody is there to type."),
    "MemoryError": Said("It needs more memory than it may have."),
    "RecursionError": Said("It calls itself too deeply; is there a cap on its turns?"),
    "KeyboardInterrupt": Said(
        "It raises %(error)s, which ends the program.", error="KeyboardInterrupt"
    ),
}


@dataclass(frozen=True)
class Feedback:
    """What is wrong with a run.

    `kind` names it; `said` is what the loop did and what would be right; `line` the line of the
    file to look at, 0 where there is none. `sent` is the request in short, "" where it is about
    none: `faults` are what refuses it here, `api` what refuses it on the real API. `swallowed`
    tells that the loop went on after it was refused.
    """

    kind: str
    said: Said
    line: int
    sent: str = ""
    faults: tuple[Fault, ...] = ()
    api: tuple[Fault, ...] = ()
    swallowed: bool = False


def judge(run: Run) -> Feedback | None:
    """The first thing that is wrong with a run; None where all is right."""
    for slip in _slips(run):
        return _feedback(run, slip)
    return None


def _feedback(run: Run, slip: Slip) -> Feedback:
    """A slip with what the servers say to the request that shows it."""
    steps, ask = run.trace.steps, None
    if slip.kind not in AFTER:
        turn = slip.step.turn + (not isinstance(slip.step, Ask))
        ask = next((step for step in run.trace.asks if step.turn == turn), None)
    if ask is None:
        return Feedback(slip.kind, slip.said, slip.step.lines[0])
    refused = [
        n for n, step in enumerate(steps) if isinstance(step, Ask) and _refusing(step.faults)
    ]
    end = steps[-1]
    swallowed = bool(refused) and not (isinstance(end, End) and end.ending.kind == "refused")
    return Feedback(
        kind=slip.kind,
        said=slip.said,
        line=slip.step.lines[0],
        sent=outline(run.trace.messages(ask)),
        faults=_refusing(ask.faults),
        api=_refusing(check(run.trace.request(ask))),
        swallowed=swallowed,
    )


def _refusing(faults: tuple[Fault, ...]) -> tuple[Fault, ...]:
    return tuple(fault for fault in faults if fault.effect == "refuse")


def _slips(run: Run) -> Iterator[Slip]:
    """All that is wrong, in the order in which it happened."""
    case, trace = run.case, run.trace
    turns = turns_of(trace.steps)
    for n, turn in enumerate(turns):
        messages = trace.messages(turn.ask)
        if turn.ask.turn > case.max_turns:
            said = Said(
                "It asked %(times)s times; %(key)s was %(most)s.",
                times=len(turns),
                key="max_turns",
                most=case.max_turns,
            )
            yield Slip("over_cap", said, turn.ask)
        if n and turns[n - 1].reason not in ("tool_use", ""):
            before = turns[n - 1]
            said = Said(
                "Reply %(n)s ended with %(reason)s, and it asked again.",
                n=n,
                reason=f'"{before.reason}"',
            )
            yield Slip("went_on", said, turn.ask)
        elif n and turns[n - 1].reply:
            slip = next_slip(trace.messages(turns[n - 1].ask), turns[n - 1], messages, turn.ask)
            if slip:
                yield slip
            yield from _unrun(turns[n - 1])
        elif not n and (slip := first_slip(case.task, messages, turn.ask)):
            yield slip
        if turn.ask.changed:
            said = Said(
                "Request %(n)s was given %(keys)s; %(call)s takes the messages alone.",
                n=turn.ask.turn,
                keys=", ".join(turn.ask.changed),
                call="create",
            )
            yield Slip("changed_request", said, turn.ask)
        if refusing := _refusing(turn.ask.faults):
            said = Said(
                "Request %(n)s is refused at %(place)s.", n=turn.ask.turn, place=refusing[0].where
            )
            yield Slip("refused", said, turn.ask)
        if turn.reply:
            yield from _call_slips(turn)
    yield from _end_slips(run, turns)


def _call_slips(turn: Turn) -> Iterator[Slip]:
    """Whether the right calls of a reply were run."""
    n, ran = turn.ask.turn, [tool.call.get("id") for tool in turn.tools]
    if turn.reason != "tool_use":
        if turn.tools:
            said = Said(
                "Reply %(n)s ended with %(reason)s, and a call of it was run; it may be incomplete:"
                " run nothing.",
                n=n,
                reason=f'"{turn.reason}"',
            )
            yield Slip("ran_anyway", said, turn.tools[0])
        return
    asked = [call["id"] for call in client_calls(turn.content)]
    for tool in turn.tools:
        if tool.call.get("id") not in asked:
            said = Said("In turn %(n)s it ran a call that reply %(n)s did not make.", n=n)
            yield Slip("not_asked", said, tool)
        if (times := ran.count(tool.call.get("id"))) > 1:
            said = Said("In turn %(n)s it ran one call %(times)s times.", n=n, times=times)
            yield Slip("ran_twice", said, tool)


def _unrun(turn: Turn) -> Iterator[Slip]:
    """Whether each call of a reply was run."""
    ran = {tool.call.get("id") for tool in turn.tools}
    missing = [str(call["id"]) for call in client_calls(turn.content) if call["id"] not in ran]
    if missing:
        said = Said(
            "In turn %(n)s it did not run %(ids)s with %(tool)s.",
            n=turn.ask.turn,
            ids=", ".join(missing),
            tool="run_tool",
        )
        yield Slip("not_run", said, turn.last)


def _end_slips(run: Run, turns: list[Turn]) -> Iterator[Slip]:
    """Whether a run ended where it must, with the right text and the right lines."""
    end = run.trace.steps[-1]
    if not isinstance(end, End):
        return
    ending = end.ending
    if ending.kind == "cut" and "no reply" not in ending.text:
        kind, why = _cut_of(run)
        yield Slip(kind, Said("It had to be stopped: %(why)s.", why=why), end)
    if ending.kind == "cut":
        said = Said("The script has nothing more to say to this request.")
        yield Slip("no_reply", said, end)
    if ending.kind == "error" and ending.error == "TypeError" and ", not a text" in ending.text:
        returned = ending.text.partition(" returned ")[2].rpartition(", not a text")[0]
        yield Slip("no_text", Said("It returned %(value)s, not a text.", value=returned), end)
    if ending.kind == "error":
        raised = Said(
            "It raised %(error)s: %(words)s.", error=ending.error, words=_one_line(ending.text)
        )
        yield Slip("error", ERRORS.get(ending.error, raised), end)
    if ending.kind not in ("cut", "error"):
        yield from _return_slips(run, turns, end)


def _return_slips(run: Run, turns: list[Turn], end: End) -> Iterator[Slip]:
    """Whether a run that returned did so in the right turn, with the right text."""
    text = end.ending.text
    if not turns:
        yield Slip("never_asked", Said("It never called %(call)s.", call="model.create"), end)
        return
    last = turns[-1]
    if last.reason == "tool_use" and len(turns) < run.case.max_turns:
        said = Said(
            "It returned %(text)s while the model was waiting for results: reply %(n)s ended with"
            " %(reason)s.",
            text=quoted(text, 80),
            n=last.ask.turn,
            reason="tool_use",
        )
        yield Slip("gave_up", said, end)
    if last.reason == "tool_use":
        yield from _unrun(last)
    if text != (right := right_text(run, last)):
        said = Said(
            "It returned %(text)s; right is %(right)s.",
            text=quoted(text, 120),
            right=quoted(right, 120),
        )
        yield Slip("wrong_text", said, end)
    yield from _line_slips(run, turns)


def right_text(run: Run, last: Turn) -> str:
    """What a run must return that ends after a turn."""
    if last.reason == "end_turn":
        return "".join(block["text"] for block in last.content if block["type"] == "text")
    if last.reason == "tool_use":
        return f"stopped: no answer after {run.case.max_turns} turns"
    return f"stopped: {last.reason}"


def _one_line(text: str) -> str:
    return " ".join(text.split())[:200]


def _line_slips(run: Run, turns: list[Turn]) -> Iterator[Slip]:
    """Whether the line of each call was printed, in order."""
    printed = [line.strip() for line in run.printed.splitlines() if PRINTED.match(line)]
    for turn in turns:
        for tool in turn.tools:
            right = line_of(turn.ask.turn, tool.call, tool.result.content).strip()
            if not printed:
                yield Slip("lines", Said("It must print this line: %(line)s", line=right), tool)
            elif (line := printed.pop(0)) != right:
                said = Said(
                    "It printed %(line)s; right is %(right)s.",
                    line=quoted(line, 120),
                    right=quoted(right, 120),
                )
                yield Slip("lines", said, tool)
    if printed:
        said = Said(
            "It printed a line for a call that it did not run: %(line)s.",
            line=quoted(printed[0], 120),
        )
        yield Slip("lines", said, _last_reply(run))


def _last_reply(run: Run) -> Step:
    return next(s for s in reversed(run.trace.steps) if isinstance(s, Reply | Ask))


def _cut_of(run: Run) -> tuple[str, Said]:
    """The kind of slip that a run was stopped for, and why it was stopped."""
    if run.killed == "died":
        return "died", Said("it ended the whole process")
    if run.killed:
        return run.killed, Said("it took too long")
    text = run.trace.ending.text
    if "printed" in text:
        most = Number(f"{MOST_PRINTED:,}")
        return "flood", Said("it printed more than %(most)s characters", most=most)
    if "asked more than" in text:
        said = Said(
            "it asked more than %(most)s times, the most turns it was given",
            most=run.case.max_turns,
        )
        return "over_cap", said
    return "spin", Said(text)  # a sentence of the recorder's


# Slips that are no matter of a request.
AFTER = frozenset(
    "ran_anyway not_asked ran_twice time died flood spin no_reply no_text error never_asked gave_up"
    " not_run wrong_text lines over_cap went_on changed_request".split()
)

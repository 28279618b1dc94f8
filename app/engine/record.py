"""Runs a loop once and writes down what happened. The only driver of loops.

The loop is plain Python and knows nothing of this: `record` hands it a model and tools that
write each call down (`given`), and a line tracer on its frame (`frame`) that looks at `messages[]`
after every statement (`observed`). What the list did is observed, never announced: a loop that
forgets to append has no `append` step.
"""

import inspect
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from app.engine.clock import Clock
from app.engine.frame import Cut, Frame
from app.engine.given import Loop, Model, Prices, Printed, Server, Tools, with_print
from app.engine.observed import Edited, Grown, Observed, copied
from app.engine.steps import (
    Append,
    Ask,
    Edit,
    End,
    Ending,
    Halt,
    Helped,
    Helper,
    Json,
    NoReply,
    Refused,
    Reply,
    Result,
    Start,
    Step,
    Tool,
    Trace,
    Undecided,
    Wait,
)
from app.engine.timed import Runner

MOST_STEPS = 2_000
TOO_MANY_STEPS = f"Halqa stops a run after {MOST_STEPS:,} steps"


def record(
    loop: Loop,
    task: str,
    server: Server,
    tools: Runner,
    *,
    max_turns: int | None = None,
    right: Callable[[str], bool] = lambda answer: True,
    decide: Callable[[Json], str] = lambda call: "",
    watch: bool = False,
    clock: Clock | None = None,
    prices: Prices | None = None,
    most_steps: int | None = None,
) -> Trace:
    """Run `loop(task, model, tools, max_turns=…)` to its end and return its trace.

    `max_turns` is left to the loop's own default where it is None; `right` judges an answer;
    `decide` tells what a person decided of a call, or "" where the run waits for them; with `watch`
    the loop's own variables are kept too, statement by statement. `clock`, which the server and the
    tools move on, and `prices` go to a loop whose parameters name them. What the loop itself prints
    is kept with its steps, not printed. After `most_steps`, MOST_STEPS where None, the run is cut.
    Whatever the loop does becomes the trace's ending: nothing is raised but KeyboardInterrupt.
    """
    recorder = Recorder(loop, server, tools, decide, watch, clock, prices)
    recorder.most = most_steps or MOST_STEPS
    recorder.loop = with_print(loop, recorder.printed)
    return recorder.run(task, max_turns, right)


class Recorder:
    """One run being recorded. `run` runs it; `trace` is what is written down so far."""

    def __init__(
        self,
        loop: Loop,
        server: Server,
        tools: Runner,
        decide: Callable[[Json], str] = lambda call: "",
        watch: bool = False,
        clock: Clock | None = None,
        prices: Prices | None = None,
    ) -> None:
        self.loop, self.server, self.tools, self.decide = loop, server, tools, decide
        self.clock, self.prices = clock or Clock(), prices
        self.messages = Observed()
        self.frame = Frame(loop, self.messages.same, self.observe, watch)
        self.printed = Printed()
        self.steps: list[Step] = []
        self.turn = 0
        self.most = MOST_STEPS
        self.envelope: Json = {}  # of a request in which the loop changes nothing

    def run(self, task: str, max_turns: int | None, right: Callable[[str], bool]) -> Trace:
        self.emit(Start, task=task)
        offered = {"max_turns": max_turns, "clock": self.clock, "prices": self.prices}
        options = {
            name: value
            for name, value in offered.items()
            if value is not None and name in inspect.signature(self.loop).parameters
        }
        ending: Ending | None
        try:
            with self.frame.watched():
                answer = self.loop(task, Model(self), Tools(self), **options)
            ending = _ending_of(answer, right)
        except Refused as refusal:
            ending = Ending("refused", str(refusal), refusal.faults)
        except (NoReply, Cut) as cut:
            ending = Ending("cut", str(cut))
        except Halt as halt:
            ending = halt.ending
        except (Exception, SystemExit) as error:
            ending = Ending("error", str(error), error=type(error).__name__)
        if ending is not None:
            self.steps.append(self.step(End, ending=ending))
        return self.trace()

    def trace(self) -> Trace:
        """What is written down so far."""
        return Trace(tuple(self.steps), tuple(tuple(kept) for kept in self.messages.versions))

    # --- what happened

    def create(self, messages: Any, changes: Json) -> Json:
        """`model.create`: the request leaves, the reply comes. Raises Refused."""
        with self.frame.unwatched():
            self.observe(whole=True)
            self.write_down(self.messages.adopt(messages))
            request = self.server.body(messages, changes)
            faults = self.server.check(request)
            envelope = {key: value for key, value in request.items() if key != "messages"}
            known = envelope == self.envelope and not changes
            envelope = self.envelope if known else copied(envelope)
            if not changes:
                self.envelope = envelope
            self.turn += 1
            self.emit(
                Ask,
                envelope=envelope,
                changed=tuple(changes),
                fresh=self.fresh(),
                faults=faults,
            )
            refusing = tuple(fault for fault in faults if fault.effect == "refuse")
            if refusing:
                raise Refused(refusing)
            before = self.clock.now
            reply = self.server.reply(request)
            self.emit(Reply, reply=copied(reply), seconds=round(self.clock.now - before, 3))
            return reply

    def call(self, call: Mapping[str, Any]) -> Json:
        """`tools.run`: a call and what came of it. Raises Halt where that ends the run."""
        with self.frame.unwatched():
            self.observe()
            before = self.clock.now
            try:
                result = self.tools.run(call)
                if isinstance(result, Undecided):
                    result = self.decided(call, result)
            except Halt as halt:
                if halt.helped is not None:
                    self.splice(halt.helped)
                raise
            taken = round(self.clock.now - before, 3)
            if result.helped is not None:
                self.splice(result.helped)
                result = replace(result, helped=None)
            self.emit(Tool, call=copied(dict(call)), result=result, seconds=taken)
            if result.ends:
                raise Halt(Ending("stopped", f"stopped: {result.ends}"))
            return result.block()

    def splice(self, helped: Helped) -> None:
        """Put the steps of a helper's run between the call that asked it and the call's result."""
        for number, step in enumerate(helped.run.steps):
            own = step if isinstance(step, Helper) else None  # a helper of the helper's
            self.emit(
                Helper,
                run=own.run if own else helped.run,
                number=own.number if own else number,
                loop=own.loop if own else helped.loop,
                depth=step.depth + 1,
            )

    def decided(self, call: Mapping[str, Any], asked: Undecided) -> Result:
        """The result of a call that a person decides about; the run ends here while nobody has."""
        result: Result | Undecided = asked
        while isinstance(result, Undecided):  # first whether it may run, then whether again
            known = copied(dict(call))
            decision = self.decide(known)
            facts = {"checks": result.checks, "tries": result.tries}
            self.emit(Wait, call=known, decision=decision, **facts)
            if not decision:
                raise Halt
            result = self.tools.run(call, decision)
        return result

    def observe(self, whole: bool = False) -> None:
        """Write down what became of the list since the last look."""
        self.write_down(self.messages.look(whole))

    def write_down(self, change: Grown | Edited | None) -> None:
        match change:
            case Grown():
                self.emit(Append, index=change.index, count=change.count)
            case Edited():
                self.emit(Edit, index=change.index, before=change.before, after=change.after)

    def fresh(self) -> int:
        """The index of the first message that the last request did not hold as it stands now."""
        first = len(self.messages.versions[-1])
        for step in reversed(self.steps):
            if isinstance(step, Edit):
                first = min(first, step.index)
            if isinstance(step, Ask):
                return min(first, step.length)
        return 0

    def step(self, kind: type[Step], **facts: Any) -> Step:
        """A step at the statement that runs now, with all that it shares with others."""
        ran, seen = self.frame.taken()
        versions = self.messages.versions
        return kind(
            turn=self.turn,
            lines=self.frame.now,
            ran=ran,
            seen=seen,
            printed=self.printed.taken(),
            version=len(versions) - 1,
            length=len(versions[-1]),
            **facts,
        )

    def emit(self, kind: type[Step], **facts: Any) -> None:
        """Write down a step. Raises Cut where there are too many."""
        if len(self.steps) >= self.most:
            raise Cut(TOO_MANY_STEPS)
        self.steps.append(self.step(kind, **facts))


def _ending_of(answer: Any, right: Callable[[str], bool]) -> Ending:
    if not isinstance(answer, str):
        return Ending("error", f"the loop returned {answer!r:.80}, not a text", error="TypeError")
    if answer.startswith("stopped: no answer after "):
        return Ending("no_answer", answer)
    if answer.startswith("stopped: "):
        return Ending("stopped", answer)
    return Ending("answer" if right(answer) else "wrong", answer)

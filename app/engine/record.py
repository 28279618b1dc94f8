"""Runs a loop once and writes down what happened. The only driver of loops.

The loop is plain Python and knows nothing of this: `record` hands it a model and tools that
write each call down, and a line tracer on its frame that looks at `messages[]` after every
statement. What the list did is observed, never announced: a loop that forgets to append has no
`append` step.
"""

import copy
import inspect
import io
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from types import CodeType, FrameType, FunctionType
from typing import Any, Protocol

from app.engine.clock import Clock
from app.engine.statements import statements_of
from app.engine.steps import (
    NO_LINES,
    Append,
    Ask,
    Edit,
    End,
    Ending,
    Fault,
    Halt,
    Helped,
    Helper,
    Json,
    Lines,
    NoReply,
    Refused,
    Reply,
    Result,
    Start,
    Step,
    Tool,
    Trace,
    Undecided,
    Values,
    Wait,
)
from app.engine.timed import Runner

MOST_STEPS = 2_000
MOST_LINES = 400_000
TOO_MANY_STEPS = f"Halqa stops a run after {MOST_STEPS:,} steps"
TOO_MANY_LINES = f"the loop ran {MOST_LINES:,} lines and did not end"
MOST_SEEN = 100  # statements of one step whose variables are kept
MOST_PRINTED = 2_000  # characters that are kept of what a loop prints between two steps
LARGEST = 10**9  # a number that is kept
PLAIN = (str, int, float, bool, type(None))

Loop = Callable[..., Any]


class Server(Protocol):
    """Answers requests: a script behind the rules, or the real API."""

    def body(self, messages: Any, changes: Json) -> Json:
        """The whole request: what the lane supplies, the messages, and what the loop changes."""

    def check(self, request: Json) -> tuple[Fault, ...]:
        """What the server finds wrong with a request, refusing or not."""

    def reply(self, request: Json) -> Json:
        """The reply to a request. Raises NoReply, and Halt to end the run here."""


class Prices(Protocol):
    """What a loop gets as `prices`."""

    def dollars(self, usage: Json) -> float:
        """What a reply cost, from its `usage`."""


class _Cut(BaseException):
    """Ends a loop that does not end by itself; no `except Exception` of a loop may keep it."""


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
    recorder.loop = _with_print(loop, recorder.write)
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
        self.loop, self.server, self.tools, self.watch = loop, server, tools, watch
        self.decide = decide
        self.clock, self.prices = clock or Clock(), prices
        self.code: CodeType = loop.__code__
        self.statements = statements_of(loop)
        self.steps: list[Step] = []
        self.frame: FrameType | None = None
        self.now: Lines = NO_LINES  # the statement being run
        self.since: list[Lines] = []  # the statements run since the last step
        self.seen: list[Values] = []  # the loop's variables before each of them
        self.given = self.code.co_varnames[: self.code.co_argcount]
        self.printed = ""  # since the last step
        self.turn = 0
        self.most = MOST_STEPS
        self.events = 0
        self.envelope: Json = {}  # of a request in which the loop changes nothing
        self.live: Any = None  # the list handed to model.create, whatever its name
        self.refs: list[Any] = []  # the very entries it held at the last look
        self.lists: list[list[Json]] = [[]]  # its versions, as deep copies; the last one is current

    def run(self, task: str, max_turns: int | None, right: Callable[[str], bool]) -> Trace:
        self.emit(Start, task=task)
        offered = {"max_turns": max_turns, "clock": self.clock, "prices": self.prices}
        options = {
            name: value
            for name, value in offered.items()
            if value is not None and name in inspect.signature(self.loop).parameters
        }
        tracer = sys.gettrace()
        ending: Ending | None
        sys.settrace(self.enter)
        try:
            answer = self.loop(task, _Model(self), _Tools(self), **options)
            ending = _ending_of(answer, right)
        except Refused as refusal:
            ending = Ending("refused", str(refusal), refusal.faults)
        except (NoReply, _Cut) as cut:
            ending = Ending("cut", str(cut))
        except Halt as halt:
            ending = halt.ending
        except (Exception, SystemExit) as error:
            ending = Ending("error", str(error), error=type(error).__name__)
        finally:
            sys.settrace(tracer)
        if ending is not None:
            self.steps.append(self.step(End, ending=ending))
        return self.trace()

    def trace(self) -> Trace:
        """What is written down so far."""
        return Trace(tuple(self.steps), tuple(tuple(kept) for kept in self.lists))

    # --- the loop's frame, statement by statement

    def enter(self, frame: FrameType, event: str, arg: Any) -> Any:
        """Bind to the first frame that runs the loop: to a frame, as a loop may call itself."""
        if self.frame is None and frame.f_code is self.code:
            self.frame = frame
            return self.line
        return None

    def line(self, frame: FrameType, event: str, arg: Any) -> Any:
        if event == "line":
            self.events += 1
            if self.events > MOST_LINES:
                raise _Cut(TOO_MANY_LINES)
            if self.live is not None and not self.same():
                self.observe()
            now = self.now = self.statements.get(frame.f_lineno, NO_LINES)
            if not self.since or self.since[-1] != now:
                self.since.append(now)
                if self.watch and len(self.seen) < MOST_SEEN:
                    self.seen.append(self.values(frame.f_locals))
        elif event == "return":
            self.observe()
        return self.line

    def values(self, variables: Mapping[str, Any]) -> Values:
        """The numbers and the lengths of lists among the loop's own variables."""
        kept: list[tuple[str, int]] = []
        for name, value in variables.items():
            if name in self.given:
                continue
            if type(value) is list:
                kept.append((f"{name}[]", len(value)))
            elif type(value) is int and -LARGEST < value < LARGEST:
                kept.append((name, value))
        return tuple(kept)

    @contextmanager
    def untraced(self) -> Iterator[None]:
        """Our own work inside a call costs no trace events."""
        tracer = sys.gettrace()
        sys.settrace(None)
        try:
            yield
        finally:
            sys.settrace(tracer)

    # --- what happened

    def create(self, messages: Any, changes: Json) -> Json:
        with self.untraced():
            self.observe(whole=True)
            self.adopt(messages)
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
        with self.untraced():
            self.observe()
            before = self.clock.now
            result = self.tools.run(call)
            if isinstance(result, Undecided):
                result = self.decided(call, result)
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

    def adopt(self, messages: Any) -> None:
        """Watch the list that is sent; one that the loop made anew is compared with the last."""
        if messages is self.live:
            return
        first, self.live = self.live is None, messages
        if first:
            self.lists[-1] = copied(list(messages))
            self.refs = list(messages)
        else:
            self.observe(whole=True)

    def same(self) -> bool:
        """Whether the list holds the same entries as at the last look, the last one unchanged."""
        live, kept = self.live, self.lists[-1]
        return bool(live == self.refs and (not kept or live[-1] == kept[-1]))

    def observe(self, whole: bool = False) -> None:
        """Write down what became of the list since the last look, by content.

        The entries' identities tell of everything but a change inside an entry; that is looked
        for in the last one at each statement, and in all of them when the list is sent.
        """
        live, kept = self.live, self.lists[-1]
        if live is None or (live == kept if whole else self.same()):
            return
        same = len(kept)  # nearly always the list has just grown
        if live[:same] != (kept if whole else self.refs) or (same and live[same - 1] != kept[-1]):
            same = 0
            while same < min(len(live), len(kept)) and live[same] == kept[same]:
                same += 1
        after = copied(list(live[same:]))
        before = kept[same:]
        self.refs = list(live)
        if before:
            self.lists.append(kept[:same] + after)
            while before and after and before[-1] == after[-1]:
                before.pop(), after.pop()
            self.emit(Edit, index=same, before=tuple(before), after=tuple(after))
        elif after:
            kept.extend(after)
            self.emit(Append, index=same, count=len(after))

    def fresh(self) -> int:
        """The index of the first message that the last request did not hold as it stands now."""
        first = len(self.lists[-1])
        for step in reversed(self.steps):
            if isinstance(step, Edit):
                first = min(first, step.index)
            if isinstance(step, Ask):
                return min(first, step.length)
        return 0

    def write(self, text: str) -> None:
        """What the loop prints; what is too long is cut, with a mark."""
        room = MOST_PRINTED - len(self.printed)
        if room > 0:
            self.printed += text if len(text) <= room else f"{text[:room]}…"

    def step(self, kind: type[Step], **facts: Any) -> Step:
        ran, self.since = tuple(self.since) or (self.now,), []
        seen, self.seen = tuple(self.seen), []
        printed, self.printed = self.printed, ""
        return kind(
            turn=self.turn,
            lines=self.now,
            ran=ran,
            seen=seen,
            printed=printed,
            version=len(self.lists) - 1,
            length=len(self.lists[-1]),
            **facts,
        )

    def emit(self, kind: type[Step], **facts: Any) -> None:
        if len(self.steps) >= self.most:
            raise _Cut(TOO_MANY_STEPS)
        self.steps.append(self.step(kind, **facts))


class _Model:
    """What a loop gets as `model`."""

    def __init__(self, recorder: Recorder) -> None:
        self._recorder = recorder

    def create(self, messages: Any, **changes: Any) -> Json:
        return self._recorder.create(messages, changes)


class _Tools:
    """What a loop gets as `tools`."""

    def __init__(self, recorder: Recorder) -> None:
        self._recorder = recorder

    def run(self, call: Mapping[str, Any]) -> Json:
        return self._recorder.call(call)

    @property
    def stuck(self) -> str:
        """Why a person must take over, where a guard says so; else ""."""
        return str(getattr(self._recorder.tools, "stuck", ""))


def _with_print(loop: Loop, write: Callable[[str], None]) -> Loop:
    """The loop with a `print` of its own, as the terminal is the whole server's."""
    if not isinstance(loop, FunctionType) or "print" not in loop.__code__.co_names:
        return loop

    def printing(*values: object, **options: Any) -> None:
        text = io.StringIO()
        print(*values, **{**options, "file": text})  # noqa: T201
        write(text.getvalue())

    own = {**loop.__globals__, "print": printing}
    made = FunctionType(loop.__code__, own, loop.__name__, loop.__defaults__, loop.__closure__)
    made.__kwdefaults__ = loop.__kwdefaults__
    return made


def copied(value: Any) -> Any:
    """A deep copy. JSON's own types, which is nearly all there is, are copied here: many times
    faster than by `copy.deepcopy`, which is left with the rest."""
    kind = type(value)
    if kind is dict:
        return {key: copied(item) for key, item in value.items()}
    if kind is list:
        return [copied(item) for item in value]
    return value if kind in PLAIN else copy.deepcopy(value)


def _ending_of(answer: Any, right: Callable[[str], bool]) -> Ending:
    if not isinstance(answer, str):
        return Ending("error", f"the loop returned {answer!r:.80}, not a text", error="TypeError")
    if answer.startswith("stopped: no answer after "):
        return Ending("no_answer", answer)
    if answer.startswith("stopped: "):
        return Ending("stopped", answer)
    return Ending("answer" if right(answer) else "wrong", answer)

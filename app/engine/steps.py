"""The words of a run, as records that never change.

message   one entry of `messages[]`: a dict with `role` and `content`
request   the whole body sent to the model: `model`, `max_tokens`, `system`, `tools`, `messages`
reply     what came back: a dict with `stop_reason`, `content` and `usage`
call      a `tool_use` block; its answer is a `tool_result` block
turn      one request with all the tool calls it caused, counted from 1
step      one press of the button: one of the kinds below
trace     the recorded steps of one lane
ending    why the run stopped
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar

Json = dict[str, Any]
Lines = tuple[int, int]  # first and last line of a statement, counted from 1; (0, 0) is none
NO_LINES: Lines = (0, 0)
Values = tuple[tuple[str, int], ...]  # variables: a number, or the length of a list (`name[]`)

KINDS = ("start", "ask", "reply", "append", "wait", "helper", "tool", "edit", "end")  # of steps
OUTAGE = "the environment failed: "  # how a harness begins why it ends a run
ENDINGS = ("answer", "wrong", "stopped", "no_answer", "refused", "error", "cut", "failed")
FAILURES = ("model", "environment", "refusal")  # whose failure an error result is
WAITS = "waits"  # in place of an ending's kind, where a run goes on later
APPROVE, DENY = "approve", "deny"
DECISIONS = (APPROVE, DENY)  # of a person who is asked about a call


@dataclass(frozen=True)
class Fault:
    """One finding of the server about a request.

    `effect` is `refuse`, `warn` or `not judged`; `where` a dotted path counted from 0, such as
    `messages.2.content.0`; `sentence` ours; `api` the identifying part of the API's own message
    ("" where it is not published) and `certainty` how sure that part is.
    """

    rule: str
    effect: str
    where: str
    sentence: str
    api: str = ""
    certainty: str = ""
    status: int = 400
    error: str = "invalid_request_error"


class Refused(Exception):
    """The server refused a request. `faults` holds every fault of the first stage that refuses."""

    def __init__(self, faults: tuple[Fault, ...]) -> None:
        said = dict.fromkeys(f"{fault.rule} {fault.sentence}" for fault in faults)
        super().__init__("; ".join(said))  # a rule may be broken in two places
        self.faults = faults


class NoReply(Exception):
    """The script has no reply to a request: a limit of Halqa's, not of the loop's."""


@dataclass(frozen=True)
class Check:
    """One check before a call: `name` is `exists`, `parameters`, `given`, `writes`, `inside`,
    `limits` or `approved`; `said` tells why it passed or did not, or what follows where it was not
    `made`."""

    name: str
    passed: bool
    said: str
    made: bool = True


@dataclass(frozen=True)
class Attempt:
    """One try at a call. `said` tells why it failed, "" where it did not; `started` counts from the
    call; `simulated` where the lesson made it fail or last; `lost` where it took effect and its
    answer never came. Seconds are those of the run's clock."""

    started: float
    seconds: float
    said: str = ""
    simulated: bool = False
    lost: bool = False


@dataclass(frozen=True)
class Change:
    """What a call did to a file: `how` is `made`, `changed` or `removed`; `lines` are those that
    came (`+`), went (`-`) or stand beside them (a space); `more` counts those left out."""

    path: str
    how: str
    lines: tuple[str, ...] = ()
    more: int = 0


@dataclass(frozen=True)
class Hook:
    """What the harness ran by itself after a call, and what it said."""

    name: str
    passed: bool
    said: str


@dataclass(frozen=True)
class Result:
    """What a tool gave back, with the checks made before it ran.

    `failure` says whose failure it is: one of FAILURES, "" where the call itself did not fail.
    `tries` are all attempts where the first one did not do; `changes` what became of the workspace,
    which was looked at before and after where it was `watched`; `ends` is why the harness ends the
    run, "" where it does not. None of these is told to the model: what it must know stands in
    `content`.
    """

    content: str
    is_error: bool = False
    checks: tuple[Check, ...] = ()
    failure: str = ""
    tries: tuple[Attempt, ...] = ()
    changes: tuple[Change, ...] = ()
    hooks: tuple[Hook, ...] = ()
    ends: str = ""
    helped: "Helped | None" = None  # until its steps stand in the trace of the agent that asked
    watched: bool = False

    def block(self) -> Json:
        """What a tool decides of its `tool_result` block: `content`, and `is_error` where true."""
        return (
            {"content": self.content, "is_error": True}
            if self.is_error
            else {"content": self.content}
        )


@dataclass(frozen=True)
class Undecided:
    """In place of a result: a person must decide first. `checks` are those that passed so far;
    `tries` those that failed, where it is another one that they decide about."""

    checks: tuple[Check, ...] = ()
    tries: tuple[Attempt, ...] = ()


@dataclass(frozen=True)
class Ending:
    """Why a run stopped.

    `kind` is one of ENDINGS; `text` the answer, the reason or the error; `faults` are those of a
    refused request; `error` is the exception's type where one ended the run.
    """

    kind: str
    text: str
    faults: tuple[Fault, ...] = ()
    error: str = ""

    @property
    def outage(self) -> str:
        """What failed in the environment, where the harness ended the run for it; else ""."""
        found = self.text.partition(OUTAGE)
        return found[2] if self.kind == "stopped" and found[0] == "stopped: " else ""

    @property
    def rules(self) -> list[str]:
        """The numbers of the rules that refused, in order."""
        return [fault.rule for fault in self.faults]

    @property
    def status(self) -> int | None:
        """The HTTP status of a refusal; None for every other ending."""
        return self.faults[0].status if self.faults else None


class Halt(BaseException):
    """Ends a run from outside its loop; no `except Exception` of a loop may keep it.

    Without an ending the run goes on later: its trace has no `end` yet. `helped` is what a helper
    agent has done by then, where it comes in the middle of its work.
    """

    def __init__(self, ending: Ending | None = None, helped: "Helped | None" = None) -> None:
        super().__init__(ending.text if ending else "")
        self.ending, self.helped = ending, helped


@dataclass(frozen=True, kw_only=True)
class Step:
    """What all steps share.

    `lines` is the statement that made the step, `ran` all statements since the step before, the
    last one included, equal neighbours collapsed; `seen` are the loop's own numbers and the lengths
    of its lists before each of them, for the first ones, where the recorder watched them.
    `printed` is what the loop printed since the step before. `version` and `length` name the state
    of `messages[]` after the step (see Trace.messages). `depth` is above 0 inside a helper agent.
    """

    kind: ClassVar[str]
    turn: int
    lines: Lines
    ran: tuple[Lines, ...] = ()
    seen: tuple[Values, ...] = ()
    printed: str = ""
    version: int = 0
    length: int = 0
    depth: int = 0


@dataclass(frozen=True, kw_only=True)
class Start(Step):
    """The task; nothing is sent yet."""

    kind = "start"
    task: str


@dataclass(frozen=True, kw_only=True)
class Ask(Step):
    """A request leaves. `envelope` is its body without `messages`; `changed` the keys that the loop
    itself set; `fresh` the index of the first message not sent before; `faults` what the server
    finds, warnings included."""

    kind = "ask"
    envelope: Json
    changed: tuple[str, ...] = ()
    fresh: int = 0
    faults: tuple[Fault, ...] = ()


@dataclass(frozen=True, kw_only=True)
class Reply(Step):
    """The model's reply; it is not in `messages[]` yet. `seconds` is how long it took."""

    kind = "reply"
    reply: Json
    seconds: float = 0.0


@dataclass(frozen=True, kw_only=True)
class Append(Step):
    """`messages[]` grew by `count` entries, the first of them at `index`."""

    kind = "append"
    index: int
    count: int = 1


@dataclass(frozen=True, kw_only=True)
class Wait(Step):
    """A person is asked whether a call may run, after the checks that passed, or run once more,
    after `tries` that failed. `decision` is one of DECISIONS, or "" where nobody has decided and
    the run waits."""

    kind = "wait"
    call: Json
    checks: tuple[Check, ...] = ()
    tries: tuple[Attempt, ...] = ()
    decision: str = ""


@dataclass(frozen=True, kw_only=True)
class Tool(Step):
    """A call was run (or turned away by a check), with its result. Not in `messages[]` yet.
    `seconds` is how long it took."""

    kind = "tool"
    call: Json
    result: Result
    seconds: float = 0.0


@dataclass(frozen=True, kw_only=True)
class Helper(Step):
    """A step of a helper agent, between the call that asked it and that call's result: the step
    `number` of the helper's own `run`, by its own `loop`. The list of the agent that asked, of
    which `version` and `length` tell, stays as it is."""

    kind = "helper"
    run: "Trace"
    number: int
    loop: str

    @property
    def inner(self) -> Step:
        """The step as the helper's own trace has it."""
        return self.run.steps[self.number]


@dataclass(frozen=True, kw_only=True)
class Edit(Step):
    """What stood in `messages[]` from `index` on was changed, replaced or taken out: `before` is
    what stood there, `after` what stands there now."""

    kind = "edit"
    index: int
    before: tuple[Json, ...]
    after: tuple[Json, ...]


@dataclass(frozen=True, kw_only=True)
class End(Step):
    """The run stopped."""

    kind = "end"
    ending: Ending


@dataclass(frozen=True)
class Trace:
    """A recorded run. `lists` holds each version of `messages[]`; only an edit starts a new one."""

    steps: tuple[Step, ...]
    lists: tuple[tuple[Json, ...], ...]
    _asks: tuple[Ask, ...] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "_asks", tuple(s for s in self.steps if isinstance(s, Ask)))

    @property
    def ending(self) -> Ending:
        """Why the run stopped; one of kind WAITS where it goes on later."""
        last = self.steps[-1]
        return last.ending if isinstance(last, End) else Ending(WAITS, "")

    @property
    def asks(self) -> tuple[Ask, ...]:
        """The requests, one a turn."""
        return self._asks

    @property
    def messages_sent(self) -> list[int]:
        """How many messages each request held, a refused one included."""
        return [ask.length for ask in self._asks]

    def messages(self, step: Step) -> tuple[Json, ...]:
        """`messages[]` as it stands after a step."""
        return self.lists[step.version][: step.length]

    def request(self, ask: Ask) -> Json:
        """The whole body of a request."""
        return {**ask.envelope, "messages": list(self.messages(ask))}


@dataclass(frozen=True)
class Helped:
    """What a helper agent did: its whole run, and the name of its loop."""

    loop: str
    run: Trace


def senders(steps: Sequence[Step]) -> list[Trace | None]:
    """Who sent each request of a run: a helper agent, as its own run, or None for the run's own."""
    own = [(one.run, one.inner) if isinstance(one, Helper) else (None, one) for one in steps]
    return [run for run, step in own if isinstance(step, Ask)]


def client_calls(content: Any) -> list[Mapping[str, Any]]:
    """The `tool_use` blocks of a message's content, whatever else stands there."""
    blocks = content if isinstance(content, list) else []
    return [
        block for block in blocks if isinstance(block, dict) and block.get("type") == "tool_use"
    ]

"""The record of a run as its replay walks along it, and what the run waits for at its end."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from app.engine.clock import Clock
from app.engine.steps import Attempt, Check, Ending, Fault, Halt, Json
from app.live.recorded import CALL, DECIDE, TOOL, Effect, Try
from app.live.subject import Subject
from app.store import DECISION, REPLY, RESULT, Entry, digest_of

AGAIN = "again"  # besides an effect a run may wait for a person: is a failed one tried again?
OUTCOME = {CALL: REPLY, TOOL: RESULT, DECIDE: DECISION}  # what answers each
CHANGED = {
    CALL: "this request is not the one that was recorded here; old replies do not fit it",
    TOOL: "this call is not the one that was recorded here; old results do not fit it",
    DECIDE: "this call is not the one that a person decided about here",
}


@dataclass(frozen=True)
class Waiting:
    """What the next press does: `body` is the request, or the call of a tool, which may have a
    person's `decision`, or wait for one: they see the `checks` that it passed, and the `tries` that
    failed where it is another one that they decide about. `by` is the agent that calls it, the
    run's own or its helper, and `offered` names the tools that its last request offers."""

    what: str
    effect: int
    attempt: int
    body: Json
    by: Subject
    offered: tuple[str, ...] = ()
    decision: str = ""
    checks: tuple[Check, ...] = ()
    tries: tuple[Attempt, ...] = ()

    @property
    def asks(self) -> bool:
        """Whether a person must decide."""
        return self.what in (DECIDE, AGAIN)

    @property
    def digest(self) -> str:
        return digest_of(self.body)


@dataclass(frozen=True)
class Differs:
    """The loop or a tool was changed: what it asks for now, and what was recorded in its place."""

    what: str
    recorded: Json
    now: Json


@dataclass(frozen=True)
class Sent:
    """A request that really left: the verdict of our rules on it, and all attempts at it. The turn
    is that of the agent that sent it, which may be a `helper`."""

    turn: int
    effect: int
    request: Json
    faults: tuple[Fault, ...]
    tries: tuple[Try, ...]
    helper: bool = False

    @property
    def answer(self) -> Entry | None:
        """The reply as it was stored, where one came."""
        outcomes = (one.outcome for one in self.tries)
        return next((found for found in outcomes if found and found.kind == REPLY), None)


@dataclass
class Cursor:
    """Where a replay is in the record, which a helper's effects stand in as the run's own do.

    `under_way` tells whether the last attempt may still bring something. `sent` are the requests so
    far; `waiting`, `failed`, `differs` and `stop` are what was found where the record ended.
    """

    effects: Sequence[Effect]
    clock: Clock
    under_way: bool
    at: int = 0  # the next effect
    sent: list[Sent] = field(default_factory=list)
    waiting: Waiting | None = None
    failed: Try | None = None
    differs: Differs | None = None
    stop: Halt | None = None

    @property
    def last_request(self) -> Json | None:
        """The last recorded request."""
        recorded = (one.request for one in reversed(self.sent) if one.tries)
        return next(recorded, None)

    def halt(self, ending: Ending | None = None) -> Halt:
        """What ends the replay here, to be raised."""
        self.stop = Halt(ending)
        return self.stop

    def knows(self, what: str, body: Json) -> bool:
        """Whether this is the next effect in the record."""
        effect = self.effects[self.at] if self.at < len(self.effects) else None
        return effect is not None and (effect.what, effect.digest) == (what, digest_of(body))

    def recorded(self, what: str, body: Json) -> Effect | None:
        """The next effect; None where the record ends. Raises Halt where it is another one."""
        number, self.at = self.at, self.at + 1
        effect = self.effects[number] if number < len(self.effects) else None
        if effect and (effect.what, effect.digest) != (what, digest_of(body)):
            self.differs = Differs(what, effect.body, body)
            raise self.halt(Ending("cut", CHANGED[what]))
        return effect

    def outcome(self, next_: Waiting, tries: Sequence[Try]) -> Entry:
        """What is recorded of an effect; where nothing is, the run waits for its next attempt, and
        Halt is raised."""
        for one in tries:
            if one.outcome is not None:
                self.clock.sleep(max(0.0, one.outcome.created - one.started))
            if one.outcome is not None and one.outcome.kind == OUTCOME[next_.what]:
                return one.outcome
        last = tries[-1] if tries else None
        self.waiting = replace(next_, attempt=(last.attempt if last else 0) + 1)
        if last is None or last.failure is None:
            raise self.halt()
        self.failed = last
        if not last.failure.retry:
            self.waiting = None
        raise self.halt(_ending(last))


def _ending(last: Try) -> Ending:
    """How a failed call ends the run, until it is tried again."""
    error, failure = last.error or {}, last.failure
    assert failure is not None
    named = " ".join(str(part) for part in (error.get("status"), error.get("type")) if part)
    return Ending("failed", failure.sentence, error=named)

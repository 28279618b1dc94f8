"""The record of a run as its replay walks along it, and what the run waits for at its end."""

from collections.abc import Sequence
from dataclasses import dataclass

from app.engine.clock import Clock
from app.engine.steps import Attempt, Check, Ending, Halt, Json
from app.live.recorded import CALL, DECIDE, TOOL, Effect, Try
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
    failed where it is another one that they decide about."""

    what: str
    effect: int
    attempt: int
    body: Json
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


@dataclass
class Cursor:
    """Where a replay is in the record. `under_way` tells whether the last attempt may still bring
    something; `waiting`, `failed` and `differs` are what was found where it ended."""

    effects: Sequence[Effect]
    clock: Clock
    under_way: bool
    at: int = 0  # the next effect
    waiting: Waiting | None = None
    failed: Try | None = None
    differs: Differs | None = None

    def recorded(self, what: str, body: Json) -> Effect | None:
        """The next effect; None where the record ends. Raises Halt where it is another one."""
        number, self.at = self.at, self.at + 1
        effect = self.effects[number] if number < len(self.effects) else None
        if effect and (effect.what, effect.digest) != (what, digest_of(body)):
            self.differs = Differs(what, effect.body, body)
            raise Halt(Ending("cut", CHANGED[what]))
        return effect

    def outcome(self, what: str, body: Json, tries: Sequence[Try], decision: str = "") -> Entry:
        """What is recorded of an effect. Raises Halt where nothing is."""
        for one in tries:
            if one.outcome is not None:
                self.clock.sleep(max(0.0, one.outcome.created - one.started))
            if one.outcome is not None and one.outcome.kind == OUTCOME[what]:
                return one.outcome
        last = tries[-1] if tries else None
        self.waiting = Waiting(what, self.at - 1, (last.attempt if last else 0) + 1, body, decision)
        if last is None or last.failure is None:
            raise Halt
        self.failed = last
        if not last.failure.retry:
            self.waiting = None
        raise Halt(_ending(last))


def _ending(last: Try) -> Ending:
    """How a failed call ends the run, until it is tried again."""
    error, failure = last.error or {}, last.failure
    assert failure is not None
    named = " ".join(str(part) for part in (error.get("status"), error.get("type")) if part)
    return Ending("failed", failure.sentence, error=named)

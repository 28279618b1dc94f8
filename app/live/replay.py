"""A run from its entries: what is recorded is replayed, and where the record ends the run waits.

`replay` is pure: it makes no call, runs no tool, and gives the same trace for the same entries.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from app.engine.clock import Clock
from app.engine.record import copied, record
from app.engine.rules import check
from app.engine.steps import DECISIONS, Ending, Fault, Halt, Json, Result, Trace, Undecided
from app.harness import Guard
from app.live.failures import Failure, failure_of
from app.live.reply import checked_reply
from app.live.requests import joined
from app.live.subject import Subject
from app.prices import Prices
from app.store import BROKEN, DECISION, INTENT, REPLY, RESULT, Entry, digest_of

CALL, TOOL, DECIDE = "call", "tool", "decide"  # what a run waits for
OUTCOME = {CALL: REPLY, TOOL: RESULT, DECIDE: DECISION}  # what answers each


@dataclass(frozen=True)
class Try:
    """One attempt at an effect. `outcome` is None while it is under way, or once it was lost."""

    attempt: int
    started: float
    outcome: Entry | None

    @property
    def error(self) -> Json | None:
        """The error that the attempt ended with."""
        if self.outcome is None or self.outcome.kind != BROKEN:
            return None
        error = self.outcome.body.get("error")
        return error if isinstance(error, dict) else {}

    @property
    def failure(self) -> Failure | None:
        """What that error means."""
        error = self.error
        if error is None:
            return None
        status = error.get("status")
        return failure_of(status if isinstance(status, int) else None, str(error.get("type", "")))


@dataclass(frozen=True)
class Waiting:
    """What the next press does: `body` is the request, or the call of a tool, which may have a
    person's `decision`, or wait for one."""

    what: str
    effect: int
    attempt: int
    body: Json
    decision: str = ""

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
    """A request that really left: the verdict of our rules on it, and all attempts at it."""

    turn: int
    effect: int
    request: Json
    faults: tuple[Fault, ...]
    tries: tuple[Try, ...]

    @property
    def answer(self) -> Entry | None:
        """The reply as it was stored, where one came."""
        outcomes = (one.outcome for one in self.tries)
        return next((found for found in outcomes if found and found.kind == REPLY), None)


@dataclass(frozen=True)
class Replayed:
    """A run as far as it is recorded.

    `waiting` is what comes next: a first attempt, or another one after `failed`; None where the
    run is over. `last_request` is what the last recorded request was, for the one to come.
    """

    trace: Trace
    sent: tuple[Sent, ...]
    waiting: Waiting | None
    failed: Try | None
    differs: Differs | None
    last_request: Json | None


def replay(entries: Sequence[Entry], subject: Subject) -> Replayed:
    """Replay a run's entries through its loop. Raises ValueError for entries in no right form."""
    clock = Clock()
    player = _Player(subject, _effects(entries, subject), clock)
    trace = record(
        subject.loop.run,
        subject.task,
        player,
        Guard(player, subject.guard) if subject.guard else player,
        max_turns=subject.cap,
        right=subject.right,
        decide=player.decide,
        clock=clock,
        prices=Prices(str(subject.envelope["model"]), entries[0].created if entries else None),
    )
    return Replayed(
        trace, tuple(player.sent), player.waiting, player.failed, player.differs, player.request
    )


@dataclass(frozen=True)
class _Effect:
    """A recorded effect: what was asked for, and every attempt at it."""

    what: str
    body: Json
    digest: str
    tries: tuple[Try, ...]


def _effects(entries: Sequence[Entry], subject: Subject) -> list[_Effect]:
    """The effects in their order. Raises ValueError where one is in no right form."""
    found: dict[int, dict[int, dict[bool, Entry]]] = {}
    for entry in entries:
        attempts = found.setdefault(entry.effect, {})
        attempts.setdefault(entry.attempt, {})[entry.kind != INTENT] = entry
    if [*found] != [*range(len(found))]:
        raise ValueError("an effect is missing in the record")
    effects: list[_Effect] = []
    request: Json | None = None
    for attempts in found.values():
        intent = attempts[min(attempts)].get(False)
        if intent is None:
            raise ValueError("an outcome stands in the record without its intent")
        call, asked = intent.body.get("call"), intent.body.get("decide")
        if isinstance(call, dict):
            effects.append(_Effect(TOOL, call, intent.digest, _tries(attempts, subject)))
        elif isinstance(asked, dict):
            effects.append(_Effect(DECIDE, asked, intent.digest, _tries(attempts, subject)))
        else:
            request = joined(request, intent.body)
            effects.append(_Effect(CALL, request, intent.digest, _tries(attempts, subject)))
    return effects


def _tries(attempts: dict[int, dict[bool, Entry]], subject: Subject) -> tuple[Try, ...]:
    tries = []
    for attempt, found in sorted(attempts.items()):
        intent, outcome = found.get(False), found.get(True)
        if outcome is not None and outcome.kind == REPLY:
            checked_reply(outcome.body)
        if outcome is not None and outcome.kind == RESULT:
            subject.result_of(outcome.body)
        decided = outcome.body.get("decision") if outcome and outcome.kind == DECISION else None
        if outcome is not None and outcome.kind == DECISION and decided not in DECISIONS:
            raise ValueError("a stored decision is in no right form")
        tries.append(Try(attempt, intent.created if intent else 0.0, outcome))
    return tuple(tries)


@dataclass
class _Player:
    """The server and the runner of a replay."""

    subject: Subject
    effects: Sequence[_Effect]
    clock: Clock
    sent: list[Sent] = field(default_factory=list)
    at: int = 0  # the next effect
    request: Json | None = None  # the last recorded one
    faults: tuple[Fault, ...] = ()  # of the request that is about to leave
    waiting: Waiting | None = None
    failed: Try | None = None
    differs: Differs | None = None

    # --- what the recorder asks of a server

    def body(self, messages: Any, changes: Json) -> Json:
        body = {**self.subject.body(messages), "messages": messages, **changes}
        return {**body, "stream": True} if self.subject.stream else body

    def check(self, request: Json) -> tuple[Fault, ...]:
        """Our rules only say what they think of it here: the real API decides."""
        self.faults = check(request)
        return tuple(fault for fault in self.faults if fault.effect == "warn")

    def reply(self, request: Json) -> Json:
        request = copied(request)
        outcome = self._outcome(CALL, request)
        return copied(outcome.body)  # type: ignore[no-any-return]

    # --- and of a runner

    def run(self, call: Mapping[str, Any], decision: str = "") -> Result | Undecided:
        if not decision and self.subject.asks(call):
            return Undecided()
        outcome = self._outcome(TOOL, copied(dict(call)), decision)
        return self.subject.result_of(outcome.body)

    def decide(self, call: Json) -> str:
        """What a person decided of a call; "" where nobody has."""
        try:
            return str(self._outcome(DECIDE, call).body["decision"])
        except Halt as halt:
            if halt.ending is not None:
                raise
            return ""

    # --- the record

    def _outcome(self, what: str, body: Json, decision: str = "") -> Entry:
        """What is recorded for the next effect. Raises Halt where nothing is."""
        number, self.at = self.at, self.at + 1
        effect = self.effects[number] if number < len(self.effects) else None
        tries = effect.tries if effect else ()
        if effect and effect.digest != digest_of(body):
            self.differs = Differs(what, effect.body, body)
            raise Halt(Ending("cut", CHANGED[what]))
        if what == CALL:
            self.sent.append(Sent(len(self.sent) + 1, number, body, self.faults, tries))
            self.request = body if effect else self.request
        for one in tries:
            if one.outcome is not None:
                self.clock.sleep(max(0.0, one.outcome.created - one.started))
            if one.outcome is not None and one.outcome.kind == OUTCOME[what]:
                return one.outcome
        last = tries[-1] if tries else None
        self.waiting = Waiting(what, number, (last.attempt if last else 0) + 1, body, decision)
        if last is None or last.failure is None:
            raise Halt
        self.failed = last
        if not last.failure.retry:
            self.waiting = None
        raise Halt(_ending(last))


CHANGED = {
    CALL: "this request is not the one that was recorded here; old replies do not fit it",
    TOOL: "this call is not the one that was recorded here; old results do not fit it",
    DECIDE: "this call is not the one that a person decided about here",
}


def _ending(last: Try) -> Ending:
    """How a failed call ends the run, until it is tried again."""
    error, failure = last.error or {}, last.failure
    assert failure is not None
    named = " ".join(str(part) for part in (error.get("status"), error.get("type")) if part)
    return Ending("failed", failure.sentence, error=named)

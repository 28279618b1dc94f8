"""A run from its entries: what is recorded is replayed, and where the record ends the run waits.

`replay` makes no call, runs no tool, and gives the same trace for the same entries.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from app.engine.clock import Clock
from app.engine.observed import copied
from app.engine.record import record
from app.engine.rules import check
from app.engine.steps import Fault, Json, Trace
from app.harness import Guard
from app.live.calls import Calls, Checks
from app.live.cursor import Cursor, Differs, Waiting
from app.live.recorded import CALL, Try, effects_of
from app.live.subject import Subject
from app.prices import Prices
from app.store import REPLY, Entry


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


def replay(
    entries: Sequence[Entry],
    subject: Subject,
    under_way: bool = False,
    checks: Checks = lambda call, offered: (),
) -> Replayed:
    """Replay a run's entries through its loop. Raises ValueError for entries in no right form.

    `under_way` tells whether the last attempt may still bring something; `checks` makes those of a
    call that a person is asked about next, by the tools that are offered.
    """
    cursor = Cursor(effects_of(entries), Clock(), under_way)
    server = _Server(subject, cursor)
    calls = Calls(subject, cursor, checks, server.offered)
    trace = record(
        subject.loop.run,
        subject.task,
        server,
        Guard(calls, subject.guard) if subject.guard else calls,
        max_turns=subject.cap,
        right=subject.right,
        decide=calls.decide,
        clock=cursor.clock,
        prices=Prices(str(subject.envelope["model"]), entries[0].created if entries else None),
    )
    return Replayed(
        trace, tuple(server.sent), cursor.waiting, cursor.failed, cursor.differs, server.request
    )


@dataclass
class _Server:
    """The server of a replay."""

    subject: Subject
    cursor: Cursor
    sent: list[Sent] = field(default_factory=list)
    request: Json | None = None  # the last recorded one
    faults: tuple[Fault, ...] = ()  # of the request that is about to leave

    def body(self, messages: Any, changes: Json) -> Json:
        body = {**self.subject.body(messages), "messages": messages, **changes}
        return {**body, "stream": True} if self.subject.stream else body

    def check(self, request: Json) -> tuple[Fault, ...]:
        """Our rules only say what they think of it here: the real API decides."""
        self.faults = check(request)
        return tuple(fault for fault in self.faults if fault.effect == "warn")

    def reply(self, request: Json) -> Json:
        request = copied(request)
        effect = self.cursor.recorded(CALL, request)
        tries = effect.tries if effect else ()
        number = self.cursor.at - 1
        self.sent.append(Sent(len(self.sent) + 1, number, request, self.faults, tries))
        self.request = request if effect else self.request
        return copied(self.cursor.outcome(CALL, request, tries).body)  # type: ignore[no-any-return]

    def offered(self) -> Sequence[str]:
        """The names of the tools that the reply to the last request may call."""
        return self.subject.callable(self.sent[-1].request) if self.sent else []

"""A run from its entries: what is recorded is replayed, and where the record ends the run waits.

`replay` makes no call, runs no tool, and gives the same trace for the same entries.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from app.engine.clock import Clock
from app.engine.record import record
from app.engine.steps import End, Halt, Helped, Json, Trace
from app.harness import AskHelper, Guard
from app.live.calls import Calls, ChecksOf
from app.live.cursor import Cursor, Differs, Sent, Waiting
from app.live.recorded import Try, effects_of
from app.live.server import Server
from app.live.subject import Subject
from app.prices import Prices
from app.store import Entry


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
    checks: ChecksOf = lambda by, call, offered: (),
) -> Replayed:
    """Replay a run's entries through its loop. Raises ValueError for entries in no right form.

    `under_way` tells whether the last attempt may still bring something; `checks` makes those of a
    call that a person is asked about next.
    """
    cursor = Cursor(effects_of(entries), Clock(), under_way)
    since = entries[0].created if entries else None

    def helped(task: str) -> Helped:
        """What the helper does. Raises Halt where the record ends in the middle of it."""
        assert subject.helper is not None
        helper = replace(subject.helper, task=task)
        trace = played(helper, Server(helper, cursor, helper=True), None)
        if cursor.stop is None:
            return Helped(helper.loop.name, trace)
        open_ = Trace(tuple(s for s in trace.steps if not isinstance(s, End)), trace.lists)
        raise Halt(cursor.stop.ending, Helped(helper.loop.name, open_))

    def played(by: Subject, server: Server, ask: AskHelper | None) -> Trace:
        calls = Calls(by, cursor, server, checks, ask)
        return record(
            by.loop.run,
            by.task,
            server,
            Guard(calls, by.guard) if by.guard else calls,
            max_turns=by.cap,
            right=by.right,
            decide=calls.decide,
            clock=cursor.clock,
            prices=Prices(str(by.envelope["model"]), since),
        )

    trace = played(subject, Server(subject, cursor), helped if subject.helper else None)
    sent, last = tuple(cursor.sent), cursor.last_request
    return Replayed(trace, sent, cursor.waiting, cursor.failed, cursor.differs, last)

"""A run as it stands, and why a press on it may do nothing."""

from dataclasses import dataclass

from app.lessons import Lesson
from app.live.cursor import Waiting
from app.live.replay import Replayed
from app.live.subject import Subject
from app.store import Entry, Lease, Run


class NotNow(Exception):
    """A press that does nothing; the message is one sentence that says why."""


@dataclass(frozen=True)
class State:
    """A run as it stands: how it was started, its replay, and the call that is under way."""

    run: Run
    lesson: Lesson | None
    subject: Subject
    entries: tuple[Entry, ...]
    replayed: Replayed
    lease: Lease | None
    now: float

    @property
    def under_way(self) -> bool:
        return self.lease is not None and self.lease.until > self.now

    @property
    def lost(self) -> bool:
        """Whether a call was under way when its worker went, and nobody has asked again."""
        return self.lease is not None and not self.under_way

    @property
    def waiting(self) -> Waiting | None:
        """What the next press does; None while a call is under way or where the run is over."""
        return None if self.under_way else self.replayed.waiting

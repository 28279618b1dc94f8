"""Replays that are kept: entries are only ever appended to, so as many of them are as they were."""

import threading
from collections.abc import Sequence
from typing import Any

from app.live.calls import ChecksOf
from app.live.replay import Replayed, replay
from app.live.subject import CannotGoOn, Subject
from app.said import Said
from app.store import Entry, Run

KEPT = 32


class Replays:
    """The last replays of one server."""

    def __init__(self) -> None:
        self._kept: dict[tuple[Any, ...], Replayed] = {}
        self._lock = threading.Lock()

    def of(
        self,
        run: Run,
        entries: Sequence[Entry],
        subject: Subject,
        under_way: bool,
        checks: ChecksOf,
        digest: str,
    ) -> Replayed:
        """The replay of a run's entries, as `replay` makes it; `digest` is that of its lesson,
        which a teacher may edit. Raises CannotGoOn."""
        last = entries[-1] if entries else None
        place = last and (last.effect, last.attempt, last.kind)
        key = (run.id, len(entries), place, under_way, digest)
        with self._lock:
            found = self._kept.get(key)
        if found is not None:
            return found
        try:
            found = replay(entries, subject, under_way, checks)
        except ValueError as error:
            raise CannotGoOn(
                Said("This recording cannot be read: %(problem)s.", problem=str(error))
            ) from error
        with self._lock:
            self._kept[key] = found
            while len(self._kept) > KEPT:
                del self._kept[next(iter(self._kept))]
        return found

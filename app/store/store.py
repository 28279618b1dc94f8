"""The store: appends that happen once, whoever asks for them and how often."""

import json
import secrets
from collections.abc import Iterable, Sequence
from contextlib import AbstractContextManager
from typing import Any

from sqlalchemy import ColumnElement, delete, func, select, text, update
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session, sessionmaker

from app.said import Said
from app.store.opened import CLAIMS, WRITES, opened
from app.store.records import BROKEN, INTENT, Busy, Entry, Json, Lease, Run, UnknownRun, written
from app.store.tables import EntryRow, LeaseRow, RunRow

DAY = 86_400.0
MOST_RUNS = 200  # in a list
LOST = {"error": {"type": "lost"}}  # the outcome of an attempt whose worker is gone


class Store:
    """Runs and their entries in a database. Every method is one transaction.

    Raises NoStore where the database cannot be opened. `now` is always the caller's clock, in
    seconds since 1970.
    """

    def __init__(self, url: str) -> None:
        self._engine = opened(url)
        self._writing = self._engine.execution_options(**{WRITES: True})

    def close(self) -> None:
        """Give the connections back."""
        self._engine.dispose()

    # --- runs

    def create(
        self,
        *,
        owner: str,
        name: str,
        lesson: str,
        lane: str,
        model: str,
        settings: Json,
        now: float,
        days: float,
        entries: Iterable[Entry] = (),
    ) -> Run:
        """A new run under an address that nobody can guess; `entries` are those of a recording."""
        row = RunRow(
            id=secrets.token_urlsafe(16),
            created=now,
            expires=now + days * DAY,
            owner=owner,
            name=name,
            lesson=lesson,
            lane=lane,
            model=model,
            settings=written(settings),
        )
        with self._write() as session:
            session.execute(delete(RunRow).where(RunRow.expires <= now))
            session.add(row)
            session.flush()
            session.add_all(_row(row.id, entry) for entry in entries)
            return _run(row)

    def run(self, id: str, now: float) -> Run:
        """A run by its address. Raises UnknownRun, also once the run's age limit is reached."""
        with self._read() as session:
            return _run(_found(session, id, now))

    def runs(self, owners: Sequence[str], now: float) -> list[Run]:
        """The runs of some owners, the newest first."""
        with self._read() as session:
            rows = session.scalars(
                select(RunRow)
                .where(RunRow.owner.in_(owners), RunRow.expires > now)
                .order_by(RunRow.created.desc())
                .limit(MOST_RUNS)
            )
            return [_run(row) for row in rows]

    def rename(self, id: str, name: str) -> None:
        """Give a run another name."""
        with self._write() as session:
            session.execute(update(RunRow).where(RunRow.id == id).values(name=name))

    def delete(self, id: str) -> None:
        """Forget a run and all its entries."""
        with self._write() as session:
            session.execute(delete(RunRow).where(RunRow.id == id))

    # --- entries

    def entries(self, id: str) -> tuple[Entry, ...]:
        """All entries of a run: by effect, attempt, the intent before what became of it."""
        with self._read() as session:
            rows = session.scalars(
                select(EntryRow)
                .where(EntryRow.run == id)
                .order_by(EntryRow.effect, EntryRow.attempt, EntryRow.outcome)
            )
            return tuple(_entry(row) for row in rows)

    def claim(
        self,
        id: str,
        effect: int,
        attempt: int,
        digest: str,
        body: Json,
        *,
        now: float,
        seconds: float,
        at_once: int | None = None,
    ) -> bool:
        """Append the intent of an attempt and hold the run's lease; False where another has it.

        Only the next effect can be claimed, by the attempt after the last one. An attempt whose
        worker is gone gets its outcome here: it is lost, and what it may still bring is not kept.
        Raises Busy where `at_once` other runs hold a lease already.
        """
        try:
            with self._write() as session:
                if at_once is not None and self._others(session, id, now) >= at_once:
                    raise Busy
                lease = session.get(LeaseRow, id)
                if lease is not None and lease.until > now:
                    return False
                rows = session.scalars(
                    select(EntryRow)
                    .where(EntryRow.run == id)
                    .order_by(EntryRow.effect.desc(), EntryRow.attempt.desc())
                    .limit(2)
                ).all()
                last = rows[0] if rows else None
                if (effect, attempt) != _next(rows):
                    return False
                if last is not None and not any(row.outcome for row in _same(rows, last)):
                    lost = Entry(last.effect, last.attempt, BROKEN, last.digest, LOST, now)
                    session.add(_row(id, lost))
                if lease is not None:
                    session.delete(lease)
                    session.flush()
                session.add(_row(id, Entry(effect, attempt, INTENT, digest, body, now)))
                session.add(
                    LeaseRow(
                        run=id,
                        effect=effect,
                        attempt=attempt,
                        started=now,
                        until=now + seconds,
                        cancelled=False,
                        partial="{}",
                    )
                )
                session.flush()
                return True
        except IntegrityError:  # another worker was quicker, or the run is gone
            return False

    def renew(
        self, id: str, effect: int, attempt: int, partial: Json, *, now: float, seconds: float
    ) -> bool:
        """Hold the lease on, with what has come so far; False where it is lost or cancelled."""
        with self._write() as session:
            changed = session.execute(
                update(LeaseRow)
                .where(*_lease(id, effect, attempt), LeaseRow.cancelled.is_(False))
                .values(until=now + seconds, partial=written(partial))
            )
            return _count(changed) == 1

    def cancel(self, id: str) -> None:
        """Ask whoever makes the run's call to break it off."""
        with self._write() as session:
            session.execute(update(LeaseRow).where(LeaseRow.run == id).values(cancelled=True))

    def finish(
        self,
        id: str,
        effect: int,
        attempt: int,
        kind: str,
        digest: str,
        body: Json,
        *,
        now: float,
        cost: float | None = None,
    ) -> bool:
        """Append what became of an attempt and give the lease back; False where it came too late
        or was stored before."""
        try:
            with self._write() as session:
                session.execute(delete(LeaseRow).where(*_lease(id, effect, attempt)))
                session.add(_row(id, Entry(effect, attempt, kind, digest, body, now, cost)))
                session.flush()
                return True
        except IntegrityError:
            return False

    def lease(self, id: str) -> Lease | None:
        """The call of a run that is under way, or was when its worker went."""
        with self._read() as session:
            row = session.get(LeaseRow, id)
            if row is None:
                return None
            partial = json.loads(row.partial)
            return Lease(row.effect, row.attempt, row.started, row.until, row.cancelled, partial)

    # --- money

    def spent(self, id: str | None = None, since: float = 0.0) -> float:
        """Dollars spent by a run, or by all, since a time."""
        where = [EntryRow.created >= since, *([EntryRow.run == id] if id else [])]
        with self._read() as session:
            return session.scalar(select(func.sum(EntryRow.cost)).where(*where)) or 0.0

    def _others(self, session: Session, id: str, now: float) -> int:
        """How many other runs have a call under way; it stays so until the transaction ends."""
        if self._engine.dialect.name == "postgresql":  # SQLite lets one write at a time
            session.execute(text("select pg_advisory_xact_lock(:n)"), {"n": CLAIMS})
        held = select(func.count()).where(LeaseRow.until > now, LeaseRow.run != id)
        return session.scalar(held) or 0

    def _read(self) -> Session:
        return Session(self._engine)

    def _write(self) -> AbstractContextManager[Session]:
        return sessionmaker(self._writing, expire_on_commit=False).begin()


def _found(session: Session, id: str, now: float) -> RunRow:
    row = session.get(RunRow, id)
    if row is None or row.expires <= now:
        raise UnknownRun(
            Said("There is no run at this address; it may have been deleted or expired.")
        )
    return row


def _run(row: RunRow) -> Run:
    return Run(
        row.id,
        row.created,
        row.expires,
        row.owner,
        row.name,
        row.lesson,
        row.lane,
        row.model,
        json.loads(row.settings),
    )


def _entry(row: EntryRow) -> Entry:
    body = json.loads(row.body)
    return Entry(row.effect, row.attempt, row.kind, row.digest, body, row.created, row.cost)


def _row(run: str, entry: Entry) -> EntryRow:
    return EntryRow(
        run=run,
        effect=entry.effect,
        attempt=entry.attempt,
        outcome=entry.kind != INTENT,
        kind=entry.kind,
        digest=entry.digest,
        body=written(entry.body),
        created=entry.created,
        cost=entry.cost,
    )


def _same(rows: Sequence[EntryRow], last: EntryRow) -> list[EntryRow]:
    """The entries of one attempt."""
    return [row for row in rows if (row.effect, row.attempt) == (last.effect, last.attempt)]


def _next(rows: Sequence[EntryRow]) -> tuple[int, int]:
    """The effect and the attempt that may be claimed after the last entries of a run."""
    if not rows:
        return 0, 1
    last = rows[0]
    done = any(row.outcome and row.kind != BROKEN for row in _same(rows, last))
    return (last.effect + 1, 1) if done else (last.effect, last.attempt + 1)


def _lease(id: str, effect: int, attempt: int) -> tuple[ColumnElement[bool], ...]:
    return LeaseRow.run == id, LeaseRow.effect == effect, LeaseRow.attempt == attempt


def _count(result: Any) -> int:
    count: int = result.rowcount
    return count

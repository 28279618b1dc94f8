"""The store: what is appended once stays, on both databases."""

import json
import multiprocessing
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import create_engine, inspect
from sqlalchemy.engine import make_url

from app.store import (
    BROKEN,
    INTENT,
    REPLY,
    RESULT,
    Busy,
    NoStore,
    NotARecording,
    UnknownRun,
    read_recording,
    recording,
)
from app.store.store import Store
from app.store.tables import Table

HOSTILE = "\0\ud800\u202e<b>'\"; drop table runs; --"


@pytest.fixture
def store(database: str) -> Iterator[Store]:
    made = Store(database)
    yield made
    made.close()


def new_run(store: Store, now: float = 100.0, **changes: Any) -> str:
    facts: dict[str, Any] = {
        "owner": "the-owner",
        "name": "a run",
        "lesson": "two-and-three",
        "lane": "correct",
        "model": "claude-opus-5",
        "settings": {"task": "Go."},
        "days": 1,
    }
    return store.create(**{**facts, **changes}, now=now).id


def claim(store: Store, run: str, effect: int, attempt: int = 1, now: float = 100.0) -> bool:
    return store.claim(run, effect, attempt, "d" * 64, {"n": effect}, now=now, seconds=10)


def finish(store: Store, run: str, effect: int, attempt: int = 1, kind: str = REPLY) -> bool:
    return store.finish(run, effect, attempt, kind, "d" * 64, {"said": HOSTILE}, now=101.0)


# --- runs


def test_a_run_comes_back_as_it_was_stored(store: Store) -> None:
    id = new_run(store, settings={"task": HOSTILE})
    run = store.run(id, 100.0)
    assert (run.name, run.lane, run.settings) == ("a run", "correct", {"task": HOSTILE})
    assert len(id) >= 20


def test_addresses_are_all_different(store: Store) -> None:
    assert len({new_run(store) for _ in range(50)}) == 50


def test_only_an_owners_runs_are_listed_the_newest_first(store: Store) -> None:
    first, second = new_run(store, 100.0), new_run(store, 101.0)
    new_run(store, 102.0, owner="you")
    assert [run.id for run in store.runs(["the-owner"], 103.0)] == [second, first]


def test_a_run_can_be_renamed_and_deleted_with_all_that_it_holds(store: Store) -> None:
    id = new_run(store)
    assert claim(store, id, 0)
    store.rename(id, "another")
    assert store.run(id, 100.0).name == "another"
    store.delete(id)
    with pytest.raises(UnknownRun, match=r"^There is no run at this address"):
        store.run(id, 100.0)
    assert (store.entries(id), store.lease(id)) == ((), None)


def test_a_run_expires_and_the_next_new_run_clears_it_away(store: Store) -> None:
    old = new_run(store, 100.0)
    assert claim(store, old, 0)
    later = 100.0 + 86_401
    with pytest.raises(UnknownRun):
        store.run(old, later)
    assert store.runs(["the-owner"], later) == []
    new_run(store, later)
    assert store.entries(old) == ()


# --- one call


@pytest.mark.parametrize(
    ("effect", "attempt"), [(0, 2), (1, 1), (5, 1)], ids=["no first try", "skipped one", "far"]
)
def test_only_the_next_effect_can_be_claimed(store: Store, effect: int, attempt: int) -> None:
    assert not claim(store, new_run(store), effect, attempt)


def test_a_second_claim_gets_nothing_while_the_first_is_under_way(store: Store) -> None:
    id = new_run(store)
    assert claim(store, id, 0)
    assert not claim(store, id, 0)
    assert not claim(store, id, 0, attempt=2)
    assert [entry.kind for entry in store.entries(id)] == [INTENT]


def test_what_is_done_is_not_claimed_again(store: Store) -> None:
    id = new_run(store)
    assert claim(store, id, 0)
    assert finish(store, id, 0)
    assert not claim(store, id, 0)
    assert not claim(store, id, 0, attempt=2)
    assert claim(store, id, 1)


def test_a_broken_attempt_is_kept_and_another_may_follow(store: Store) -> None:
    id = new_run(store)
    assert claim(store, id, 0)
    assert finish(store, id, 0, kind=BROKEN)
    assert not claim(store, id, 1)
    assert claim(store, id, 0, attempt=2)
    assert finish(store, id, 0, attempt=2)
    assert [(entry.attempt, entry.kind) for entry in store.entries(id)] == [
        (1, INTENT),
        (1, BROKEN),
        (2, INTENT),
        (2, REPLY),
    ]


def test_an_outcome_is_appended_once(store: Store) -> None:
    id = new_run(store)
    assert claim(store, id, 0)
    assert finish(store, id, 0)
    assert not finish(store, id, 0, kind=RESULT)
    assert [entry.kind for entry in store.entries(id)] == [INTENT, REPLY]


def test_a_call_whose_worker_is_gone_counts_as_lost_once_its_lease_has_run_out(
    store: Store,
) -> None:
    id = new_run(store)
    assert claim(store, id, 0, now=100.0)
    assert not claim(store, id, 0, attempt=2, now=109.0)
    with pytest.raises(Busy):
        store.claim(new_run(store), 0, 1, "d" * 64, {}, now=109.0, seconds=10, at_once=1)
    assert claim(store, id, 0, attempt=2, now=111.0)
    assert not finish(store, id, 0, attempt=1), "a late reply joined a history that went on"
    kinds = [(entry.attempt, entry.kind) for entry in store.entries(id)]
    assert kinds == [(1, INTENT), (1, BROKEN), (2, INTENT)]


def test_of_many_runs_that_start_at_one_moment_no_more_than_allowed_do(database: str) -> None:
    workers = [Store(database) for _ in range(4)]
    runs = [new_run(workers[0]) for _ in range(8)]
    ready, done = threading.Barrier(len(runs)), []

    def press(store: Store, run: str) -> None:
        ready.wait()
        try:
            assert store.claim(run, 0, 1, "d" * 64, {}, now=100.0, seconds=10, at_once=3)
            done.append("claimed")
        except Busy:
            done.append("busy")

    threads = [
        threading.Thread(target=press, args=(workers[n % 4], run)) for n, run in enumerate(runs)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(done) == ["busy"] * 5 + ["claimed"] * 3
    assert claim(workers[0], runs[0], 0, now=111.0) or claim(workers[0], runs[0], 0, 2, now=111.0)
    for store in workers:
        store.close()


def test_a_lease_is_held_on_until_it_is_cancelled(store: Store) -> None:
    id = new_run(store)
    assert claim(store, id, 0, now=100.0)
    assert store.renew(id, 0, 1, {"text": HOSTILE}, now=108.0, seconds=10)
    lease = store.lease(id)
    assert lease is not None
    assert (lease.until, lease.partial, lease.cancelled) == (118.0, {"text": HOSTILE}, False)
    store.cancel(id)
    assert not store.renew(id, 0, 1, {}, now=109.0, seconds=10)
    assert not store.renew(id, 0, 2, {}, now=109.0, seconds=10)


def test_of_many_at_once_one_gets_the_call(store: Store) -> None:
    id = new_run(store)
    got: list[bool] = []
    barrier = threading.Barrier(8)

    def press() -> None:
        barrier.wait()
        got.append(claim(store, id, 0))

    threads = [threading.Thread(target=press) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(got) == [False] * 7 + [True]


def open_and_claim(database: str, id: str, go: Any, got: Any) -> None:
    store = Store(database)
    go.wait()
    got.put(claim(store, id, 0))
    store.close()


def test_of_several_workers_one_gets_the_call(database: str) -> None:
    spawn = multiprocessing.get_context("spawn")
    store = Store(database)
    id = new_run(store)
    store.close()
    go, got = spawn.Event(), spawn.Queue()
    workers = [spawn.Process(target=open_and_claim, args=(database, id, go, got)) for _ in range(3)]
    for worker in workers:
        worker.start()
    go.set()
    assert sorted(got.get(timeout=60) for _ in workers) == [False, False, True]
    for worker in workers:
        worker.join()


# --- money


def test_what_was_spent_is_counted_by_run_and_by_day(store: Store) -> None:
    one, other = new_run(store), new_run(store)
    for run, now, cost in ((one, 100.0, 0.25), (other, 200.0, 0.5)):
        assert claim(store, run, 0, now=now)
        assert store.finish(run, 0, 1, REPLY, "d" * 64, {}, now=now, cost=cost)
    assert (store.spent(one), store.spent(), store.spent(since=150.0)) == (0.25, 0.75, 0.5)


# --- recordings


def test_a_recording_goes_out_and_comes_in(store: Store) -> None:
    id = new_run(store)
    assert claim(store, id, 0)
    assert store.finish(id, 0, 1, REPLY, "d" * 64, {"said": HOSTILE}, now=101.0, cost=1.0)
    run = store.run(id, 100.0)
    data = json.dumps(recording(run, store.entries(id))).encode()
    read, entries = read_recording(data)
    copy = new_run(store, name=read.name, settings=read.settings, entries=entries)
    before = [(e.effect, e.attempt, e.kind, e.digest, e.body) for e in store.entries(id)]
    assert [(e.effect, e.attempt, e.kind, e.digest, e.body) for e in store.entries(copy)] == before
    assert store.spent(copy) == 0, "who imports a recording has spent nothing"
    assert run.owner not in data.decode()


def spoilt(change: Callable[[Any], object]) -> bytes:
    document: Any = {
        "halqa": "recording",
        "version": 1,
        "run": {
            "name": "n",
            "lesson": "",
            "lane": "correct",
            "model": "m",
            "settings": {},
            "created": 1.0,
        },
        "entries": [
            {
                "effect": 0,
                "attempt": 1,
                "kind": kind,
                "digest": "d" * 64,
                "body": {},
                "created": 1.0,
            }
            for kind in (INTENT, REPLY)
        ],
    }
    read_recording(json.dumps(document).encode())  # it is right before the change
    change(document)
    return json.dumps(document).encode()


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"\xff", "This is no JSON"),
        (b"[" * 100_000, "This is no JSON"),
        (b"[]", "This is no recording"),
        (spoilt(lambda d: d.update(version=2)), "version"),
        (spoilt(lambda d: d["run"].update(owner="x")), "run.owner"),
        (spoilt(lambda d: d["entries"][0].update(kind="other")), "entries.0.kind"),
        (spoilt(lambda d: d["entries"][0].update(digest="x")), "entries.0.digest"),
        (spoilt(lambda d: d["entries"][1].update(effect=-1)), "entries.1.effect"),
        (spoilt(lambda d: d["entries"][1].update(created=1e300)), "entries.1.created"),
        (spoilt(lambda d: d["entries"][1].update(body={"n": float("nan")})), "This is no JSON"),
        (spoilt(lambda d: d["entries"].reverse()), "stand in order"),
        (spoilt(lambda d: d["entries"].append(d["entries"][1])), "each once"),
    ],
)
def test_what_is_no_recording_gets_a_sentence(data: bytes, said: str) -> None:
    with pytest.raises(NotARecording) as caught:
        read_recording(data)
    assert said in str(caught.value)


# --- the tables


def test_the_migrations_make_the_tables_that_the_code_uses(database: str) -> None:
    from alembic.autogenerate import compare_metadata
    from alembic.migration import MigrationContext

    Store(database).close()
    engine = create_engine(make_url(database.replace("postgresql:", "postgresql+psycopg:")))
    with engine.connect() as connection:
        assert compare_metadata(MigrationContext.configure(connection), Table.metadata) == []
        assert "alembic_version" in inspect(connection).get_table_names()
    engine.dispose()


def test_a_store_opened_again_holds_what_it_held(database: str) -> None:
    store = Store(database)
    id = new_run(store)
    store.close()
    again = Store(database)
    assert again.run(id, 100.0).name == "a run"
    again.close()


def test_sqlite_writes_ahead(tmp_path: Path) -> None:
    store = Store(f"sqlite:///{tmp_path / 'folder' / 'runs.db'}")
    with store._engine.connect() as connection:
        assert connection.exec_driver_sql("pragma journal_mode").scalar() == "wal"
    store.close()


@pytest.mark.parametrize(
    ("url", "said"),
    [
        ("nonsense", "HALQA_DATABASE_URL is no address"),
        ("mysql://u:hidden@h/d", "HALQA_DATABASE_URL is no address"),
        ("postgresql://u:hidden@127.0.0.1:1/d", "cannot be opened"),
    ],
)
def test_a_database_that_cannot_be_used_gets_a_sentence_without_its_password(
    url: str, said: str
) -> None:
    with pytest.raises(NoStore) as caught:
        Store(url)
    assert said in str(caught.value)
    assert "hidden" not in str(caught.value)

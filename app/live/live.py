"""Live runs: replay what is recorded, then make exactly one real call, or run one tool."""

import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from app.engine.steps import DECISIONS, Check, Json
from app.lessons import Lesson, Library, UnknownLesson
from app.live.cursor import AGAIN, Waiting
from app.live.effects import LEASE, Effects
from app.live.folders import Folders
from app.live.orders import FOLDER_TOOLS, Order, checked_order
from app.live.permits import may_call, may_use
from app.live.recorded import CALL, DECIDE
from app.live.replays import Replays
from app.live.requests import added
from app.live.results import stored_checks
from app.live.state import NotNow, State
from app.live.storable import storable
from app.live.subject import ASK_HELPER, Subject, harness_of, subject_of
from app.said import Said
from app.settings import Settings
from app.store import DECISION, INTENT, Busy, Entry, Lease, Run

if TYPE_CHECKING:
    from app.store.store import Store

LOOK = 0.05  # seconds between two looks at a run that is waited for


class Live:
    """The live runs of one server. Several workers may share a store.

    Tools see the folder `workspace`; `granted` are those of GRANTS that this server may use on it,
    beside those that only read.
    """

    def __init__(
        self,
        settings: Settings,
        library: Library,
        workspace: Path | None = None,
        granted: Sequence[str] = (),
        clock: Callable[[], float] = time.time,
    ) -> None:
        self.settings, self.library, self.workspace = settings, library, workspace
        self.granted = tuple(granted)
        self.clock = clock
        self.folders = Folders(settings.data, workspace)
        self._replays = Replays()

    @cached_property
    def store(self) -> "Store":
        """The store, opened at the first use. Raises NoStore."""
        from app.store.store import Store

        return Store(self.settings.database)

    # --- a run

    def start(self, order: Order, owner: str) -> Run:
        """Begin a run; nothing is sent yet. Raises BadOrder."""
        settings = checked_order(order, self.settings, self.folder_tools)
        if order.lesson is None:
            settings["folder"] = self.folders.mark
        run = self.store.create(
            owner=owner,
            name=storable(order.name),
            lesson=order.lesson.slug if order.lesson else "",
            lane=order.lane,
            model=storable(order.model.strip()),
            settings=settings,
            now=self.clock(),
            days=self.settings.runs_days,
        )
        if order.lesson is not None:
            self.folders.begin(run, order.lesson)
        return run

    def state(self, id: str) -> State:
        """A run as it stands. Raises UnknownRun, CannotGoOn."""
        now = self.clock()
        run = self.store.run(id, now)
        lease, entries = self._now(id)
        lesson = self._lesson(run)
        subject = subject_of(run, lesson)
        under_way = lease is not None and lease.until > now

        def checks(by: Subject, call: Json, offered: Sequence[str]) -> tuple[Check, ...]:
            folder = self.folders.here(run, lesson)
            return harness_of(by, folder).checks(call, offered) if folder else ()

        digest = lesson.digest if lesson else ""
        replayed = self._replays.of(run, entries, subject, under_way, checks, digest)
        return State(run, lesson, subject, entries, replayed, lease, now)

    def _now(self, id: str) -> tuple[Lease | None, tuple[Entry, ...]]:
        """The lease and the entries as they stood at one moment."""
        while True:
            lease = self.store.lease(id)
            entries = self.store.entries(id)
            last = entries[-1] if entries else None
            open_call = last is not None and last.kind == INTENT
            held = lease is not None and last is not None and _is(lease, last)
            if open_call == held or (open_call and lease is None and not self.store.lease(id)):
                return lease if open_call else None, entries

    def delete(self, id: str) -> None:
        """Forget a run."""
        self.store.delete(id)
        self.folders.forget(id)

    @property
    def folder_tools(self) -> tuple[str, ...]:
        """The tools that a task of one's own may be given."""
        return (*FOLDER_TOOLS, ASK_HELPER, *self.granted) if self.workspace is not None else ()

    def _lesson(self, run: Run) -> Lesson | None:
        if not run.lesson:
            return None
        try:
            return self.library.find(run.lesson)
        except UnknownLesson:
            return None  # it can be looked at all the same

    # --- a press

    def press(self, id: str, effect: int, attempt: int) -> None:
        """Begin the one call, or run of a tool, that the run waits for, in a thread of its own.

        `effect` and `attempt` are what the person saw: where the run is further by now, or another
        press came first, nothing happens. Raises NotNow, UnknownRun, CannotGoOn.
        """
        state = self.state(id)
        if state.waiting is not None and state.waiting.asks:
            raise NotNow(Said("A person must decide about this call first."))
        waiting = self._claimed(state, effect, attempt)
        if waiting is not None:
            self._begun(state, waiting)

    def decide(self, id: str, effect: int, attempt: int, decision: str) -> None:
        """Store what a person decided of the call that the run waits for, as `press` does; what was
        approved or denied then runs, or does not. Raises NotNow, UnknownRun, CannotGoOn."""
        if decision not in DECISIONS:
            raise NotNow(Said("A decision is one of %(known)s.", known=", ".join(DECISIONS)))
        state = self.state(id)
        if state.waiting is None or not state.waiting.asks:
            return
        waiting = self._claimed(state, effect, attempt, decision)
        if waiting is None:
            return
        if waiting.what == AGAIN:
            self._begun(state, waiting)
            return
        body = {"decision": decision}
        self.store.finish(id, effect, attempt, DECISION, waiting.digest, body, now=self.clock())
        self.press(id, effect + 1, 1)

    def advance(self, state: State) -> State:
        """The same, and wait for what comes. Raises NotNow."""
        assert state.waiting is not None
        waiting = self._claimed(state, state.waiting.effect, state.waiting.attempt)
        if waiting is None:
            raise NotNow(Said("Another press came first."))
        self._begun(state, waiting).join()
        return self.state(state.run.id)

    def awaited(self, id: str) -> State:
        """A run once nothing of it is under way. Raises UnknownRun, CannotGoOn."""
        while (state := self.state(id)).under_way:
            time.sleep(LOOK)
        return state

    def _begun(self, state: State, waiting: Waiting) -> threading.Thread:
        """What was claimed, in a thread: whoever waits may have an event loop of its own."""
        effects = Effects(self.settings, self.store, self.folders, self.clock)
        name = f"run {state.run.id[:6]} effect {waiting.effect}"
        thread = threading.Thread(
            target=effects.perform, args=(state, waiting), name=name, daemon=True
        )
        thread.start()
        return thread

    def _claimed(
        self, state: State, effect: int, attempt: int, decision: str = ""
    ) -> Waiting | None:
        """What to do, once the right to do it is ours; None where it is another's. What a person
        decided about another try is stored with it."""
        waiting = state.waiting
        if waiting is None or (waiting.effect, waiting.attempt) != (effect, attempt):
            return None
        if waiting.what == CALL:
            may_call(state, self.settings, self.store, self.clock())
            body = added(state.replayed.last_request, waiting.body)
        else:
            self.folders.of(state.run, state.lesson)
            may_use(state, waiting, self.folder_tools)
            body = {DECIDE if waiting.what == DECIDE else "call": waiting.body}
        if waiting.asks:
            body["checks"] = stored_checks(waiting.checks)
        if waiting.what == AGAIN:
            waiting = replace(waiting, decision=decision)
            body["again"] = decision
        try:
            claimed = self.store.claim(
                state.run.id,
                effect,
                attempt,
                waiting.digest,
                body,
                now=self.clock(),
                seconds=LEASE,
                at_once=self.settings.live_at_once if waiting.what == CALL else None,
            )
        except Busy as busy:
            said = Said("As many runs as this server allows wait for a reply; press again soon.")
            raise NotNow(said) from busy
        return waiting if claimed else None


def _is(lease: Lease, entry: Entry) -> bool:
    """Whether a lease is that of an attempt still open."""
    return entry.kind == INTENT and (lease.effect, lease.attempt) == (entry.effect, entry.attempt)

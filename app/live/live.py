"""Live runs: replay what is recorded, then make exactly one real call, or run one tool."""

import hashlib
import json
import logging
import threading
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from concurrent.futures import TimeoutError as NotYet
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from app import prices
from app.engine.steps import DECISIONS, Json, Result
from app.harness import TOOLS
from app.lessons import Lesson, Library, UnknownLesson
from app.live import api
from app.live.orders import FOLDER_TOOLS, GRANTS, Order, checked_order, offered
from app.live.replay import CALL, DECIDE, Replayed, Waiting, replay
from app.live.requests import added
from app.live.scratch import forget, scratch
from app.live.subject import CannotGoOn, Subject, harness_of, stored_result, subject_of
from app.said import Said, quoted
from app.settings import Settings
from app.store import BROKEN, DECISION, INTENT, REPLY, RESULT, Busy, Entry, Lease, Run

if TYPE_CHECKING:
    from app.store.store import Store

LEASE = 15.0  # seconds without a sign of life until a worker counts as gone
BEAT = 2.0  # seconds between two signs while a tool runs
LOOK = 0.05  # seconds between two looks at a run that is waited for
KEPT = 32  # replays that are kept
log = logging.getLogger("halqa.live")


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
        self._replays: dict[tuple[Any, ...], Replayed] = {}
        self._lock = threading.Lock()

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
            settings["folder"] = self._folder
        run = self.store.create(
            owner=owner,
            name=_storable(order.name),
            lesson=order.lesson.slug if order.lesson else "",
            lane=order.lane,
            model=_storable(order.model.strip()),
            settings=settings,
            now=self.clock(),
            days=self.settings.runs_days,
        )
        if order.lesson is not None:
            scratch(self._scratches, run.id, _original(order.lesson, run))
        return run

    def state(self, id: str) -> State:
        """A run as it stands. Raises UnknownRun, CannotGoOn."""
        now = self.clock()
        run = self.store.run(id, now)
        lease, entries = self._now(id)
        lesson = self._lesson(run)
        subject = subject_of(run, lesson)
        return State(run, lesson, subject, entries, self._replay(run, entries, subject), lease, now)

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
        forget(self._scratches, id)

    @property
    def folder_tools(self) -> tuple[str, ...]:
        """The tools that a task of one's own may be given."""
        return (*FOLDER_TOOLS, *self.granted) if self.workspace is not None else ()

    # --- a press

    def press(self, id: str, effect: int, attempt: int) -> None:
        """Begin the one call, or run of a tool, that the run waits for, in a thread of its own.

        `effect` and `attempt` are what the person saw: where the run is further by now, or another
        press came first, nothing happens. Raises NotNow, UnknownRun, CannotGoOn.
        """
        state = self.state(id)
        if state.waiting is not None and state.waiting.what == DECIDE:
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
        waiting = state.waiting
        if waiting is None or waiting.what != DECIDE:
            return
        if self._claimed(state, effect, attempt) is None:
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
        name = f"run {state.run.id[:6]} effect {waiting.effect}"
        thread = threading.Thread(
            target=self._perform, args=(state, waiting), name=name, daemon=True
        )
        thread.start()
        return thread

    def _claimed(self, state: State, effect: int, attempt: int) -> Waiting | None:
        """What to do, once the right to do it is ours; None where it is another's."""
        waiting = state.waiting
        if waiting is None or (waiting.effect, waiting.attempt) != (effect, attempt):
            return None
        if waiting.what == CALL:
            self._allowed(state)
            body = added(state.replayed.last_request, waiting.body)
        else:
            self._folder_of(state)
            self._granted(state, str(waiting.body.get("name")))
            body = {waiting.what if waiting.what == DECIDE else "call": waiting.body}
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

    def _granted(self, state: State, tool: str) -> None:
        """Raises NotNow where a run may not use a tool here. A run may come from a file, so what
        it says of its tools is judged again at each call; what it was not given, the harness
        refuses."""
        lesson = state.run.lesson
        if tool not in state.subject.tools or tool in (TOOLS if lesson else self.folder_tools):
            return
        if tool in GRANTS and not lesson:
            said = "This server was started without %(option)s, so %(tool)s cannot run."
            raise NotNow(Said(said, option=GRANTS[tool], tool=tool))
        known = ", ".join(offered(state.lesson, self.folder_tools))
        said = "There is no tool %(tool)s here; there are %(known)s."
        raise NotNow(Said(said, tool=quoted(tool), known=known))

    def _allowed(self, state: State) -> None:
        """Raises NotNow where a cap or a missing key forbids a call."""
        settings, store, now = self.settings, self.store, self.clock()
        if not settings.live:
            raise NotNow(Said("Live is off: there is no key."))
        caps = (settings.live_run_usd, settings.live_day_usd)
        if caps != (None, None) and not prices.known(state.run.model):
            raise NotNow(
                Said("This server has a cap on money, and the price of this model is unknown.")
            )
        if caps[0] is not None and store.spent(state.run.id) >= caps[0]:
            raise NotNow(Said("This run has reached its cap of %(cap)s.", cap=f"${caps[0]:,.2f}"))
        if caps[1] is not None and store.spent(since=now - now % 86_400) >= caps[1]:
            raise NotNow(
                Said("The runs of today have reached their cap of %(cap)s.", cap=f"${caps[1]:,.2f}")
            )

    # --- the effect

    def _perform(self, state: State, waiting: Waiting) -> None:
        """Do what was claimed, and store what became of it."""
        run = state.run
        try:
            if waiting.what == CALL:
                kind, body, cost = self._call(run, waiting)
            else:
                kind, body, cost = RESULT, self._tool(state, waiting), None
        except Exception as error:
            log.error("a call of run %s failed: %s", run.id, type(error).__name__)
            kind, cost = BROKEN, None
            body = {"error": {"status": None, "type": "fault", "message": type(error).__name__}}
        self.store.finish(
            run.id,
            waiting.effect,
            waiting.attempt,
            kind,
            waiting.digest,
            scrubbed(body, self.settings.secrets),
            now=self.clock(),
            cost=cost,
        )

    def _call(self, run: Run, waiting: Waiting) -> tuple[str, Json, float | None]:
        """The kind, the body and the cost of what a real call brought."""

        def watch(partial: Json) -> bool:
            return self._renew(run.id, waiting, scrubbed(partial, self.settings.secrets))

        outcome = api.call(waiting.body, self.settings, watch)
        if outcome.reply is not None:
            return REPLY, outcome.reply, prices.cost_of(run.model, outcome.reply.get("usage"))
        body: Json = {"error": outcome.error}
        if outcome.partial:
            body["partial"] = outcome.partial
        usage = (outcome.partial or {}).get("usage")
        return BROKEN, body, prices.cost_of(run.model, usage) if usage else None

    def _tool(self, state: State, waiting: Waiting) -> Json:
        harness = harness_of(state.subject, self._folder_of(state))
        sent = (state.replayed.last_request or {}).get("tools") or []
        now = [tool["name"] for tool in sent]
        with ThreadPoolExecutor(1) as pool:
            running = pool.submit(harness.run, waiting.body, waiting.decision, now)
            while True:
                try:
                    result = running.result(timeout=BEAT)
                    assert isinstance(result, Result)  # what nobody approved is never run
                    return stored_result(result)
                except NotYet:
                    self._renew(state.run.id, waiting, {})

    def _renew(self, id: str, waiting: Waiting, partial: Json) -> bool:
        return self.store.renew(
            id, waiting.effect, waiting.attempt, partial, now=self.clock(), seconds=LEASE
        )

    # --- where a run belongs

    @property
    def _scratches(self) -> Path:
        return self.settings.data / "workspaces"

    @property
    def _folder(self) -> str:
        """What tells this server's folder from another's, without saying where it is."""
        place = str(self.workspace.resolve()) if self.workspace else ""
        return hashlib.sha256(place.encode()).hexdigest()[:16]

    def _folder_of(self, state: State) -> Path:
        """The folder of a run's tools. Raises NotNow."""
        run = state.run
        if run.lesson:
            if state.lesson is None:
                raise NotNow(
                    Said(
                        "The lesson %(lesson)s is not here, so its tools cannot run.",
                        lesson=quoted(run.lesson),
                    )
                )
            return scratch(self._scratches, run.id, _original(state.lesson, run))
        if run.settings.get("folder") != self._folder:
            raise NotNow(
                Said("This run was started on another folder, so its tools cannot run here.")
            )
        if self.workspace is None:
            return scratch(self._scratches, run.id, self._scratches / "none")
        return self.workspace

    def folder_to_pack(self, state: State) -> Path | None:
        """The files of a run's workspace where they are a lesson's own; a person's folder stays
        where it is."""
        try:
            return self._folder_of(state) if state.run.lesson else None
        except NotNow:
            return None

    def _lesson(self, run: Run) -> Lesson | None:
        if not run.lesson:
            return None
        try:
            return self.library.find(run.lesson)
        except UnknownLesson:
            return None  # it can be looked at all the same

    def _replay(self, run: Run, entries: Sequence[Entry], subject: Subject) -> Replayed:
        """The replay of some entries: they are only ever appended to, so it is kept."""
        last = entries[-1] if entries else None
        key = (run.id, len(entries), last and (last.effect, last.attempt, last.kind))
        with self._lock:
            found = self._replays.get(key)
        if found is None:
            try:
                found = replay(entries, subject)
            except ValueError as error:
                raise CannotGoOn(
                    Said("This recording cannot be read: %(problem)s.", problem=str(error))
                ) from error
            with self._lock:
                self._replays[key] = found
                while len(self._replays) > KEPT:
                    del self._replays[next(iter(self._replays))]
        return found


def _original(lesson: Lesson, run: Run) -> Path:
    """The workspace that a run's lane begins with; the lesson's where the lane is gone."""
    lane = next((lane for lane in lesson.lanes if lane.name == run.lane), None)
    asked = run.settings.get("lang")  # a run from a file may hold anything there
    lang = asked if asked in lesson.languages else lesson.language
    return lesson.workspace(lang, lane.workspace if lane else "")


def _is(lease: Lease, entry: Entry) -> bool:
    """Whether a lease is that of an attempt still open."""
    return entry.kind == INTENT and (lease.effect, lease.attempt) == (entry.effect, entry.attempt)


def scrubbed(body: Json, secrets: Sequence[str]) -> Json:
    """A body without the secrets that a server or a file may have echoed."""
    text = json.dumps(body, default=str)
    held = [json.dumps(secret)[1:-1] for secret in secrets if secret]
    if not any(secret in text for secret in held):
        return body
    for secret in held:
        text = text.replace(secret, "[secret]")
    return json.loads(text)  # type: ignore[no-any-return]


def _storable(text: str) -> str:
    """A text that every database takes."""
    return text.replace("\0", "").encode("utf-8", "replace").decode()

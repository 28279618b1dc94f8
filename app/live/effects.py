"""The effect of a press, once it is claimed: one real call, or one run of a tool."""

import logging
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from concurrent.futures import TimeoutError as NotYet
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING

from app import prices
from app.engine.steps import Json, Result, Undecided
from app.live import api
from app.live.cursor import AGAIN, Waiting
from app.live.folders import Folders
from app.live.recorded import CALL
from app.live.results import stored_result
from app.live.state import State
from app.live.storable import scrubbed
from app.live.subject import harness_of
from app.settings import Settings
from app.store import BROKEN, REPLY, RESULT

if TYPE_CHECKING:
    from app.store.store import Store

LEASE = 15.0  # seconds without a sign of life until a worker counts as gone
BEAT = 2.0  # seconds between two signs while a tool runs
log = logging.getLogger("halqa.live")


@dataclass(frozen=True)
class Effects:
    """Does what a run waits for; the right to do it is held by whoever asks."""

    settings: Settings
    store: "Store"
    folders: Folders
    clock: Callable[[], float]

    def perform(self, state: State, waiting: Waiting) -> None:
        """Do what was claimed, and store what became of it."""
        run = state.run
        try:
            if waiting.what == CALL:
                kind, body, cost = self._call(state, waiting)
            else:
                (kind, body), cost = self._tool(state, waiting), None
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

    def _call(self, state: State, waiting: Waiting) -> tuple[str, Json, float | None]:
        """The kind, the body and the cost of what a real call brought."""
        run = state.run

        def watch(partial: Json) -> bool:
            return self._renew(run.id, waiting, scrubbed(partial, self.settings.secrets))

        outcome = api.call(waiting.body, self.settings, watch, waiting.by.betas)
        if outcome.reply is not None:
            return REPLY, outcome.reply, prices.cost_of(run.model, outcome.reply.get("usage"))
        body: Json = {"error": outcome.error}
        if outcome.partial:
            body["partial"] = outcome.partial
        usage = (outcome.partial or {}).get("usage")
        return BROKEN, body, prices.cost_of(run.model, usage) if usage else None

    def _tool(self, state: State, waiting: Waiting) -> tuple[str, Json]:
        """The kind and the body of what a call of a tool brought."""
        harness = harness_of(waiting.by, self.folders.of(state.run, state.lesson))
        now = waiting.offered

        def work() -> Result | Undecided:
            call, decision = waiting.body, waiting.decision
            if waiting.what == AGAIN:
                return harness.run_again(call, decision, waiting.tries, now)
            return harness.run(call, decision, now)

        with ThreadPoolExecutor(1) as pool:
            running = pool.submit(work)
            while True:
                try:
                    return _stored(running.result(timeout=BEAT))
                except NotYet:
                    self._renew(state.run.id, waiting, {})

    def _renew(self, id: str, waiting: Waiting, partial: Json) -> bool:
        return self.store.renew(
            id, waiting.effect, waiting.attempt, partial, now=self.clock(), seconds=LEASE
        )


def _stored(result: Result | Undecided) -> tuple[str, Json]:
    """The kind and the body under which a result is stored, or a question to a person."""
    if isinstance(result, Result):
        return RESULT, stored_result(result)
    assert result.tries  # what nobody approved is never run
    error = {"status": None, "type": "held", "message": result.tries[-1].said}
    return BROKEN, {"error": error, "held": [asdict(one) for one in result.tries]}

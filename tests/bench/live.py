"""A live turn against the bare loop over the SDK, both to one local server; a long replay."""

import copy
import time
from collections.abc import Callable, Iterator, Mapping
from itertools import pairwise
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from app.engine.record import record
from app.engine.steps import Result
from app.harness import TOOLS, Harness
from app.live import Live, Order
from app.live.replay import replay
from app.live.requests import added
from app.live.results import stored_result
from app.live.subject import Subject
from app.loops.correct import run_agent
from app.paths import SCENARIOS
from app.run import library
from app.settings import Settings
from app.store import INTENT, REPLY, RESULT, Entry, digest_of
from tests.bench.measure import by_turns, figure
from tests.bench.recorder import Plain
from tests.bench.table import Row, against
from tests.live.messages import Json, Played, call, playing, text

LONG = 200  # turns of the recording that is replayed
MODEL, MOST_TOKENS = "claude-opus-5", 1_024


def rows(quick: bool) -> list[Row]:
    """Time per turn, streamed and whole; and the replay of a long recording."""
    turns, rounds = (5, 2) if quick else (20, 5)
    with TemporaryDirectory() as folder, playing() as api:
        live = _live(Path(folder), api)
        names = {"whole": False, "streamed": True}
        cases: dict[str, Callable[[], Iterator[float]]] = {}
        for name, stream in names.items():
            cases[f"bare {name}"] = lambda stream=stream: _bare(api, turns, stream)  # type: ignore[misc]
            cases[f"live {name}"] = lambda stream=stream: _pressed(live, api, turns, stream)  # type: ignore[misc]
        taken = {name: figure(found) for name, found in by_turns(cases, rounds).items()}
        replays = by_turns(_replays(live), 3 if quick else 12)
        live.store.close()
    long = {name: figure(found) for name, found in replays.items()}
    return [
        against(
            f"a live turn, {name}, against the bare loop over the SDK",
            taken[f"live {name}"],
            taken[f"bare {name}"],
            "ms",
        )
        for name in names
    ] + [
        against(
            f"the replay of {LONG} recorded turns, against the recorder alone",
            long["replayed"],
            long["recorded"],
            "ms",
        )
    ]


def _live(folder: Path, api: Played) -> Live:
    settings = Settings(
        ANTHROPIC_API_KEY="k",
        ANTHROPIC_BASE_URL=api.address,
        HALQA_DATA=folder,
        HALQA_DATABASE_URL=f"sqlite:///{folder / 'runs.db'}",
        HALQA_LIVE_TURNS=LONG,
    )
    return Live(settings, library([SCENARIOS]))


def _plans(turns: int) -> list[Json]:
    """The replies of a run: a tool call each turn, then the answer."""
    calls = [call("add", {"a": turn, "b": 3}, id=f"toolu_{turn}") for turn in range(turns)]
    return [*calls, text("Done, 5.")]


def _bare(api: Played, turns: int, stream: bool) -> Iterator[float]:
    """Milliseconds of each turn of the loop itself, with the official SDK as its model."""
    from anthropic import Anthropic

    api.plans = list(_plans(turns))
    times: list[float] = []
    with Anthropic(api_key="k", base_url=api.address, max_retries=0) as client:

        class Model:
            def create(self, messages: Any) -> Json:
                times.append(time.perf_counter())
                body: Json = {
                    "model": MODEL,
                    "max_tokens": MOST_TOKENS,
                    "messages": messages,
                    "tools": [TOOLS["add"].schema],
                }
                if not stream:
                    return client.messages.create(**body).to_dict()  # type: ignore[no-any-return]
                with client.messages.stream(**body) as coming:
                    return coming.get_final_message().to_dict()  # type: ignore[no-any-return]

        class Tools:
            def run(self, asked: Json) -> Json:
                return {"content": str(asked["input"]["a"] + asked["input"]["b"])}

        answer = run_agent("Add.", Model(), Tools(), max_turns=turns + 1)
    assert answer == "Done, 5."
    yield from _gaps(times)


def _pressed(live: Live, api: Played, turns: int, stream: bool) -> Iterator[float]:
    """Milliseconds of each turn of a live run: a press for the call, a press for the tool."""
    api.plans = list(_plans(turns))
    state = live.state(live.start(_order(live, turns, stream), "").id)
    times: list[float] = []
    while state.waiting is not None:
        if state.waiting.what == "call":
            times.append(time.perf_counter())
        state = live.advance(state)
    assert state.replayed.trace.ending.text == "Done, 5."
    yield from _gaps(times)


def _order(live: Live, turns: int, stream: bool) -> Order:
    lesson = live.library.find("two-and-three")
    cap = turns + 1
    return Order(lesson, "correct", "Add.", MODEL, MOST_TOKENS, "", ("add",), cap, stream)


class _Written(Plain):
    """A server and a runner that write down what a live run would have stored."""

    def __init__(self, subject: Subject) -> None:
        super().__init__()
        self.subject, self.entries = subject, list[Entry]()
        self.before: Json | None = None
        self.replies = iter(_plans(LONG - 1))

    def body(self, messages: Any, changes: Json) -> Json:
        return {**self.subject.body(messages), "messages": messages, **changes}

    def reply(self, request: Json) -> Json:
        request = copy.deepcopy(request)
        found = next(self.replies)
        self._store(request, added(self.before, request), REPLY, found)
        self.before = request
        return found

    def run(self, asked: Mapping[str, Any]) -> Result:
        result = Result(str(asked["input"]["a"] + asked["input"]["b"]))
        self._store(dict(asked), {"call": dict(asked)}, RESULT, stored_result(result))
        return result

    def _store(self, body: Json, intent: Json, kind: str, outcome: Json) -> None:
        effect, digest = len(self.entries) // 2, digest_of(body)
        self.entries.append(Entry(effect, 1, INTENT, digest, intent, 0.0))
        self.entries.append(Entry(effect, 1, kind, digest, outcome, 0.0))


def _replays(live: Live) -> dict[str, Callable[[], Iterator[float]]]:
    """A long recording replayed, beside the recorder on a run as long."""
    subject = live.state(live.start(_order(live, LONG - 1, False), "").id).subject
    written = _Written(subject)
    record(run_agent, subject.task, written, written, max_turns=LONG)
    harness = Harness(live.settings.data, ("add",))

    def replayed() -> Iterator[float]:
        began = time.perf_counter()
        found = replay(written.entries, subject)
        yield (time.perf_counter() - began) * 1e3
        assert found.trace.ending.text == "Done, 5."
        assert len(found.trace.asks) == LONG

    def recorded() -> Iterator[float]:
        began = time.perf_counter()
        trace = record(run_agent, "Add.", Plain(), harness, max_turns=LONG + 1)
        yield (time.perf_counter() - began) * 1e3
        assert trace.ending.kind == "answer"

    return {"replayed": replayed, "recorded": recorded}


def _gaps(times: list[float]) -> Iterator[float]:
    """Milliseconds from each request to the next; the first turn warms up and is not counted."""
    for before, after in pairwise(times[1:]):
        yield (after - before) * 1e3

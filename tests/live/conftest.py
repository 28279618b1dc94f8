"""Live runs against a server of the tests, on both databases."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from app.live import Live, Order, State
from app.paths import SCENARIOS
from app.run import library
from app.settings import Settings
from tests.live.messages import Played, playing

KEY = "sk-planted-7f3e91c2"


@pytest.fixture
def api() -> Iterator[Played]:
    """The server that plays the Messages API; a test fills its plans."""
    with playing() as played:
        yield played


def settings_for(api: Played, data: Path, **changes: Any) -> Settings:
    """The settings that send calls to the server of the tests."""
    facts: dict[str, Any] = {
        "ANTHROPIC_API_KEY": KEY,
        "ANTHROPIC_AUTH_TOKEN": None,
        "ANTHROPIC_BASE_URL": api.address,
        "HALQA_DATA": data,
    }
    return Settings(**{**facts, **changes})


MakeLive = Callable[..., Live]


@pytest.fixture
def make(api: Played, tmp_path: Path) -> Iterator[MakeLive]:
    """Live runs with some settings changed; a second call is a second worker on the same store."""
    made: list[Live] = []

    def live(workspace: Path | None = None, **changes: Any) -> Live:
        one = Live(settings_for(api, tmp_path, **changes), library([SCENARIOS]), workspace)
        made.append(one)
        return one

    yield live
    for one in made:
        if "store" in vars(one):
            one.store.close()


def order(live: Live, slug: str = "how-many-python-files", **changes: Any) -> Order:
    """An order of a lesson's lane."""
    lesson = live.library.find(slug) if slug else None
    facts: dict[str, Any] = {
        "lesson": lesson,
        "lane": "correct",
        "task": lesson.task("en") if lesson else "Count the files.",
        "model": "claude-opus-5",
        "max_tokens": 1024,
        "system": "",
        "tools": tuple(lesson.spec.tools) if lesson else (),
        "cap": 6,
    }
    return Order(**{**facts, **changes})


def begun(live: Live, **changes: Any) -> State:
    """A run of an order, nothing sent yet."""
    return live.state(live.start(order(live, **changes), "").id)


def finished(live: Live, state: State, most: int = 60) -> State:
    """A run pressed on until it waits for nothing, or a call failed."""
    for _ in range(most):
        if state.waiting is None or state.replayed.failed is not None:
            return state
        state = live.advance(state)
    raise AssertionError("the run does not end")

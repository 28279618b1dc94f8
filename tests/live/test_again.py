"""A call that could do harm twice is tried again in a live run only where a person agrees."""

import json
import re
import time
from collections.abc import Callable
from html import unescape
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient

from app.engine.steps import APPROVE, DENY, Tool, Wait
from app.harness.workspace import Workspace
from app.live import AGAIN, CALL, Live, NotNow, State
from app.live.effects import LEASE, Effects
from app.live.lesson_file import lesson_yaml
from app.main import create_app
from app.store import BROKEN, INTENT, RESULT, read_recording, recording
from tests.live.conftest import MakeLive, begun, settings_for
from tests.live.messages import Played, call, text
from tests.live.test_pages import form_of, press, start

LINE = {"path": "ledger.csv", "line": "Leila,5"}
ANSWERS = ("exists", "parameters", "given", "writes", "inside")
AFTERWARDS, BEFORE = "afterwards", "before"
Failing = Callable[..., None]


@pytest.fixture
def failing(monkeypatch: pytest.MonkeyPatch) -> Failing:
    """Makes the next writes fail: after they took effect, or before it."""
    write = Workspace.write

    def fail(times: int, when: str = AFTERWARDS) -> None:
        left = [times]

        def written(self: Workspace, place: Path, said: str) -> None:
            fails, left[0] = left[0] > 0, left[0] - 1
            if not fails or when == AFTERWARDS:
                write(self, place, said)
            if fails:
                raise TimeoutError("no answer came")

        monkeypatch.setattr(Workspace, "write", written)

    return fail


def noted(live: Live, api: Played, **changes: Any) -> State:
    """A run of the lesson about failures whose model asks for a line, and the call made once."""
    api.plans = [call("append_line", LINE), text("It is over.")]
    facts = {"lane": "looks_first", "tools": ("append_line", "read_file"), **changes}
    state = begun(live, slug="the-network-is-down", **facts)
    return live.advance(live.advance(state))


def lines(live: Live, state: State) -> int:
    folder = live.folders.of(state.run, state.lesson)
    return (folder / "ledger.csv").read_text(encoding="utf-8").count("Leila,5")


def decided(live: Live, state: State, decision: str) -> State:
    assert state.waiting is not None
    live.decide(state.run.id, state.waiting.effect, state.waiting.attempt, decision)
    return live.awaited(state.run.id)


def ran(state: State) -> Tool:
    (tool,) = [step for step in state.replayed.trace.steps if isinstance(step, Tool)]
    return tool


def test_a_failed_call_that_could_do_harm_twice_asks_a_person(
    make: MakeLive, api: Played, failing: Failing
) -> None:
    failing(1)
    live = make()
    state = noted(live, api)
    last = state.replayed.trace.steps[-1]
    assert isinstance(last, Wait)
    assert [(one.said, one.lost) for one in last.tries] == [("TimeoutError: no answer came", True)]
    assert [check.name for check in last.checks] == [*ANSWERS]
    assert state.waiting is not None
    assert (state.waiting.what, state.waiting.effect, state.waiting.attempt) == (AGAIN, 1, 2)
    with pytest.raises(NotNow, match="must decide about this call first"):
        live.press(state.run.id, 1, 2)
    assert lines(live, state) == 1


TOLD = (
    "Error: append_line could not be carried out: TimeoutError: no answer came (1 try). The"
    " environment failed, not your call; append_line may have taken effect or not: look before you"
    " call it again. A person was asked, and it was not tried again."
)


@pytest.mark.parametrize(
    ("when", "decision", "tries", "written", "content"),
    [
        (AFTERWARDS, APPROVE, 2, 2, "Done: ledger.csv, line 3 added"),
        (BEFORE, APPROVE, 2, 1, "Done: ledger.csv, line 2 added"),
        (AFTERWARDS, DENY, 1, 1, TOLD),
        (BEFORE, DENY, 1, 0, TOLD),
    ],
)
def test_what_they_decide_is_stored_and_carried_out_once(
    make: MakeLive,
    api: Played,
    failing: Failing,
    when: str,
    decision: str,
    tries: int,
    written: int,
    content: str,
) -> None:
    failing(1, when)
    live = make()
    before = noted(live, api)
    state = decided(live, before, decision)
    asked = [step for step in state.replayed.trace.steps if isinstance(step, Wait)]
    assert [(len(one.tries), one.decision) for one in asked] == [(1, decision)]
    assert (ran(state).result.content, len(ran(state).result.tries)) == (content, tries)
    kinds = [entry.kind for entry in state.entries if entry.effect == 1]
    assert kinds == [INTENT, BROKEN, INTENT, RESULT]
    for again in (APPROVE, DENY):  # a second press of either button
        assert decided(live, before, again).entries == state.entries
    assert lines(live, state) == written
    other = make()  # another worker, or the same after a restart
    assert other.state(state.run.id).replayed.trace == state.replayed.trace
    assert state.waiting is not None
    assert state.waiting.what == CALL
    assert live.advance(state).replayed.trace.ending.text == "It is over."


def test_an_agreed_try_is_made_with_backoff_and_then_given_up(
    make: MakeLive, api: Played, failing: Failing, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("app.harness.clock.time.sleep", lambda seconds: None)
    failing(9, BEFORE)
    live = make()
    state = decided(live, noted(live, api), APPROVE)
    result = ran(state).result
    assert (len(result.tries), result.failure) == (4, "environment")
    assert "(4 tries)" in result.content
    assert "A person was asked" not in result.content  # it was tried again, as they wished


def dying(live: Live, monkeypatch: pytest.MonkeyPatch, after: bool) -> None:
    """The next attempt kills its worker: before it does anything, or once it has done it."""
    perform = Effects.perform

    def dies(self: Effects, *args: object) -> None:
        monkeypatch.setattr(Effects, "perform", perform)
        if after:
            monkeypatch.setattr(live.store, "finish", lambda *_, **__: False)
            perform(self, *args)  # type: ignore[arg-type]
            monkeypatch.undo()

    monkeypatch.setattr(Effects, "perform", dies)


@pytest.mark.parametrize("after", [False, True])
@pytest.mark.parametrize("decision", [APPROVE, DENY])
def test_a_killed_server_asks_again_and_runs_nothing_by_itself(
    make: MakeLive,
    api: Played,
    failing: Failing,
    monkeypatch: pytest.MonkeyPatch,
    after: bool,
    decision: str,
) -> None:
    live = make()
    failing(1)
    state = noted(live, api)
    monkeypatch.undo()
    dying(live, monkeypatch, after)
    assert state.waiting is not None
    live.decide(state.run.id, 1, 2, decision)
    time.sleep(0.1)
    assert live.state(state.run.id).under_way
    assert live.state(state.run.id).replayed.trace.steps[-1].kind == "wait"
    done = lines(live, state)
    assert done == (2 if after and decision == APPROVE else 1)
    other = make()
    other.clock = lambda: time.time() + LEASE + 1
    state = other.state(state.run.id)
    assert state.waiting is not None
    assert (state.waiting.what, state.waiting.attempt) == (AGAIN, 3)
    last = state.replayed.trace.steps[-1]
    assert isinstance(last, Wait)
    assert len(last.tries) == (2 if decision == APPROVE else 1)  # what was denied was no try
    assert lines(other, state) == done
    state = decided(other, state, DENY)
    assert "may have taken effect or not" in ran(state).result.content
    assert lines(other, state) == done


def test_a_command_whose_server_was_killed_is_asked_about_before_it_runs_again(
    make: MakeLive, api: Played, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "own"
    folder.mkdir()
    live = make(folder)
    live.granted = ("bash",)
    api.plans = [call("bash", {"command": "echo made >> new.txt"}), text("It is over.")]
    state = live.advance(begun(live, slug="", tools=("bash",), lane="every_stop_reason"))
    dying(live, monkeypatch, after=True)
    assert state.waiting is not None
    live.decide(state.run.id, state.waiting.effect, state.waiting.attempt, APPROVE)
    time.sleep(0.3)
    assert (folder / "new.txt").read_text(encoding="utf-8") == "made\n"
    live.clock = lambda: time.time() + LEASE + 1
    state = live.state(state.run.id)
    assert state.waiting is not None
    assert (state.waiting.what, state.waiting.effect) == (AGAIN, 2)
    last = state.replayed.trace.steps[-1]
    assert isinstance(last, Wait)
    assert [one.said for one in last.tries] == ["Halqa stopped or failed before it answered"]
    state = decided(live, state, APPROVE)
    assert (folder / "new.txt").read_text(encoding="utf-8") == "made\nmade\n"
    assert [check.name for check in ran(state).result.checks][-1] == "approved"


@pytest.mark.parametrize("stops", [True, False])
def test_a_run_ends_where_the_environment_fails_for_good_if_it_was_started_so(
    make: MakeLive, api: Played, failing: Failing, stops: bool
) -> None:
    failing(1)
    live = make()
    state = decided(live, noted(live, api, stops=stops), DENY)
    ended = "stopped: the environment failed: TimeoutError: no answer came"
    assert state.replayed.trace.ending.text == (ended if stops else "")
    assert (state.waiting is None) is stops
    assert make().state(state.run.id).replayed.trace == state.replayed.trace  # it is stored
    assert ("stops: true" in lesson_yaml(state)) is stops


def test_a_call_that_does_no_harm_twice_asks_nobody(
    make: MakeLive, api: Played, failing: Failing, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("app.harness.clock.time.sleep", lambda seconds: None)
    failing(1)
    live = make()
    api.plans = [call("write_file", {"path": "ledger.csv", "text": "Leila,5"}), text("Over.")]
    tools = ("write_file", "read_file")
    slug = "the-network-is-down"
    state = live.advance(live.advance(begun(live, slug=slug, lane="idempotent", tools=tools)))
    assert [one.lost for one in ran(state).result.tries] == [True, False]
    assert ran(state).result.content.startswith("Done")


def test_an_agreement_in_a_file_runs_nothing(
    make: MakeLive, api: Played, failing: Failing, monkeypatch: pytest.MonkeyPatch
) -> None:
    failing(1)
    live = make()
    state = noted(live, api)
    dying(live, monkeypatch, after=False)
    live.decide(state.run.id, 1, 2, APPROVE)
    state = live.state(state.run.id)
    read, entries = read_recording(json.dumps(recording(state.run, state.entries)).encode())
    run = live.store.create(
        owner="",
        name=read.name,
        lesson=read.lesson,
        lane=read.lane,
        model=read.model,
        settings=read.settings,
        now=live.clock(),
        days=1,
        entries=entries,
    )
    found = live.state(run.id)
    assert found.waiting is not None
    assert found.waiting.what == AGAIN


# --- on the page


def test_the_page_asks_whether_it_shall_be_tried_again(
    api: Played, tmp_path: Path, failing: Failing
) -> None:
    failing(1)
    api.plans = [call("append_line", LINE), text("It is over.")]
    app = create_app(settings=settings_for(api, tmp_path))
    with TestClient(app) as client:
        facts = {"lesson": "the-network-is-down", "lane": "looks_first", "tools": "append_line"}
        assert 'name="stops"' in client.get("/live").text
        path = start(client, **facts, stops="on")
        press(client, path)
        html = press(client, path)
        assert "It failed, and may have happened all the same. Try it again?" in unescape(html)
        assert "may run once more" not in html
        assert "no answer came" in html  # the try that failed
        assert form_of(html) == {}  # Step decides nothing
        form = re.search(
            r'<form class="ways" method="post" action="[^"]*/decide".*?</form>', html, re.DOTALL
        )
        assert form
        fields = dict(re.findall(r'name="(\w+)" value="(\d+)"', form[0]))
        after = client.post(f"{path}/decide", data={**fields, "decision": "deny"})
        assert after.status_code == 200
        told = unescape(client.get(f"{path}?step=99").text)
        assert "A person was asked, and it was not tried again." in told
        assert "stopped: the environment failed: TimeoutError: no answer came" in told
        app.state.live.store.close()

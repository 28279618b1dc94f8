"""A person decides about calls of a live run: what waits, what is stored, what never runs."""

import json
import re
from html import unescape
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient

from app.engine.steps import APPROVE, DENY, Wait
from app.live import CALL, DECIDE, TOOL, BadOrder, Live, NotNow, State
from app.main import create_app
from app.store import DECISION, RESULT, recording
from tests.live.conftest import MakeLive, begun, order, settings_for
from tests.live.messages import Played, call, text
from tests.live.test_pages import form_of, press, start

COMMAND = {"command": "echo made > new.txt"}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    own = tmp_path / "own"
    own.mkdir()
    return own


def granting(make: MakeLive, folder: Path, *tools: str) -> Live:
    live = make(folder)
    live.granted = tools
    return live


def waiting_for_a_person(live: Live, api: Played, name: str = "bash", **given: Any) -> State:
    """A run that has been asked for a call of a tool."""
    api.plans = [call(name, given or COMMAND), text("It is over.")]
    state = begun(live, slug="", tools=live.folder_tools, lane="every_stop_reason")
    return live.advance(state)


def decided(live: Live, state: State, decision: str) -> State:
    assert state.waiting is not None
    live.decide(state.run.id, state.waiting.effect, state.waiting.attempt, decision)
    return live.awaited(state.run.id)


def test_a_command_waits_for_a_person(make: MakeLive, api: Played, folder: Path) -> None:
    live = granting(make, folder, "bash")
    state = waiting_for_a_person(live, api)
    last = state.replayed.trace.steps[-1]
    assert isinstance(last, Wait)
    assert (last.call["input"], last.decision) == (COMMAND, "")
    assert [(one.name, one.passed) for one in last.checks] == [
        ("exists", True),
        ("parameters", True),
        ("given", True),
        ("writes", True),
    ]
    assert state.waiting is not None
    assert state.waiting.what == DECIDE
    with pytest.raises(NotNow, match="must decide about this call first"):
        live.press(state.run.id, state.waiting.effect, state.waiting.attempt)
    assert not (folder / "new.txt").exists()


@pytest.mark.parametrize(
    ("decision", "made", "content"),
    [
        (APPROVE, True, "Done: exit code 0, no output"),
        (DENY, False, "Error: a person denied this call of bash, and it was not run; without "),
    ],
)
def test_a_decision_is_stored_and_carried_out_once(
    make: MakeLive, api: Played, folder: Path, decision: str, made: bool, content: str
) -> None:
    live = granting(make, folder, "bash")
    before = waiting_for_a_person(live, api)
    state = decided(live, before, decision)
    kinds = [step.kind for step in state.replayed.trace.steps]
    assert kinds[-3:] == ["wait", "tool", "append"] or kinds[-4:-1] == ["wait", "tool", "append"]
    (tool,) = [step for step in state.replayed.trace.steps if step.kind == "tool"]
    (wait,) = [step for step in state.replayed.trace.steps if step.kind == "wait"]
    assert wait.checks == before.replayed.trace.steps[-1].checks != ()  # type: ignore[attr-defined]
    assert tool.result.content.startswith(content)
    assert (folder / "new.txt").exists() is made
    assert [e.body for e in state.entries if e.kind == DECISION] == [{"decision": decision}]
    # a second press of either button changes nothing
    for again in (APPROVE, DENY):
        assert decided_again(live, before, again).entries == state.entries
    assert state.waiting is not None
    assert state.waiting.what == CALL
    assert live.advance(state).replayed.trace.ending.kind == "answer"


def decided_again(live: Live, before: State, decision: str) -> State:
    assert before.waiting is not None
    live.decide(before.run.id, before.waiting.effect, before.waiting.attempt, decision)
    return live.awaited(before.run.id)


def test_another_worker_sees_what_was_decided(make: MakeLive, api: Played, folder: Path) -> None:
    live = granting(make, folder, "bash")
    state = decided(live, waiting_for_a_person(live, api), DENY)
    other = granting(make, folder, "bash")
    assert other.state(state.run.id).replayed.trace == state.replayed.trace


def test_what_cannot_run_anyway_asks_nobody(make: MakeLive, api: Played, folder: Path) -> None:
    live = granting(make, folder, "bash")
    state = waiting_for_a_person(live, api, "bash", script="ls")
    assert state.waiting is not None
    assert state.waiting.what == TOOL
    state = live.advance(state)
    (tool,) = [step for step in state.replayed.trace.steps if step.kind == "tool"]
    assert tool.result.content.startswith("Error: command is missing")


def test_a_call_that_its_checks_turn_away_asks_nobody(make: MakeLive, api: Played) -> None:
    result = tried_live(make, api, "not-here", "asks", "write_file", path="../../a.txt", text="a")
    assert result.content.startswith('Error: "../../a.txt" leads out of the workspace')
    assert [(one.name, one.passed) for one in result.checks][-1] == ("inside", False)


@pytest.mark.parametrize("name", ["write_file", "bash"])
def test_a_server_that_was_not_started_to_does_not_offer_it(
    make: MakeLive, api: Played, folder: Path, name: str
) -> None:
    live = granting(make, folder)
    assert name not in live.folder_tools
    with pytest.raises(BadOrder, match=f"{name} needs a server that was started with --allow-"):
        begun(live, slug="", tools=(name,), lane="every_stop_reason")


def test_a_run_of_a_server_that_allowed_more_does_not_write_here(
    make: MakeLive, api: Played, folder: Path
) -> None:
    live = granting(make, folder, "write_file", "bash")
    writes = waiting_for_a_person(live, api, "write_file", path="a.txt", text="a")
    runs = waiting_for_a_person(live, api)
    strict = granting(make, folder)
    with pytest.raises(NotNow, match="without --allow-write, so write_file cannot run"):
        strict.advance(strict.state(writes.run.id))
    with pytest.raises(NotNow, match="without --allow-bash, so bash cannot run"):
        decided(strict, strict.state(runs.run.id), APPROVE)
    assert list(folder.iterdir()) == []


def test_a_file_is_written_where_the_server_allows_it(
    make: MakeLive, api: Played, folder: Path
) -> None:
    live = granting(make, folder, "write_file")
    state = waiting_for_a_person(live, api, "write_file", path="a.txt", text="five\n")
    state = live.advance(state)
    assert (folder / "a.txt").read_text(encoding="utf-8") == "five\n"
    (tool,) = [step for step in state.replayed.trace.steps if step.kind == "tool"]
    assert tool.result.content == "Done: a.txt made, 1 line"


def test_a_secret_that_a_command_finds_is_not_stored(
    make: MakeLive, api: Played, folder: Path
) -> None:
    live = granting(make, folder, "bash")
    (folder / "key.txt").write_text("sk-planted-7f3e91c2", encoding="utf-8")
    state = waiting_for_a_person(live, api, "bash", command="cat key.txt")
    state = decided(live, state, APPROVE)
    (tool,) = [step for step in state.replayed.trace.steps if step.kind == "tool"]
    assert tool.result.content == "Done: exit code 0, 1 line\n[secret]"


def tried_live(make: MakeLive, api: Played, slug: str, lane: str, name: str, **given: Any) -> Any:
    """The result of one call of a lesson's lane, made live."""
    api.plans = [call(name, given), text("It is over.")]
    live = make()
    tools = live.library.find(slug).lane(lane).tools
    state = live.advance(begun(live, slug=slug, lane=lane, tools=tools))
    state = live.advance(state)
    (tool,) = [step for step in state.replayed.trace.steps if step.kind == "tool"]
    return tool.result


def test_the_hooks_of_a_lane_run_in_its_live_runs(make: MakeLive, api: Played) -> None:
    change = {"path": "bill.csv", "old": "total,41", "new": "total,50"}
    result = tried_live(make, api, "tests-always-run", "has_a_hook", "replace_text", **change)
    assert "After it the harness ran run_tests. Done: 2 tests passed" in result.content
    assert [hook.name for hook in result.hooks] == ["run_tests"]


def test_what_a_lesson_simulates_does_not_go_wrong_live(make: MakeLive, api: Played) -> None:
    line = {"path": "ledger.csv", "line": "Leila,5"}
    result = tried_live(make, api, "the-network-is-down", "run_stops", "append_line", **line)
    assert (result.content, result.tries) == ("Done: ledger.csv, line 2 added", ())


# --- what a recording from a file may not do


def imported(client: TestClient, document: Any) -> str:
    """The address of the run that a document becomes."""
    answer = client.post("/runs", files={"file": ("run.json", json.dumps(document))})
    assert answer.status_code == 200, unescape(answer.text)
    return answer.url.path


def exported(live: Live, state: State) -> Any:
    state = live.state(state.run.id)
    return json.loads(json.dumps(recording(state.run, state.entries)))


def test_a_recording_says_nothing_of_the_folder_it_came_from(
    make: MakeLive, api: Played, folder: Path
) -> None:
    live = granting(make, folder)
    state = waiting_for_a_person(live, api, "read_file", path="a.txt")
    assert "folder" in state.run.settings
    assert "folder" not in exported(live, state)["run"]["settings"]


@pytest.mark.parametrize("lesson", ["", "two-and-three"])
@pytest.mark.parametrize("granted", [(), ("write_file", "bash")])
def test_an_approval_in_a_file_runs_no_command(
    make: MakeLive, api: Played, tmp_path: Path, folder: Path, lesson: str, granted: tuple[str, ...]
) -> None:
    live = granting(make, folder, "bash")
    document = exported(live, decided(live, waiting_for_a_person(live, api), APPROVE))
    (folder / "new.txt").unlink()
    document["entries"] = [e for e in document["entries"] if e["kind"] != RESULT]
    document["run"]["lesson"] = lesson
    document["run"]["settings"]["folder"] = live.folders.mark
    settings = settings_for(api, tmp_path, ANTHROPIC_API_KEY=None)
    app = create_app(settings=settings, workspace=folder, granted=granted)
    with TestClient(app) as client:
        path = imported(client, document)
        for effect in (1, 2):
            for action in ("step", "decide"):
                form = {"effect": str(effect), "attempt": "1", "decision": APPROVE}
                client.post(f"{path}/{action}", data=form)
        kinds = [e["kind"] for e in client.get(f"{path}/recording.json").json()["entries"]]
        app.state.live.store.close()
    assert RESULT not in kinds
    assert DECISION not in kinds
    assert not list(tmp_path.rglob("new.txt"))


def test_a_run_that_names_more_tools_than_the_server_gives_does_not_use_them(
    make: MakeLive, api: Played, folder: Path
) -> None:
    live = granting(make, folder, "write_file")
    (folder / "a.txt").write_text("mine", encoding="utf-8")
    settings = begun(live, slug="", tools=live.folder_tools, lane="correct").run.settings
    named = {"owner": "", "name": "n", "lesson": "", "lane": "correct", "model": "claude-opus-5"}
    widened = {**settings, "tools": [*live.folder_tools, "delete_file"]}
    run = live.store.create(**named, settings=widened, now=live.clock(), days=1)
    api.plans = [call("delete_file", {"path": "a.txt"}), text("It is over.")]
    state = live.advance(live.state(run.id))
    with pytest.raises(NotNow, match="There is no tool 'delete_file' here"):
        live.advance(state)
    assert (folder / "a.txt").exists()


def test_a_run_whose_language_is_a_path_works_on_the_lessons_own_copy(
    make: MakeLive, api: Played
) -> None:
    api.plans = [call("list_files", {"path": "."}), text("It is over.")]
    live = make()
    asked = order(live, tools=("list_files",), lang="../../../secret")
    state = live.advance(live.advance(live.state(live.start(asked, "").id)))
    (tool,) = [step for step in state.replayed.trace.steps if step.kind == "tool"]
    assert "hello.py" in tool.result.content


# --- on the page


def test_the_page_shows_the_whole_command_with_both_decisions(
    api: Played, tmp_path: Path, folder: Path
) -> None:
    long = "echo " + "x" * 5_000 + "; echo <b>end</b>"
    api.plans = [call("bash", {"command": long}), text("It is over.")]
    settings = settings_for(api, tmp_path)
    app = create_app(settings=settings, workspace=folder, granted=("bash",))
    with TestClient(app) as client:
        assert 'value="bash"' in client.get("/live").text
        assert 'value="bash" checked' not in client.get("/live").text  # chosen each time
        path = start(client, lesson="", lane="every_stop_reason", tools="bash")
        html = press(client, path)
        asked = unescape(html)
        assert long in asked.replace("\\", "")
        assert "<b>end</b>" not in html
        assert form_of(html) == {}  # Step decides nothing
        assert "There is a tool of this name." in asked
        assert "This agent was given the tool." in asked
        form = re.search(
            r'<form class="ways" method="post" action="[^"]*/decide".*?</form>', html, re.DOTALL
        )
        assert form
        keys = re.findall(
            r'id="(\w+)" class="button" type="submit".*?<kbd[^>]*>(\w)</kbd>', form[0]
        )
        assert keys == [("approve", "A"), ("deny", "X")]
        fields = dict(re.findall(r'name="(\w+)" value="(\d+)"', form[0]))
        assert client.post(f"{path}/decide", data={**fields, "decision": "no"}).status_code == 409
        with TestClient(app) as stranger:
            denied = stranger.post(f"{path}/decide", data={**fields, "decision": "approve"})
            assert (denied.status_code, "browser that started" in denied.text) == (409, True)
        after = client.post(f"{path}/decide", data={**fields, "decision": "deny"})
        assert after.status_code == 200
        assert "a person denied this call of bash" in unescape(client.get(f"{path}?step=99").text)
        app.state.live.store.close()

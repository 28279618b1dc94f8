"""The helper agent of a live run: its calls are effects of the run, one a press."""

import csv
import io
import time
from dataclasses import replace
from html import unescape
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient

from app.engine.steps import Helper, Tool
from app.lessons import read_lesson
from app.live import CALL, TOOL, Live, NotNow, State
from app.live.effects import LEASE
from app.live.lesson_file import lesson_yaml
from app.live.subject import HELPER_SYSTEM, HELPER_TURNS
from app.main import create_app
from app.prices import cost_of
from app.run import misfit, trace_of
from app.store import BROKEN, INTENT
from tests.live.conftest import MakeLive, begun, finished, settings_for
from tests.live.messages import Played, call, error, message, text
from tests.live.test_pages import press, start

ASK = {"task": "Which note names Omid?"}
TOOLS = ("ask_helper", "search_text", "list_files")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    own = tmp_path / "own"
    own.mkdir()
    (own / "notes.txt").write_text("call Omid\n", encoding="utf-8")
    return own


def plans() -> list[Any]:
    """The agent asks its helper, which searches once."""
    return [
        call("ask_helper", ASK),
        call("search_text", {"text": "Omid"}, id="toolu_h"),
        text("notes.txt does."),
        text("It is notes.txt."),
    ]


def helping(live: Live, **changes: Any) -> State:
    facts = {"slug": "", "tools": TOOLS, "lane": "every_stop_reason", **changes}
    return begun(live, **facts)


def kinds(state: State) -> list[str]:
    """The kinds of the steps, those of the helper marked."""
    return [
        f"- {step.inner.kind}" if isinstance(step, Helper) else step.kind
        for step in state.replayed.trace.steps
    ]


WHOLE = [
    *("start", "ask", "reply", "append"),
    *("- start", "- append", "- ask", "- reply", "- append", "- tool", "- append"),
    *("- ask", "- reply", "- append", "- end"),
    *("tool", "append", "ask", "reply", "append", "end"),
]


def test_each_press_makes_one_call_or_runs_one_tool_of_the_helper_too(
    make: MakeLive, api: Played, folder: Path
) -> None:
    api.plans = plans()
    state, seen = helping(make(folder)), []
    while state.waiting is not None:
        seen.append((state.waiting.what, len(api.sent), kinds(state)[-1]))
        state = make(folder).advance(make(folder).state(state.run.id))  # each on another worker
    assert seen == [
        (CALL, 0, "ask"),
        (CALL, 1, "- ask"),
        (TOOL, 2, "- append"),
        (CALL, 2, "- ask"),
        (CALL, 3, "ask"),
    ]
    found = kinds(state)
    assert [kind for kind in found if kind != "append" and kind != "- append"] == [
        kind for kind in WHOLE if kind != "append" and kind != "- append"
    ]
    (made,) = [step for step in state.replayed.trace.steps if isinstance(step, Tool)]
    assert made.result.content == "Done: the helper answered\nnotes.txt does."
    assert state.replayed.trace.ending.text == "It is notes.txt."
    assert [entry.kind for entry in state.entries].count(INTENT) == 5


def test_a_helper_knows_its_task_alone_and_only_reads(
    make: MakeLive, api: Played, folder: Path
) -> None:
    api.plans = plans()
    live = make(folder)
    live.granted = ("write_file",)
    finished(live, helping(live, tools=(*TOOLS, "write_file"), system="You are short."))
    own, first = api.sent[0], api.sent[1]
    assert first["messages"] == [{"role": "user", "content": ASK["task"]}]
    assert (own["system"], first["system"]) == ("You are short.", HELPER_SYSTEM)
    assert [tool["name"] for tool in first["tools"]] == ["search_text", "list_files"]
    assert first["model"] == own["model"]


def test_a_helper_sends_the_beta_headers_of_its_own_lane(
    make: MakeLive, api: Played, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import app.live.subject as module

    made = module._helper

    def with_betas(*facts: Any) -> Any:
        return replace(made(*facts), betas=("one-2026-01-01",))

    monkeypatch.setattr(module, "_helper", with_betas)
    api.plans = plans()
    live = make(folder)
    finished(live, helping(live))
    sent = [headers.get("anthropic-beta") for headers in api.headers]
    assert sent == [None, "one-2026-01-01", "one-2026-01-01", None]


def test_other_calls_of_the_same_reply_run_as_the_agents_own(
    make: MakeLive, api: Played, folder: Path
) -> None:
    uses = [
        {"type": "tool_use", "id": f"toolu_{n}", "name": name, "input": given}
        for n, (name, given) in enumerate([("ask_helper", ASK), ("write_file", WRITTEN)])
    ]
    api.plans = [message(uses, "tool_use"), text("None does."), text("Over.")]
    live = make(folder)
    live.granted = ("write_file",)
    state = finished(live, helping(live, tools=(*TOOLS, "write_file")))
    assert (folder / "a.txt").read_text(encoding="utf-8") == "a"
    assert state.replayed.trace.ending.text == "Over."


WRITTEN = {"path": "a.txt", "text": "a"}


def test_a_helper_of_a_lesson_may_not_write_either(make: MakeLive, api: Played) -> None:
    api.plans = [
        call("ask_helper", {"task": "Write it."}),
        call("write_file", {"path": "report.txt", "text": "x"}, id="toolu_h"),
        text("I may not."),
        text("Over."),
    ]
    live = make()
    state = finished(
        live,
        begun(live, slug="not-here", lane="asks_a_helper", tools=("ask_helper", "write_file")),
    )
    ran = [step.inner for step in state.replayed.trace.steps if isinstance(step, Helper)]
    (refused,) = [step for step in ran if isinstance(step, Tool)]
    assert refused.result.content.startswith(
        "Error: write_file writes, and this agent may only read"
    )


def test_a_helper_that_does_not_end_is_ended(make: MakeLive, api: Played, folder: Path) -> None:
    api.plans = [
        call("ask_helper", ASK),
        *(call("list_files", {}, id=f"toolu_{n}") for n in range(HELPER_TURNS)),
        text("Over."),
    ]
    live = make(folder)
    state = finished(live, helping(live))
    (made,) = [step for step in state.replayed.trace.steps if isinstance(step, Tool)]
    assert made.result.content.startswith("Error: the helper gave no answer (no_answer: ")
    assert (made.result.failure, len(api.sent)) == ("model", HELPER_TURNS + 2)


def test_a_call_that_fails_ends_the_run_until_it_is_tried_again(
    make: MakeLive, api: Played, folder: Path
) -> None:
    asks, *rest = plans()
    api.plans = [asks, error(529, "overloaded_error", "busy"), *rest]
    live = make(folder)
    state = finished(live, helping(live))
    assert kinds(state)[-2:] == ["- ask", "end"]
    assert state.replayed.trace.ending.text == "The API is overloaded."
    assert state.waiting is not None
    assert (state.waiting.effect, state.waiting.attempt) == (1, 2)
    state = finished(live, live.advance(state))
    assert state.replayed.trace.ending.text == "It is notes.txt."


def test_a_killed_server_makes_no_call_of_a_helper_again_by_itself(
    make: MakeLive, api: Played, folder: Path
) -> None:
    api.plans = plans()
    live = make(folder)
    state = live.advance(helping(live))
    live._claimed(state, 1, 1)  # and then the worker is killed
    live.clock = lambda: time.time() + LEASE + 1
    state = live.state(state.run.id)
    assert (state.lost, kinds(state)[-1], len(api.sent)) == (True, "- ask", 1)
    state = finished(live, live.advance(state))
    assert [entry.kind for entry in state.entries].count(BROKEN) == 1
    assert state.replayed.trace.ending.text == "It is notes.txt."


def test_what_a_helper_costs_counts_for_the_run(make: MakeLive, api: Played, folder: Path) -> None:
    api.plans = plans()
    live = make(folder)
    state = live.advance(live.advance(live.advance(helping(live))))
    spent = live.store.spent(state.run.id)
    capped = make(folder, HALQA_LIVE_RUN_USD=spent)
    with pytest.raises(NotNow, match="This run has reached its cap"):
        capped.advance(capped.state(state.run.id))
    assert len(api.sent) == 2


def test_a_run_of_an_older_halqa_replays_as_it_was(
    make: MakeLive, api: Played, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from app.live import live as module
    from app.live.subject import subject_of

    def without(run: Any, lesson: Any) -> Any:
        from dataclasses import replace

        return replace(subject_of(run, lesson), helper=None)

    monkeypatch.setattr(module, "subject_of", without)
    api.plans = [call("ask_helper", ASK), text("Over.")]
    live = make(folder)
    state = finished(live, helping(live))
    monkeypatch.undo()
    assert make(folder).state(state.run.id).replayed.trace == state.replayed.trace
    assert "there is no helper here" in str(api.sent[1])


def test_a_run_with_a_helper_is_saved_as_a_lesson_with_one(
    make: MakeLive, api: Played, folder: Path, tmp_path: Path
) -> None:
    api.plans = plans()
    live = make(folder)
    saved = tmp_path / "saved"
    (saved / "workspace").mkdir(parents=True)
    (saved / "workspace" / "notes.txt").write_text("call Omid\n", encoding="utf-8")
    state = finished(live, helping(live))
    (saved / "lesson.yaml").write_text(lesson_yaml(state), encoding="utf-8")
    lesson = read_lesson(saved)
    assert misfit(lesson) is None
    trace = trace_of(lesson, "every_stop_reason", True, "en")
    assert trace.ending.text == "It is notes.txt."
    assert [type(step) for step in trace.steps] == [
        type(step) for step in state.replayed.trace.steps
    ]


# --- on the page


def test_the_page_shows_the_helpers_calls_and_what_they_cost(
    api: Played, tmp_path: Path, folder: Path
) -> None:
    api.plans = plans()
    app = create_app(settings=settings_for(api, tmp_path), workspace=folder)
    with TestClient(app) as client:
        form = client.get("/live").text
        assert 'value="ask_helper">' in form  # chosen each time
        assert "a helper agent that only reads, for 8 turns at most" in unescape(form)
        path = start(
            client,
            lesson="",
            lane="every_stop_reason",
            tools=[*TOOLS],  # type: ignore[arg-type]
        )
        for _ in range(2):
            html = unescape(press(client, path))
        assert "Turn 1 of the helper:" in html
        assert "The next press runs" in html
        sheet = unescape(client.get(f"{path}/trace").text)
        assert "still running" in sheet
        assert "asked for, not run yet" in sheet
        assert "ended by Halqa" not in sheet
        own = client.get(f"{path}/request.json?step=99").json()
        assert own["system"] == HELPER_SYSTEM
        while 'id="go-on"' in html:
            html = unescape(press(client, path))
        assert "It is notes.txt." in html
        first = unescape(client.get(f"{path}?step=3").text)
        assert "Turn 1:" in first
        table = client.get(f"{path}/trace.csv").text.removeprefix("\ufeff")
        rows = list(csv.DictReader(io.StringIO(table)))
        assert [(row["tool"], row["depth"]) for row in rows] == [
            ("ask_helper", "0"),
            ("search_text", "1"),
        ]
        cost = f"{cost_of('claude-opus-5', {'input_tokens': 3, 'output_tokens': 2}):.6f}"
        assert [row["turn_dollars"] for row in rows] == [cost, cost]
        app.state.live.store.close()

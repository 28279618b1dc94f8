"""Live runs: replay, one real call, replay again; whatever the API does becomes a step."""

import asyncio
import importlib
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from app import prices
from app.engine.steps import Ask, Reply, Tool
from app.live import CALL, TOOL, BadOrder, Live, NotNow, State
from app.live.effects import LEASE
from app.live.lesson_file import lesson_yaml
from app.live.subject import subject_of
from app.run import library, trace_of
from app.store import BROKEN, INTENT, REPLY, RESULT
from tests.live.conftest import KEY, MakeLive, begun, finished, order, settings_for
from tests.live.messages import (
    Failing,
    Played,
    breaking,
    call,
    cut,
    error,
    gated,
    message,
    raw,
    silent,
    slow,
    text,
)

ADD = {"a": 2, "b": 3}


def kinds(state: State) -> list[str]:
    return [step.kind for step in state.replayed.trace.steps]


# --- one call a press


def test_a_run_begins_with_nothing_sent(make: MakeLive, api: Played) -> None:
    state = begun(make(), slug="two-and-three")
    assert kinds(state) == ["start", "ask"]
    assert state.replayed.trace.ending.kind == "waits"
    assert state.waiting is not None
    assert (state.waiting.what, state.waiting.effect, state.waiting.attempt) == (CALL, 0, 1)
    assert api.sent == []


def test_each_press_makes_one_call_or_runs_one_tool(make: MakeLive, api: Played) -> None:
    api.plans = [call("add", ADD), text("2 + 3 is 5.")]
    live = make()
    state = begun(live, slug="two-and-three")
    seen = []
    while state.waiting is not None:
        seen.append((state.waiting.what, len(api.sent)))
        state = live.advance(state)
    assert seen == [(CALL, 0), (TOOL, 1), (CALL, 1)]
    assert len(api.sent) == 2
    assert kinds(state) == "start ask reply append tool append ask reply append end".split()
    assert state.replayed.trace.ending.text == "2 + 3 is 5."
    assert state.replayed.trace.ending.kind == "answer"
    assert [entry.kind for entry in state.entries] == [INTENT, REPLY, INTENT, RESULT, INTENT, REPLY]


def test_a_live_run_takes_the_steps_of_the_scripted_one(make: MakeLive, api: Played) -> None:
    api.plans = [call("add", ADD), text("2 + 3 is 5.")]
    live = make()
    state = finished(live, begun(live, slug="two-and-three"))
    lesson = live.library.find("two-and-three")
    scripted = trace_of(lesson, "correct", True, "en")
    assert [(s.kind, s.turn, s.lines) for s in state.replayed.trace.steps] == [
        (s.kind, s.turn, s.lines) for s in scripted.steps
    ]


@pytest.mark.parametrize("stream", [True, False])
def test_the_request_is_sent_as_it_is_shown(make: MakeLive, api: Played, stream: bool) -> None:
    api.plans = [call("add", ADD), text("5")]
    live = make()
    state = finished(live, begun(live, slug="two-and-three", system="Be brief.", stream=stream))
    trace = state.replayed.trace
    assert [trace.request(ask) for ask in trace.asks] == api.sent
    assert [body.get("stream", False) for body in api.sent] == [stream, stream]


def test_what_a_loop_changes_itself_is_sent_too(make: MakeLive, api: Played) -> None:
    api.plans = [call("read_file", {"path": "notes.txt"}), text("No.")]
    live = make()
    finished(live, begun(live, slug="which-note", lane="one_round"))
    assert api.sent[1]["tools"] == []


def test_a_lane_with_a_guard_is_guarded_live_too(make: MakeLive, api: Played) -> None:
    asked = {"job": "report-7"}
    api.plans = [call("job_status", asked) for _ in range(3)]
    live = make()
    state = finished(live, begun(live, slug="again-and-again", lane="guard"))
    ran = [step for step in state.replayed.trace.steps if isinstance(step, Tool)]
    assert [step.result.failure for step in ran] == ["", "", "refusal"]
    assert "nothing new came of it" in ran[1].result.content
    assert state.replayed.trace.ending.text.startswith("stopped: job_status was asked for")
    assert len(api.sent) == 3


def test_a_lane_that_takes_a_tool_away_does_so_live_too(make: MakeLive, api: Played) -> None:
    api.plans += [call("search_text", {"text": "= 65"}), text("75")]
    tools = ("search_text", "read_file", "replace_text", "delete_file")
    live = make()
    lane = begun(live, slug="the-long-menu", lane="removed_by_a_block", tools=tools)
    finished(live, lane)
    removal = {"type": "tool_removal", "tool": {"type": "tool_reference", "name": "delete_file"}}
    first, second = api.sent
    assert second["messages"][3:] == [{"role": "system", "content": [removal]}]
    assert first["tools"] == second["tools"]
    betas = [sent["anthropic-beta"] for sent in api.headers]
    assert betas == ["mid-conversation-tool-changes-2026-07-01"] * 2


def test_the_further_keys_of_a_lane_are_sent_and_saved_with_its_lesson(
    make: MakeLive, api: Played
) -> None:
    api.plans = [text("Over.")]
    live = make()
    state = finished(live, begun(live, slug="not-finished-yet", lane="summed_up", tools=()))
    (sent,) = api.sent
    keys = state.lesson.lane("summed_up").request if state.lesson else {}
    assert {key: sent[key] for key in keys} == keys != {}
    saved = lesson_yaml(state)
    assert "context_management:" in saved
    assert "- compact-2026-01-12" in saved


def test_an_edit_of_a_lesson_reaches_the_next_request(api: Played, tmp_path: Path) -> None:
    folder = tmp_path / "lessons" / "add-up"
    folder.mkdir(parents=True)
    file = folder / "lesson.yaml"
    file.write_text(LESSON, encoding="utf-8")
    live = Live(settings_for(api, tmp_path), library([folder.parent]))
    state = begun(live, slug="add-up")
    file.write_text(f"{LESSON}request: {{stop_sequences: [DONE]}}\n", encoding="utf-8")
    waiting = live.state(state.run.id).waiting
    assert waiting is not None
    assert waiting.body["stop_sequences"] == ["DONE"]
    live.store.close()


LESSON = """\
title: Add up
task: What is 20 + 22?
tools: [add]
lanes: [{loop: correct}]
script: [{text: It is 42.}]
"""


def test_a_run_that_began_before_these_keys_were_sent_is_replayed_without_them(
    make: MakeLive,
) -> None:
    state = begun(make(), slug="stopped-by-a-sequence", lane="correct", tools=())
    older = replace(state.run, settings={**state.run.settings, "lane_keys": None})
    assert "stop_sequences" in subject_of(state.run, state.lesson).envelope
    assert "stop_sequences" not in subject_of(older, state.lesson).envelope


def test_time_and_money_are_those_of_the_record(make: MakeLive, api: Played) -> None:
    api.plans = [call("read_file", {"path": "guest-01.txt"}), text("None.")]
    live = make()
    for lane in ("by_time", "by_money"):
        state = finished(live, begun(live, slug="budgets", lane=lane))
        assert state.replayed.trace.ending.text == "None."
        api.plans = [call("read_file", {"path": "guest-01.txt"}), text("None.")]


def test_thinking_goes_back_unchanged(make: MakeLive, api: Played) -> None:
    thinking = {"type": "thinking", "thinking": "Two and three …", "signature": "c2lnbmVk"}
    hidden = {"type": "redacted_thinking", "data": "aGlkZGVu"}
    use = {"type": "tool_use", "id": "toolu_1", "name": "add", "input": ADD}
    api.plans = [message([thinking, hidden, use], "tool_use"), text("5")]
    live = make()
    finished(live, begun(live, slug="two-and-three"))
    assert api.sent[1]["messages"][1] == {"role": "assistant", "content": [thinking, hidden, use]}


def test_a_block_of_an_unknown_kind_goes_back_unchanged(make: MakeLive, api: Played) -> None:
    new = {"type": "brand_new", "what": {"deep": [1, None]}}
    use = {"type": "tool_use", "id": "toolu_1", "name": "add", "input": ADD}
    api.plans = [message([new, use], "tool_use"), text("5")]
    live = make()
    finished(live, begun(live, slug="two-and-three"))
    assert api.sent[1]["messages"][1]["content"] == [new, use]


def test_a_caller_may_have_an_event_loop_of_its_own(make: MakeLive, api: Played) -> None:
    api.plans = [text("Done.")]
    live = make()

    async def waited() -> State:
        return live.advance(begun(live, slug="two-and-three"))

    with ThreadPoolExecutor() as others:  # a browser test may have left its loop running here
        state = others.submit(lambda: asyncio.run(waited())).result()
    assert state.replayed.trace.ending.text == "Done."


def test_the_lease_is_held_while_the_sdk_loads(
    make: MakeLive, api: Played, monkeypatch: pytest.MonkeyPatch
) -> None:
    live = make()
    held: list[bool] = []

    def slowly(name: str) -> Any:
        time.sleep(1)
        held.append(live.state(id).lease.until > began + LEASE + 0.5)  # type: ignore[union-attr]
        return importlib.import_module(name)

    monkeypatch.setattr("app.live.api.import_module", slowly)
    api.plans = [text("Done.")]
    state = begun(live, slug="two-and-three")
    id, began = state.run.id, time.time()
    live.advance(state)
    assert held == [True]


# --- every stop reason


HALF = {"type": "text", "text": "Half a"}
USE = {"type": "tool_use", "id": "toolu_1", "name": "add", "input": ADD}
ASKED = {"type": "server_tool_use", "id": "srvtoolu_1", "name": "web_search", "input": {"q": "x"}}
SUMMED_UP = {"type": "compaction", "content": "They want a sum."}
GOES_ON = {"pause_turn": [HALF, ASKED], "compaction": [SUMMED_UP]}


@pytest.mark.parametrize("stream", [True, False])
@pytest.mark.parametrize(
    ("reason", "ending", "text_"),
    [
        ("end_turn", "answer", "Half a"),
        ("stop_sequence", "answer", "Half a"),
        ("max_tokens", "stopped", "stopped: max_tokens"),
        ("refusal", "stopped", "stopped: refusal"),
        ("model_context_window_exceeded", "stopped", "stopped: model_context_window_exceeded"),
        ("brand_new", "stopped", "stopped: brand_new"),
    ],
)
def test_a_reason_that_ends_the_run_runs_no_tool_and_an_unknown_one_shows_its_name(
    make: MakeLive, api: Played, reason: str, ending: str, text_: str, stream: bool
) -> None:
    api.plans = [message([HALF, USE], reason)]
    live = make()
    state = finished(live, begun(live, slug="", lane="every_stop_reason", stream=stream))
    assert (state.replayed.trace.ending.kind, state.replayed.trace.ending.text) == (ending, text_)
    assert not [step for step in state.replayed.trace.steps if isinstance(step, Tool)]
    assert len(api.sent) == 1


@pytest.mark.parametrize("stream", [True, False])
@pytest.mark.parametrize("reason", GOES_ON)
def test_after_a_pause_the_content_goes_back_unchanged_and_nothing_runs(
    make: MakeLive, api: Played, reason: str, stream: bool
) -> None:
    content = GOES_ON[reason]
    api.plans = [message([*content, USE], reason), text("Done.")]
    live = make()
    state = finished(live, begun(live, slug="", lane="every_stop_reason", stream=stream))
    assert state.replayed.trace.ending.text == "Done."
    assert not [step for step in state.replayed.trace.steps if isinstance(step, Tool)]
    first, second = api.sent
    said = {"role": "assistant", "content": [*content, USE]}
    assert second == {**first, "messages": [*first["messages"], said]}


def test_a_run_that_only_pauses_ends_at_the_cap(make: MakeLive, api: Played) -> None:
    api.plans = [message([ASKED], "pause_turn") for _ in range(3)]
    live = make()
    state = finished(live, begun(live, slug="", lane="every_stop_reason", cap=3))
    assert state.replayed.trace.ending.kind == "no_answer"
    assert len(api.sent) == 3


@pytest.mark.parametrize("stream", [True, False])
def test_a_reply_without_a_stop_reason_reaches_no_loop(
    make: MakeLive, api: Played, stream: bool
) -> None:
    api.plans = [{**message([HALF, USE], ""), "stop_reason": None}]
    live = make()
    state = finished(live, begun(live, slug="", lane="every_stop_reason", stream=stream))
    assert state.replayed.trace.ending.text == "What came back is no reply of the Messages API."


# --- every error is a step


ERRORS: list[tuple[Any, str, bool]] = [
    (error(400, "invalid_request_error", "messages: bad"), "The API refuses the request.", False),
    (error(401, "authentication_error", "no"), "The API does not take this key", True),
    (error(402, "billing_error", "pay"), "The account has no credit left", True),
    (error(403, "permission_error", "no"), "This key may not do this.", True),
    (error(404, "not_found_error", "model: x"), "The API knows no such model", False),
    (error(413, "request_too_large", "big"), "The request is larger than the API takes.", False),
    (error(429, "rate_limit_error", "wait", retry_after="7"), "Too many requests for now", True),
    (error(500, "api_error", "oops"), "The API has a fault of its own.", True),
    (error(503, "api_error", "later"), "The API is not available.", True),
    (error(529, "overloaded_error", "busy"), "The API is overloaded.", True),
    (cut(text("Half of it"), 3), "The reply broke off before its end.", True),
    (cut(text("Half of it"), 0), "The reply broke off before its end.", True),
    (breaking(text("Half of it"), 3), "The API is overloaded.", True),
    (
        breaking(text("Half of it"), 3, "invalid_request_error"),
        "The API refuses the request",
        False,
    ),
    (raw(b"not json", "text/plain"), "What came back is no reply of the Messages API.", True),
    (raw(b"", "text/event-stream"), "The reply broke off before its end.", True),
    (silent(3), "No reply came in time.", True),
]


@pytest.mark.parametrize(("plan", "sentence", "retry"), ERRORS)
def test_an_error_is_a_step_with_a_sentence_and_retry_where_it_makes_sense(
    make: MakeLive, api: Played, plan: Failing, sentence: str, retry: bool
) -> None:
    api.plans = [plan]
    live = make(HALQA_LIVE_SILENCE=1.0)
    state = finished(live, begun(live, slug="two-and-three"))
    assert kinds(state) == ["start", "ask", "end"]
    ending = state.replayed.trace.ending
    assert (ending.kind, ending.text.startswith(sentence)) == ("failed", True), ending.text
    assert (state.waiting is not None) is retry
    assert len(api.sent) == 1, "the SDK tried again by itself"
    assert [entry.kind for entry in state.entries] == [INTENT, BROKEN]


def test_the_apis_own_words_and_its_wait_are_kept(make: MakeLive, api: Played) -> None:
    api.plans = [error(429, "rate_limit_error", "so many tokens", retry_after="7")]
    live = make()
    failed = finished(live, begun(live)).replayed.failed
    assert failed is not None
    assert failed.error == {
        "status": 429,
        "type": "rate_limit_error",
        "message": "so many tokens",
        "wait": 7.0,
        "request_id": "",
    }


def test_a_refused_connection_is_a_step(make: MakeLive, api: Played) -> None:
    live = make(ANTHROPIC_BASE_URL="http://127.0.0.1:9")
    state = finished(live, begun(live))
    assert state.replayed.trace.ending.text == "The API cannot be reached."
    assert state.waiting is not None


def test_a_call_that_takes_too_long_is_broken_off(make: MakeLive, api: Played) -> None:
    api.plans = [slow(text("one two"), 0.4)]
    live = make(HALQA_LIVE_TIMEOUT=1.0)
    state = finished(live, begun(live))
    assert state.replayed.trace.ending.text == "No reply came in time."


def test_a_broken_stream_is_kept_as_what_it_is_and_never_executed(
    make: MakeLive, api: Played
) -> None:
    api.plans = [cut(call("add", ADD), 8), text("5")]
    live = make()
    state = finished(live, begun(live, slug="two-and-three"))
    partial = state.entries[-1].body["partial"]
    assert partial["content"][0] == {"type": "text", "text": "I will look."}
    assert partial["content"][1]["type"] == "tool_use"
    assert not [step for step in state.replayed.trace.steps if isinstance(step, Reply | Tool)]
    state = live.advance(state)  # Retry
    assert api.sent[1] == api.sent[0]
    assert state.replayed.trace.ending.text == "5"


def test_each_try_is_kept(make: MakeLive, api: Played) -> None:
    api.plans = [
        error(529, "overloaded_error", "busy"),
        error(500, "api_error", "oops"),
        text("Done."),
    ]
    live = make()
    state = begun(live, slug="two-and-three")
    for _ in range(3):
        state = live.advance(state)
    tries = state.replayed.sent[0].tries
    assert [(one.attempt, one.failure is not None) for one in tries] == [
        (1, True),
        (2, True),
        (3, False),
    ]
    assert state.replayed.trace.ending.text == "Done."


@pytest.mark.parametrize(
    "content",
    [
        [{"type": "text"}],
        [{"type": "tool_use", "id": "x", "name": "add", "input": "no object"}],
        [{"no": "type"}],
        ["text"],
        "text",
    ],
)
def test_a_reply_in_no_right_form_reaches_no_loop(
    make: MakeLive, api: Played, content: Any
) -> None:
    api.plans = [message(content, "tool_use")]
    live = make()
    state = finished(live, begun(live, slug="two-and-three", stream=False))
    assert state.replayed.trace.ending.text == "What came back is no reply of the Messages API."


# --- cancel


def wait_for(condition: Any, seconds: float = 10) -> None:
    give_up = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < give_up, "it does not come"
        time.sleep(0.02)


def test_a_cancelled_stream_is_kept_and_never_executed(make: MakeLive, api: Played) -> None:
    gate = threading.Event()
    api.plans = [gated(call("add", ADD), gate, after=8)]
    live = make()
    state = begun(live, slug="two-and-three")
    live.press(state.run.id, 0, 1)

    def partial() -> Any:
        lease = live.state(state.run.id).lease
        return lease and lease.partial.get("content")

    wait_for(partial)
    live.store.cancel(state.run.id)
    wait_for(lambda: not live.state(state.run.id).under_way)
    gate.set()
    state = live.state(state.run.id)
    assert state.replayed.trace.ending.text == "The call was cancelled."
    assert state.entries[-1].body["partial"]["content"][0]["text"] == "I will look."
    assert state.waiting is not None
    assert state.waiting.what == CALL


# --- one call, whoever presses


def test_two_presses_two_tabs_and_two_workers_make_one_call(make: MakeLive, api: Played) -> None:
    gate = threading.Event()
    api.plans = [gated(text("Done."), gate)]
    one, other = make(), make()
    id = begun(one, slug="two-and-three").run.id
    assert one.store is not other.store
    threads = [
        threading.Thread(target=live.press, args=(id, 0, 1)) for live in (one, other, one, other)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    wait_for(lambda: api.sent)
    assert one.state(id).under_way
    assert other.state(id).under_way
    other.press(id, 0, 2)  # a page that is ahead of its time
    gate.set()
    wait_for(lambda: not one.state(id).under_way)
    for live in (one, other):
        assert live.state(id).replayed.trace.ending.text == "Done."
        live.press(id, 0, 1)  # a page that is behind
    assert len(api.sent) == 1


def test_a_call_whose_worker_died_is_never_made_again_by_itself(
    make: MakeLive, api: Played
) -> None:
    live = make()
    state = begun(live, slug="two-and-three")
    assert state.waiting is not None
    live._claimed(state, 0, 1)  # and then the worker is killed
    assert live.state(state.run.id).under_way
    live.clock = lambda: time.time() + LEASE + 1
    state = live.state(state.run.id)
    assert (state.under_way, state.lost) == (False, True)
    assert api.sent == []
    assert kinds(state) == ["start", "ask"]
    api.plans = [text("Done.")]
    state = live.advance(state)
    assert [entry.kind for entry in state.entries] == [INTENT, BROKEN, INTENT, REPLY]
    assert state.replayed.sent[0].tries[0].failure is not None
    assert "may have been billed" in state.replayed.sent[0].tries[0].failure.sentence
    assert not state.lost


# --- a loop or a tool that was changed


def test_a_changed_request_ends_the_replay_and_shows_both(
    make: MakeLive, api: Played, monkeypatch: pytest.MonkeyPatch
) -> None:
    api.plans = [call("add", ADD), text("5")]
    live = make()
    state = finished(live, begun(live, slug="two-and-three"))
    from app.harness import TOOLS

    monkeypatch.setitem(TOOLS["add"].schema, "description", "Another sum.")
    changed = make().state(state.run.id)
    assert kinds(changed) == ["start", "ask", "end"]
    assert changed.replayed.trace.ending.kind == "cut"
    differs = changed.replayed.differs
    assert differs is not None
    assert differs.recorded == api.sent[0]
    assert differs.now["tools"][0]["description"] == "Another sum."
    assert changed.waiting is None, "it would have mixed a new reply into an old history"


def test_a_changed_loop_ends_the_replay_where_it_parts(make: MakeLive, api: Played) -> None:
    api.plans = [call("add", ADD), text("5")]
    live = make()
    state = finished(live, begun(live, slug="two-and-three"))
    from dataclasses import replace

    from app.live.replay import replay
    from app.source import loops

    other = replace(state.subject, loop=loops()["forgot_results"])
    changed = replay(state.entries, other)
    assert [step.kind for step in changed.trace.steps][-2:] == ["ask", "end"]
    assert changed.differs is not None
    assert len(changed.differs.recorded["messages"]) == 3
    assert len(changed.differs.now["messages"]) == 2


# --- our rules beside the real API


def test_a_buggy_loop_gets_the_real_refusal_beside_our_rule(make: MakeLive, api: Played) -> None:
    words = "messages.2.content.0.tool_result.tool_use_id: Field required"
    api.plans = [
        call("list_files", {"path": "."}),
        error(400, "invalid_request_error", words),
    ]
    live = make()
    state = finished(live, begun(live, lane="missing_tool_use_id"))
    last = state.replayed.sent[-1]
    assert [fault.rule for fault in last.faults] == ["A59"]
    assert last.tries[0].error is not None
    assert last.tries[0].error["message"] == words
    assert isinstance(state.replayed.trace.steps[-2], Ask)


# --- caps


def spend(live: Live, state: State) -> State:
    return live.advance(state)


def test_a_run_that_has_reached_its_cap_on_money_makes_no_more_calls(
    make: MakeLive, api: Played
) -> None:
    api.plans = [call("add", ADD), text("5")]
    live = make(HALQA_LIVE_RUN_USD=0.000001)
    state = begun(live, slug="two-and-three")
    state = live.advance(live.advance(state))  # the call and the tool
    with pytest.raises(NotNow, match=r"This run has reached its cap"):
        live.advance(state)
    assert len(api.sent) == 1


def test_the_cap_of_a_day_holds_for_all_runs(make: MakeLive, api: Played) -> None:
    api.plans = [text("5")]
    live = make(HALQA_LIVE_DAY_USD=0.000001)
    live.advance(begun(live))
    with pytest.raises(NotNow, match=r"runs of today have reached their cap"):
        live.advance(begun(live))
    live.clock = lambda: time.time() + 86_400
    api.plans = [text("5")]
    live.advance(begun(live))


def test_a_cap_on_money_needs_a_known_price(make: MakeLive) -> None:
    live = make(HALQA_LIVE_RUN_USD=1.0)
    with pytest.raises(NotNow, match=r"price of this model is unknown"):
        live.advance(begun(live, model="llama-of-my-own"))


def test_only_so_many_runs_wait_at_once(make: MakeLive, api: Played) -> None:
    gate = threading.Event()
    api.plans = [gated(text("5"), gate)]
    live = make(HALQA_LIVE_AT_ONCE=1)
    first = begun(live)
    live.press(first.run.id, 0, 1)
    with pytest.raises(NotNow, match=r"wait for a reply"):
        live.advance(begun(live))
    gate.set()
    wait_for(lambda: not live.state(first.run.id).under_way)


def test_without_a_key_nothing_is_sent(make: MakeLive, api: Played) -> None:
    live = make(ANTHROPIC_API_KEY=None)
    with pytest.raises(NotNow, match=r"there is no key"):
        live.advance(begun(live))
    assert api.sent == []


def test_a_cap_on_turns_ends_the_run(make: MakeLive, api: Played) -> None:
    api.plans = [call("list_files", {"path": "."}, id=f"toolu_{n}") for n in range(3)]
    live = make()
    state = finished(live, begun(live, cap=3))
    assert state.replayed.trace.ending.kind == "no_answer"
    assert len(api.sent) == 3


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"task": " "}, "A task is missing"),
        ({"model": ""}, "The name of a model is missing"),
        ({"max_tokens": 0}, "max_tokens is a number"),
        ({"cap": 41}, "The cap on turns is a number from 1 to 40"),
        ({"lane": "x"}, "has no lane 'x'"),
        ({"tools": ("rm",)}, "There is no tool 'rm' here"),
        ({"slug": "", "lane": "x"}, "There is no loop 'x'"),
        ({"slug": "", "lane": "chat"}, "chat speaks chat completions"),
        ({"slug": "", "tools": ("read_file",)}, "There is no folder for tools"),
        ({"task": "x" * 20_001}, "The task is too long"),
    ],
)
def test_an_order_that_cannot_be_carried_out_gets_a_sentence(
    make: MakeLive, changes: dict[str, Any], said: str
) -> None:
    live = make()
    with pytest.raises(BadOrder) as caught:
        live.start(order(live, **changes), "")
    assert said in str(caught.value)


# --- the folder


def test_a_task_of_ones_own_reads_the_named_folder(
    make: MakeLive, api: Played, tmp_path: Path
) -> None:
    folder = tmp_path / "mine"
    folder.mkdir()
    (folder / "todo.py").write_text("x = 1  # TODO: more\n", encoding="utf-8")
    api.plans = [call("search_text", {"text": "TODO"}), text("One.")]
    live = make(folder)
    state = finished(
        live, begun(live, slug="", tools=("search_text",), task="List every TODO comment here")
    )
    (ran,) = [step for step in state.replayed.trace.steps if isinstance(step, Tool)]
    assert "todo.py:1: x = 1  # TODO: more" in ran.result.content
    assert str(folder) not in str(state.run)
    elsewhere = make(tmp_path)
    other = begun(live, slug="", tools=("search_text",))
    api.plans = [call("search_text", {"text": "TODO"})]
    waiting = live.advance(other)
    with pytest.raises(NotNow, match=r"was started on another folder"):
        elsewhere.advance(elsewhere.state(waiting.run.id))


def test_a_lessons_folder_is_a_copy_that_goes_with_the_run(
    make: MakeLive, api: Played, tmp_path: Path
) -> None:
    live = make()
    state = begun(live)
    copy = tmp_path / "workspaces" / state.run.id
    assert (copy / "hello.py").is_file()
    live.delete(state.run.id)
    assert not copy.exists()


# --- the key


def test_a_key_that_the_server_or_a_file_echoes_is_not_stored(
    make: MakeLive, api: Played, tmp_path: Path
) -> None:
    folder = tmp_path / "mine"
    folder.mkdir()
    (folder / "env.txt").write_text(f"KEY={KEY}\n", encoding="utf-8")
    api.plans = [
        call("read_file", {"path": "env.txt"}),
        error(401, "authentication_error", f"bad key {KEY}"),
        cut(text(f"Your key {KEY} is"), 4),
        text(f"It is {KEY}."),
    ]
    live = make(folder)
    state = begun(live, slug="", tools=("read_file",))
    for _ in range(5):
        state = live.advance(state)
    assert KEY in str(api.headers[0])  # it is sent where it belongs
    assert KEY not in str(state.entries)
    assert KEY not in str(api.sent)
    assert state.replayed.trace.ending.text == "It is [secret]."


# --- what it cost


def test_a_cost_is_by_the_prices_of_the_time_of_the_call(monkeypatch: pytest.MonkeyPatch) -> None:
    import genai_prices

    asked: list[Any] = []

    def priced(*_: Any, **facts: Any) -> Any:
        asked.append(facts["genai_request_timestamp"])
        raise LookupError

    monkeypatch.setattr(genai_prices, "calc_price", priced)
    assert prices.cost_of("claude-opus-5", {"input_tokens": 1}, 86_400.0) is None
    assert asked[0].isoformat() == "1970-01-02T00:00:00+00:00"
    assert prices.dated().startswith("genai-prices ")

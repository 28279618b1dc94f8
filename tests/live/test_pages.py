"""The pages of live runs: who may do what, what they show, what they never show."""

import csv
import io
import json
import logging
import re
import threading
import time
import zipfile
from collections.abc import Callable, Iterator
from html import unescape
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient

from app.lessons import read_lesson
from app.main import create_app
from app.run import unreachable
from tests.live.conftest import KEY, settings_for
from tests.live.messages import Played, call, error, gated, text
from tests.live.test_live import ERRORS, LESSON
from tests.steps import fragment_of
from tests.web.conftest import sentence

ADD = {"a": 2, "b": 3}
PASSWORD = "planted-password-91"
ORDER = {
    "lesson": "two-and-three",
    "lane": "correct",
    "task": "What is 2 + 3?",
    "model": "claude-opus-5",
    "max_tokens": "1024",
    "system": "",
    "tools": "add",
    "cap": "6",
    "stream": "on",
}
Visit = Callable[..., TestClient]


@pytest.fixture
def visit(api: Played, tmp_path: Path) -> Iterator[Visit]:
    """A new browser, with cookies of its own, on an application with some settings changed."""
    apps: dict[str, Any] = {}
    opened: list[TestClient] = []

    def open_one(**changes: Any) -> TestClient:
        key = repr(changes)
        if key not in apps:
            apps[key] = create_app(settings=settings_for(api, tmp_path, **changes))
        client = TestClient(apps[key])
        opened.append(client)
        return client

    yield open_one
    for client in opened:
        client.close()
    for app in apps.values():
        if "store" in vars(app.state.live):
            app.state.live.store.close()


def start(client: TestClient, **changes: str) -> str:
    """Start a run; the path of its page."""
    answer = client.post("/live", data={**ORDER, **changes})
    assert answer.status_code == 200, answer.text
    path = answer.url.path
    assert re.fullmatch(r"/runs/[\w-]{20,}", path)
    return path


def form_of(html: str) -> dict[str, str]:
    """The fields of the Step form; empty where the page has none."""
    form = re.search(r'<form id="go-on".*?</form>', html, re.DOTALL)
    return dict(re.findall(r'name="(\w+)" value="(\d+)"', form[0])) if form else {}


def press(client: TestClient, path: str, seconds: float = 10) -> str:
    """Press Step at the end of a run, wait for what comes, and return the page at the last step."""
    html = client.get(f"{path}?step=999").text
    assert client.post(f"{path}/step", data=form_of(html)).status_code == 200
    give_up = time.monotonic() + seconds
    while "under-way" in (html := client.get(f"{path}?step=999").text):
        assert time.monotonic() < give_up
        time.sleep(0.03)
    return html


def words(html: str) -> str:
    """A page as plain text."""
    return " ".join(unescape(re.sub(r"<[^>]+>", " ", html)).split())


# --- a run


def test_a_lesson_runs_live_press_by_press(visit: Visit, api: Played) -> None:
    api.plans = [call("add", ADD), text("2 + 3 is 5.")]
    client = visit()
    path = start(client)
    html = client.get(f"{path}?step=999").text
    assert "Not sent yet: the next press sends this request" in words(html)
    assert api.sent == []
    html = press(client, path)
    assert "The next press runs add ." in words(html)
    press(client, path)
    html = press(client, path)
    assert sentence(html).startswith("end The loop returns the answer.")
    assert form_of(html) == {}
    assert len(api.sent) == 2
    assert "Our rules say the same as the real answer." in words(html)


def test_a_run_has_a_trace_with_what_its_calls_took_and_cost(visit: Visit, api: Played) -> None:
    api.plans = [call("add", ADD), text("5")]
    client = visit()
    path = start(client)
    for _ in range(3):
        press(client, path)
    assert f'href="{path}/trace?step=9" data-at' in client.get(f"{path}?step=9").text
    html = words(client.get(f"{path}/trace?step=9").text)
    assert "Back to step 9" in html
    assert 'add step 4 {"a": 2, "b": 3} 5' in html
    assert "Measured: times as they were recorded" in html
    assert "Simulated" not in html
    (row,) = csv.DictReader(io.StringIO(client.get(f"{path}/trace.csv").text.lstrip("\ufeff")))
    assert (row["server"], row["tool"], row["result"]) == ("live", "add", "5")
    assert float(row["turn_dollars"]) > 0
    spans = client.get(f"{path}/trace.otlp.json").json()["resourceSpans"][0]["scopeSpans"][0]
    assert [span["name"].split()[0] for span in spans["spans"]] == [
        *("invoke_agent", "chat", "execute_tool", "chat")
    ]
    both = words(client.get(f"{path}/dialects?step=9").text)
    assert "OpenAI chat completions" in both
    assert '"tool_call_id"' in both
    assert client.get("/runs/none/trace").status_code == 404
    assert client.get(f"{path}/trace?sort=size").status_code == 422


def test_a_run_is_stepped_back_and_forth_by_its_addresses(visit: Visit, api: Played) -> None:
    api.plans = [call("add", ADD), text("5")]
    client = visit()
    path = start(client)
    for _ in range(3):
        press(client, path)
    shown = [sentence(client.get(f"{path}?step={n}").text).split()[0] for n in range(9)]
    assert shown == "start ask reply append tool append ask reply append".split()
    page = client.get(f"{path}?step=4").text
    fragment = fragment_of(page)
    answer = client.get(fragment)
    assert answer.status_code == 200
    assert '<hx-partial id="now">' in answer.text
    stale = client.get(re.sub(r"/steps/\w+/", "/steps/000000000000/", fragment))
    assert (stale.status_code, stale.headers["HX-Redirect"]) == (404, f"{path}?step=5")


def test_usage_and_cost_are_shown_for_the_turn_and_in_all(visit: Visit, api: Played) -> None:
    reply = text("5")
    reply["usage"] = {
        "input_tokens": 1000,
        "output_tokens": 200,
        "cache_read_input_tokens": 300,
        "cache_creation_input_tokens": 40,
    }
    api.plans = [reply]
    client = visit()
    html = words(press(client, start(client, stream="off")))
    assert "Turn 1: 1,000 in 300 from a cache 40 into a cache 200 out" in html
    assert re.search(r"In all: 1,000 in .* \$0\.0\d+ tokens; prices of genai-prices", html)


def test_the_real_refusal_stands_beside_our_rule(visit: Visit, api: Played) -> None:
    said = "messages.2.content.0.tool_result.tool_use_id: Field required"
    api.plans = [
        call("list_files", {"path": "."}),
        error(400, "invalid_request_error", said),
    ]
    client = visit()
    path = start(
        client, lesson="how-many-python-files", lane="missing_tool_use_id", tools="list_files"
    )
    for _ in range(3):
        html = press(client, path)
    told = words(html)
    assert said in told
    assert "A59 A tool_result must name the call it answers" in told
    assert "Our rules say the same as the real answer." in told
    assert form_of(html) == {}, "the same request would be refused again"


@pytest.mark.parametrize(
    ("lane", "plan", "said"),
    [
        ("missing_tool_use_id", text("It is 3."), "it took what our rules refuse"),
        (
            "correct",
            error(400, "invalid_request_error", "a rule we do not know"),
            "it refused what our rules let pass",
        ),
    ],
)
def test_the_page_says_where_our_rules_and_the_real_answer_disagree(
    visit: Visit, api: Played, lane: str, plan: Any, said: str
) -> None:
    api.plans = [call("list_files", {"path": "."}), plan]
    client = visit()
    path = start(client, lesson="how-many-python-files", lane=lane, tools="list_files")
    for _ in range(3):
        html = press(client, path)
    assert f"Here our rules and the real answer disagree: {said}" in words(html)


def test_an_error_is_a_step_with_retry(visit: Visit, api: Played) -> None:
    api.plans = [error(429, "rate_limit_error", "Slow down.", retry_after="7"), text("5")]
    client = visit()
    path = start(client)
    html = press(client, path)
    told = words(html)
    assert sentence(html).startswith("end The call fails: 429 rate_limit_error .")
    assert "It asks to wait 7 seconds." in told
    assert "Slow down." in told
    assert "<span>Retry</span>" in html
    html = press(client, path)
    assert sentence(html).startswith("end The loop returns the answer.") or "5" in words(html)
    assert len(api.sent) == 2


@pytest.mark.parametrize(("plan", "sentence_", "retry"), ERRORS)
def test_every_error_is_a_step_with_its_sentence(
    visit: Visit, api: Played, plan: Any, sentence_: str, retry: bool
) -> None:
    api.plans = [plan]
    client = visit(HALQA_LIVE_SILENCE=1.0)
    html = press(client, start(client))
    assert sentence(html).startswith("end The call fails: ")
    assert sentence_ in words(html)
    assert ("<span>Retry</span>" in html) is retry
    assert bool(form_of(html)) is retry
    assert len(api.sent) == 1


def test_the_beta_headers_of_a_run_stand_with_what_it_sends(visit: Visit, api: Played) -> None:
    api.plans = [call("search_text", {"text": "= 65"})]
    client = visit()
    tools: Any = ["search_text", "delete_file"]
    path = start(client, lesson="the-long-menu", lane="removed_by_a_block", tools=tools)
    for _ in range(2):
        press(client, path)
    header = "anthropic-beta: mid-conversation-tool-changes-2026-07-01"
    assert header in client.get(f"{path}/request.sh?step=99").text
    assert "verdict refused" not in client.get(f"{path}/dialects?step=99").text


def test_an_edit_of_its_lesson_gives_a_run_other_fragments(api: Played, tmp_path: Path) -> None:
    folder = tmp_path / "lessons" / "add-up"
    folder.mkdir(parents=True)
    (folder / "lesson.yaml").write_text(LESSON, encoding="utf-8")
    app = create_app([folder.parent], settings=settings_for(api, tmp_path))
    with TestClient(app) as client:
        path = start(client, lesson="add-up")
        before = fragment_of(client.get(path).text)
        (folder / "lesson.yaml").write_text(f"{LESSON}about: It adds.\n", encoding="utf-8")
        assert fragment_of(client.get(path).text) != before
        app.state.live.store.close()


def test_a_refused_connection_is_a_step_too(visit: Visit) -> None:
    client = visit(ANTHROPIC_BASE_URL="http://127.0.0.1:9")
    html = press(client, start(client))
    assert "The API cannot be reached." in words(html)
    assert "<span>Retry</span>" in html


def test_what_a_run_sends_and_holds_can_be_copied(visit: Visit, api: Played) -> None:
    api.plans = [call("add", ADD), text("2 + 3 is 5.")]
    client = visit()
    path = start(client)
    assert client.get(f"{path}/request.json").status_code == 422
    for _ in range(3):
        press(client, path)
    for step, sent in ((1, 0), (2, 0), (6, 1), (99, 1)):
        assert client.get(f"{path}/request.json?step={step}").json() == api.sent[sent]
    assert client.get(f"{path}/request.py?step=1").text.startswith("from anthropic import")
    assert client.get(f"{path}/request.txt?step=1").status_code == 404
    assert client.get(f"{path}/message.json?step=99&index=0").json() == {
        "role": "user",
        "content": "What is 2 + 3?",
    }
    assert client.get(f"{path}/message.json?step=99&index=9").status_code == 422
    lines = client.get(f"{path}/trace.jsonl").text.splitlines()
    kinds = "start ask reply append tool append ask reply append end".split()
    assert [json.loads(line).get("kind") for line in lines][-len(kinds) :] == kinds


def test_another_view_keeps_the_step(visit: Visit) -> None:
    client = visit()
    path = start(client)
    answer = client.get(f"{path}/view?step=1&theme=light&theme=dark&keys=off")
    assert str(answer.url).endswith(f"{path}?step=1&theme=dark&keys=off")
    answer = client.get(f"{path}/view?step=1&theme=dark&theme=system&keys=on")
    assert str(answer.url).endswith(f"{path}?step=1")
    assert client.get(f"{path}/view?step=1&theme=red").status_code == 422


def test_a_lesson_leads_to_its_live_run_where_live_is_on(visit: Visit) -> None:
    page = "/lessons/lose-the-thread?lanes=swapped_ids"
    (address,) = set(re.findall(r'href="(/live\?lesson[^"]*)"', visit().get(page).text))
    html = visit().get(unescape(address)).text
    assert '<input type="hidden" name="lesson" value="lose-the-thread">' in html
    assert "<option selected>swapped_ids</option>" in html
    assert "/live?lesson" not in visit(ANTHROPIC_API_KEY=None).get(page).text


def test_the_form_names_the_tools_that_a_live_run_leaves_out(visit: Visit) -> None:
    said = "Left out of a live run, as nothing here runs them: web_search"
    form = "/live?lesson=not-finished-yet&lane="
    assert said in words(visit().get(f"{form}every_stop_reason").text)
    assert "Left out" not in visit().get(f"{form}new_reason").text


def test_a_double_press_a_second_tab_and_a_reload_make_one_call(visit: Visit, api: Played) -> None:
    gate = threading.Event()
    api.plans = [gated(text("5"), gate)]
    client = visit()
    path = start(client)
    form = form_of(client.get(f"{path}?step=999").text)
    for _ in range(3):
        client.post(f"{path}/step", data=form)
    html = client.get(f"{path}?step=999").text
    assert "A call is under way." in words(html)
    assert form_of(html) == {}
    gate.set()
    while "under-way" in client.get(f"{path}?step=999").text:
        time.sleep(0.03)
    client.post(f"{path}/step", data=form)  # an old tab
    assert len(api.sent) == 1


def test_a_reply_streams_in_and_is_announced_as_done(visit: Visit, api: Played) -> None:
    gate = threading.Event()
    api.plans = [gated(text("Two and three make five."), gate, after=3)]
    client = visit()
    path = start(client)
    client.post(f"{path}/step", data=form_of(client.get(f"{path}?step=999").text))
    threading.Timer(1.0, gate.set).start()
    told = client.get(f"{path}/stream").text
    assert "event: coming" in told
    assert "Two" in told
    assert told.rstrip().endswith("data: {}")
    assert "event: done" in told


def test_cancel_breaks_a_call_off(visit: Visit, api: Played) -> None:
    gate = threading.Event()
    api.plans = [gated(text("Two and three make five."), gate, after=3)]
    client = visit()
    path = start(client)
    client.post(f"{path}/step", data=form_of(client.get(f"{path}?step=999").text))
    time.sleep(0.8)
    html = client.post(f"{path}/cancel").text
    gate.set()
    assert "The call was cancelled." in words(html)
    assert "What had come by then; it is not part of the run" in words(html)


def test_a_changed_tool_shows_what_was_recorded_and_what_is_sent_now(
    visit: Visit, api: Played, monkeypatch: pytest.MonkeyPatch
) -> None:
    from app.harness import TOOLS

    api.plans = [call("add", ADD), text("5")]
    client = visit()
    path = start(client)
    for _ in range(3):
        press(client, path)
    monkeypatch.setitem(TOOLS["add"].schema, "description", "Another sum altogether.")
    other = visit(HALQA_RUNS_DAYS=89)  # a server started after the change
    other.cookies = client.cookies
    html = other.get(f"{path}?step=999").text
    told = words(html)
    assert "This request is not the one that was recorded." in told
    assert "Another sum altogether." in told
    assert "Add two whole numbers." in told
    assert "Step 2 of 2" in told
    assert form_of(html) == {}


# --- this browser's runs


def test_runs_are_listed_renamed_and_deleted(visit: Visit) -> None:
    client = visit()
    path = start(client)
    client.post(f"{path}/name", data={"name": "My <b>first</b> run\u202e"})
    listed = client.get("/runs").text
    assert "My &lt;b&gt;first&lt;/b&gt; run\\u202e" in listed
    client.post(f"{path}/delete")
    assert path not in client.get("/runs").text
    assert client.get(path).status_code == 404


def test_another_browser_may_look_and_change_nothing(visit: Visit, api: Played) -> None:
    path = start(visit())
    other = visit()
    html = other.get(f"{path}?step=999").text
    assert "Only the browser that started this run can go on with it." in words(html)
    assert form_of(html) == {}
    for action in ("step", "cancel", "name", "delete"):
        answer = other.post(f"{path}/{action}", data={"effect": "0", "attempt": "1", "name": "x"})
        assert answer.status_code == 409
    assert path not in other.get("/runs").text
    assert api.sent == []


def test_a_run_goes_out_and_comes_in_and_replays_without_a_key(visit: Visit, api: Played) -> None:
    api.plans = [call("add", ADD), text("2 + 3 is 5.")]
    client = visit()
    path = start(client)
    for _ in range(3):
        press(client, path)
    data = client.get(f"{path}/recording.json").content
    keyless = visit(ANTHROPIC_API_KEY=None)
    answer = keyless.post("/runs", files={"file": ("run.json", data, "application/json")})
    assert answer.status_code == 200
    html = keyless.get(f"{answer.url.path}?step=999").text
    assert sentence(html).startswith("end The loop returns the answer.")
    assert answer.url.path != path
    assert len(api.sent) == 2


@pytest.mark.parametrize("data", [b"", b"{}", b"not json", b'{"halqa": "recording"}'])
def test_what_is_no_recording_is_refused(visit: Visit, data: bytes) -> None:
    answer = visit().post("/runs", files={"file": ("run.json", data)})
    assert answer.status_code == 422


def test_a_run_is_saved_as_a_lesson_that_runs(visit: Visit, api: Played, tmp_path: Path) -> None:
    api.plans = [call("list_files", {"path": "."}), text("There are {three} files.\nAll told.")]
    client = visit()
    path = start(client, lesson="how-many-python-files", tools="list_files", task="How many?")
    for _ in range(3):
        press(client, path)
    packed = zipfile.ZipFile(io.BytesIO(client.get(f"{path}/lesson.zip").content))
    packed.extractall(tmp_path / "saved")
    lesson = read_lesson(tmp_path / "saved" / "lesson")
    assert lesson.task("en") == "How many?"
    assert unreachable(lesson) is None
    assert (lesson.workspace("en") / "hello.py").is_file()
    from app.run import trace_of

    trace = trace_of(lesson, "correct", True, "en")
    assert trace.ending.kind == "answer"
    assert [step.kind for step in trace.steps].count("tool") == 1


# --- off, locked, from elsewhere


def test_without_a_key_live_is_off_and_the_page_says_how_to_switch_it_on(visit: Visit) -> None:
    client = visit(ANTHROPIC_API_KEY=None)
    told = words(client.get("/live").text)
    assert "Live is off" in told
    assert "ANTHROPIC_API_KEY=… halqa serve" in told
    assert client.post("/live", data=ORDER).status_code == 409
    assert client.get("/runs").status_code == 200
    assert client.get("/lessons/two-and-three").status_code == 200


def test_a_password_is_asked_before_real_calls(visit: Visit, api: Played) -> None:
    client = visit(HALQA_LIVE_PASSWORD=PASSWORD)
    assert "This server asks for a password" in words(client.get("/live").text)
    assert client.post("/live", data=ORDER).status_code == 403
    assert client.post("/live/password", data={"password": "wrong"}).status_code == 403
    assert client.post("/live", data=ORDER).status_code == 403
    assert client.post("/live/password", data={"password": PASSWORD}).status_code == 200
    path = start(client)
    assert PASSWORD not in str(client.cookies)
    stranger = visit(HALQA_LIVE_PASSWORD=PASSWORD)
    stranger.cookies.set("halqa_browser", client.cookies["halqa_browser"])
    form = form_of(client.get(f"{path}?step=999").text)
    assert stranger.post(f"{path}/step", data=form).status_code == 403
    assert api.sent == []


@pytest.mark.parametrize(
    "headers",
    [
        {"Sec-Fetch-Site": "cross-site"},
        {"Sec-Fetch-Site": "same-site"},
        {"Origin": "http://evil.example"},
        {"Origin": "null"},
    ],
)
def test_a_form_from_another_site_is_refused(
    visit: Visit, api: Played, headers: dict[str, str]
) -> None:
    client = visit()
    path = start(client)
    form = form_of(client.get(f"{path}?step=999").text)
    for address in ("/live", "/runs", "/live/password", *(f"{path}/{a}" for a in ACTIONS)):
        assert client.post(address, data={**ORDER, **form}, headers=headers).status_code == 403
    assert client.get(path).status_code == 200
    assert api.sent == []


ACTIONS = ("step", "cancel", "name", "delete")


def test_a_foreign_host_is_refused(visit: Visit) -> None:
    client = visit()
    for path in ("/live", "/runs"):
        assert client.get(path, headers={"Host": "evil.example"}).status_code == 400


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"task": " "}, "A task is missing"),
        ({"max_tokens": "many"}, "max_tokens is a number"),
        ({"cap": "0"}, "The cap on turns is a number"),
        ({"tools": "read_file"}, "There is no tool 'read_file' here"),
        ({"lane": "x"}, "has no lane 'x'"),
    ],
)
def test_a_wrong_order_gets_a_sentence(visit: Visit, changes: dict[str, str], said: str) -> None:
    answer = visit().post("/live", data={**ORDER, **changes})
    assert answer.status_code == 422
    assert said in words(answer.text)


def test_an_unknown_lesson_or_run_is_not_found(visit: Visit) -> None:
    client = visit()
    assert client.post("/live", data={**ORDER, "lesson": "nope"}).status_code == 404
    assert client.get("/live?lesson=nope").status_code == 404
    assert client.get("/runs/nope").status_code == 404
    assert client.get("/runs/nope/recording.json").status_code == 404


def test_a_database_that_cannot_be_opened_breaks_no_lesson(visit: Visit) -> None:
    client = visit(HALQA_DATABASE_URL="postgresql://halqa:planted-pw@127.0.0.1:1/none")
    answer = client.get("/runs")
    assert answer.status_code == 503
    assert "planted-pw" not in answer.text
    assert client.get("/lessons/two-and-three").status_code == 200


def test_the_models_that_the_api_lists_are_offered(visit: Visit, api: Played) -> None:
    assert '<option value="claude-haiku-5-5">' in visit().get("/live").text


def test_without_a_list_of_models_the_name_is_typed(visit: Visit, api: Played) -> None:
    api.models = ()
    html = visit().get("/live").text
    assert '<datalist id="models"></datalist>' in html
    assert 'name="model"' in html


# --- the key


def test_the_key_is_nowhere(
    visit: Visit, api: Played, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    api.plans = [
        error(401, "authentication_error", f"bad key {KEY}"),
        call("add", ADD),
        text(f"Your key is {KEY}."),
    ]
    client = visit(HALQA_LIVE_PASSWORD=PASSWORD)
    client.post("/live/password", data={"password": PASSWORD})
    path = start(client)
    for _ in range(4):
        press(client, path)
    seen = [client.get(f"{path}?step={n}").text for n in range(12)]
    seen += [client.get(f"{path}?step=2&tab=request").text]
    seen += [client.get(address).text for address in ("/", "/live", "/runs", "/nope")]
    seen += [client.get(f"{path}/{name}").text for name in ("recording.json", "stream")]
    packed = zipfile.ZipFile(io.BytesIO(client.get(f"{path}/lesson.zip").content))
    seen += [packed.read(name).decode("utf-8", "replace") for name in packed.namelist()]
    seen += [file.read_bytes().decode("latin-1") for file in files(tmp_path)]
    seen += [caplog.text]
    assert KEY in str(api.headers)
    assert "[secret]" in "".join(seen)
    for secret in (KEY, PASSWORD):
        assert not [text for text in seen if secret in text]


def files(folder: Path) -> list[Path]:
    found = [file for file in folder.rglob("*") if file.is_file()]
    assert any(file.name == "runs.db" for file in found)
    return found

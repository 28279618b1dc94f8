"""A request or a message to copy: exact JSON, a command that a shell takes, a program that runs."""

import json
import os
import re
import subprocess
import sys
from collections.abc import Callable
from html import unescape
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient
from playwright.sync_api import Browser, Page, expect

from app.engine.steps import Ask
from app.paths import SCENARIOS
from app.run import library, trace_of
from app.views.snippets import as_curl, as_json, as_python
from tests.rules.messages_server import message, playing
from tests.web.browsing import PATIENCE, open_at, until
from tests.web.test_escaping import MARKUP, PERCENT, REORDERED, yaml_of

FOUR = "/lessons/how-many-python-files"
LESSONS = library([SCENARIOS]).lessons()
REQUESTS = [
    (lesson.slug, lane.name, number)
    for lesson in LESSONS
    for lane in lesson.lanes
    for number, step in enumerate(trace_of(lesson, lane.name, lane.checked, "en").steps)
    if isinstance(step, Ask)
]
HOSTILE = [
    {"model": "m", "max_tokens": 1, "messages": [{"role": "user", "content": text}]}
    for text in (
        MARKUP,
        REORDERED,
        PERCENT,
        "'; rm -rf ~ #\nJSON\n$(id) `id` $HOME \\",
        "\ud800 alone, \U0001f600, \U000e0041",
        '"both\' of them" \\\' \\" \\u0041',
        "سلام \u200c دنیا",
    )
]


def sent_by_shell(command: str, folder: Path) -> tuple[list[str], Any]:
    """The arguments and the body that a command gives to `curl`, run by a real shell."""
    fake = folder / "curl"
    fake.write_text('#!/bin/sh\nprintf "%s\\n" "$@" > args\ncat > body\n', encoding="utf-8")
    fake.chmod(0o755)
    environment = {"PATH": f"{folder}:/usr/bin:/bin", "ANTHROPIC_API_KEY": "a key"}
    subprocess.run(["sh", "-e"], input=command.encode(), cwd=folder, env=environment, check=True)
    body = json.loads((folder / "body").read_bytes())
    return (folder / "args").read_text(encoding="utf-8").splitlines(), body


def value_of(program: str) -> Any:
    """The request that a program holds, without running the rest of it."""
    tree = compile(program, "snippet.py", "exec")
    assert tree is not None
    body = program[program.index("request = ") :].partition("\nreply = ")[0]
    names: dict[str, Any] = {}
    exec(body, names)
    return names["request"]


# --- exact


@pytest.mark.parametrize(("slug", "lane", "step"), REQUESTS[::3])
def test_each_form_holds_the_very_request(
    client: TestClient, tmp_path: Path, slug: str, lane: str, step: int
) -> None:
    lesson = next(lesson for lesson in LESSONS if lesson.slug == slug)
    trace = trace_of(lesson, lane, lesson.lane(lane).checked, "en")
    ask = trace.steps[step]
    assert isinstance(ask, Ask)
    text = {
        form: client.get(f"/lessons/{slug}/request.{form}?lanes={lane}&step={step}").text
        for form in ("json", "sh", "py")
    }
    assert json.loads(text["json"]) == trace.request(ask)
    assert sent_by_shell(text["sh"], tmp_path)[1] == trace.request(ask)
    assert value_of(text["py"]) == trace.request(ask)


@pytest.mark.parametrize("request_", HOSTILE, ids=range(len(HOSTILE)))
def test_hostile_text_stays_text(request_: dict[str, Any], tmp_path: Path) -> None:
    for text in (as_json(request_), as_curl(request_), as_python(request_)):
        assert not re.search("[\u202a-\u202e\u2066-\u2069\u200b\ufeff\x00-\x08\x0e-\x1f]", text)
        text.encode()  # UTF-8 can hold it
    assert json.loads(as_json(request_)) == request_
    assert value_of(as_python(request_)) == request_
    arguments, body = sent_by_shell(as_curl(request_), tmp_path)
    assert body == request_
    assert "x-api-key: a key" in arguments


def test_persian_is_readable_and_no_snippet_holds_a_key(client: TestClient) -> None:
    assert "سلام" in as_json(HOSTILE[-1])
    assert "سلام" in as_python(HOSTILE[-1])
    shell = client.get(f"{FOUR}/request.sh?lanes=correct&step=1").text
    assert '"x-api-key: $ANTHROPIC_API_KEY"' in shell
    assert "sk-" not in shell


def test_the_program_sends_the_request_by_the_official_sdk(
    client: TestClient, tmp_path: Path
) -> None:
    program = client.get(f"{FOUR}/request.py?lanes=correct&step=11").text
    exact = client.get(f"{FOUR}/request.json?lanes=correct&step=11").json()
    reply = message([{"type": "text", "text": "3 Python files."}], "end_turn")
    with playing([reply]) as played:
        done = subprocess.run(
            [sys.executable, "-c", program],
            cwd=tmp_path,
            env={
                **os.environ,
                "ANTHROPIC_BASE_URL": played.address,
                "ANTHROPIC_API_KEY": "no key",
            },
            capture_output=True,
            text=True,
        )
    assert done.returncode == 0, done.stderr
    assert played.sent == [exact]
    assert json.loads(done.stdout)["content"] == reply["content"]


# --- addresses


@pytest.mark.parametrize(
    ("address", "status", "says"),
    [
        ("request.json?lanes=correct&step=1", 200, '"model": "claude-opus-5"'),
        ("request.json?lanes=correct&step=999", 200, "toolu_02"),
        ("request.sh?lanes=forgot_results:checked&step=6", 200, "--data-binary @-"),
        ("message.json?lanes=correct&step=7&index=0", 200, "How many Python files are here?"),
        ("message.json?lanes=correct&step=7", 200, "How many Python files are here?"),
        ("request.json?lanes=correct", 422, "no request has been sent yet; the next step sends"),
        ("request.json?step=1", 422, "name one, such as lanes=correct."),
        ("request.json?lanes=correct&step=x", 422, "step is 'x'; it must be a number"),
        ("request.json?lanes=correct&step=1&index=0", 422, "An address has no key"),
        ("request.json?lanes=none&step=1", 404, "This lesson has no lane none."),
        ("message.json?lanes=correct&step=7&index=3", 422, "the list holds 3, counted from 0"),
        ("message.json?lanes=correct&index=0", 422, "the list holds 0"),
        ("request.rb?lanes=correct&step=1", 404, "There is no page at this address."),
    ],
)
def test_an_address_answers(client: TestClient, address: str, status: int, says: str) -> None:
    answer = client.get(f"{FOUR}/{address}")
    assert answer.status_code == status
    assert says in (answer.text if status == 200 else unescape(re.sub("<[^>]+>", "", answer.text)))
    if status == 200:
        assert answer.headers["content-type"] == "text/plain; charset=utf-8"


@pytest.mark.parametrize("step", range(15))
def test_the_menu_of_each_step_leads_to_its_request_and_its_messages(
    client: TestClient, step: int
) -> None:
    page = client.get(f"{FOUR}?lanes=correct&step={step}").text
    run = client.get("/api/runs/how-many-python-files/correct").json()["steps"][step]
    links = re.findall(r'<a class="button small" href="([^"]+)" data-at data-copy>', page)
    assert len(links) == (3 if step else 0)
    if step:
        sent = client.get(links[0].replace("&amp;", "&")).json()["messages"]
        asked = run["turn"] * 2 - 1
        assert len(sent) == asked
    last = re.search(r'name="index" min="0" max="(\d+)"', page)
    assert (int(last[1]) + 1 if last else 0) == run["length"]
    if last:
        form = page[page.index('<form id="copy-message"') :].partition("</form>")[0]
        keys = dict(re.findall(r'<input type="hidden" name="(\w+)" value="([^"]*)"', form))
        answer = client.get(f"{FOUR}/message.json", params={**keys, "index": last[1]})
        assert answer.json()["role"] in ("user", "assistant")


def test_a_message_of_a_hostile_lesson_is_plain_text(
    client_of: Callable[..., TestClient],
) -> None:
    client = client_of(yaml_of(MARKUP), hostile=MARKUP)
    answer = client.get("/lessons/own/message.json?lanes=correct&step=2&index=0")
    assert answer.headers["content-type"].startswith("text/plain")
    assert answer.headers["x-content-type-options"] == "nosniff"
    assert answer.json() == {"role": "user", "content": MARKUP}


# --- in a browser


def test_a_press_puts_it_into_the_clipboard(page: Page, server: str) -> None:
    page.context.grant_permissions(["clipboard-read", "clipboard-write"], origin=server)
    open_at(page, f"{server}{FOUR}?lanes=correct&step=7")
    page.get_by_role("button", name="Copy").click()
    copied = page.locator("#copied")
    for name, begin in (("JSON", "{"), ("curl", "curl "), ("Python", "from anthropic ")):
        page.locator("#copy").get_by_role("link", name=name, exact=True).click()
        expect(copied).to_have_text("Copied", timeout=PATIENCE)
        until(
            page,
            "begin => navigator.clipboard.readText().then((text) => text.startsWith(begin))",
            begin,
        )
    page.get_by_label("messages[…]").fill("1")
    page.keyboard.press("Enter")
    until(
        page,
        """() => navigator.clipboard.readText().then(
            (text) => text.startsWith("{") && JSON.parse(text).role === "assistant")""",
    )
    assert page.url == f"{server}{FOUR}?lanes=correct&step=7"


def test_without_scripts_the_links_show_the_text(browser: Browser, server: str) -> None:
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(f"{server}{FOUR}?lanes=correct&step=7")
    page.get_by_role("button", name="Copy").click()
    page.get_by_role("link", name="curl").click()
    expect(page.locator("body")).to_contain_text("--data-binary")
    page.go_back()
    page.get_by_role("button", name="Copy").click()
    page.locator("#copy").get_by_role("button", name="JSON").click()
    assert json.loads(page.locator("body").inner_text())["role"] == "user"
    context.close()


# --- and in the words of the API that the loop speaks


@pytest.mark.parametrize(
    ("form", "words"),
    [
        ("sh", ("https://api.openai.com/v1/chat/completions", "Bearer $OPENAI_API_KEY")),
        ("py", ("from openai import OpenAI", "client.chat.completions.create(**request)")),
    ],
)
def test_a_request_of_chat_completions_goes_where_it_belongs(
    client: TestClient, form: str, words: tuple[str, ...]
) -> None:
    text = client.get(f"/lessons/the-other-api/request.{form}?lanes=chat&step=6").text
    assert [word for word in (*words, '"tool_call_id": "call_01"') if word not in text] == []
    assert "anthropic" not in text.lower()


@pytest.mark.parametrize(
    ("form", "words"),
    [
        ("sh", '--header "anthropic-beta: compact-2026-01-12"'),
        ("py", 'client.beta.messages.create(betas=["compact-2026-01-12"], **request)'),
    ],
)
def test_a_request_under_a_beta_header_is_sent_with_it(
    client: TestClient, form: str, words: str
) -> None:
    address = f"/lessons/not-finished-yet/request.{form}?step=2&lanes="
    assert words in client.get(f"{address}summed_up").text
    assert "beta" not in client.get(f"{address}window_full").text

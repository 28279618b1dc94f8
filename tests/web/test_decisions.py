"""A person is asked before a call: the step `wait`, and what each decision leads to."""

import json
import re
from collections.abc import Iterator
from html import unescape
from pathlib import Path

import pytest
from fastapi.testclient import TestClient
from typer.testing import CliRunner

from app.cli import main
from app.main import create_app
from app.run import library, misfit, trace_of
from tests.steps import fragment_of

LESSON = """\
title: Ask first
task: Write 5 into notes.txt.
tools: [read_file, write_file]
harness: {approve: [write_file]}
lanes:
  - {loop: correct, name: asks}
  - {loop: correct, name: denied, decisions: [deny]}
  - {loop: correct, name: free, harness: {}}
script:
  - calls: [{as: notes, tool: read_file, input: {path: notes.txt}}]
  - calls: [{as: wrote, tool: write_file, input: {path: notes.txt, text: "5"}}]
  - when: [{result: wrote, contains: Done}]
    text: It says 5 now.
  - text: I was not allowed to.
right: 5 now
recap:
  - {question: "Who decides?", answer: A person.}
  - {question: "What does the model see?", answer: The result.}
  - {question: "What is done before?", answer: Nothing.}
"""
UNTIL_ASKED = ["start", "ask", "reply", "append", "tool", "append", "ask", "reply", "append"]
AFTER = ["append", "ask", "reply", "append", "end"]


@pytest.fixture(scope="module")
def top(tmp_path_factory: pytest.TempPathFactory) -> Path:
    top = tmp_path_factory.mktemp("lessons")
    (top / "ask-first" / "workspace").mkdir(parents=True)
    (top / "ask-first" / "lesson.yaml").write_text(LESSON, encoding="utf-8")
    (top / "ask-first" / "workspace" / "notes.txt").write_text("3\n", encoding="utf-8")
    return top


@pytest.fixture(scope="module")
def client(top: Path) -> Iterator[TestClient]:
    with TestClient(create_app([top])) as client:
        yield client


@pytest.fixture(scope="module")
def lesson(top: Path):
    return library([top]).find("ask-first")


def links(html: str) -> list[tuple[str, str]]:
    """The decisions that a page offers, each with where it leads."""
    return [
        (name, unescape(address))
        for name, address in re.findall(r'<a class="button (approve|deny)" href="([^"]*)"', html)
    ]


@pytest.mark.parametrize(
    ("lane", "decisions", "kinds", "ending"),
    [
        ("asks", (), [*UNTIL_ASKED, "wait"], "waits"),
        ("asks", ("approve",), [*UNTIL_ASKED, "wait", "tool", *AFTER], "answer"),
        ("asks", ("deny",), [*UNTIL_ASKED, "wait", "tool", *AFTER], "wrong"),
        ("asks", ("approve", "deny"), [*UNTIL_ASKED, "wait", "tool", *AFTER], "answer"),
        ("denied", (), [*UNTIL_ASKED, "wait", "tool", *AFTER], "wrong"),
        ("denied", ("approve",), [*UNTIL_ASKED, "wait", "tool", *AFTER], "answer"),
        ("free", (), [*UNTIL_ASKED, "tool", *AFTER], "answer"),
    ],
)
def test_a_run_goes_as_far_as_a_person_has_decided(lesson, lane, decisions, kinds, ending):
    trace = trace_of(lesson, lane, True, "en", decisions)
    assert [step.kind for step in trace.steps] == kinds
    assert trace.ending.kind == ending


def test_what_is_denied_does_not_run_and_the_model_is_told_what_it_may_do(lesson):
    denied = trace_of(lesson, "asks", True, "en", ("deny",)).steps[10]
    assert denied.result.content == (
        "Error: a person denied this call of write_file, and it was not run; without asking, this "
        "agent may call read_file"
    )
    assert (denied.result.failure, denied.result.changes) == ("refusal", ())
    assert not trace_of(lesson, "asks", True, "en", ("approve",)).steps[10].result.is_error


def test_a_reply_after_each_decision_can_be_reached(lesson):
    assert misfit(lesson) is None


@pytest.mark.parametrize("view", ["", "&view=present", "&lang=fa", "&lang=ar", "&lang=ru"])
def test_a_page_that_waits_offers_both_decisions_and_they_lead_on(client, view):
    page = client.get(f"/lessons/ask-first?lanes=asks&step=99{view}").text
    offered = links(page)
    assert [name for name, _ in offered] == ["approve", "deny"]
    for name, address in offered:
        assert address.startswith(f"/lessons/ask-first?lanes=asks:{name}&step=10")
        answer = client.get(address)
        assert answer.status_code == 200
        assert not links(answer.text)


def test_a_run_that_waits_has_no_look_back_yet(client):
    assert "Who decides?" not in client.get("/lessons/ask-first?lanes=asks&step=99").text
    ended = client.get("/lessons/ask-first?lanes=asks:deny&step=99").text
    assert "Who decides?" in ended


def test_the_decision_that_was_taken_is_marked_and_can_be_changed(client):
    page = client.get("/lessons/ask-first?lanes=asks:deny&step=9").text
    assert re.search(r'class="button deny"[^>]*aria-current="true"', page)
    assert not re.search(r'class="button approve"[^>]*aria-current', page)
    assert ("approve", "/lessons/ask-first?lanes=asks:approve&step=10") in links(page)


def test_each_check_is_a_line_of_the_step(client):
    waits = client.get("/lessons/ask-first?lanes=asks&step=9").text
    assert waits.count('<li class="passed">') == 5
    denied = client.get("/lessons/ask-first?lanes=asks:deny&step=10").text
    assert denied.count('<li class="passed">') == 5
    assert '<li class="failed">' in denied


@pytest.mark.parametrize(
    ("lanes", "said"),
    [
        ("asks", "waits for a person"),
        ("asks:approve", "a person approves"),
        ("asks:deny", "a person denies"),
    ],
)
def test_the_chat_says_that_the_call_waits(client, lanes, said):
    page = client.get(f"/lessons/ask-first?lanes={lanes}&step=9").text
    assert f'<p class="outcome" dir="auto">{said}</p>' in page


def test_lanes_side_by_side_decide_each_for_itself(client):
    page = client.get("/lessons/ask-first?lanes=asks,denied,free&step=9").text
    assert [address.partition("&")[0] for _, address in links(page)] == [
        "/lessons/ask-first?lanes=asks:approve,denied,free",
        "/lessons/ask-first?lanes=asks:deny,denied,free",
        "/lessons/ask-first?lanes=asks,denied:approve,free",
        "/lessons/ask-first?lanes=asks,denied:deny,free",
    ]
    assert "nobody is asked here" in page
    after = client.get("/lessons/ask-first?lanes=asks:unchecked:approve,denied&step=99").text
    assert 'value="asks:approve,denied"' in after  # the switch keeps what was decided


def test_a_fragment_stands_for_one_row_of_decisions(client):
    page = client.get("/lessons/ask-first?lanes=asks:approve&step=8").text
    fragment = client.get(fragment_of(page))
    assert "approves" in fragment.text
    assert "immutable" in fragment.headers["cache-control"]


@pytest.mark.parametrize(
    ("lanes", "said"),
    [
        ("asks:maybe", "it may have checked, unchecked, approve, deny"),
        ("asks:approve:checked", "it may have checked, unchecked, approve, deny"),
        ("asks" + ":deny" * 21, "at most 20 times in a lane"),
    ],
)
def test_what_is_no_decision_is_said(client, lanes, said):
    answer = client.get(f"/lessons/ask-first?lanes={lanes}")
    assert answer.status_code == 422
    assert said in unescape(re.sub("<[^>]*>", "", answer.text))


def test_programs_are_told_that_a_run_waits(client):
    waits = client.get("/api/runs/ask-first/asks").json()
    assert waits["ending"]["kind"] == "waits"
    assert (waits["steps"][-1]["kind"], waits["steps"][-1]["decision"]) == ("wait", "")
    assert waits["steps"][-1]["call"]["name"] == "write_file"
    denied = client.get("/api/runs/ask-first/asks?decide=deny").json()
    assert denied["steps"][9]["decision"] == "deny"
    assert [one["passed"] for one in denied["steps"][10]["result"]["checks"]] == [True] * 5 + [
        False
    ]
    assert client.get("/api/runs/ask-first/asks?decide=no").status_code == 422


def test_a_terminal_tells_what_the_run_waits_for(top):
    def run(*words):
        return CliRunner().invoke(main, ["run", "ask-first", "--lessons", str(top), *words])

    assert run().stdout.splitlines()[1] == (
        'waits: a person must decide about write_file {"path": "notes.txt", "text": "5"}; '
        "add approve or deny to --decide"
    )
    assert run("--decide", "approve").stdout.splitlines()[2] == "result: It says 5 now."
    assert run("--decide", "deny").stdout.splitlines()[2] == "result: I was not allowed to."
    wrong = run("--decide", "perhaps")
    assert wrong.exit_code == 2
    assert "decide is 'perhaps'; it may be approve, deny." in wrong.output
    lines = run("--format", "jsonl").stdout.splitlines()
    assert json.loads(lines[-1])["kind"] == "wait"


def test_a_file_of_a_run_that_waits_says_so_without_links(client):
    file = client.get("/lessons/ask-first/export.html?lanes=asks").text
    assert "waits for a person" in file
    assert not links(file)
    lines = client.get("/lessons/ask-first/trace.jsonl?lanes=asks:deny").text.splitlines()
    assert json.loads(lines[9])["decision"] == "deny"


def test_the_overview_marks_a_lane_that_waits(client):
    assert "asks: waits for a person." in client.get("/").text


@pytest.mark.parametrize(
    "shown",
    ["lanes=asks:deny,free", "lanes=asks:deny,free&view=present", "lanes=asks:deny&view=present"],
)
def test_each_check_is_a_mark_with_its_name_in_a_comparison_and_on_the_wall(client, shown):
    page = client.get(f"/lessons/ask-first?step=10&{shown}").text
    denied = re.findall(r'<ul class="check-marks"(?:(?!</ul>).)*approval.*?</ul>', page)
    marks = re.findall(r'<li class="(\w+)" title="([^"]+)">', denied[-1])
    assert marks == [
        ("passed", "exists"),
        ("passed", "parameters"),
        ("passed", "given"),
        ("passed", "may write"),
        ("passed", "inside"),
        ("failed", "approval"),
    ]

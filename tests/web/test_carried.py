"""What a call did besides its result, as pages and programs see it: tries, changes, hooks."""

import re
from collections.abc import Callable
from html import unescape

import pytest
from fastapi.testclient import TestClient

HOSTILE = "<b>$100</b>"
YAML = """\
title: The log
task: Write it down.
tools: [append_line]
lanes:
  - {loop: correct, name: once}
  - {loop: correct, name: twice, handling: {retry: always}}
  - {loop: correct, name: down, handling: {troubles: [{tool: append_line, kind: outage}]}}
handling:
  troubles:
    - {tool: append_line, kind: answer_lost, until: 4, seconds: 10, said: no answer <b>came</b>}
script:
  - calls: [{as: line, tool: append_line, input: {path: log.txt, line: <b>$100</b>}, seconds: 1}]
  - text: "Noted."
    when: [{result: line}]
"""
TOOL = 4  # the step that runs the call


@pytest.fixture
def own(client_of: Callable[..., TestClient]) -> TestClient:
    return client_of(YAML, log="old\n")


def words(html: str) -> str:
    return re.sub(r"\s+", " ", unescape(re.sub(r"<[^>]+>", " ", html)))


def shown(client: TestClient, lanes: str) -> tuple[str, str]:
    html = client.get(f"/lessons/own?lanes={lanes}&step={TOOL}").text
    return html, words(html)


def test_a_try_whose_answer_was_lost_is_told_with_what_it_did(own: TestClient) -> None:
    html, text = shown(own, "once")
    assert "append_line fails: the environment is at fault, not the call." in text
    assert "the environment’s failure: the model cannot mend it" in text
    assert "try 1, at 0 s, took 10 s: no answer <b>came</b>" in text
    assert "; it may have taken effect simulated" in text
    assert f"log.txt was changed old + {HOSTILE}" in text
    assert HOSTILE not in html


def test_a_retry_that_succeeded_is_told_and_the_model_is_not(own: TestClient) -> None:
    _, text = shown(own, "twice")
    assert "The harness tries append_line 2 times; the last try succeeds." in text
    assert "try 2, at 11 s, took 0 s: answered" in text
    assert "The model is not told of the tries that failed." in text
    assert f"log.txt was changed old + {HOSTILE} + {HOSTILE}" in text


def test_lanes_side_by_side_differ_where_their_calls_did_something_else(own: TestClient) -> None:
    html, text = shown(own, "once,twice")
    assert "1 try · log.txt +1" in text
    assert "2 tries · log.txt +2" in text
    assert HOSTILE not in html


def test_programs_get_the_tries_the_changes_and_whose_failure_it_was(own: TestClient) -> None:
    results = {
        lane: own.get(f"/api/runs/own/{lane}").json()["steps"][TOOL]["result"]
        for lane in ("once", "twice", "down")
    }
    assert [
        (one["failure"], len(one["tries"]), [change["how"] for change in one["changes"]])
        for one in results.values()
    ] == [("environment", 1, ["changed"]), ("", 2, ["changed"]), ("environment", 1, [])]


def test_what_the_harness_ran_by_itself_is_told(client: TestClient) -> None:
    page = client.get("/lessons/tests-always-run?lanes=has_a_hook&step=9").text
    assert "After it the harness runs run_tests by itself." in words(page)
    assert "✗ After the call the harness ran run_tests by itself." in words(page)

"""What programs get: the same lessons, runs and rules as on the pages and in a terminal."""

import json
import re
from collections.abc import Callable

import pytest
from fastapi.testclient import TestClient
from typer.testing import CliRunner

from app.cli import main
from app.engine.rules import RULES
from app.paths import SCENARIOS
from app.run import library
from app.views.runs import LessonsJson, RunJson, WholeRuleJson
from tests.web.conftest import sentence
from tests.web.test_escaping import MARKUP, REORDERED, yaml_of

LESSONS = library([SCENARIOS]).lessons()
LANES = [(lesson.slug, lane.name) for lesson in LESSONS for lane in lesson.lanes]
FOUR = "how-many-python-files"
ENDS = 8  # pages that are looked at from the start of a long run, and at its end


def printed(*words: str) -> str:
    done = CliRunner().invoke(main, words)
    assert done.exit_code == 0, done.stderr
    return done.stdout


# --- the terminal and the API agree


def test_the_lessons_are_those_of_the_terminal(client: TestClient) -> None:
    answer = client.get("/api/lessons").json()
    assert answer == json.loads(printed("lessons", "--format", "json"))
    listed = [lesson.lesson for lesson in LessonsJson.model_validate(answer).lessons]
    assert listed == [lesson.slug for lesson in LESSONS]
    assert all(slug in printed("lessons") for slug in listed)


@pytest.mark.parametrize(
    ("slug", "lane", "checked"),
    [
        *((slug, lane, "") for slug, lane in LANES),
        *((slug, lane, checked) for slug, lane in LANES[4:7] for checked in ("true", "false")),
    ],
)
def test_a_run_is_that_of_the_terminal(
    client: TestClient, slug: str, lane: str, checked: str
) -> None:
    options = {"true": ["--checked"], "false": ["--unchecked"], "": []}[checked]
    keys = {"checked": checked} if checked else {}
    answer = client.get(f"/api/runs/{slug}/{lane}", params=keys).json()
    words = ["run", slug, "--lane", lane, *options, "--format"]
    assert answer == json.loads(printed(*words, "json"))
    lines = [json.loads(line) for line in printed(*words, "jsonl").splitlines()]
    own = {"lesson": slug, "lane": lane, "checked": answer["checked"]}
    assert lines == [{**own, **step} for step in answer["steps"]]
    RunJson.model_validate(answer)


def test_the_rules_are_those_of_the_terminal(client: TestClient) -> None:
    answer = client.get("/api/rules").json()
    assert answer == json.loads(printed("rules", "--format", "json"))
    assert ("A40", "refuse") in [(rule["rule"], rule["effect"]) for rule in answer]


@pytest.mark.parametrize("number", list(RULES))
def test_a_rule_is_that_of_the_terminal(client: TestClient, number: str) -> None:
    answer = client.get(f"/api/rules/{number}").json()
    assert answer == json.loads(printed("rules", number, "--format", "json"))
    rule = WholeRuleJson.model_validate(answer)
    assert rule.effect == RULES[number].effect
    assert [one.sentence for one in rule.checks] == [one.sentence for one in RULES[number].checks]


# --- the pages and the API agree


@pytest.mark.parametrize(("slug", "lane"), LANES)
def test_each_step_says_what_its_page_says(client: TestClient, slug: str, lane: str) -> None:
    run = RunJson.model_validate(client.get(f"/api/runs/{slug}/{lane}").json())
    for step in [*run.steps[:ENDS], *run.steps[ENDS:][-ENDS:]]:
        page = client.get(f"/lessons/{slug}?lanes={lane}&step={step.step}").text
        plain = re.sub(r"[\s.]+", "", sentence(page))
        assert plain == step.kind + re.sub(r"[\s.]+", "", step.sentence)
        assert len(re.findall(r'<li id="m-\d+"', page)) == step.length


@pytest.mark.parametrize(("slug", "lane"), LANES)
def test_the_messages_that_join_make_the_list_of_each_request(
    client: TestClient, slug: str, lane: str
) -> None:
    run = RunJson.model_validate(client.get(f"/api/runs/{slug}/{lane}").json())
    messages: list[object] = []
    for step in run.steps:
        messages += step.joined
        assert len(messages) == step.length
        if step.kind == "ask":
            address = f"/lessons/{slug}/request.json?lanes={lane}&step={step.step}"
            assert client.get(address).json()["messages"] == messages


# --- errors


@pytest.mark.parametrize(
    ("address", "status", "says"),
    [
        ("/api/runs/none/correct", 404, "There is no lesson 'none'. The lessons: two-and-three"),
        (f"/api/runs/{FOUR}/none", 404, "no lane 'none'. Its lanes: correct, forgot_results"),
        (f"/api/runs/{FOUR}/correct?checked=1", 422, "checked is '1'; it may be true, false."),
        (
            f"/api/runs/{FOUR}/correct?lane=x",
            422,
            "no key 'lane' here; it may have checked, decide, lang",
        ),
        ("/api/lessons?lang=xx", 422, "lang is 'xx'; it may be en"),
        ("/api/rules?lang=en", 422, "An address has no key 'lang' here"),
        ("/api/rules/A99", 404, "There is no rule 'A99'. The rules: A01"),
        ("/api/none", 404, "There is no page at this address."),
    ],
)
def test_an_error_is_json_with_the_sentence_of_the_page(
    client: TestClient, address: str, status: int, says: str
) -> None:
    answer = client.get(address)
    assert answer.status_code == status
    assert answer.headers["content-type"] == "application/json"
    assert says in answer.json()["error"]
    assert answer.json()["status"] == status


def test_an_unknown_lesson_gets_the_same_sentence_everywhere(client: TestClient) -> None:
    said = client.get("/api/runs/none/correct").json()["error"]
    assert said in CliRunner().invoke(main, ["run", "none"]).stderr


# --- described


def test_every_address_is_described_and_every_answer_is_as_described(client: TestClient) -> None:
    described = client.get("/openapi.json").json()
    assert described["openapi"].startswith("3.")
    assert set(described["paths"]) == {
        "/api/lessons",
        "/api/runs/{lesson}/{lane}",
        "/api/rules",
        "/api/rules/{number}",
    }
    for path, methods in described["paths"].items():
        get = methods["get"]
        assert get["description"]
        assert "$ref" in json.dumps(get["responses"]["200"]["content"]["application/json"])
        filled = (
            path.replace("{lesson}", FOUR).replace("{lane}", "correct").replace("{number}", "A40")
        )
        assert client.get(filled).status_code == 200
    run = described["components"]["schemas"]["RunJson"]["properties"]
    assert set(run) == set(client.get(f"/api/runs/{FOUR}/correct").json())


@pytest.mark.parametrize("address", ["/docs", "/redoc"])
def test_no_page_of_documentation_comes_from_elsewhere(client: TestClient, address: str) -> None:
    assert client.get(address).status_code == 404


@pytest.mark.parametrize("text", [MARKUP, REORDERED, "\ud800"], ids=["markup", "order", "half"])
def test_hostile_text_is_exact_and_hides_nothing(
    client_of: Callable[..., TestClient], text: str
) -> None:
    answer = client_of(yaml_of(text)).get("/api/runs/own/correct")
    assert answer.json()["steps"][0]["task"] == text
    assert not re.search("[\u202a-\u202e\u2066-\u2069\u200b\ufeff]", answer.text)

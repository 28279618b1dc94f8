"""A lane line by line: each statement has an address, with what the loop holds before it."""

import re

import pytest
from fastapi.testclient import TestClient

from app.paths import SCENARIOS
from app.run import library, trace_of, watched
from app.views.statements import Statement, place_of, statements

SHELF = library([SCENARIOS])
FOUR = SHELF.find("how-many-python-files")
LINES = "/lessons/how-many-python-files/lines"
LANES = [(lesson.slug, lane.name) for lesson in SHELF.lessons() for lane in lesson.lanes]


def held(statement: Statement) -> dict[str, int]:
    return {value.name: value.number for value in statement.values}


@pytest.mark.parametrize(("slug", "lane"), LANES)
def test_watching_changes_nothing_of_a_run(slug: str, lane: str) -> None:
    lesson = SHELF.find(slug)
    plain = trace_of(lesson, lane, True, "en")
    seen = watched(lesson, lane, True, "en")
    assert seen.lists == plain.lists
    assert [(s.kind, s.turn, s.lines, s.ran) for s in seen.steps] == [
        (s.kind, s.turn, s.lines, s.ran) for s in plain.steps
    ]
    assert not any(step.seen for step in plain.steps)


def test_the_values_change_as_the_lines_run() -> None:
    run = statements(watched(FOUR, "correct", True, "en"))
    asks = [held(one) for one in run if one.lines == (4, 4)]
    assert [(v["turn"], v["messages[]"]) for v in asks] == [(0, 1), (1, 3), (2, 5)]
    appends = [held(one) for one in run if one.lines == (20, 21)]
    assert all(v["results[]"] == v["calls[]"] == 1 for v in appends)
    first = run[0]
    assert (first.lines, first.values) == ((2, 2), ())


def test_a_step_past_every_end_is_the_last_statement() -> None:
    run = statements(watched(FOUR, "correct", True, "en"))
    assert place_of(run, 10**6, 1) == len(run) - 1
    assert run[place_of(run, 5, 1)].step == 5
    assert place_of(run, 0, 0) == 0


def test_links_walk_through_the_whole_run_and_back(client: TestClient) -> None:
    address, walked = f"{LINES}?lanes=correct", []
    while address:
        html = client.get(address).text
        walked.append(re.sub(r".*<p class=\"where-now\"[^>]*>(.*?)</p>.*", r"\1", html, flags=re.S))
        following = re.search(r'href="([^"]*)" rel="next"', html)
        address = following[1].replace("&amp;", "&") if following else ""
    assert len(walked) == len(set(walked)) == len(statements(watched(FOUR, "correct", True, "en")))
    assert 'rel="prev"' in html


@pytest.mark.parametrize(
    ("query", "status", "says"),
    [
        ("?lanes=correct&step=5&at=2", 200, "line 16 runs next"),
        ("?lanes=correct&step=5&at=99", 200, "lines 20–21 run next"),
        ("", 422, "name one in lanes"),
        ("?lanes=correct&at=x", 422, "it must be a number"),
        ("?lanes=none", 404, "no lane"),
    ],
)
def test_an_address_answers(client: TestClient, query: str, status: int, says: str) -> None:
    answer = client.get(LINES + query)
    assert answer.status_code == status
    assert says in answer.text


def test_the_page_of_a_lane_leads_to_its_step(client: TestClient) -> None:
    html = client.get("/lessons/how-many-python-files?lanes=correct&step=5&theme=dark").text
    assert f'form="choose" formaction="{LINES}"' in html
    sent = dict(re.findall(r'<input type="hidden" name="(\w+)" value="([^"]*)"', html))
    answer = client.get(LINES, params=sent)
    assert answer.headers["location"] == f"{LINES}?lanes=correct&step=5&theme=dark"

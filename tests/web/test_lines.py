"""A lane line by line: each statement has an address, with what the loop holds before it."""

import re
from collections.abc import Iterator
from html import unescape

import pytest
from fastapi.testclient import TestClient
from playwright.sync_api import Page, expect

from app.paths import SCENARIOS
from app.run import library, trace_of, watched
from app.views.statements import Run, Statement, statements
from tests.steps import fragment_of
from tests.web.browsing import PATIENCE, document, open_at
from tests.web.conftest import link, sentence

SHELF = library([SCENARIOS])
FOUR = SHELF.find("how-many-python-files")
FIRST = "/lessons/how-many-python-files?lanes=correct&at=1"
LANES = [(lesson.slug, lane.name) for lesson in SHELF.lessons() for lane in lesson.lanes]


def run_of(lane: str) -> Run:
    return statements(watched(FOUR, lane, True, "en"))


def flat(run: Run) -> list[Statement]:
    return [statement for after in run for statement in after]


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
    run = flat(run_of("correct"))
    asks = [held(one) for one in run if one.lines == (4, 4) and one.how == "next"]
    assert [(v["turn"], v["messages[]"]) for v in asks] == [(0, 1), (1, 3), (2, 5)]
    appends = [held(one) for one in run if one.lines == (20, 21)]
    assert all(v["results[]"] == v["calls[]"] == 1 for v in appends)
    assert (run[0].lines, run[0].values) == ((2, 2), ())


@pytest.mark.parametrize(("slug", "lane"), LANES)
def test_every_step_has_a_statement_after_it(slug: str, lane: str) -> None:
    run = statements(watched(SHELF.find(slug), lane, True, "en"))
    assert [len({one.step for one in after}) for after in run] == [1] * len(run)
    assert [one.how for one in flat(run)].count("ended") == 1


def test_a_request_is_under_way_until_its_reply_is_there() -> None:
    run = run_of("correct")
    assert [(one.how, one.lines) for one in run[1]] == [("running", (4, 4))]
    assert [(one.how, one.lines) for one in run[2]] == [("next", (5, 6))]


def walk(client: TestClient, address: str, id: str) -> Iterator[str]:
    """The pages from an address on by the link with an id; each is also what its fragment shows."""
    while address:
        html = client.get(address).text
        yield html
        address = link(html, id)
        if address:
            assert client.get(fragment_of(html, id)).status_code == 200


def test_links_walk_through_the_whole_run_and_back(client: TestClient) -> None:
    there = list(walk(client, FIRST, "step"))
    assert len(there) == len(flat(run_of("correct")))
    said = [sentence(html) for html in there]
    assert said[0].endswith("Line 2 runs next.")
    assert any("Line 4 is still running." in one for one in said)
    assert link(there[-1], "step") == ""
    last = "/lessons/how-many-python-files?lanes=correct&step=14&at=1"
    back = list(walk(client, last, "back"))
    assert [sentence(html) for html in reversed(back)] == said


@pytest.mark.parametrize(
    ("query", "status", "says"),
    [
        ("?lanes=correct&step=3&at=4", 200, "Line 15 runs next."),
        ("?lanes=correct&step=4&at=99", 200, "Lines 20–21 run next."),
        ("?lanes=correct&step=999999&at=9", 200, "step 14 of 14"),
        ("?at=1", 422, "leave out at, or name one"),
        ("?lanes=correct&at=1&view=present", 422, "leave out at"),
        ("?lanes=correct&at=x", 422, "at is &#39;x&#39;; it must be a number"),
        ("?lanes=correct&at=0", 422, "1 or more"),
        ("?lanes=none&at=1", 404, "no lane"),
    ],
)
def test_an_address_answers(client: TestClient, query: str, status: int, says: str) -> None:
    answer = client.get("/lessons/how-many-python-files" + query)
    assert answer.status_code == status
    assert says.lower() in re.sub("</?(b|code)>", "", answer.text).lower()


def test_what_changed_is_said_in_figures_not_in_colour_alone(client: TestClient) -> None:
    html = client.get("/lessons/how-many-python-files?lanes=correct&step=4&at=2").text
    values = re.search(r'<dl id="values".*?</dl>', html, re.DOTALL)
    assert values
    changed = re.findall(r'<div class="changed">(.*?)</div>', values[0])
    assert [re.sub("<[^>]+>", "", one) for one in changed] == ["results[]0 → 1"]


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("?lanes=correct&step=5&theme=dark", "?lanes=correct&step=5&at=1&theme=dark"),
        ("?lanes=correct&step=3&at=4&theme=dark", "?lanes=correct&step=3&theme=dark"),
    ],
)
def test_the_button_of_the_code_pane_turns_it_on_and_off(
    client: TestClient, before: str, after: str
) -> None:
    html = client.get("/lessons/how-many-python-files" + before).text
    sent = dict(re.findall(r'<input type="hidden" name="(\w+)" value="([^"]*)"', html))
    button = re.search(r'<button id="by-line"[^>]* name="at" value="(\d*)"', html)
    assert button
    answer = client.get("/lessons/how-many-python-files/lanes", params=sent | {"at": button[1]})
    assert unescape(answer.headers["location"]) == "/lessons/how-many-python-files" + after


def test_keys_walk_the_lines_in_place_and_escape_leaves(page: Page, server: str) -> None:
    open_at(page, f"{server}/lessons/how-many-python-files?lanes=correct&step=3")
    page.keyboard.press("l")
    expect(page.locator("#values")).to_be_visible(timeout=PATIENCE)
    open_at(page, page.url)
    for press in range(3):
        page.keyboard.press("ArrowRight")
        expect(page).to_have_url(re.compile(f"step=3&at={press + 2}"), timeout=PATIENCE)
    expect(page.locator("#now")).to_contain_text("Line 15 runs next.")
    expect(page.locator("#chat"), "the chat stays in sight").to_be_visible()
    expect(page.locator("#messages .m")).to_have_count(2)
    page.keyboard.press("ArrowLeft")
    expect(page).to_have_url(re.compile("step=3&at=3"), timeout=PATIENCE)
    stepped = document(page)
    page.reload()
    open_at(page, page.url)
    assert document(page) == stepped
    page.keyboard.press("Escape")
    expect(page).to_have_url(re.compile("step=3$"), timeout=PATIENCE)
    expect(page.locator("#values")).to_be_hidden()

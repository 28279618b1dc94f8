"""The presenter view: little at once, at any size, and the way to it and back."""

import re
from collections.abc import Iterator

import pytest
from fastapi.testclient import TestClient

from app.main import create_app
from tests.long_lesson import write_long_lesson
from tests.steps import fragment_of, walk
from tests.web.conftest import link, sentence

FOUR = "/lessons/how-many-python-files"
FIVE = "/lessons/lose-the-thread"


# --- several lanes: at most three rows, the last of which is now


@pytest.mark.parametrize(
    ("address", "rows"),
    [
        pytest.param(f"{FOUR}?view=present", [0], id="at the start the task"),
        pytest.param(f"{FOUR}?step=1&view=present", [1], id="a request"),
        pytest.param(f"{FOUR}?step=3&view=present", [1, 2, 3], id="then what came back"),
        pytest.param(f"{FOUR}?step=5&view=present", [1, 2, 5], id="the first difference is now"),
        pytest.param(f"{FOUR}?step=6&view=present", [5, 6], id="it stays in sight"),
        pytest.param(f"{FOUR}?step=7&view=present", [5, 6, 7], id="with request and reply"),
        pytest.param(f"{FOUR}?step=17&view=present", [5, 16, 17], id="eleven rows later"),
        pytest.param(f"{FOUR}?step=99&view=present", [5, 24, 28], id="and at the end"),
        pytest.param(
            "/lessons/which-note?step=7&view=present", [6, 7], id="a request may be the difference"
        ),
    ],
)
def test_the_rows_are_the_first_difference_what_was_sent_and_what_is_now(
    client: TestClient, address: str, rows: list[int]
) -> None:
    html = client.get(address).text
    assert [int(n) for n in re.findall(r'id="row-(\d+)"', html)] == rows


def row(html: str, number: int) -> str:
    """The text of a row, its tags left out."""
    found = re.search(rf'id="row-{number}".*?(?=<div role="row"|</main>)', html, re.DOTALL)
    assert found
    return " ".join(re.sub(r"<[^>]+>", " ", found[0].partition(">")[2]).split())


def test_what_is_missing_is_said_and_a_refusal_stands_in_the_place_of_the_reply(
    client: TestClient,
) -> None:
    html = client.get(f"{FOUR}?step=7&view=present").text
    assert "Nothing appended" in row(html, 5)
    assert "tool_result no id" in row(html, 5)
    assert "result missing" in row(html, 6)
    assert "same question again" in row(html, 7)
    assert "400 A tool_result must name the call it answers" in row(html, 7)


def test_every_ending_is_there_at_the_end(client: TestClient) -> None:
    last = row(client.get(f"{FOUR}?step=99&view=present").text, 28)
    assert "“3 Python files.”" in last
    assert "stopped: no answer after 6 turns" in last
    assert "400" in last


def test_a_lane_whose_server_does_not_check_says_so(client: TestClient) -> None:
    assert client.get(f"{FOUR}?view=present").text.count("checks off") == 1
    both = client.get(f"{FOUR}?lanes=correct,forgot_results:checked&view=present").text
    assert "checks off" not in both


# --- one lane


@pytest.mark.parametrize(
    ("lane", "step", "newest"),
    [
        ("correct", 0, "the loop begins it with this"),
        ("correct", 1, "the newest that is sent"),
        ("correct", 2, "lines 5–6 append it"),
        ("correct", 3, "new in"),
        ("correct", 14, "3 Python files."),
        ("forgot_results", 4, "this loop never appends it"),
        ("missing_tool_use_id", 7, "messages.2.content.0.tool_result.tool_use_id: Field required"),
    ],
)
def test_one_lane_shows_its_newest_message_and_the_line_that_runs(
    client: TestClient, lane: str, step: int, newest: str
) -> None:
    html = client.get(f"{FOUR}?lanes={lane}&step={step}&view=present").text
    assert newest in html.partition('<section id="newest"')[2]
    code = html.partition('<section id="window"')[2].partition("</section>")[0]
    assert code.count('<div class="line') == 7
    assert ("lit" in code) == (step > 0)
    page = client.get(f"{FOUR}?lanes={lane}&step={step}").text
    assert sentence(html) == sentence(page)


# --- the address


def test_the_size_is_kept_in_the_address_from_step_to_step(client: TestClient) -> None:
    html = client.get(f"{FOUR}?step=6&view=present&size=125").text
    assert 'id="state" class="size-125"' in html
    assert link(html, "step") == f"{FOUR}?step=7&view=present&size=125"
    assert link(html, "larger") == f"{FOUR}?step=6&view=present&size=150"
    assert link(html, "smaller") == f"{FOUR}?step=6&view=present"
    assert link(client.get(link(html, "smaller")).text, "smaller") == ""
    assert link(client.get(f"{FOUR}?view=present&size=200").text, "larger") == ""


@pytest.mark.parametrize("query", ["view=wall", "view=present&size=90", "view=present&size=big"])
def test_a_view_or_a_size_that_there_is_not_is_refused_in_a_sentence(
    client: TestClient, query: str
) -> None:
    answer = client.get(f"{FOUR}?{query}")
    assert answer.status_code == 422
    assert "it may be" in answer.text


@pytest.mark.parametrize(
    "address",
    [f"{FOUR}?step=6", f"{FOUR}?lanes=correct&step=6", f"{FOUR}?lanes=correct&step=6&theme=dark"],
)
def test_a_lesson_leads_to_its_presenter_view_and_back_at_the_same_step(
    client: TestClient, address: str
) -> None:
    present = link(client.get(address).text, "present")
    assert present == f"{address}&view=present"
    assert link(client.get(f"{present}&size=150").text, "leave") == address


# --- steps


@pytest.fixture(scope="module")
def long(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    """Runs of 10 and of 200 messages with results of 1 kB."""
    top = tmp_path_factory.mktemp("long")
    for messages in (10, 200):
        write_long_lesson(top, messages)
    with TestClient(create_app([top])) as client:
        yield client


@pytest.mark.parametrize("lanes", ["correct", "correct,forgot_results,split_results"])
def test_a_step_of_a_long_run_is_no_larger_than_one_of_a_short_run(
    long: TestClient, lanes: str
) -> None:
    largest, get = [], lambda path: long.get(path).text
    for messages in (10, 200):
        address = f"/lessons/long-{messages}?lanes={lanes}&view=present"
        largest.append(max(len(html.encode()) for _, html in walk(get, address)))
    assert 0.9 < largest[1] / largest[0] < 1.1


def test_the_rows_of_a_comparison_come_once_and_go_one_by_one(client: TestClient) -> None:
    fragment = fragment_of(client.get(f"{FOUR}?step=7&view=present").text)
    html = client.get(fragment).text
    assert re.findall(r'<div role="row" id="(row-\d+)"', html) == ["row-8"]
    assert re.findall(r'<hx-partial id="(row-\d+)" hx-swap="delete"', html) == ["row-7"]

"""The page of several lanes: its routes, its fragments, and the way to other lanes."""

import re

import pytest
from fastapi.testclient import TestClient

from tests.steps import fragment_of

FOUR = "/lessons/how-many-python-files"
FIVE = "/lessons/lose-the-thread"


def moved(client: TestClient, address: str, control: str = "step") -> str:
    """The answer behind a control of a page."""
    return client.get(fragment_of(client.get(address).text, control)).text


def targets(fragment: str, *begin: str) -> list[str]:
    return [
        name for name in re.findall(r'<hx-partial id="([^"]+)"', fragment) if name.startswith(begin)
    ]


def test_a_step_brings_one_row_and_takes_none(client: TestClient) -> None:
    fragment = moved(client, f"{FOUR}?step=4")
    assert re.findall(r'id="row-(\d+)"', fragment) == ["5"]
    assert targets(fragment, "row") == ["rows"]


def test_step_back_takes_the_row_away_by_its_id(client: TestClient) -> None:
    fragment = moved(client, f"{FOUR}?step=5", "back")
    assert '<hx-partial id="row-5" hx-swap="delete"' in fragment
    assert '<div role="row"' not in fragment


def test_a_request_raises_one_bar_a_lane(client: TestClient) -> None:
    fragment = moved(client, f"{FOUR}?step=5")
    assert targets(fragment, "bar", "ending") == [
        "bar-correct-2",
        "bar-forgot_results-2",
        "bar-missing_tool_use_id-2",
    ]


def test_an_end_fills_one_ending(client: TestClient) -> None:
    fragment = moved(client, f"{FOUR}?step=6")
    assert targets(fragment, "bar", "ending") == ["ending-missing_tool_use_id"]


def test_the_page_marks_the_line_left_out_and_the_first_difference(client: TestClient) -> None:
    page = client.get(f"{FOUR}?step=5").text
    assert page.count("First difference") == 1
    assert "Nothing appended" in page
    assert "no tool_use_id" in page
    assert "left out" in page


def test_nothing_is_given_away_before_it_happens(client: TestClient) -> None:
    page = client.get(f"{FOUR}?step=4").text
    assert "First difference" not in page
    assert "Nothing appended" not in page
    assert "3 Python files" not in page
    assert page.count("still running") == 3


def test_the_first_difference_is_marked_in_the_row_of_steps_once_it_is_reached(
    client: TestClient,
) -> None:
    marked = [
        re.findall(r'id="(s-\d+)" class="[^"]* differs"', client.get(f"{FOUR}?step={step}").text)
        for step in (4, 5, 28)
    ]
    assert marked == [[], ["s-5"], ["s-5"]]


def test_a_warning_of_the_server_is_shown(client: TestClient) -> None:
    assert "warning A46" in client.get(f"{FIVE}?lanes=correct,split_results&step=8").text


@pytest.mark.parametrize(
    ("before", "step", "after", "query"),
    [
        # the switch, another lane, one lane left, the lanes shown first: the turn stays
        ("correct,forgot_results", 6, "correct,forgot_results:checked", "?lanes={after}&step=6"),
        ("correct,forgot_results", 20, "correct,missing_tool_use_id", "?lanes={after}&step=11"),
        ("correct,forgot_results", 5, "forgot_results", "?lanes={after}&step=4"),
        ("correct,forgot_results", 0, "correct,forgot_results,missing_tool_use_id", ""),
    ],
)
def test_other_lanes_are_one_press_away_at_the_same_turn(
    client: TestClient, before: str, step: int, after: str, query: str
) -> None:
    answer = client.get(f"{FOUR}/lanes?from={before}&step={step}&lanes={after}")
    assert answer.status_code == 303
    assert answer.headers["location"] == FOUR + query.format(after=after)


@pytest.mark.parametrize(
    ("query", "status", "said"),
    [
        ("lanes=nothing", 404, "has no lane"),
        ("lanes=correct,correct", 422, "twice"),
        ("lanes=correct&step=x", 422, "must be a number"),
        ("lanes=correct&from=correct:maybe", 422, "has no option"),
        ("lanes=correct&lang=xx", 422, "xx"),
    ],
)
def test_lanes_that_do_not_exist_are_refused_with_a_sentence(
    client: TestClient, query: str, status: int, said: str
) -> None:
    answer = client.get(f"{FOUR}/lanes?{query}")
    assert answer.status_code == status
    assert said in answer.text


def test_every_set_of_lanes_that_a_page_offers_can_be_shown(client: TestClient) -> None:
    offered = set(re.findall(r'name="lanes" value="([^"]+)"', client.get(f"{FIVE}?step=6").text))
    assert len(offered) > 10
    for lanes in offered:
        answer = client.get(f"{FIVE}/lanes?from=correct,swapped_ids&step=6&lanes={lanes}")
        assert client.get(answer.headers["location"]).status_code == 200, lanes

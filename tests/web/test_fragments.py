"""A step's answer: as small at the end of a long run as at its start, and enough for the page."""

import re
from collections.abc import Iterator
from html import unescape

import pytest
from fastapi.testclient import TestClient

from app.main import create_app
from tests import steps
from tests.long_lesson import write_long_lesson
from tests.web.conftest import link

LANES = {
    "one lane": "correct",
    "a lane that loses results": "forgot_results",
    "three lanes": "correct,forgot_results,split_results",
}


@pytest.fixture(scope="module")
def long(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    """Runs of 10 and of 200 messages with results of 1 kB."""
    top = tmp_path_factory.mktemp("long")
    for messages in (10, 200):
        write_long_lesson(top, messages)
    with TestClient(create_app([top])) as client:
        yield client


def walk(client: TestClient, address: str) -> Iterator[tuple[str, str]]:
    """Each step's fragment, with its address, from a page to the end of its run."""
    return steps.walk(lambda path: client.get(path).text, address)


def back(fragment: str) -> str:
    """The address of the same step the other way round."""
    head, _, move = fragment.rpartition("/")
    before, after = move.split("-")
    return f"{head}/{after}-{before}"


@pytest.mark.parametrize("lanes", LANES.values(), ids=LANES)
def test_a_step_of_a_long_run_is_no_larger_than_one_of_a_short_run(
    long: TestClient, lanes: str
) -> None:
    short_run, long_run = (
        list(walk(long, f"/lessons/long-{messages}?lanes={lanes}")) for messages in (10, 200)
    )
    largest = max(len(html.encode()) for _, html in short_run)
    assert 0.9 < max(len(html.encode()) for _, html in long_run) / largest < 1.1
    # And so is a step back.
    largest = max(len(long.get(back(fragment)).content) for fragment, _ in short_run)
    for fragment, _ in long_run[-40:]:
        assert len(long.get(back(fragment)).content) < largest * 1.1


def test_a_message_is_sent_once(long: TestClient) -> None:
    came = [
        found
        for _, html in walk(long, "/lessons/long-10?lanes=correct")
        for found in re.findall(r'<li id="(m-\d+)"', html)
    ]
    assert came == [f"m-{n}" for n in range(12)]


def test_a_step_names_its_targets_by_id_and_swaps_nothing_else(client: TestClient) -> None:
    for _, html in walk(client, "/lessons/how-many-python-files?lanes=correct"):
        outside = re.sub(r"<hx-partial .*?</hx-partial>", "", html, flags=re.DOTALL)
        assert re.fullmatch(r"\s*<title>[^<]+</title>\s*", outside)
        targets = re.findall(r'<hx-partial id="([a-z0-9-]+)"(?: hx-swap="([a-z]+)")?>', html)
        assert len(targets) == html.count("<hx-partial")
        assert {swap for _, swap in targets} <= {"append", "before", "delete", ""}


def test_controls_and_links_are_not_sent_again(client: TestClient) -> None:
    for address in ("?lanes=correct", "", "?lanes=correct&view=present", "?view=present"):
        for _, html in walk(client, f"/lessons/how-many-python-files{address}"):
            sent = re.findall(r'<hx-partial id="([a-z]+)"', html)
            assert not {"moves", "more", "tabs", "lanes", "beside", "present", "tools"} & {*sent}


def test_without_a_script_the_links_alone_lead_through_the_run(client: TestClient) -> None:
    address, steps = "/lessons/how-many-python-files?lanes=correct", 0
    while following := link(client.get(address).text, "step"):
        address, steps = following, steps + 1
    assert steps == 14
    assert "3 Python files." in client.get(address).text
    while earlier := link(client.get(address).text, "back"):
        address, steps = earlier, steps - 1
    assert (address, steps) == ("/lessons/how-many-python-files?lanes=correct", 0)


@pytest.mark.parametrize(
    ("at", "turn", "end"),
    [(0, 1, 14), (1, 6, 14), (5, 6, 14), (6, 11, 14), (11, 14, 14)],
)
def test_next_turn_and_the_end_are_links_too(
    client: TestClient, at: int, turn: int, end: int
) -> None:
    html = client.get(f"/lessons/how-many-python-files?lanes=correct&step={at}").text
    assert link(html, "turn").endswith(f"step={turn}")
    assert link(html, "end").endswith(f"step={end}")


@pytest.mark.parametrize(
    ("lane", "step", "other", "other_step"),
    [
        ("correct", 0, "forgot_results", 0),
        ("correct", 7, "forgot_results", 6),  # the second step of turn 2 in both
        ("forgot_results", 20, "correct", 14),  # there is no sixth turn: the end
        ("missing_tool_use_id", 7, "correct", 7),
    ],
)
def test_another_lane_is_shown_at_the_same_turn(
    client: TestClient, lane: str, step: int, other: str, other_step: int
) -> None:
    html = client.get(f"/lessons/how-many-python-files?lanes={lane}&step={step}").text
    (address,) = re.findall(rf'<a href="([^"]*lanes={other}(?:&amp;[^"]*)?)" data-at', html)
    led = client.get(unescape(address), follow_redirects=False).headers["location"]
    assert f"lanes={other}" in led
    assert steps.number_of(led) == other_step
    assert client.get(led).status_code == 200


@pytest.mark.parametrize("checked", [True, False])
def test_the_switch_turns_without_a_script_and_its_sentence_is_there(
    client: TestClient, checked: bool
) -> None:
    option = ":checked" if checked else ""
    html = client.get(f"/lessons/how-many-python-files?lanes=forgot_results{option}").text
    truth = re.search(r'<div id="switch".*?<b>(on|off)</b>.*?<p[^>]*>(.*?)</p>', html, re.DOTALL)
    assert truth
    assert truth[1] == ("on" if checked else "off")
    assert ("refuses the second request" in truth[2]) is checked
    sent = dict(re.findall(r'<input type="hidden" name="(\w+)" value="([^"]*)"', html))
    button = re.search(r'<button id="switch-button"[^>]* value="([^"]*)"', html)
    assert button
    address = "/lessons/how-many-python-files/lanes"
    flipped = client.get(address, params={**sent, "lanes": button[1]}, follow_redirects=True).text
    assert ("refuses the second request" in flipped) is not checked

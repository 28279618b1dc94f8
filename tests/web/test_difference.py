"""Where lanes differ: the way to the next difference, the pair of messages, the loops as one."""

import re
from html import unescape
from pathlib import Path

import pytest
from fastapi.testclient import TestClient
from playwright.sync_api import Page, expect

from app import paths
from app.paths import SCENARIOS
from app.run import library
from app.views.addresses import read_choices
from app.web.lanes import reading_of
from app.web.languages import read_languages
from tests.web.browsing import arrive, open_at

FOUR = "/lessons/how-many-python-files"
FIVE = "/lessons/lose-the-thread"


def sides(html: str) -> list[tuple[str, str]]:
    """The name of each side with its text."""
    found = re.findall(
        r'<div class="side.*?<h2><code>(.*?)</code></h2>(.*?)</ol></div>', html, re.S
    )
    return [
        (name, " ".join(unescape(re.sub(r"<[^>]+>", " ", text)).split())) for name, text in found
    ]


def test_the_pair_shows_the_message_that_one_lane_lacks(client: TestClient) -> None:
    shown = sides(client.get(f"{FOUR}/difference?step=5").text)
    assert [name for name, _ in shown] == [
        "correct",
        "forgot_results",
        "correct",
        "missing_tool_use_id",
    ]
    assert "Done: 3 entries" in shown[0][1]
    assert "no message here" in shown[1][1]
    assert "Done: 3 entries" not in shown[1][1]
    assert "no tool_use_id" in shown[3][1]


def test_lanes_that_differ_in_their_task_show_both(client: TestClient) -> None:
    address = "/lessons/whose-fault/difference?lanes=as_it_is,other_task,tool_mended"
    html = unescape(client.get(address).text)
    shown = re.findall(r'<h2><code>(.*?)</code></h2></header><p>.*?<q dir="auto">(.*?)</q>', html)
    assert [(name, "renew" in task) for name, task in shown] == [
        ("as_it_is", False),
        ("other_task", True),
    ]
    assert re.search(r"is the same in <code>as_it_is</code> and <code>tool_mended", html)


def test_what_differs_is_marked_on_both_sides(client: TestClient) -> None:
    html = client.get(f"{FIVE}/difference?lanes=correct,swapped_ids&step=6").text
    right = re.findall(r'<span class="is-right">(.*?)</span>', html)
    wrong = re.findall(r'<span class="is-wrong">(.*?)</span>', html)
    assert len(right) == len(wrong) == 2  # the two ids, and nothing else
    assert all("toolu_" in mark for mark in right + wrong)


def test_where_nothing_differs_yet_the_page_says_so(client: TestClient) -> None:
    html = client.get(f"{FOUR}/difference?step=2").text
    assert sides(html) == []
    assert "is the same in" in html


@pytest.mark.parametrize("lanes", ["correct,forgot_results", "swapped_ids,text_only"])
def test_the_loops_are_shown_as_a_difference_that_can_be_undone(
    client: TestClient, lanes: str
) -> None:
    path = FOUR if "forgot" in lanes else FIVE
    html = client.get(f"{path}/source?lanes={lanes}").text
    rows = re.findall(
        r'<div class="line r\d+( out| own)?">.*?<span class="text in-(\d+)">(.*?)</span>', html
    )
    left, right = (
        Path(paths.__file__).with_name("loops") / f"{name}.py" for name in lanes.split(",")
    )
    for file, other in ((left, " own"), (right, " out")):
        text = [
            " " * int(indent) + unescape(re.sub(r"<[^>]+>", "", code))
            for mark, indent, code in rows
            if mark != other
        ]
        assert text == file.read_text(encoding="utf-8").split("\n\n")[0].split("\n")


@pytest.mark.parametrize(
    ("address", "status", "says"),
    [
        (f"{FOUR}/difference?lanes=correct", 422, "name two lanes or more"),
        (f"{FOUR}/source?lanes=correct", 422, "name two lanes or more"),
        ("/lessons/none/difference", 404, "There is no lesson"),
        (f"{FOUR}/difference?step=x", 422, "it must be a number"),
        (f"{FOUR}/difference?step=999", 200, "Step 28"),
    ],
)
def test_an_address_answers(client: TestClient, address: str, status: int, says: str) -> None:
    answer = client.get(address)
    assert answer.status_code == status
    assert says in answer.text


def test_each_difference_leads_to_the_next_and_the_one_before() -> None:
    lesson = library([SCENARIOS]).find("how-many-python-files")
    language = read_languages(paths.LOCALES, paths.TEMPLATES)["en"]
    lanes = reading_of(lesson, read_choices(None, lesson), language).lanes
    found, at = [], lanes.next_difference(0)
    while at is not None:
        found.append(at)
        at = lanes.next_difference(at)
    assert found == [5, 7, 10], "the lost result and id, the refusal, the next lost result"
    assert found[0] == lanes.comparison.first_difference
    assert lanes.next_difference(found[-1], back=True) == found[-2]
    assert lanes.next_difference(found[0], back=True) is None


def test_d_goes_from_difference_to_difference_and_says_when_there_is_none(
    page: Page, server: str
) -> None:
    open_at(page, f"{server}{FOUR}")
    for row in (5, 7, 10):
        page.keyboard.press("d")
        arrive(page, row)
    expect(page.get_by_role("status").filter(has_text="No other difference")).to_be_hidden()
    page.keyboard.press("d")
    expect(page.get_by_role("status").filter(has_text="No other difference")).to_be_visible()
    arrive(page, 10)
    page.keyboard.press("ArrowLeft")
    arrive(page, 9)
    expect(page.locator("#notice")).to_be_empty()


def test_d_goes_to_the_next_difference_and_the_side_by_side_page_leads_back(
    page: Page, server: str
) -> None:
    open_at(page, f"{server}{FOUR}")
    page.keyboard.press("d")
    arrive(page, 5)
    page.get_by_role("link", name="Side by side").click()
    expect(page.get_by_text("no message here").first).to_be_visible()
    page.get_by_role("link", name="Back to step 5").click()
    expect(page).to_have_url(f"{server}{FOUR}?step=5")

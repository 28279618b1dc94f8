"""Several lanes in a real browser: what is in sight, what a step changes, and with what it fits."""

import random
import re

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.web.browsing import PATIENCE, Watched, arrive, at, document, open_at, press

THREE = "/lessons/how-many-python-files"
FOUR = "/lessons/lose-the-thread?lanes=correct,forgot_round,text_only,split_results"
BOTH = pytest.mark.parametrize("path", [THREE, FOUR], ids=["three lanes", "four lanes"])
SIZES = pytest.mark.parametrize(
    "size", [(1280, 720), (1920, 1080), (390, 844)], ids=lambda size: f"{size[0]}x{size[1]}"
)

IN_SIGHT = """(selector) => {
  const pane = document.querySelector(".table .scroll").getBoundingClientRect();
  const box = document.querySelector(selector).getBoundingClientRect();
  return box.top >= pane.top - 2 && box.bottom <= pane.bottom + 2;
}"""
NEWEST, FIRST = "#rows > :last-child", "#rows > .first"


def last_of(page: Page) -> int:
    """The number of the last row, which the count names."""
    return int(re.findall(r"\d+", page.locator(".count").inner_text())[-1])


def ends_with(address: str) -> re.Pattern[str]:
    return re.compile(re.escape(address) + "$")


@SIZES
@BOTH
def test_at_every_step_the_newest_row_and_the_first_difference_are_in_sight(
    page: Page, server: str, path: str, size: tuple[int, int]
) -> None:
    watched = Watched(page)
    page.set_viewport_size({"width": size[0], "height": size[1]})
    open_at(page, server + path)
    for step in range(1, last_of(page) + 1):
        press(page, "ArrowRight")
        arrive(page, step)
        assert page.evaluate(IN_SIGHT, NEWEST), page.url
        assert not page.locator(FIRST).count() or page.evaluate(IN_SIGHT, FIRST), page.url
    assert page.locator(FIRST).count() == 1
    assert page.locator(".e-running").count() == 0
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert watched.said == []


def test_four_lanes_leave_room_for_a_turn_of_rows_on_a_small_screen(
    page: Page, server: str
) -> None:
    page.goto(f"{server}{FOUR}&step=12")
    pane, first = (page.locator(at).bounding_box() for at in (".table .scroll", FIRST))
    assert pane
    assert first
    assert pane["y"] + pane["height"] - (first["y"] + first["height"]) >= 7 * 24
    page.get_by_role("button", name="text_only").click()  # what made way is said in the menu
    expect(page.locator("#change-text_only")).to_contain_text("the calls that the results answer")


@BOTH
def test_without_a_script_the_newest_row_is_in_sight_and_steps_can_be_made(
    browser: Browser, server: str, path: str
) -> None:
    context = browser.new_context(
        viewport={"width": 1280, "height": 720}, java_script_enabled=False
    )
    page = context.new_page()
    page.goto(f"{server}{path}{'&' if '?' in path else '?'}step=20")
    for row in (20, 21):
        pane = page.locator(".scroll").bounding_box()
        newest = page.locator(f"#row-{row}").bounding_box()
        assert pane
        assert newest
        assert pane["y"] <= newest["y"]
        assert newest["y"] + newest["height"] <= pane["y"] + pane["height"] + 1
        page.locator("#step").click()
    context.close()


@pytest.mark.parametrize("step", [0, 7, 99])
def test_heads_rows_and_endings_stand_in_the_same_columns(
    page: Page, server: str, step: int
) -> None:
    page.goto(f"{server}{THREE}?step={step}")
    heads, rows, endings = (
        page.locator(selector).evaluate_all(
            "found => found.map(one => one.getBoundingClientRect().left)"
        )
        for selector in (".heads .head", "#fill .slot", ".endings .slot")
    )
    assert heads == rows == endings


@BOTH
def test_after_random_moves_the_page_is_the_page_of_its_address(
    page: Page, browser: Browser, server: str, path: str
) -> None:
    seed = random.randrange(10**6)
    print(f"seed {seed}")
    chance = random.Random(seed)
    open_at(page, server + path)
    moved, last = 0, last_of(page)
    for _ in range(60):
        before = at(page)
        move = chance.choices(["step", "back", "turn", "start", "cell"], [8, 5, 3, 1, 2])[0]
        target = (
            page.locator(".scrubber a").nth(chance.randrange(last))
            if move == "cell"
            else page.locator(f"#{move}")
        )
        target.click(force=True)  # at an end it is disabled: nothing happens
        if chance.random() < 0.7:
            expect(page.locator(".htmx-request")).to_have_count(0, timeout=PATIENCE)
        moved += at(page) != before
    expect(page.locator(".htmx-request")).to_have_count(0, timeout=PATIENCE)
    page.wait_for_timeout(200)
    assert moved >= 20
    fresh = browser.new_page()
    open_at(fresh, page.url)
    assert document(page) == document(fresh)
    fresh.close()


def test_other_lanes_are_chosen_on_the_page_and_the_turn_stays(page: Page, server: str) -> None:
    open_at(page, f"{server}/lessons/lose-the-thread?step=5")
    page.keyboard.press("ArrowRight")
    arrive(page, 6)
    page.get_by_role("button", name="Add a lane").click()
    page.locator("#add-lane").get_by_role("button", name="split_results").click()
    expect(page).to_have_url(ends_with("lanes=correct,swapped_ids,split_results&step=6"))
    page.locator(".head", has_text="Answers each call").get_by_role("switch").click()
    expect(page).to_have_url(ends_with("correct,swapped_ids:unchecked,split_results&step=6"))
    page.get_by_role("button", name="swapped_ids").click()
    page.locator("#change-swapped_ids").get_by_role("button", name="Take this lane away").click()
    expect(page).to_have_url(ends_with("lanes=correct,split_results&step=6"))
    page.locator(".head").first.get_by_role("button", name="One lane").click()
    expect(page).to_have_url(ends_with("lanes=correct&step=5"))

"""Several lanes in a real browser: what is in sight, what a step changes, and with what it fits."""

import random
import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Browser, Page, expect

THREE = "/lessons/how-many-python-files"
FOUR = "/lessons/lose-the-thread?lanes=correct,forgot_round,text_only,split_results"
SIZES = [(1280, 720), (1920, 1080), (390, 844)]

# The page as a tree, without the order of attributes and the space between elements.
TREE = """() => {
  const tree = (node) => node.nodeType === 3 ? node.data.replace(/\\s+/g, " ").trim() : {
    [node.localName]: [...node.attributes].map((a) => `${a.name}=${a.value}`).sort(),
    holds: [...node.childNodes].map(tree).filter((held) => held !== ""),
  };
  return JSON.stringify(tree(document.body), null, 1);
}"""
IN_SIGHT = """(selector) => {
  const pane = document.querySelector(".table .scroll").getBoundingClientRect();
  const box = document.querySelector(selector).getBoundingClientRect();
  return box.top >= pane.top - 2 && box.bottom <= pane.bottom + 2;
}"""


@pytest.fixture
def heard(page: Page) -> list[str]:
    """What the browser says in its console, and errors that no one caught."""
    said: list[str] = []
    page.on("console", lambda message: said.append(message.text))
    page.on("pageerror", lambda error: said.append(str(error)))
    return said


def press(page: Page, key: str) -> None:
    """Press a key and wait until its step has landed."""
    before = page.url
    page.keyboard.press(key)
    page.wait_for_url(lambda url: url != before)
    expect(page.locator("#moves")).to_be_visible()
    page.wait_for_timeout(30)  # htmx settles


def last_row(page: Page) -> int:
    return int(str(page.locator("#rows > :last-child").get_attribute("id")).removeprefix("row-"))


@pytest.mark.parametrize("size", SIZES, ids=lambda size: f"{size[0]}x{size[1]}")
@pytest.mark.parametrize("path", [THREE, FOUR], ids=["three lanes", "four lanes"])
def test_at_every_step_the_newest_row_and_the_first_difference_are_in_sight(
    page: Page, server: str, heard: list[str], path: str, size: tuple[int, int]
) -> None:
    page.set_viewport_size({"width": size[0], "height": size[1]})
    page.goto(server + path)
    while page.locator("#step[hx-get]").count():
        press(page, "ArrowRight")
        assert page.evaluate(IN_SIGHT, "#rows > :last-child"), page.url
        if page.locator(".table .first").count():
            assert page.evaluate(IN_SIGHT, ".table .first"), page.url
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert page.locator(".e-running").count() == 0
    assert heard == []


@pytest.mark.parametrize("path", [THREE, FOUR], ids=["three lanes", "four lanes"])
def test_without_a_script_the_newest_row_is_in_sight_too(
    browser: Browser, server: str, path: str
) -> None:
    page = browser.new_page(viewport={"width": 1280, "height": 720}, java_script_enabled=False)
    page.goto(f"{server}{path}{'&' if '?' in path else '?'}step=20")
    pane, row = (page.locator(one).bounding_box() for one in (".scroll", "#rows > :last-child"))
    assert pane
    assert row
    assert row["y"] >= pane["y"]
    assert row["y"] + row["height"] <= pane["y"] + pane["height"] + 1
    page.locator("#step").click()
    assert page.locator("#row-21").count() == 1
    page.locator("#change-correct").evaluate("menu => menu.showPopover()")
    page.close()


def test_heads_rows_and_endings_stand_in_the_same_columns(page: Page, server: str) -> None:
    for step in ("0", "99"):
        page.goto(f"{server}{THREE}?step={step}")
        columns = [
            page.locator(selector).evaluate_all(
                "found => found.map(one => one.getBoundingClientRect().left)"
            )
            for selector in (".heads .head", "#fill .slot", ".endings .slot")
        ]
        assert columns[0] == columns[1] == columns[2]


def test_after_random_moves_the_page_is_the_page_of_its_address(
    page: Page, browser: Browser, server: str
) -> None:
    seed = random.randrange(10**6)
    dice = random.Random(seed)
    page.goto(server + THREE)
    moves: list[tuple[str, Callable[[], object]]] = [
        ("step", lambda: page.keyboard.press("ArrowRight")),
        ("step", lambda: page.locator("#step").click()),
        ("back", lambda: page.keyboard.press("ArrowLeft")),
        ("turn", lambda: page.keyboard.press("n")),
        ("start", lambda: page.keyboard.press("Home")),
        ("go back", lambda: page.go_back()),
    ]
    for _ in range(60):
        _, move = dice.choices(moves, weights=[6, 6, 5, 2, 1, 2])[0]
        if page.url == f"{server}{THREE}" and move is moves[-1][1]:
            continue
        move()
        page.wait_for_timeout(dice.choice([0, 5, 60]))
    page.wait_for_timeout(300)
    fresh = browser.new_page(viewport=page.viewport_size)
    fresh.goto(page.url)
    fresh.wait_for_timeout(100)
    assert page.evaluate(TREE) == fresh.evaluate(TREE), f"seed {seed}, {page.url}"
    fresh.close()


def test_other_lanes_are_chosen_on_the_page_and_the_turn_stays(page: Page, server: str) -> None:
    page.goto(f"{server}/lessons/lose-the-thread?step=5")
    press(page, "ArrowRight")
    assert last_row(page) == 6
    page.get_by_role("button", name="Add a lane").click()
    page.locator("#add-lane").get_by_role("button", name="split_results").click()
    expect(page).to_have_url(re_end("lanes=correct,swapped_ids,split_results&step=6"))
    page.locator(".head", has_text="swapped_ids").get_by_role("switch").click()
    expect(page).to_have_url(re_end("correct,swapped_ids:unchecked,split_results&step=6"))
    page.get_by_role("button", name="Change the lane swapped_ids").click()
    page.locator("#change-swapped_ids").get_by_role("button", name="Take this lane away").click()
    expect(page).to_have_url(re_end("lanes=correct,split_results&step=6"))
    page.locator(".head").first.get_by_role("button", name="One lane").click()
    expect(page).to_have_url(re_end("lanes=correct&step=5"))


def re_end(text: str) -> re.Pattern[str]:
    return re.compile(re.escape(text) + "$")


@pytest.mark.parametrize("size", SIZES, ids=lambda size: f"{size[0]}x{size[1]}")
@pytest.mark.parametrize("path", [f"{THREE}?step=0", f"{THREE}?step=8", f"{FOUR}&step=99"])
def test_axe_finds_no_fault(
    browser: Browser, server: str, axe: str, path: str, size: tuple[int, int]
) -> None:
    context = browser.new_context(bypass_csp=True, viewport={"width": size[0], "height": size[1]})
    page = context.new_page()
    page.goto(server + path)
    page.evaluate(axe)
    found = page.evaluate("async () => (await axe.run()).violations")
    assert [(v["id"], [node["target"] for node in v["nodes"]]) for v in found] == []
    context.close()

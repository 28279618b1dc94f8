"""Lesson 4 from the overview to each lane's ending and back, with keys alone: no mouse is used,
and no focus is set but by Tab."""

import re
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.web.browsing import PATIENCE, arrive, at, open_at, press, settle

FOUR = "/lessons/how-many-python-files"

# What has the focus: its name as assistive technology hears it, and what can be seen of it.
_STOP = """() => {
  const at = document.activeElement;
  if (at === document.body || at === document.documentElement) return null;
  const named = at.getAttribute("aria-label") ??
    document.getElementById(at.getAttribute("aria-labelledby"))?.textContent ??
    at.labels?.[0]?.textContent ?? at.innerText;
  const drawn = at.matches(".which input") ? at.nextElementSibling : at;
  const look = getComputedStyle(drawn), box = drawn.getBoundingClientRect();
  const inside = [[.5, .5], [.1, .5], [.9, .5], [.5, .1], [.5, .9]].some(([x, y]) => {
    const hit = document.elementFromPoint(box.left + box.width * x, box.top + box.height * y);
    return hit && (at.contains(hit) || drawn.contains(hit) || hit.contains(at));
  });
  return { name: named.trim().replace(/\\s+/g, " "), outline: look.outlineStyle,
           wide: parseFloat(look.outlineWidth), seen: inside && box.width > 0 };
}"""

LANE = [
    "Halqa",
    "How many Python files?",
    "correct",
    "forgot_results",
    "missing_tool_use_id",
    "Compare 3",
    "Trace",
    "Export",
    "Present F",
    "Help ?",
    "Language: English",
    "Settings",
    "Chat",
]
COMPARED = [
    "Halqa",
    "How many Python files?",
    "Side by side",
    "Trace",
    "Both APIs",
    "Export",
    "Present F",
    "Help ?",
    "Language: English",
    "Settings",
    "correct",
    "server checks on",
    "One lane",
    "forgot_results",
]
OFF = ["keys", "off"]
CONTROLS = ["To the start", "Step back", "Step", "Play", "Speed ½× 1× 2×", "Next turn"]

ENDINGS = [
    ("correct", 14, "answer"),
    ("forgot_results", 25, "no_answer"),
    ("missing_tool_use_id", 7, "refused"),
]


def stop(page: Page) -> str | None:
    """The name of what has the focus, or None; that it can be seen is asserted."""
    at: dict[str, Any] | None = page.evaluate(_STOP)
    if at is not None and not at["seen"]:
        page.wait_for_timeout(250)  # it may still be on its way into sight
        at = page.evaluate(_STOP)
    if at is None:
        return None
    assert at["outline"] in ("solid", "auto"), f"{page.url}: no outline at {at['name']!r}"
    assert at["wide"] >= 2, f"{page.url}: a thin outline at {at['name']!r}"
    assert at["seen"], f"{page.url}: {at['name']!r} is covered"
    return str(at["name"])


def tab_to(page: Page, name: str, key: str = "Tab") -> None:
    """Press Tab until something has the focus, by how its name begins."""
    passed = []
    for _ in range(120):
        page.keyboard.press(key)
        at = stop(page)
        if at is not None and at.startswith(name):
            return
        passed.append(at)
    raise AssertionError(f"{key} does not lead to {name!r}; it leads to {passed}")


def round_trip(page: Page, key: str = "Tab") -> list[str]:
    """The names of all stops from the page's start until the focus leaves the page."""
    names: list[str] = []
    for _ in range(150):
        page.keyboard.press(key)
        at = stop(page)
        if at is None:
            return names
        names.append(at)
    raise AssertionError(f"{page.url} keeps the focus: {names[-8:]}")


@pytest.mark.parametrize(("lane", "last", "ending"), ENDINGS)
def test_from_the_overview_to_an_ending_and_back(
    page: Page, server: str, lane: str, last: int, ending: str
) -> None:
    page.goto(f"{server}/")
    tab_to(page, "Compare them step by step")
    page.keyboard.press("Enter")
    page.wait_for_url(f"{server}{FOUR}")
    expect(page.locator("#end[data-htmx-powered]")).to_be_attached()
    tab_to(page, lane)
    tab_to(page, "One lane")
    page.keyboard.press("Enter")
    page.wait_for_url(f"**lanes={lane}*")
    expect(page.locator("#end[data-htmx-powered]")).to_be_attached()
    tab_to(page, "Step", "Shift+Tab" if lane == "correct" else "Tab")
    while page.evaluate("document.activeElement.id") != "step":
        tab_to(page, "Step")
    for step in range(1, last + 1):
        page.keyboard.press("Enter")
        if page.locator("#predict.open").count():  # a question comes first
            tab_to(page, "Skip")
            page.keyboard.press("Enter")
        arrive(page, step)
        assert page.evaluate("document.activeElement.id") == "step"
    expect(page.locator(f"#ending.{ending}")).to_be_visible()
    tab_to(page, "Halqa")
    page.keyboard.press("Enter")
    page.wait_for_url(f"{server}/")


@pytest.mark.parametrize(
    ("address", "first"),
    [("?lanes=correct&step=7", LANE), ("?step=7", COMPARED)],
    ids=["one lane", "three lanes"],
)
def test_tab_goes_from_the_bar_over_the_panes_to_the_controls_and_out(
    page: Page, server: str, address: str, first: list[str]
) -> None:
    open_at(page, f"{server}{FOUR}{address}")
    stops = round_trip(page)
    assert stops[: len(first)] == first
    panes = [name for name in stops if name in ("Chat", "The loop", "messages[]", "Steps so far")]
    assert panes in (["Chat", "The loop", "messages[]", "messages[]"], ["Steps so far"])
    controls = stops.index(CONTROLS[0])
    assert stops[controls : controls + len(CONTROLS)] == CONTROLS
    cells = [name for name in stops if re.match(r"Step \d+, turn", name)]
    assert cells == stops[-len(cells) :]
    assert [int(re.findall(r"\d+", name)[0]) for name in cells] == [*range(1, len(cells) + 1)]
    back = []
    for _ in stops:
        page.keyboard.press("Shift+Tab")
        back.append(stop(page))
    assert back[::-1] == stops


@pytest.mark.parametrize("size", [(1280, 720), (390, 844), (320, 640), (640, 360)])
@pytest.mark.parametrize("address", ["?lanes=forgot_results&step=9", "?step=99", ""])
def test_on_each_screen_every_stop_is_seen_and_none_keeps_the_focus(
    page: Page, server: str, address: str, size: tuple[int, int]
) -> None:
    page.set_viewport_size({"width": size[0], "height": size[1]})
    open_at(page, f"{server}{FOUR}{address}")
    assert len(round_trip(page)) > 20


@pytest.mark.parametrize("opening", ["?", "Enter"])
@pytest.mark.parametrize("address", ["?lanes=correct&step=4", "?step=4"])
def test_the_help_sheet_opens_and_closes_and_gives_the_focus_back(
    page: Page, server: str, address: str, opening: str
) -> None:
    open_at(page, f"{server}{FOUR}{address}")
    tab_to(page, "Help" if opening == "Enter" else "Settings")
    before = stop(page)
    page.keyboard.press(opening)
    sheet = page.get_by_role("dialog", name="Help")
    expect(sheet.get_by_role("heading", name="Keys")).to_be_visible()
    assert stop(page) == "Close"
    page.keyboard.press("ArrowRight")  # scrolls, and steps no further
    page.keyboard.press("Tab")
    assert stop(page) == "All rules"
    page.keyboard.press("Escape")
    expect(sheet).to_be_hidden()
    assert stop(page) == before
    assert page.url == f"{server}{FOUR}{address}"
    press(page, "ArrowRight")
    arrive(page, 5)


def test_settings_open_and_close_by_keys(page: Page, server: str) -> None:
    open_at(page, f"{server}{FOUR}?lanes=correct&step=4")
    tab_to(page, "Settings")
    page.keyboard.press("Enter")
    expect(page.locator("#settings-menu")).to_be_visible()
    page.keyboard.press("Tab")
    assert stop(page) == "as the system"
    page.keyboard.press("Escape")
    expect(page.locator("#settings-menu")).to_be_hidden()
    assert stop(page) == "Settings"


def test_letters_do_nothing_where_they_are_switched_off(page: Page, server: str) -> None:
    """WCAG 2.1.4: all shortcuts of one letter can be turned off, in the settings."""
    open_at(page, f"{server}{FOUR}?step=3")
    tab_to(page, "Settings")
    page.keyboard.press("Enter")
    while page.evaluate("[document.activeElement.name, document.activeElement.value]") != OFF:
        tab_to(page, "off")
    page.keyboard.press("Enter")
    page.wait_for_url("**keys=off*")
    expect(page.locator("#end[data-htmx-powered]")).to_be_attached()
    address = page.url
    for key in ("n", "d", "p", "f", "?", "b", ".", "+", "1"):
        page.keyboard.press(key)
    settle(page)
    assert page.url == address
    expect(page.locator("#sheet")).to_be_hidden()
    expect(page.locator("#play")).to_have_attribute("aria-pressed", "false")
    press(page, "ArrowRight")  # no letter
    arrive(page, 4)


def test_a_call_that_waits_is_approved_and_denied_by_keys_wherever_it_is_asked(
    page: Page, server: str
) -> None:
    """On a lane's page, in a comparison, on the wall; where nothing waits the keys do nothing."""
    lesson = f"{server}/lessons/not-here"
    open_at(page, f"{lesson}?lanes=asks&step=1&predict=off")
    page.keyboard.press("a")
    page.keyboard.press("End")
    expect(page.locator("#approve kbd")).to_have_text("A", timeout=PATIENCE)
    waits = at(page)
    assert page.url == f"{lesson}?lanes=asks&step={waits}&predict=off"
    for lanes, view, key, decided in (
        ("asks", "", "a", "asks:approve"),
        ("asks", "", "x", "asks:deny"),
        ("asks,a_person_denies", "", "x", "asks:deny,a_person_denies"),
        ("asks", "&view=present", "a", "asks:approve"),
    ):
        open_at(page, f"{lesson}?lanes={lanes}&step={waits}&predict=off{view}")
        page.keyboard.press(key)
        page.wait_for_url(f"{lesson}?lanes={decided}&step={waits + 1}&predict=off{view}")


def test_equal_steps_of_lanes_unfold_and_fold_by_a_key(page: Page, server: str) -> None:
    folded = f"{server}/lessons/again-and-again?step=26"
    open_at(page, folded)
    expect(page.locator("#row-3")).to_have_count(0)
    page.keyboard.press("e")
    page.wait_for_url(f"{folded}&rows=all#row-1")
    expect(page.locator("#row-1")).to_be_in_viewport()
    page.keyboard.press("e")
    page.wait_for_url(folded)

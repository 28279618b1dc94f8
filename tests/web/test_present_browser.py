"""The presenter view in a browser: large enough, nothing cut off, and led by a remote."""

import re
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.web.browsing import Watched, arrive, at, document, open_at, press, settle, until

FOUR = "/lessons/how-many-python-files"
FIVE = "/lessons/lose-the-thread"
ALL_FOUR = "lanes=correct,swapped_ids,text_only,forgot_round"
SIZES = [(1280, 720), (1600, 1000), (1920, 1080)]
VIEWS = [
    *(f"{FOUR}?step={step}&view=present" for step in (0, 3, 5, 7, 14, 28)),
    *(f"{FOUR}?lanes=correct&step={step}&view=present" for step in (0, 6, 7, 10, 14)),
    f"{FOUR}?lanes=forgot_results&step=4&view=present",
    f"{FOUR}?lanes=missing_tool_use_id&step=7&view=present",
    *(f"{FIVE}?step={step}&view=present" for step in (6, 8, 10)),
    *(f"{FIVE}?{ALL_FOUR}&step={step}&view=present" for step in (3, 6, 8, 10, 29)),
    f"{FIVE}?lanes=split_results&step=6&view=present",
]

Text = tuple[str, float, bool]
Measured = dict[tuple[int, int], dict[str, tuple[list[Text], list[str]]]]

# Every text that is seen, with its size in pixels and whether it is the letter of a sign.
_TEXTS = """() => {
  const found = [], walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node; (node = walker.nextNode());) {
    const element = node.parentElement;
    if (!node.data.trim() || !element.checkVisibility() || element.closest(".unseen")) continue;
    const letter = Boolean(element.closest(".sign > [aria-hidden]"));
    found.push([node.data.trim(), parseFloat(getComputedStyle(element).fontSize), letter]);
  }
  return found;
}"""

# What does not fit where it stands: the page, the pane of the lanes, a cell of theirs.
_OVERFLOWS = """() => [document.documentElement, ...document.querySelectorAll(
    ".scroll, .head, .slot, .slot :is(q, .gave, .title), .code, .newest, .holds, .controls")]
  .filter((e) => e.scrollWidth > e.clientWidth + 1 || e.scrollHeight > e.clientHeight + 1)
  .map((e) => `${e.localName}.${e.className} ${e.scrollWidth - e.clientWidth} ` +
              `${e.scrollHeight - e.clientHeight}`)"""


@pytest.fixture(scope="module")
def wall(browser: Browser) -> Iterator[Page]:
    """One page for all that is only looked at."""
    page = browser.new_page()
    yield page
    page.close()


@pytest.fixture(scope="module")
def measured(wall: Page, server: str) -> Measured:
    """The texts and what overflows, by size and address; each address is loaded once."""
    found: Measured = {size: {} for size in SIZES}
    for address in VIEWS:
        wall.goto(server + address)
        for width, height in SIZES:
            wall.set_viewport_size({"width": width, "height": height})
            found[width, height][address] = (wall.evaluate(_TEXTS), wall.evaluate(_OVERFLOWS))
    return found


@pytest.fixture
def shown(page: Page, server: str) -> Iterator[Callable[[str], Page]]:
    """Opens an address at 1280 × 720, and fails where the console says anything."""
    watched = Watched(page)

    def opened(address: str) -> Page:
        page.set_viewport_size({"width": 1280, "height": 720})
        open_at(page, server + address)
        return page

    yield opened
    assert watched.said == []


@pytest.mark.parametrize("size", SIZES, ids=lambda size: f"{size[0]}x{size[1]}")
def test_every_text_is_at_least_24_pixels_on_a_small_screen_and_grows_with_it(
    measured: Measured, size: tuple[int, int]
) -> None:
    scale = min(size[0] / 1280, size[1] / 720)
    for address, (texts, _) in measured[size].items():
        assert len(texts) > 8
        small = [
            (text, pixels)
            for text, pixels, letter in texts
            if pixels < (20 if letter else 24) * scale - 0.001
        ]
        assert small == [], address


@pytest.mark.parametrize("size", SIZES, ids=lambda size: f"{size[0]}x{size[1]}")
def test_nothing_is_cut_off(measured: Measured, size: tuple[int, int]) -> None:
    assert {a: cut for a, (_, cut) in measured[size].items() if cut} == {}


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_contrast_is_at_least_7_to_1_and_axe_finds_no_fault(
    wall: Page, server: str, axe: str, theme: str
) -> None:
    wall.set_viewport_size({"width": 1280, "height": 720})
    for address in (*VIEWS[2:6], VIEWS[8], *VIEWS[11:13], VIEWS[17]):
        wall.goto(f"{server}{address}&theme={theme}")
        wall.evaluate(f"() => {{ {axe} }}")
        found: dict[str, Any] = wall.evaluate(
            """() => axe.run({ resultTypes: ["violations"],
                               rules: { "color-contrast-enhanced": { enabled: true } } })"""
        )
        said = [
            f"{fault['id']}: {node['html'][:160]} {node['failureSummary'][-160:]}"
            for fault in found["violations"]
            for node in fault["nodes"]
        ]
        assert said == [], address


def test_a_narrow_screen_scrolls_down_and_never_sideways(wall: Page, server: str) -> None:
    for width, height in ((390, 844), (640, 360), (320, 640)):
        wall.set_viewport_size({"width": width, "height": height})
        for address in (VIEWS[3], VIEWS[8], VIEWS[17]):
            wall.goto(server + address)
            assert wall.evaluate("() => document.documentElement.scrollWidth") <= width, address


# --- led from a distance


def test_a_remote_steps_blanks_and_leaves(shown: Callable[[str], Page]) -> None:
    page = shown(f"{FOUR}?step=7&view=present")
    page.keyboard.press("PageDown")
    arrive(page, 8)
    page.keyboard.press("PageDown")
    arrive(page, 9)
    page.keyboard.press("PageUp")
    arrive(page, 8)
    black = page.locator("#black")
    for key in (".", "b"):
        page.keyboard.press(key)
        expect(black).to_be_visible()
        assert black.evaluate("(e) => getComputedStyle(e).backgroundColor") == "rgb(0, 0, 0)"
        assert black.bounding_box() == {"x": 0, "y": 0, "width": 1280, "height": 720}
        page.keyboard.press("PageDown")  # brings the view back, and nothing else
        expect(black).to_be_hidden()
    page.keyboard.press("Period")
    page.keyboard.press("Escape")
    expect(black).to_be_hidden()
    settle(page)
    assert at(page) == 8
    page.keyboard.press("Escape")
    expect(page).to_have_url(re.compile(rf"{re.escape(FOUR)}\?step=8$"))


def test_f_leads_here_from_a_lesson_and_then_fills_the_screen(shown: Callable[[str], Page]) -> None:
    page = shown(f"{FOUR}?lanes=correct&step=7")
    page.keyboard.press("f")
    expect(page).to_have_url(re.compile("step=7&view=present$"))
    expect(page.locator("#step[data-htmx-powered]")).to_be_attached()
    page.keyboard.press("f")
    until(page, "document.fullscreenElement !== null")
    page.keyboard.press("PageDown")
    arrive(page, 8)
    page.keyboard.press("+")
    expect(page).to_have_url(re.compile("size=125$"))
    assert page.evaluate("document.fullscreenElement !== null")
    page.keyboard.press("f")
    until(page, "document.fullscreenElement === null")
    assert "view=present" in page.url


def test_plus_and_minus_change_the_size_and_the_address(shown: Callable[[str], Page]) -> None:
    page = shown(f"{FOUR}?step=8&view=present")
    size = "() => parseFloat(getComputedStyle(document.querySelector('h1')).fontSize)"
    first = page.evaluate(size)
    page.keyboard.press("+")
    expect(page).to_have_url(re.compile("size=125$"))
    expect(page.locator("#state")).to_have_class("size-125")
    assert page.evaluate(size) > first
    settle(page)
    page.keyboard.press("=")
    expect(page).to_have_url(re.compile("size=150$"))
    settle(page)
    page.keyboard.press("-")
    expect(page).to_have_url(re.compile("size=125$"))
    settle(page)
    page.keyboard.press("PageDown")
    arrive(page, 9)
    assert page.url.endswith("step=9&view=present&size=125")


def test_without_single_letters_the_same_is_done_by_the_focus_and_enter(
    shown: Callable[[str], Page],
) -> None:
    page = shown(f"{FOUR}?step=8&keys=off&view=present")
    for key in ("b", ".", "f", "+"):
        page.keyboard.press(key)
    expect(page.locator("#black")).to_be_hidden()
    assert page.url.endswith("?step=8&keys=off&view=present")
    page.locator("#darken").focus()
    page.keyboard.press("Enter")
    expect(page.locator("#black")).to_be_visible()
    page.keyboard.press("Enter")
    expect(page.locator("#black")).to_be_hidden()
    expect(page.locator("#darken")).to_be_focused()
    for link, end in (("larger", "size=125"), ("step", "step=9&keys=off&view=present&size=125")):
        page.locator(f"#{link}").focus()
        page.keyboard.press("Enter")
        expect(page).to_have_url(re.compile(f"{end}$"))
        settle(page)
    page.keyboard.press("Escape")
    expect(page).to_have_url(re.compile(r"\?step=9&keys=off$"))


@pytest.mark.parametrize(
    ("lock", "asked"),
    [
        pytest.param("""{ request: async (kind) => {
            (window.locks ??= []).push(kind);
            return { release: async () => {} };
        } }""", ["screen"], id="a screen that can"),
        pytest.param("{ request: async () => { throw new Error('no') } }", None, id="not allowed"),
        pytest.param("undefined", None, id="a browser that cannot"),
    ],
)  # fmt: skip
def test_the_screen_is_asked_to_stay_awake(
    shown: Callable[[str], Page], page: Page, lock: str, asked: list[str] | None
) -> None:
    page.add_init_script(f"Object.defineProperty(navigator, 'wakeLock', {{ value: {lock} }})")
    shown(f"{FOUR}?view=present")
    page.wait_for_timeout(50)
    assert page.evaluate("window.locks ?? null") == asked
    page.locator("#leave").click()
    expect(page).to_have_url(re.compile(f"{FOUR}$"))


@pytest.mark.parametrize("lanes", ["correct", "correct,forgot_results,missing_tool_use_id"])
def test_a_view_that_was_stepped_to_is_the_view_of_its_address(
    shown: Callable[[str], Page], lanes: str
) -> None:
    page = shown(f"{FOUR}?lanes={lanes}&step=3&view=present")
    moves = ["PageDown"] * 6 + ["PageUp"] * 2 + ["+", "n", "PageDown", "b", "b", "End", "PageUp"]
    for key in moves:
        press(page, key)
        settle(page)
    expect(page.locator("#black")).to_be_hidden()
    walked = document(page)
    assert "size=125" in page.url
    page.reload()
    settle(page)
    assert document(page) == walked


def test_a_step_costs_the_server_one_request(shown: Callable[[str], Page], page: Page) -> None:
    shown(f"{FOUR}?step=8&view=present")
    settle(page)
    page.wait_for_timeout(200)
    served: list[str] = []
    session = page.context.new_cdp_session(page)
    session.send("Network.enable")
    session.on("Network.responseReceived", lambda event: served.append(_from_the_server(event)))
    page.keyboard.press("PageDown")
    arrive(page, 9)
    page.wait_for_timeout(200)
    assert list(filter(None, served)) == ["9-10"]  # 8-9 was there ahead of the press


def _from_the_server(event: Any) -> str:
    """Which step an answer of the network is for; "" where the browser had it, or for no step."""
    answer = event["response"]
    _, steps, place = answer["url"].partition("/steps/")
    kept = answer.get("fromDiskCache")
    return "" if kept or not steps else place.rpartition("/")[2].partition("?")[0]


def test_without_a_script_its_links_lead_on_and_back(browser: Browser, server: str) -> None:
    page = browser.new_page(java_script_enabled=False)
    page.goto(f"{server}{FOUR}?step=6")
    page.locator("#present").click()
    for link, end in (
        ("step", "step=7&view=present"),
        ("larger", "step=7&view=present&size=125"),
        ("back", "step=6&view=present&size=125"),
        ("leave", "step=6"),
    ):
        page.locator(f"#{link}").click()
        assert page.url == f"{server}{FOUR}?{end}"
    page.goto(f"{server}{FOUR}?view=present")
    expect(page.locator("#darken, #full").first).to_be_hidden()
    page.close()


def test_a_lane_that_goes_on_is_told_from_one_that_is_asked_again(page: Page, server: str) -> None:
    page.goto(f"{server}{FOUR}?step=7&view=present")
    said = page.locator("#rows > .row").last.get_by_role("cell").all_inner_texts()
    assert [text.split("\n")[-1] for text in said[:2]] == [
        "the next question",
        "same question again",
    ]
    page.goto(f"{server}{FOUR}?step=2&view=present")
    expect(page.locator(".onward")).to_have_count(0)

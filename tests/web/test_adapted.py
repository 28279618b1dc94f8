"""Lessons with what a reader sets: wider text, forced colours, less motion."""

import pytest
from playwright.sync_api import Page

FOUR = "/lessons/how-many-python-files"
PAGES = ["/", f"{FOUR}?lanes=correct&step=7", f"{FOUR}?step=7", "/rules", "/help", "/check"]

# WCAG 1.4.12: a style of the reader's own.
_SPACED = """() => {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(`* { line-height: 1.5 !important; letter-spacing: .12em !important;
    word-spacing: .16em !important; } p { margin-block-end: 2em !important; }`);
  document.adoptedStyleSheets = [sheet];
}"""

# Boxes that cut their text off without a sign; an ellipsis shortens what stands elsewhere in full.
_CUT = """() => [...document.querySelectorAll("body *")].filter((box) => {
  const look = getComputedStyle(box);
  if (!box.checkVisibility() || look.clipPath !== "none" || box.closest("svg")) return false;
  if (look.textOverflow === "ellipsis" || look.webkitLineClamp !== "none") return false;
  const hides = (axis) => ["hidden", "clip"].includes(look["overflow" + axis]);
  return (hides("X") && box.scrollWidth > box.clientWidth + 1) ||
    (hides("Y") && box.scrollHeight > box.clientHeight + 1);
}).map((box) => `${box.localName}.${box.className}: ${box.innerText.slice(0, 60)}`)"""

_MOVES = """() => [...document.querySelectorAll("*")].filter((one) => {
  const look = getComputedStyle(one);
  return look.animationName !== "none" ||
    look.transitionDuration.split(", ").some((time) => parseFloat(time) > 0) ||
    look.scrollBehavior === "smooth";
}).map((one) => one.outerHTML.slice(0, 100))"""


@pytest.mark.parametrize("address", PAGES)
def test_wider_text_is_not_cut_off(page: Page, server: str, address: str) -> None:
    for width, height in ((1280, 720), (390, 844)):
        page.set_viewport_size({"width": width, "height": height})
        page.goto(server + address)
        page.evaluate(_SPACED)
        assert page.evaluate(_CUT) == []
        assert page.evaluate("document.documentElement.scrollWidth") <= width


@pytest.mark.parametrize("address", [*PAGES, f"{FOUR}?step=7&view=present"])
def test_nothing_moves_by_itself_where_less_motion_is_asked_for(
    page: Page, server: str, address: str
) -> None:
    page.emulate_media(reduced_motion="reduce")
    page.goto(server + address)
    assert page.evaluate(_MOVES) == []


# What a state looks like in the system's colours: an address, where to look, and the state's sign
# that is taken away.
STATES = [
    ("?lanes=correct&step=4", ".bar .lanes", "aria-current"),
    ("?lanes=correct&step=4", ".code", "lit"),
    ("?lanes=correct&step=4", ".scrubber", "now"),
    ("?lanes=correct&step=4", ".scrubber", "done"),
    ("?lanes=correct&step=4", ".truth", "aria-checked"),
    ("?lanes=correct&step=4", ".tabs", "aria-current"),
    ("?step=7", ".table .heads", "aria-checked"),
    ("?step=7&view=present", ".scrubber", "now"),
    ("?step=7&view=present", ".scrubber", "done"),
]

_WITHOUT = """(place, sign) => {
  for (const one of place.querySelectorAll(`.${sign}, [${sign}]`)) {
    one.classList.remove(sign);
    one.removeAttribute(sign);
  }
}"""


@pytest.mark.parametrize(("address", "place", "sign"), STATES)
def test_a_state_is_seen_in_forced_colours(
    page: Page, server: str, address: str, place: str, sign: str
) -> None:
    page.emulate_media(forced_colors="active", color_scheme="dark")
    page.goto(f"{server}{FOUR}{address}")
    shown = page.locator(place)
    with_it = shown.screenshot()
    shown.evaluate(_WITHOUT, sign)
    assert shown.screenshot() != with_it


def test_the_focus_is_seen_in_forced_colours(page: Page, server: str) -> None:
    page.emulate_media(forced_colors="active")
    page.goto(f"{server}{FOUR}")
    for _ in range(12):
        page.keyboard.press("Tab")
        look = "getComputedStyle(document.activeElement).outlineStyle"
        assert page.evaluate(look) in ("solid", "auto")

"""One lane on a small screen: one pane at a time, a dot on those that a step changed; and help."""

import pytest
from playwright.sync_api import Page, expect

from tests.web.browsing import arrive, open_at

FOUR = "/lessons/how-many-python-files"
CORRECT = f"{FOUR}?lanes=correct"
DOTS = """() => ["chat", "loop", "raw"].filter((name) =>
  getComputedStyle(document.querySelector(`.on-${name} span`), "::after").content !== "none")"""


def test_a_phone_shows_one_pane_and_marks_those_that_changed(page: Page, server: str) -> None:
    page.set_viewport_size({"width": 390, "height": 844})
    open_at(page, f"{server}{CORRECT}&step=6")
    expect(page.locator(".pane:visible")).to_have_count(1)
    assert page.evaluate(DOTS) == ["loop", "raw"]
    page.get_by_role("radio", name="Chat").check()
    expect(page.locator("#chat")).to_be_visible()
    expect(page.locator("#messages")).to_be_hidden()
    page.locator("#step").click()
    arrive(page, 7)
    assert page.evaluate(DOTS) == ["chat", "loop", "raw"]
    expect(page.locator("#chat")).to_be_visible()  # the choice outlives a step


def test_the_newest_message_is_in_view_on_a_low_screen(page: Page, server: str) -> None:
    page.set_viewport_size({"width": 640, "height": 360})  # 1280x720 at 200 %
    open_at(page, f"{server}{CORRECT}&step=9")
    page.locator("#step").click()
    arrive(page, 10)
    newest = page.locator("#messages > .m").last.bounding_box()
    controls = page.locator(".controls").bounding_box()
    assert newest
    assert controls
    assert newest["y"] >= 0
    assert newest["y"] + newest["height"] <= controls["y"] + 1


def test_a_question_mark_opens_the_help_sheet_unless_letters_are_off(
    page: Page, server: str
) -> None:
    open_at(page, f"{server}{CORRECT}&step=2&keys=off")
    page.keyboard.press("?")
    expect(page).to_have_url(f"{server}{CORRECT}&step=2&keys=off")
    open_at(page, f"{server}{CORRECT}&step=2&theme=dark")
    page.keyboard.press("?")
    expect(page.locator("#sheet")).to_be_visible()
    for words in ("Next turn", "Checked and unchecked", "Where the rules come from", "tool_result"):
        expect(page.locator("#sheet").get_by_text(words, exact=True).first).to_be_visible()


def test_a_card_below_the_lanes_holds_what_their_cells_leave_out(page: Page, server: str) -> None:
    page.set_viewport_size({"width": 390, "height": 844})
    open_at(page, f"{server}{FOUR}?step=3&predict=off")
    card = page.locator("#card")
    expect(card).to_be_hidden()  # a strip or a word says all of this row
    page.locator("#step").click()
    arrive(page, 4)
    expect(card.get_by_text("parameters").first).to_be_visible()  # a check, a mark in the cell
    page.locator("#step").click()
    arrive(page, 5)
    expect(card).to_contain_text('"content": "Done: 3 entries…"')
    expect(card.locator("section > code")).to_have_text(["correct", "missing_tool_use_id"])
    below = card.bounding_box()
    lanes = page.locator(".table").bounding_box()
    controls = page.locator(".controls").bounding_box()
    assert below
    assert lanes
    assert controls
    assert lanes["y"] + lanes["height"] <= below["y"] + 1
    assert below["y"] + below["height"] <= controls["y"] + 1
    page.set_viewport_size({"width": 1280, "height": 720})
    expect(card).to_be_hidden()


@pytest.mark.parametrize("lanes", ["", "&lanes=correct"])
def test_a_phone_leads_to_the_presenter_view_and_to_help(
    page: Page, server: str, lanes: str
) -> None:
    page.set_viewport_size({"width": 390, "height": 844})
    open_at(page, f"{server}{FOUR}?predict=off{lanes}")
    page.locator("#step").click()
    arrive(page, 1)
    page.get_by_role("button", name="Settings").click()
    menu = page.locator("#settings-menu")
    expect(menu.get_by_role("link", name="Help")).to_be_visible()
    menu.get_by_role("link", name="Present").click()
    expect(page.locator("body.present")).to_be_visible()
    assert "step=1" in page.url


@pytest.mark.parametrize(("width", "height"), [(390, 844), (320, 568), (640, 360)])
def test_the_help_sheet_fits_a_small_screen(
    page: Page, server: str, width: int, height: int
) -> None:
    page.set_viewport_size({"width": width, "height": height})
    open_at(page, f"{server}{FOUR}?step=4")
    page.keyboard.press("?")
    sheet = page.locator("#sheet")
    expect(sheet.get_by_role("button", name="Close")).to_be_in_viewport()
    expect(sheet.get_by_role("heading", name="Keys")).to_be_visible()
    assert page.evaluate("""() => {
        const sheet = document.querySelector("#sheet");
        return sheet.scrollWidth <= sheet.clientWidth && sheet.offsetWidth <= innerWidth;
    }""")

"""One lane on a small screen: one pane at a time, a dot on those that a step changed; and help."""

from playwright.sync_api import Page, expect

from tests.web.browsing import arrive, open_at

CORRECT = "/lessons/how-many-python-files?lanes=correct"
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

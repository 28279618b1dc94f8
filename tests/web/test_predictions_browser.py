"""Predict before you see, in a browser: by mouse, by keys, on the wall, and without a script."""

import re
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from tests.web.browsing import PATIENCE, Watched, arrive, at, document, open_at, settle

LESSON = "/lessons/two-and-three"
ASKS = f"{LESSON}?step=3"  # the next step is one with a question
AFTER = f"{LESSON}?step=4"  # and the right answer to it is the third
MOST = "/lessons/lose-the-thread?lanes=split_results&step=6"


@pytest.fixture
def watched(page: Page) -> Iterator[Watched]:
    """What the page says and asks for; at the end its console must be empty."""
    watch = Watched(page)
    yield watch
    assert watch.said == []


@pytest.fixture
def shown(page: Page, watched: Watched, server: str) -> Callable[[str], Page]:
    """Opens an address of the server at 1280 × 720, in a watched page."""

    def show(address: str) -> Page:
        page.set_viewport_size({"width": 1280, "height": 720})
        open_at(page, server + address)
        return page

    return show


def asked(page: Page) -> Locator:
    """The question where it is open."""
    return page.locator("#predict.open")


WAYS: dict[str, Callable[[Page], None]] = {
    "a press": lambda page: page.locator("#step").click(),
    "Space": lambda page: page.keyboard.press("Space"),
    "an arrow": lambda page: page.keyboard.press("ArrowRight"),
    "a remote": lambda page: page.keyboard.press("PageDown"),
    "Play": lambda page: page.keyboard.press("KeyP"),
}


@pytest.mark.parametrize(
    ("way", "view"),
    [(way, view) for way in WAYS for view in ("", "&view=present") if not (view and way == "Play")],
)  # the presenter view has no Play
def test_step_asks_first_and_the_question_has_the_focus(
    shown: Callable[[str], Page], way: str, view: str
) -> None:
    page = shown(ASKS + view)
    expect(asked(page)).to_have_count(0)
    expect(page.get_by_text("Who runs it?")).to_be_hidden()
    WAYS[way](page)
    expect(asked(page)).to_be_focused()
    expect(asked(page)).to_have_accessible_name(
        "The model has asked for the tool add. Who runs it?"
    )
    expect(page.get_by_role("link", name="3 The loop.")).to_be_visible()
    assert at(page) == 3
    if way == "Play":
        expect(page.locator("#play")).to_have_attribute("aria-pressed", "false")


def tab_to(page: Page, number: int) -> None:
    """From the question to an option, and press it."""
    for key in ["Tab"] * number + ["Enter"]:
        page.keyboard.press(key)


CHOICES: dict[str, Callable[[Page, int], None]] = {
    "a press": lambda page, n: page.locator(".option").nth(n - 1).click(),
    "a digit": lambda page, n: page.keyboard.press(f"Digit{n}"),
    "the keypad": lambda page, n: page.keyboard.press(f"Numpad{n}"),
    "Tab and Enter": tab_to,
}


@pytest.mark.parametrize(
    ("way", "number", "view"),
    [
        ("a press", 1, ""),
        ("a press", 3, "&view=present"),
        ("a digit", 3, ""),
        ("a digit", 1, "&view=present"),
        ("the keypad", 3, ""),
        ("Tab and Enter", 1, ""),
    ],
)
def test_a_choice_is_right_or_wrong_does_the_step_and_leaves_no_trace(
    shown: Callable[[str], Page], server: str, way: str, number: int, view: str
) -> None:
    page = shown(ASKS + view)
    page.keyboard.press("ArrowRight")
    CHOICES[way](page, number)
    arrive(page, 4)
    assert page.url == server + AFTER + view
    expect(page.locator("#step")).to_be_focused()
    expect(page.locator("#predict")).to_be_hidden()
    verdict = page.get_by_role("status").filter(has_text="Right:")
    expect(verdict).to_contain_text("The loop. The loop takes the call out of the reply")
    wrong = verdict.get_by_text("Wrong: The model. A model only writes text and calls")
    expect(wrong).to_have_count(int(number == 1))
    assert verdict.locator("svg.mark").count() == 1 + (number == 1)  # not by colour alone
    page.keyboard.press("ArrowRight")
    arrive(page, 5)
    expect(page.locator("#verdict")).to_be_empty()
    fresh = page.context.new_page()
    open_at(fresh, page.url)
    assert document(fresh) == document(page)
    assert page.evaluate("[localStorage.length, sessionStorage.length, document.cookie]") == [
        0,
        0,
        "",
    ]


@pytest.mark.parametrize(
    "keys", [["ArrowRight", "ArrowRight"], ["Space", "Space"], ["Enter", "Tab", "Enter"]]
)
def test_step_again_or_skip_goes_on_without_a_guess(
    shown: Callable[[str], Page], keys: list[str]
) -> None:
    page = shown(ASKS)
    page.locator("#step").focus()
    if keys[0] == "Enter":
        page.keyboard.press("Enter")
        page.get_by_role("button", name="Skip").focus()
        page.keyboard.press("Enter")
    else:
        for key in keys:
            page.keyboard.press(key)
    arrive(page, 4)
    expect(page.locator("#step")).to_be_focused()
    expect(page.locator("#verdict")).to_be_empty()


def test_a_class_that_has_guessed_by_hand_is_told_by_the_remote(
    shown: Callable[[str], Page],
) -> None:
    page = shown(ASKS + "&view=present")
    page.keyboard.press("PageDown")
    page.keyboard.press("PageDown")
    arrive(page, 4)
    expect(page.locator("#verdict")).to_have_text(re.compile(r"^\s*Right: The loop\."))


@pytest.mark.parametrize("view", ["", "&view=present"])
def test_escape_closes_the_question_and_step_asks_again(
    shown: Callable[[str], Page], server: str, view: str
) -> None:
    page = shown(ASKS + view)
    page.keyboard.press("Space")
    page.keyboard.press("Escape")
    expect(asked(page)).to_have_count(0)
    expect(page.locator("#step")).to_be_focused()
    assert page.url == server + ASKS + view
    page.keyboard.press("Space")
    expect(asked(page)).to_be_focused()


def test_a_key_held_down_and_a_double_click_stop_at_the_question(
    shown: Callable[[str], Page],
) -> None:
    page = shown(ASKS)
    page.keyboard.down("ArrowRight")
    page.keyboard.down("ArrowRight")  # repeats
    page.keyboard.up("ArrowRight")
    expect(asked(page)).to_be_visible()
    page.keyboard.press("Escape")
    page.locator("#step").dblclick()
    page.wait_for_timeout(200)
    expect(asked(page)).to_be_visible()
    assert at(page) == 3


def test_going_elsewhere_closes_the_question(shown: Callable[[str], Page]) -> None:
    page = shown(ASKS)
    for key, step in (("ArrowLeft", 2), ("KeyN", 6)):
        page.keyboard.press("ArrowRight")
        expect(asked(page)).to_be_visible()
        page.keyboard.press(key)
        arrive(page, step)
        expect(asked(page)).to_have_count(0)
        if step == 2:
            page.keyboard.press("ArrowRight")
            arrive(page, 3)


def test_digits_are_shortcuts_like_letters_and_go_with_them(shown: Callable[[str], Page]) -> None:
    page = shown(f"{ASKS}&keys=off")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Digit3")
    page.wait_for_timeout(200)
    assert at(page) == 3
    page.get_by_role("link", name="The loop.").press("Enter")
    arrive(page, 4)
    expect(page.locator("#verdict")).to_contain_text("Right:")


def test_a_digit_presses_nothing_where_no_question_is_open(shown: Callable[[str], Page]) -> None:
    page = shown(ASKS)
    page.keyboard.press("Digit3")
    page.wait_for_timeout(200)
    assert at(page) == 3
    expect(page.locator("#verdict")).to_be_empty()


def test_the_settings_switch_questions_off_and_on(shown: Callable[[str], Page]) -> None:
    page = shown(ASKS)
    for word, steps in (("off", 4), ("on", 3)):
        page.get_by_role("button", name="Settings").click()
        page.get_by_role("list", name="Questions before steps").get_by_text(word).click()
        expect(page).to_have_url(re.compile(r"predict=off" if word == "off" else r"step=3$"))
        settle(page)
        page.keyboard.press("ArrowRight")
        arrive(page, steps)
        if word == "off":
            assert page.url.endswith("step=4&predict=off")
            page.keyboard.press("ArrowLeft")
            arrive(page, 3)
    expect(asked(page)).to_be_visible()


def test_a_server_that_does_not_answer_leaves_the_question_open(page: Page, server: str) -> None:
    page.route("**/steps/**", lambda route: route.abort())
    open_at(page, server + ASKS)
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Digit1")
    expect(page.get_by_role("alert")).to_be_visible(timeout=PATIENCE)
    expect(page.locator("#verdict")).to_be_empty()
    expect(asked(page)).to_be_visible()
    page.unroute("**/steps/**")
    page.keyboard.press("Digit3")
    arrive(page, 4)
    expect(page.locator("#verdict")).to_have_text(re.compile(r"^\s*Right:"))


@pytest.mark.parametrize("view", ["", "&view=present"])
def test_without_a_script_the_page_asks_and_a_link_is_the_guess(
    browser: Browser, server: str, view: str
) -> None:
    page = browser.new_page(java_script_enabled=False)
    page.goto(f"{server}{LESSON}?lanes=correct&step=2{view}")
    expect(page.locator("#predict")).to_be_hidden()
    page.locator("#step").click()
    expect(page.get_by_text("Who runs it?")).to_be_visible()
    expect(page.get_by_role("button", name="Skip")).to_be_hidden()  # Step is that
    page.get_by_role("link", name="1 The model.").click()
    assert page.url == f"{server}{AFTER}{view}&guess=1"
    expect(page.locator("#verdict")).to_contain_text("Wrong: The model.")
    expect(page.locator("#verdict")).to_contain_text("Right: The loop.")
    page.locator("#step").click()
    assert "guess" not in page.url
    page.locator("#end").click()
    page.get_by_role("button", name="Look back").click()
    page.get_by_text("Who runs a tool?").click()
    expect(page.get_by_text("The loop. The model only asks for it.")).to_be_visible()
    page.close()


def test_an_address_with_a_guess_loses_it_where_scripts_run(
    shown: Callable[[str], Page], server: str
) -> None:
    page = shown(f"{AFTER}&guess=3&keys=off")
    assert page.url == f"{server}{AFTER}&keys=off"
    expect(page.locator("#verdict")).to_contain_text("Right:")


# --- looks


@pytest.mark.parametrize("size", [(1280, 720), (1920, 1080), (390, 844), (320, 640), (640, 360)])
def test_options_are_large_enough_to_press_and_all_of_the_question_can_be_seen(
    shown: Callable[[str], Page], size: tuple[int, int]
) -> None:
    page = shown(MOST)
    page.set_viewport_size({"width": size[0], "height": size[1]})
    page.locator("#step").click()
    arrive(page, 7)
    page.locator("#step").click()
    options = page.locator(".option")
    expect(options.first).to_be_visible()
    for option in [*options.all(), page.get_by_role("button", name="Skip")]:
        box = option.bounding_box()
        assert box
        assert box["height"] >= 44
        assert box["width"] >= 44
    assert page.evaluate("() => document.documentElement.scrollWidth") <= size[0]
    options.last.scroll_into_view_if_needed()
    options.last.click()
    arrive(page, 8)


@pytest.mark.parametrize("size", [(1280, 720), (1920, 1080)])
@pytest.mark.parametrize("address", [MOST, "/lessons/how-many-python-files?step=6"])
def test_on_the_wall_question_options_and_verdict_are_large_and_whole(
    shown: Callable[[str], Page], address: str, size: tuple[int, int]
) -> None:
    page = shown(f"{address}&view=present")
    page.set_viewport_size({"width": size[0], "height": size[1]})
    large = """(selector) => [...document.querySelectorAll(selector)].every((one) =>
        parseFloat(getComputedStyle(one).fontSize) >= 24 * innerHeight / 720)"""
    whole = """(selector) => [...document.querySelectorAll(selector)].every((one) =>
        one.scrollHeight <= one.clientHeight + 1 &&
        one.getBoundingClientRect().bottom <= innerHeight)"""
    while not asked(page).count():
        page.keyboard.press("PageDown")
        settle(page)
    assert page.evaluate(large, "#predict :is(p, b, a, span, button)")
    assert page.evaluate(whole, "#predict")
    step = at(page)
    page.keyboard.press("Digit1")
    arrive(page, step + 1)
    assert page.evaluate(large, "#verdict :is(p, b, q)")
    assert page.evaluate(whole, "#verdict")


@pytest.mark.parametrize("view", ["", "&view=present"])
def test_in_persian_the_question_is_persian_and_reads_from_right_to_left(
    shown: Callable[[str], Page], view: str
) -> None:
    page = shown(f"{ASKS}&lang=fa{view}")
    page.keyboard.press("ArrowLeft")  # forward is left
    expect(asked(page)).to_have_accessible_name("مدل ابزار add را خواست. چه کسی آن را اجرا می‌کند؟")
    options = page.locator(".option")
    expect(options.nth(2)).to_have_text(re.compile(r"^۳\s+حلقه\.$"))
    for text in page.locator("#asked, .option > span").all():
        assert text.evaluate("one => one.matches(':dir(rtl)')")
    question, skip = (
        page.locator(part).evaluate("one => one.getBoundingClientRect().right")
        for part in ("#asked", ".skip")
    )
    assert skip < question
    page.keyboard.press("Digit1")
    expect(page.locator(".count b")).to_have_text("۴", timeout=PATIENCE)
    expect(page.locator("#verdict .wrong")).to_have_text(re.compile("مدل فقط متن و فراخوانی"))
    expect(page.locator("#verdict .right")).to_have_text(re.compile("حلقه فراخوانی را از پاسخ"))
    assert page.url.endswith(f"step=4&lang=fa{view}")


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("address", [ASKS, f"{LESSON}?lanes=correct&step=99"])
@pytest.mark.parametrize("view", ["", "&view=present"])
def test_axe_finds_no_fault_in_a_question_a_verdict_or_a_look_back(
    page: Page, server: str, axe: str, address: str, view: str, scheme: Any
) -> None:
    page.emulate_media(color_scheme=scheme)
    open_at(page, server + address + view)
    page.evaluate(f"() => {{ {axe} }}")

    def faults() -> list[str]:
        found = page.evaluate("""() => axe.run({ resultTypes: ["violations"] })""")
        return [f"{one['id']}: {one['nodes'][0]['html'][:200]}" for one in found["violations"]]

    if address == ASKS:
        page.keyboard.press("ArrowRight")
        expect(asked(page)).to_be_visible()
        assert faults() == []
        page.keyboard.press("Digit1")
        arrive(page, 4)
        assert faults() == []
    else:
        assert faults() == []
        page.get_by_role("button", name="Look back").click()
        page.get_by_text("Who runs a tool?").click()
        assert faults() == []


def test_the_look_back_opens_and_closes_by_keys_and_gives_the_focus_back(
    shown: Callable[[str], Page],
) -> None:
    page = shown(f"{LESSON}?lanes=correct&step=8")
    expect(page.get_by_role("button", name="Look back")).to_be_hidden()
    page.keyboard.press("ArrowRight")
    arrive(page, 9)
    button = page.get_by_role("button", name="Look back")
    button.focus()
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="Look back")).to_be_visible()
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    expect(page.get_by_text("The loop. The model only asks for it.")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.get_by_role("heading", name="Look back")).to_be_hidden()
    expect(button).to_be_focused()
    page.locator(".onwards .next-lesson").click()
    expect(page).to_have_url(re.compile(r"/lessons/look-then-read$|/lessons/which-note$"))

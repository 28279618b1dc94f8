"""Stepping in a real browser: by press, by key, by Play, back and forth, without a script."""

import random
import re
from collections.abc import Callable, Iterator
from contextlib import suppress

import pytest
from playwright.sync_api import Browser, Error, Page, Route, expect

from tests.web.browsing import PATIENCE, Watched, arrive, at, document, open_at, press, settle

FOUR = "/lessons/how-many-python-files"
FIVE = "/lessons/lose-the-thread"
CORRECT = f"{FOUR}?lanes=correct"


@pytest.fixture
def watched(page: Page) -> Iterator[Watched]:
    """What the page says and asks for; at the end its console must be empty."""
    watch = Watched(page)
    yield watch
    assert watch.said == []


@pytest.fixture
def shown(page: Page, watched: Watched, server: str) -> Callable[[str], Page]:
    """Opens an address of the server in a watched page."""

    def show(address: str) -> Page:
        open_at(page, server + address)
        return page

    return show


@pytest.fixture
def fresh(browser: Browser) -> Iterator[Callable[[str], str]]:
    """The document that an address gives to a browser that has seen nothing."""
    context = browser.new_context()

    def read(address: str) -> str:
        page = context.new_page()
        open_at(page, address)
        text = document(page)
        page.close()
        return text

    yield read
    context.close()


@pytest.mark.parametrize(
    ("address", "last", "ending"),
    [
        (CORRECT, 14, "answer"),
        (f"{FOUR}?lanes=forgot_results", 25, "no_answer"),
        (f"{FOUR}?lanes=forgot_results:checked", 6, "refused"),
        (f"{FOUR}?lanes=missing_tool_use_id", 7, "refused"),
        (f"{FIVE}?lanes=text_only", 8, "refused"),
        (f"{FIVE}?lanes=split_results&keys=off", 11, "answer"),
        (f"{CORRECT}&tab=request", 14, "answer"),
    ],
)
def test_a_page_that_was_stepped_to_is_the_page_of_its_address(
    shown: Callable[[str], Page], fresh: Callable[[str], str], address: str, last: int, ending: str
) -> None:
    page = shown(address)
    for step in range(1, last + 1):
        press(page, "ArrowRight")
        arrive(page, step)
        if step % 4 == 0 or step == last:
            assert document(page) == fresh(page.url)
    expect(page.locator(f"#ending.{ending}")).to_be_visible()
    for step in range(last - 1, -1, -1):
        page.locator("#back").click()
        arrive(page, step)
        if step % 8 == 0:
            assert document(page) == fresh(page.url)


def test_after_200_random_moves_on_a_slow_server_the_page_is_that_of_its_address(
    page: Page, watched: Watched, server: str, fresh: Callable[[str], str]
) -> None:
    seed = random.randrange(10**6)
    print(f"seed {seed}")
    chance = random.Random(seed)

    def slowly(route: Route) -> None:
        page.wait_for_timeout(chance.choice((0, 0, 20, 60)))
        route.continue_()

    page.route("**/steps/**", slowly)
    open_at(page, f"{server}{FOUR}?lanes=forgot_results")
    shown, moved = 0, 0
    for _ in range(200):
        move = chance.choices(
            ["step", "key", "back", "turn", "cell", "start", "end", "history"],
            [8, 8, 5, 2, 3, 1, 1, 2],
        )[0]
        if move == "history" and page.evaluate("history.state?.htmx"):
            page.go_back(wait_until="commit")
            if page.url == "about:blank":
                page.go_forward(wait_until="commit")
            settle(page)
        elif move == "key":
            page.keyboard.press(chance.choice(["ArrowRight", "ArrowLeft", "PageDown", "KeyN"]))
        elif move == "cell":
            with suppress(Error):  # the row of steps is just drawn anew
                page.locator(".cell").nth(chance.randrange(25)).click(force=True)
        elif move != "history":
            page.locator(f"#{move}").click(force=True)  # at an end it is disabled: nothing happens
        if chance.random() < 0.7:
            settle(page)
        now = at(page)
        moved, shown = moved + (now != shown), now
    settle(page)
    page.keyboard.press("Escape")  # a question may be open
    assert moved >= 60
    assert document(page) == fresh(page.url)


def test_enter_three_times_is_three_steps_and_the_focus_stays(shown: Callable[[str], Page]) -> None:
    page = shown(CORRECT)
    page.locator("#step").focus()
    for step in (1, 2, 3):
        page.keyboard.press("Enter")
        arrive(page, step)
        expect(page.locator("#step")).to_be_focused()


def test_the_focus_stays_on_step_at_the_end_and_on_the_cell_that_was_pressed(
    shown: Callable[[str], Page],
) -> None:
    page = shown(f"{CORRECT}&step=13")
    page.locator("#step").focus()
    page.keyboard.press("Enter")
    arrive(page, 14)
    expect(page.locator("#step")).to_be_focused()
    expect(page.locator("#step")).to_have_attribute("aria-disabled", "true")
    page.keyboard.press("Enter")
    page.locator("#s-4-go").focus()
    page.keyboard.press("Enter")
    arrive(page, 4)
    expect(page.locator("#s-4-go")).to_be_focused()


@pytest.mark.parametrize(
    ("address", "keys", "step"),
    [
        (CORRECT, ["ArrowRight", "PageDown", "Space"], 3),
        (f"{CORRECT}&step=5", ["ArrowLeft", "PageUp"], 3),
        (f"{CORRECT}&step=2", ["KeyN", "KeyN"], 11),
        (f"{CORRECT}&step=2", ["End"], 14),
        (f"{CORRECT}&step=2", ["Home"], 0),
        (f"{CORRECT}&step=2&keys=off", ["KeyN", "ArrowRight"], 3),  # letters are off, arrows not
    ],
)
def test_keys_step(shown: Callable[[str], Page], address: str, keys: list[str], step: int) -> None:
    page = shown(address)
    for key in keys:
        before = at(page)
        page.keyboard.press(key)
        if not (key == "KeyN" and "keys=off" in address):
            expect(page.locator(".count b")).not_to_have_text(str(before), timeout=PATIENCE)
            expect(page.locator(".htmx-request")).to_have_count(0, timeout=PATIENCE)
    arrive(page, step)


def test_arrows_scroll_where_the_focus_is_in_something_that_scrolls(
    shown: Callable[[str], Page],
) -> None:
    page = shown(f"{CORRECT}&step=12")
    page.set_viewport_size({"width": 1280, "height": 720})
    page.get_by_role("region", name="messages[]").focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("PageUp")
    page.wait_for_timeout(300)
    assert at(page) == 12


def test_space_presses_the_control_that_has_the_focus(shown: Callable[[str], Page]) -> None:
    page = shown(CORRECT)
    page.locator("#tab-request").focus()
    page.keyboard.press("Space")
    page.wait_for_timeout(300)
    assert at(page) == 0


def test_a_step_costs_the_server_one_request(
    shown: Callable[[str], Page], watched: Watched
) -> None:
    page = shown(CORRECT)
    page.wait_for_timeout(300)  # the first step was fetched ahead
    first = len([url for url in watched.asked if "/steps/" in url])
    assert first == 1
    arrivals = []
    page.on("response", lambda r: arrivals.append((r.url, r.request.timing["requestStart"])))
    served: list[str] = []
    session = page.context.new_cdp_session(page)
    session.send("Network.enable")
    session.on(
        "Network.responseReceived",
        lambda event: (
            None
            if event["response"].get("fromDiskCache") or "/steps/" not in event["response"]["url"]
            else served.append(event["response"]["url"])
        ),
    )
    for step in range(1, 6):
        page.locator("#step").click()
        arrive(page, step)
        page.wait_for_timeout(200)
    assert len(served) == 5
    assert len(set(served)) == 5


def test_play_steps_to_the_end_and_replaces_the_address(shown: Callable[[str], Page]) -> None:
    page = shown(f"{CORRECT}&step=10")
    entries = page.evaluate("history.length")
    page.locator("#speed").select_option("800")
    page.locator("#play").click()
    expect(page.locator("#play")).to_have_attribute("aria-pressed", "true")
    arrive(page, 14)
    expect(page.locator("#play")).to_have_attribute("aria-pressed", "false", timeout=PATIENCE)
    assert page.url.endswith("step=14")
    assert page.evaluate("history.length") == entries


def test_any_press_stops_play(shown: Callable[[str], Page]) -> None:
    page = shown(CORRECT)
    page.keyboard.press("KeyP")
    arrive(page, 1)
    page.keyboard.press("ArrowRight")
    arrive(page, 2)
    expect(page.locator("#play")).to_have_attribute("aria-pressed", "false")
    page.wait_for_timeout(2_500)
    assert at(page) == 2


def test_step_pushes_an_address_and_step_back_replaces_it(shown: Callable[[str], Page]) -> None:
    page = shown(CORRECT)
    for step in (1, 2):
        page.locator("#step").click()
        arrive(page, step)
    page.locator("#back").click()
    arrive(page, 1)
    page.go_back()
    arrive(page, 1)
    page.go_back()
    arrive(page, 0)
    page.locator("#step").click()
    arrive(page, 1)


def test_a_deep_link_is_the_step_in_a_fresh_browser(shown: Callable[[str], Page]) -> None:
    page = shown(f"{CORRECT}&step=7")
    expect(page.locator("#now")).to_contain_text("The model asks for a tool")
    expect(page.locator(".waits")).to_contain_text("not in messages[] yet: lines 5–6 append it")
    expect(page).to_have_title("Step 7 of 14 · correct · How many Python files?")


def test_a_step_of_another_version_loads_the_page_anew(
    page: Page, server: str
) -> None:  # its 404 is in the console, as every 404 is
    open_at(page, f"{server}{CORRECT}&step=3")

    def old(route: Route) -> None:
        url = re.sub(r"/steps/[0-9a-f]+/", "/steps/000000000000/", route.request.url)
        route.fulfill(response=route.fetch(url=url))

    page.route("**/steps/**", old)
    page.reload()
    open_at(page, f"{server}{CORRECT}&step=3")
    page.locator("#step").click()
    arrive(page, 4)
    assert page.url == f"{server}{CORRECT}&step=4"


def test_the_sentence_is_announced_once(shown: Callable[[str], Page]) -> None:
    page = shown(CORRECT)
    live = page.locator('[role="status"]:visible, [aria-live]:visible')
    expect(live).to_have_count(1)
    page.locator("#step").click()
    arrive(page, 1)
    expect(live).to_have_count(1)  # a notice of a slow answer may just be leaving
    expect(live).to_contain_text("The first request leaves.")


def test_the_tabs_keep_the_step_and_the_focus(shown: Callable[[str], Page]) -> None:
    page = shown(f"{CORRECT}&step=6")
    page.locator("#tab-request").click()
    expect(page.locator("#envelope")).to_contain_text('"model": "claude-opus-5"')
    expect(page.locator("#messages")).to_contain_text("new in request 2: 2 messages")
    expect(page.locator("#tab-request")).to_be_focused()
    page.locator("#step").click()
    arrive(page, 7)
    assert "tab=request" in page.url
    expect(page.locator("#envelope")).to_contain_text("Request 2")


def test_without_a_script_every_link_works_and_play_is_not_shown(
    browser: Browser, server: str
) -> None:
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(server)
    page.get_by_role("link", name="How many Python files?").click()
    page.goto(f"{server}{CORRECT}")
    for step in range(1, 15):
        page.locator("#step").click()
        assert at(page) == step
    expect(page.locator("#ending")).to_contain_text("after 3 turns")
    expect(page.locator("#play")).to_be_hidden()
    page.locator("#back").click()
    page.locator("#tab-request").click()
    expect(page.locator("#envelope")).to_contain_text("claude-opus-5")
    page.locator("#switch-button").click()
    expect(page.locator("#switch")).to_contain_text("off")
    page.locator("#start").click()
    assert at(page) == 0
    context.close()


@pytest.mark.parametrize("view", ["", "&view=present"])
def test_a_server_that_does_not_answer_is_said_so_and_a_press_tries_again(
    page: Page, server: str, view: str
) -> None:  # a failed request is in the console
    page.route("**/steps/**", lambda route: route.abort())
    open_at(page, f"{server}{CORRECT}&step=3{view}")
    before = page.url
    page.locator("#end").click()
    expect(page.get_by_role("alert")).to_contain_text("The server did not answer")
    assert page.url == before
    expect(page.locator("#step")).to_have_attribute("href", re.compile("step=4"))
    page.unroute("**/steps/**")
    page.get_by_role("button", name="Try again").click()
    arrive(page, 14)
    expect(page.locator("#trouble")).to_be_hidden()
    expect(page.locator("#end")).to_be_focused()


def test_an_answer_that_takes_long_is_announced_as_loading_until_it_is_there(
    page: Page, server: str
) -> None:
    held: list[Route] = []
    page.route("**/steps/**/to-14*", lambda route: held.append(route))
    open_at(page, f"{server}{CORRECT}")
    page.locator("#end").click()
    expect(page.get_by_role("status").filter(has_text="Loading…")).to_be_visible()
    turning = "getComputedStyle(document.querySelector('#notice'), '::before').animationName"
    assert page.evaluate(turning) == "turn"
    page.emulate_media(reduced_motion="reduce")
    assert page.evaluate(turning) == "none"
    held[0].continue_()
    arrive(page, 14)
    expect(page.locator("#notice")).to_be_empty()


def test_a_quick_answer_shows_no_sign_of_loading(shown: Callable[[str], Page]) -> None:
    page = shown(CORRECT)
    page.evaluate("""new MutationObserver(() => { window.said = true; }).observe(
        document.querySelector("#notice"), { childList: true })""")
    page.locator("#step").click()  # fetched ahead
    arrive(page, 1)
    assert page.evaluate("window.said ?? false") is False

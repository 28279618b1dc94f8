"""A live run as a person sees it: from the form to the end, with the reply coming in."""

import re
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.live.conftest import KEY
from tests.live.messages import Played, call, error, gated, text
from tests.serving import serving
from tests.web.browsing import PATIENCE, Watched, arrive

ADD = {"a": 2, "b": 3}


@pytest.fixture
def server(api: Played, tmp_path: Path) -> Iterator[str]:
    """The address of a server that makes live calls, to the API of the test."""
    environment = {
        "ANTHROPIC_API_KEY": KEY,
        "ANTHROPIC_BASE_URL": api.address,
        "HALQA_DATA": str(tmp_path / "data"),
    }
    with serving(env=environment) as address:
        yield address


def begin(page: Page, server: str) -> None:
    """From the lesson's page over the form to a run's page, at the request that is to leave."""
    page.goto(f"{server}/lessons/two-and-three")
    page.get_by_role("link", name="Run it live").click()
    page.get_by_role("button", name="Start").click()
    expect(page.locator("html.scripted")).to_have_count(1, timeout=PATIENCE)
    page.keyboard.press("ArrowRight")
    arrive(page, 1)
    expect(page.locator("#panel")).to_contain_text("the next press sends this request")


def test_a_run_goes_from_the_form_to_its_end_with_the_reply_coming_in(
    page: Page, server: str, api: Played
) -> None:
    gate = threading.Event()
    api.plans = [call("add", ADD), gated(text("Two plus three is 5."), gate, after=3)]
    watched = Watched(page)
    begin(page, server)
    assert api.sent == []
    page.keyboard.press("ArrowRight")  # the first call
    arrive(page, 2)
    for step in (3, 4, 5, 6):  # joins, the tool runs, its result joins, the next request
        page.keyboard.press("ArrowRight")
        arrive(page, step)
    assert len(api.sent) == 1
    page.keyboard.press("ArrowRight")  # the second call
    expect(page.locator("#coming-chat")).to_have_text("Two", timeout=PATIENCE)
    expect(page.locator("#coming-raw")).to_contain_text('"text": "Two"')
    expect(page.locator("#elapsed")).to_have_text(re.compile(r"^[1-9]\d* seconds$"))
    expect(page.get_by_role("button", name="Cancel")).to_be_visible()
    page.reload()  # asks nothing
    page.keyboard.press("ArrowRight")  # nor does a press
    expect(page.locator("#coming-chat")).to_have_text("Two", timeout=PATIENCE)
    gate.set()
    arrive(page, 7)
    for step in (8, 9):
        page.keyboard.press("ArrowRight")
        arrive(page, step)
    expect(page.locator("#now")).to_contain_text("The loop returns the answer.")
    expect(page.locator("#panel")).to_contain_text("In all:")
    expect(page.locator("#panel")).to_contain_text("prices of genai-prices")
    page.keyboard.press("ArrowLeft")
    arrive(page, 8)
    assert len(api.sent) == 2
    assert watched.said == []
    assert [url for url in watched.asked if not url.startswith(server)] == []


def test_cancel_breaks_off_what_is_coming_and_retry_asks_again(
    page: Page, server: str, api: Played
) -> None:
    gate = threading.Event()
    api.plans = [gated(text("Two plus three is 5."), gate, after=3), text("It is 5.")]
    begin(page, server)
    page.keyboard.press("ArrowRight")
    expect(page.locator("#coming-chat")).to_have_text("Two", timeout=PATIENCE)
    page.get_by_role("button", name="Cancel").click()
    expect(page.locator("#panel")).to_contain_text("The call was cancelled.", timeout=PATIENCE)
    expect(page.locator("#panel summary")).to_have_text(
        "What had come by then; it is not part of the run"
    )
    gate.set()
    page.get_by_role("button", name="Retry").click()
    expect(page.locator("#chat")).to_contain_text("It is 5.", timeout=PATIENCE)
    assert len(api.sent) == 2


def test_a_run_is_shown_to_a_class_with_the_real_refusal_and_the_next_call(
    page: Page, server: str, api: Played
) -> None:
    gate = threading.Event()
    api.plans = [
        error(429, "rate_limit_error", "Slow down.", retry_after="7"),
        gated(text("It is 5."), gate, after=2),
    ]
    begin(page, server)
    page.get_by_role("link", name="Present").click()
    expect(page.locator("html.scripted")).to_have_count(1, timeout=PATIENCE)
    page.keyboard.press("PageDown")  # a presenter's remote
    expect(page.locator("#panel")).to_contain_text("Slow down.", timeout=PATIENCE)
    expect(page.locator("#panel")).to_contain_text("It asks to wait 7 seconds.")
    page.get_by_role("button", name="Retry").click()
    expect(page.locator("#panel")).to_contain_text("A call is under way.", timeout=PATIENCE)
    gate.set()
    expect(page.locator("#newest")).to_contain_text("It is 5.", timeout=PATIENCE)
    assert "view=present" in page.url
    page.keyboard.press("ArrowLeft")
    expect(page.locator("#now .kind")).to_have_text("ask")
    assert len(api.sent) == 2


def test_settings_and_copying_are_as_on_a_lessons_page(
    page: Page, server: str, api: Played
) -> None:
    begin(page, server)
    page.get_by_role("button", name="Settings").click()
    page.get_by_role("button", name="dark").click()
    expect(page.locator("html[data-theme=dark]")).to_have_count(1, timeout=PATIENCE)
    assert page.url.endswith("?step=1&theme=dark")
    page.get_by_role("button", name="Copy", exact=True).click()
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.get_by_role("link", name="curl").click()
    expect(page.locator("#copied")).to_have_text("Copied", timeout=PATIENCE)
    copied = page.evaluate("() => navigator.clipboard.readText()")
    assert copied.startswith("curl https://api.anthropic.com/v1/messages")
    assert '"stream": true' in copied
    assert KEY not in copied
    assert api.sent == []

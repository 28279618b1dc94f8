"""The pages about the rules in a real browser: for everybody, without scripts, on any screen."""

import json
import re
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.web.browsing import EVERY_SIZE, Watched

EXAMPLES = ["A40", "A45", "A01", "O27"]


def judge(page: Page, server: str, example: str) -> None:
    """Open an example and press the one button."""
    page.goto(f"{server}/check?example={example}")
    page.get_by_role("button", name="Check it").click()
    expect(page.locator(".verdict-card")).to_be_visible()


def faults(page: Page, axe: str) -> list[str]:
    """What axe-core finds in a page."""
    page.evaluate(f"() => {{ {axe} }}")
    found: dict[str, Any] = page.evaluate("() => axe.run({ resultTypes: ['violations'] })")
    return [
        f"{fault['id']}: {fault['help']}: {node['html'][:200]}"
        for fault in found["violations"]
        for node in fault["nodes"]
    ]


@pytest.fixture
def plain_page(browser: Browser) -> Iterator[Page]:
    """A page that runs no scripts."""
    context = browser.new_context(java_script_enabled=False)
    yield context.new_page()
    context.close()


@pytest.mark.parametrize("example", EXAMPLES)
def test_axe_finds_no_fault_in_an_answer(page: Page, server: str, axe: str, example: str) -> None:
    judge(page, server, example)
    page.locator("summary").click()
    page.locator(".pane > header a").click()
    said = faults(page, axe)
    assert said == [], json.dumps(said, indent=1)


@pytest.mark.parametrize("example", EXAMPLES)
def test_no_answer_scrolls_sideways(page: Page, server: str, example: str) -> None:
    judge(page, server, example)
    for width, height in EVERY_SIZE:
        page.set_viewport_size({"width": width, "height": height})
        wide = page.evaluate("() => document.documentElement.scrollWidth")
        assert wide <= width, f"{wide} in {width}"


def test_a_hostile_request_runs_nothing(page: Page, server: str) -> None:
    watched = Watched(page)
    text = "</textarea><script>alert(1)</script><img src=//attacker.example onerror=alert(2)>"
    page.goto(f"{server}/check")
    page.locator("#request").fill(
        json.dumps({text: text, "messages": [{"role": text, text: text}]})
    )
    page.get_by_role("button", name="Check it").click()
    expect(page.locator(".verdict-card.refused")).to_be_visible()
    assert page.locator("main script, main img").count() == 0
    assert [url for url in watched.asked if not url.startswith(server)] == []
    assert watched.said == []


def test_without_scripts_a_request_is_judged_and_stepped_through(
    plain_page: Page, server: str
) -> None:
    page = plain_page
    page.goto(f"{server}/check")
    page.get_by_role("link", name="one that is refused").click()
    page.get_by_role("button", name="Check it").click()
    expect(page.locator("h1")).to_contain_text("Refused 400 invalid_request_error")
    expect(page.locator(".steps:visible")).to_have_count(0)
    page.get_by_role("link", name="Step through it").click()
    for index in (2, 1, 0):
        expect(page).to_have_url(re.compile(f"#m-{index}$"))
        expect(page.locator(".steps:visible .count")).to_have_text(f"Message {index} of 2")
        if index:
            page.locator(".steps:visible").get_by_role("link", name="Step back").click()
    page.locator(".steps:visible").get_by_role("link", name="Step", exact=True).click()
    expect(page).to_have_url(re.compile("#m-1$"))
    page.locator(".steps:visible").get_by_role("link", name="Next fault").click()
    expect(page).to_have_url(re.compile("#m-2$"))
    page.locator(".finding a").first.click()
    expect(page.locator("h1")).to_contain_text("A40")


def test_the_message_that_is_stepped_to_is_not_hidden_by_the_controls(
    page: Page, server: str
) -> None:
    page.set_viewport_size({"width": 1280, "height": 480})
    judge(page, server, "A51")
    page.locator(".pane > header a").click()
    message, controls = (
        page.locator("li:target").bounding_box(),
        page.locator(".steps:visible").bounding_box(),
    )
    assert message is not None
    assert controls is not None
    assert message["y"] >= 0
    assert message["y"] + 40 < controls["y"]


def test_without_scripts_the_filters_work(plain_page: Page, server: str) -> None:
    page = plain_page
    page.goto(f"{server}/rules")
    filters = page.get_by_role("navigation", name="Which rules")
    filters.get_by_role("link", name="OpenAI").click()
    filters.get_by_role("link", name="accepted").click()
    expect(page).to_have_url(f"{server}/rules?api=openai&effect=accept")
    expect(page.locator(".table .number").first).to_have_text("O05")
    page.locator(".table a").first.click()
    expect(page.locator("h1")).to_contain_text("O05")

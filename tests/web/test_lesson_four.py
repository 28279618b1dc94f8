"""Lesson 4 to each of its four endings: by keys alone, and without a script."""

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.web.browsing import Watched, arrive, at, open_at, press

ADDRESS = "/lessons/how-many-python-files"
KEYS = ("Space", "ArrowRight", "PageDown")
ENDINGS = [
    ("correct", 14, "answer", "3 Python files."),
    ("forgot_results", 25, "no_answer", "no answer"),
    ("forgot_results:checked", 6, "refused", "400"),
    ("missing_tool_use_id", 7, "refused", "400"),
]


@pytest.mark.parametrize(("lane", "last", "ending", "said"), ENDINGS)
def test_by_keys_alone(
    page: Page, server: str, lane: str, last: int, ending: str, said: str
) -> None:
    watched = Watched(page)
    open_at(page, f"{server}{ADDRESS}?lanes={lane}")
    for step in range(1, last + 1):
        press(page, KEYS[step % 3])
        arrive(page, step)
    expect(page.locator(f"#ending.{ending}")).to_be_visible()
    expect(page.locator("#chat")).to_contain_text(said)
    assert watched.said == []


@pytest.mark.parametrize(("lane", "last", "ending", "said"), ENDINGS)
def test_without_a_script(
    browser: Browser, server: str, lane: str, last: int, ending: str, said: str
) -> None:
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(f"{server}{ADDRESS}?lanes={lane}")
    for step in range(1, last + 1):
        page.locator("#step").click()
        assert at(page) == step
    expect(page.locator(f"#ending.{ending}")).to_be_visible()
    expect(page.locator("#chat")).to_contain_text(said)
    context.close()

"""Both APIs side by side: what is tied lights up on both sides, here and there alone."""

from playwright.sync_api import Page, expect

from tests.web.browsing import Watched


def test_what_is_tied_lights_up_on_both_sides_under_the_pointer(page: Page, server: str) -> None:
    watched = Watched(page)
    page.goto(f"{server}/lessons/the-other-api/dialects?lanes=chat,user_between&step=9")
    pane = page.locator(".both").first
    pane.locator(".half.left .is-tied", has_text="max_tokens").hover()
    lit = page.locator(".tied")
    expect(lit).to_have_text(['"max_tokens": 1024', '"max_completion_tokens": 1024'])
    pane.locator(".half.right .j-result", has_text="tool").first.hover()
    expect(lit.filter(has_text="tool_use_id")).to_have_count(1)
    expect(lit.filter(has_text="tool_call_id")).to_have_count(1)
    page.get_by_role("heading", level=1).hover()
    expect(lit).to_have_count(0)
    assert watched.said == []

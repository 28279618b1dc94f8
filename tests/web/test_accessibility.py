"""The colours a reader chooses, and a lane's place on the screen."""

import pytest
from playwright.sync_api import Page

from tests.web.browsing import arrive

FOUR = "/lessons/how-many-python-files"


def test_a_chosen_theme_wins_over_the_system_and_stays(page: Page, server: str) -> None:
    background = "() => getComputedStyle(document.documentElement).backgroundColor"
    page.emulate_media(color_scheme="dark")
    page.goto(f"{server}{FOUR}?lanes=correct&step=3")
    dark = page.evaluate(background)
    page.get_by_role("button", name="Settings").click()
    page.get_by_role("button", name="light", exact=True).click()
    page.wait_for_url("**theme=light*")
    light = page.evaluate(background)
    assert (dark, light) == ("rgb(15, 17, 21)", "rgb(244, 245, 247)")
    page.locator("#step").click()
    arrive(page, 4)
    assert "theme=light" in page.url
    page.locator(".brand").click()
    page.wait_for_url("**/?theme=light")
    assert page.evaluate(background) == light
    for name, path in (("Rules", "rules"), ("Check", "check"), ("Forgiven", "forgives")):
        page.get_by_role("link", name=name, exact=True).click()
        page.wait_for_url(f"**/{path}?theme=light")
        assert page.evaluate(background) == light


@pytest.mark.parametrize("size", [(1280, 720), (1920, 1080)])
def test_a_lane_fits_the_screen_without_scrolling_the_page(
    page: Page, server: str, size: tuple[int, int]
) -> None:
    page.set_viewport_size({"width": size[0], "height": size[1]})
    for step in (0, 7, 12):
        page.goto(f"{server}{FOUR}?lanes=forgot_results&step={step}")
        tall = page.evaluate("() => document.documentElement.scrollHeight")
        assert tall <= size[1]

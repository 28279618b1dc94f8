"""Every page: no fault that axe-core finds, no sideways scroll, nothing from another host."""

import json
from typing import Any, Literal

import pytest
from playwright.sync_api import Page

from tests.web.browsing import Watched, arrive, open_at

FOUR = "/lessons/how-many-python-files"
PAGES = [
    "/",
    f"{FOUR}?lanes=correct",
    f"{FOUR}?lanes=correct&step=7",
    f"{FOUR}?lanes=correct&step=11&tab=request",
    f"{FOUR}?lanes=forgot_results&step=12",
    f"{FOUR}?lanes=missing_tool_use_id&step=7",
    "/lessons/lose-the-thread?lanes=split_results&step=9",
    "/lessons/none",
]
SCHEMES: dict[Literal["light", "dark"], dict[str, Any]] = {
    "light": {"resultTypes": ["violations"]},
    "dark": {"resultTypes": ["violations"], "runOnly": ["color-contrast"]},
}
SIZES = [(1280, 720), (1920, 1080), (390, 844), (320, 640), (640, 360)]  # the last is 200 % zoom


@pytest.mark.parametrize("address", PAGES)
def test_axe_finds_no_fault(page: Page, server: str, axe: str, address: str) -> None:
    said = []
    page.goto(server + address)
    page.evaluate(f"() => {{ {axe} }}")
    for scheme, rules in SCHEMES.items():
        page.emulate_media(color_scheme=scheme)
        found: dict[str, Any] = page.evaluate("(options) => axe.run(options)", rules)
        said += [
            f"{scheme}: {fault['id']}: {fault['help']}: {node['html'][:200]}"
            for fault in found["violations"]
            for node in fault["nodes"]
        ]
    assert said == [], json.dumps(said, indent=1)


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


@pytest.mark.parametrize("address", PAGES)
def test_no_page_scrolls_sideways(page: Page, server: str, address: str) -> None:
    for width, height in SIZES:
        page.set_viewport_size({"width": width, "height": height})
        page.goto(server + address)
        wide = page.evaluate("() => document.documentElement.scrollWidth")
        assert wide <= width, f"{wide} in {width}"


@pytest.mark.parametrize("size", SIZES[:2])
def test_a_lane_fits_the_screen_without_scrolling_the_page(
    page: Page, server: str, size: tuple[int, int]
) -> None:
    page.set_viewport_size({"width": size[0], "height": size[1]})
    for step in (0, 7, 12):
        page.goto(f"{server}{FOUR}?lanes=forgot_results&step={step}")
        tall = page.evaluate("() => document.documentElement.scrollHeight")
        assert tall <= size[1]


@pytest.mark.parametrize("address", [page for page in PAGES if page != "/lessons/none"])
def test_a_page_asks_no_other_host_and_its_console_is_empty(
    page: Page, server: str, address: str
) -> None:
    watched = Watched(page)
    if address == "/":
        page.goto(server)
    else:
        open_at(page, server + address)
        page.locator("#step, #back").and_(page.locator("[hx-get]")).first.click()
    page.wait_for_timeout(300)
    assert [url for url in watched.asked if not url.startswith(server)] == []
    assert watched.said == []

"""Every page that the router lists, and those of a live run: no fault that axe-core finds for
WCAG 2.2 AA, no sideways scroll, nothing from another host."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Literal

import pytest
from playwright.sync_api import Browser, Page

from tests.live.messages import call, playing, text
from tests.pages import SIZES, page_addresses
from tests.serving import serving
from tests.web.browsing import EVERY_SIZE, Watched

FOUR = "/lessons/how-many-python-files"
FIVE = "/lessons/lose-the-thread"
# What the routers need not name: each kind of step and pane, four lanes, and what is not there.
MORE = [
    f"{FOUR}?lanes=correct&step=11&tab=request",
    f"{FOUR}?lanes=correct&step=99",
    f"{FOUR}?step=99",
    f"{FIVE}?lanes=correct,forgot_round,text_only,split_results&step=99",
    f"{FOUR}?lanes=correct&step=7&view=present",
    f"{FOUR}?lanes=correct&step=7&theme=light&keys=off",
    "/lessons/none",
    f"{FOUR}?lanes=none",
    f"{FOUR}?step=x",
    "/rules/Z1",
    "/nowhere",
]
LIVE = [
    "/live",
    "/runs",
    "RUN",
    "RUN?step=1",
    "RUN?step=3&tab=request",
    "RUN?step=3&view=present",
    "RUN/trace?step=3",
    "/runs/none",
    f"{FOUR}?lanes=correct",  # it leads to a live run here
]

TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
# A colour scheme changes nothing that other rules look at.
SCHEMES: dict[Literal["light", "dark"], list[str]] = {"light": TAGS, "dark": ["color-contrast"]}


@pytest.fixture(scope="module")
def live(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a server that makes live calls, to a model of the tests."""
    replies = [call("list_files", {"path": "."}), text("There are 3.")]
    with playing(replies) as api:
        settings = {
            "ANTHROPIC_API_KEY": "sk-of-the-tests",
            "ANTHROPIC_BASE_URL": api.address,
            "HALQA_DATA": str(tmp_path_factory.mktemp("live")),
        }
        with serving(env=settings) as address:
            yield address


@dataclass(frozen=True)
class Visited:
    """A page that was loaded once, for all tests that look at it."""

    page: Page
    watched: Watched


@pytest.fixture(scope="module", params=[*page_addresses(), *MORE])
def visited(request: pytest.FixtureRequest, browser: Browser, server: str) -> Iterator[Visited]:
    """Each of the pages in turn."""
    page = browser.new_page()
    watched = Watched(page)
    page.goto(server + request.param)
    yield Visited(page, watched)
    page.close()


def test_axe_finds_no_fault(visited: Visited, axe: str) -> None:
    assert faults(visited.page, axe) == []


def test_nothing_scrolls_sideways(visited: Visited) -> None:
    assert too_wide(visited.page) == []


def test_nothing_comes_from_another_host_and_the_console_is_empty(
    visited: Visited, server: str
) -> None:
    assert [url for url in visited.watched.asked if not url.startswith(server)] == []
    assert [line for line in visited.watched.said if "the server responded" not in line] == []


def test_a_live_run_is_for_everyone_too(page: Page, live: str, axe: str) -> None:
    watched = Watched(page)
    run = started(page, live)
    for address in LIVE:
        page.goto(live + address.replace("RUN", run))
        assert [*faults(page, axe), *too_wide(page)] == [], address
    assert [url for url in watched.asked if not url.startswith(live)] == []


def started(page: Page, live: str) -> str:
    """The path of a live run that was started and stepped on until its tool has run."""
    page.goto(f"{live}/live?lesson=how-many-python-files")
    page.get_by_role("button", name="Start").click()
    for done in ("ask", "reply", "append", "tool"):
        page.locator("#step").click()
        page.locator("#steps .now", has_text=done).wait_for()
    return re.sub(r"^.*(?=/runs/)|\?.*$", "", page.url)


def faults(page: Page, axe: str) -> list[str]:
    """What axe-core finds in a page, at each size and in both colour schemes."""
    page.evaluate(f"() => {{ {axe} }}")
    said = []
    for size, (width, height) in SIZES.items():
        page.set_viewport_size({"width": width, "height": height})
        for scheme, rules in SCHEMES.items():
            page.emulate_media(color_scheme=scheme)
            found: dict[str, Any] = page.evaluate(
                "(rules) => axe.run({ resultTypes: ['violations'], runOnly: rules })", rules
            )
            said += [
                f"{size}, {scheme}: {fault['help']}: {len(fault['nodes'])} × "
                f"{fault['nodes'][0]['html'][:160]} {fault['nodes'][0]['failureSummary'][-160:]}"
                for fault in found["violations"]
            ]
    return said


def too_wide(page: Page) -> list[str]:
    """The widths at which a page scrolls sideways, 320 pixels and 200 % zoom among them."""
    said = []
    for width, height in EVERY_SIZE:
        page.set_viewport_size({"width": width, "height": height})
        wide = page.evaluate("() => document.documentElement.scrollWidth")
        if wide > width:
            said.append(f"{wide} in {width}")
    return said

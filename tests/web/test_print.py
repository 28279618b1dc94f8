"""Pages on paper: everything that a screen scrolls through stands there, and no controls."""

import re
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect
from typer.testing import CliRunner

from app.cli import main

FOUR = "/lessons/how-many-python-files"
A4 = {"width": 703, "height": 1000}  # what is between its margins

# Whether some of what elements hold is cut off.
CUT = """(elements) => elements.some((one) =>
  one.scrollHeight > one.clientHeight + 1 && getComputedStyle(one).overflowY !== "visible")"""


def on_paper(page: Page, address: str) -> None:
    page.set_viewport_size(A4)
    page.goto(address)
    page.emulate_media(media="print", color_scheme="dark")


def test_a_lane_is_printed_with_all_its_panes(page: Page, server: str) -> None:
    on_paper(page, f"{server}{FOUR}?lanes=correct&step=14&theme=dark")
    for name in ("#chat .ending", ".code .line", "#messages .m:last-child"):
        expect(page.locator(name).last).to_be_visible()
    expect(page.locator(".controls, .which, #settings, #by-line").first).to_be_hidden()
    assert page.locator(".pane, .scroll").evaluate_all(CUT) is False
    paper = page.evaluate("getComputedStyle(document.documentElement).backgroundColor")
    assert paper == "rgb(255, 255, 255)", "paper is white, whatever the screen is"


def test_a_comparison_is_printed_with_all_its_rows(page: Page, server: str) -> None:
    on_paper(page, f"{server}{FOUR}?step=28")
    boxes = [row.bounding_box() for row in page.locator("#rows > .row").all()]
    assert len(boxes) == 29
    tops = [box["y"] for box in boxes if box]
    assert tops == sorted(tops), "the first difference is not pinned over other rows"
    endings = page.locator(".endings").bounding_box()
    assert endings
    assert endings["y"] > tops[-1]
    assert page.locator(".table .scroll").evaluate_all(CUT) is False
    expect(page.locator(".controls")).to_be_hidden()


@pytest.mark.parametrize("lanes", ["forgot_results", "correct,forgot_results"])
def test_an_exported_file_is_printed_as_the_step_and_all_sentences(
    page: Page, tmp_path: Path, lanes: str
) -> None:
    file = tmp_path / "run.html"
    assert (
        CliRunner().invoke(main, ["export", "4", "-o", str(file), "--lanes", lanes]).exit_code == 0
    )
    on_paper(page, f"{file.as_uri()}#step-10")
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    told = page.locator("#steps .said-of")
    assert all(one.is_visible() for one in told.all())
    expect(page.locator("#now")).to_be_visible()
    expect(page.locator("#step")).to_be_hidden()
    page.evaluate("dispatchEvent(new Event('afterprint'))")
    page.emulate_media(media="screen")
    expect(page.locator("#step")).to_be_visible()
    expect(told.first).to_be_hidden()


def test_printing_tells_an_exported_file_so(page: Page, tmp_path: Path) -> None:
    file = tmp_path / "run.html"
    assert CliRunner().invoke(main, ["export", "4", "-o", str(file)]).exit_code == 0
    page.goto(file.as_uri())
    pages = len(re.findall(rb"/Type\s*/Page\b", page.pdf(format="A4")))
    assert pages >= 3, "the rows, the endings, then every sentence"

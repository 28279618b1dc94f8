"""Right to left in a real browser: which fonts load, what mirrors, in which order tokens stand."""

import pytest
from playwright.sync_api import Page

LANE = "/lessons/how-many-python-files?lanes=correct&step=7"
FONTS = """async () => {
  await document.fonts.ready;
  return performance.getEntriesByType("resource").map((one) => one.name)
    .filter((name) => name.endsWith(".woff2")).map((name) => name.replace(/.*vendor./, ""))
    .sort();
}"""
LATIN = ["inter-latin-wght-normal.woff2", "jetbrains-mono-latin-wght-normal.woff2"]
ARABIC = ["jetbrains-mono-latin-wght-normal.woff2", "vazirmatn-arabic-wght-normal.woff2"]


def left(page: Page, selector: str) -> float:
    box = page.locator(selector).first.bounding_box()
    assert box, selector
    return box["x"]


@pytest.mark.parametrize(
    ("language", "needed", "never"),
    [
        ("en", LATIN, "arabic cyrillic"),
        ("ru", [*LATIN, "inter-cyrillic-wght-normal.woff2"], "arabic"),
        ("fa", ARABIC, "cyrillic"),
        ("ar", ARABIC, "cyrillic"),
    ],
)
def test_a_reader_loads_the_fonts_of_the_language_alone(
    page: Page, server: str, language: str, needed: list[str], never: str
) -> None:
    page.goto(f"{server}{LANE}&lang={language}", wait_until="networkidle")
    loaded: list[str] = page.evaluate(FONTS)
    assert {*needed} <= {*loaded}
    assert [name for name in loaded if any(script in name for script in never.split())] == []
    assert len(loaded) <= 5


@pytest.mark.parametrize("language", ["fa", "ar"])
def test_panes_stay_and_the_rest_mirrors(page: Page, server: str, language: str) -> None:
    page.goto(f"{server}{LANE}&lang={language}")
    assert left(page, ".pane.talk") < left(page, ".pane.loop") < left(page, ".pane.raw")
    assert left(page, ".settings") < left(page, ".brand")
    assert left(page, "#step") < left(page, "#back") < left(page, "#start")
    assert left(page, "#end") < left(page, "#step")
    cells = page.locator("#steps .cell")
    first, last = cells.first.bounding_box(), cells.last.bounding_box()
    assert first
    assert last
    assert last["x"] < first["x"]
    for control in ("start", "back", "step", "turn", "end"):
        icon = page.locator(f"#{control} .icon")
        assert (
            icon.evaluate("icon => getComputedStyle(icon).transform") == "matrix(-1, 0, 0, 1, 0, 0)"
        )
    assert page.evaluate("getComputedStyle(document.querySelector('.loop .code')).direction") == (
        "ltr"
    )


def test_tokens_of_json_keep_their_order_beside_persian_strings(page: Page, server: str) -> None:
    page.goto(f"{server}{LANE}&lang=fa")
    wrong = page.evaluate(
        """() => [...document.querySelectorAll("#messages .json > div")].flatMap((line) => {
          const boxes = [...line.querySelectorAll("bdi")]
            .map((token) => token.getClientRects()[0]).filter(Boolean);
          return boxes.slice(1).filter((box, n) =>
            Math.abs(box.top - boxes[n].top) < 2 && box.left < boxes[n].left - 1);
        }).length"""
    )
    assert wrong == 0
    assert page.locator("#messages bdi", has_text="پایتون").count()


def test_a_text_with_latin_names_in_it_reads_from_the_right(page: Page, server: str) -> None:
    page.goto(f"{server}/lessons/lose-the-thread?lanes=correct,text_only&step=12&lang=ar")
    texts = [page.locator(".json .gap").first, page.locator(".end .title", has_text="A49")]
    assert [text.evaluate("text => getComputedStyle(text).direction") for text in texts] == (
        ["rtl", "rtl"]
    )


@pytest.mark.parametrize(("language", "forward"), [("fa", "ArrowLeft"), ("ru", "ArrowRight")])
def test_the_arrow_that_points_forward_steps(
    page: Page, server: str, language: str, forward: str
) -> None:
    page.goto(f"{server}{LANE}&lang={language}&predict=off")
    page.wait_for_selector("[data-htmx-powered]", state="attached")
    page.keyboard.press(forward)
    page.wait_for_url("**step=8**")


WIDEST = """async () => {
  await document.fonts.ready;
  const lines = [...document.querySelectorAll(".loop .line")];
  const one = lines[1].getBoundingClientRect().height;
  lines[0].querySelector(".text").textContent = "0".repeat(56);
  return lines.filter((line) => line.getBoundingClientRect().height > one + 1).length;
}"""


@pytest.mark.parametrize("language", ["en", "fa"])
def test_a_line_of_56_columns_fits_beside_the_chat_and_the_messages(
    page: Page, server: str, language: str
) -> None:
    page.set_viewport_size({"width": 1280, "height": 720})
    page.goto(f"{server}{LANE}&lang={language}")
    assert page.locator(".loop .line").count() > 20
    assert page.evaluate(WIDEST) == 0


# Each sign behind a letter of the language stands to its left, each bracket opens on its right.
SIGNS = r"""() => {
  const letter = /[\u0620-\u064a\u066e-\u06d3]/, wrong = [];
  let looked = 0;
  const box = (node, at) => {
    const range = document.createRange();
    range.setStart(node, at);
    range.setEnd(node, at + 1);
    return range.getBoundingClientRect();
  };
  const look = (node, first, second) => {
    const [before, after] = [box(node, first), box(node, second)];
    if (!after.width || Math.abs(before.top - after.top) > 4) return;
    looked += 1;
    if (after.left > before.left) wrong.push(node.data.trim().slice(0, 60));
  };
  const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node; (node = walk.nextNode());) {
    if (node.parentElement.closest(".unseen, script, style, textarea, option")) continue;
    for (const { index } of node.data.matchAll(/[.؟!:،؛]/g)) {
      if (index && letter.test(node.data[index - 1])) look(node, index - 1, index);
    }
    for (const { 0: inside, index } of node.data.matchAll(/\([^()]*[\u0620-\u06d3][^()]*\)/g)) {
      look(node, index, index + inside.length - 1);
    }
  }
  return { looked, wrong };
}"""
WITH_SIGNS = {
    "/lessons/how-many-python-files?lanes=correct&step=4": 10,
    "/lessons/how-many-python-files?step=12": 10,
    "/lessons/how-many-python-files?step=6&view=present": 2,
    "/lessons/for-ever?lanes=correct&step=999": 20,
    "/rules/A40": 5,
}


@pytest.mark.parametrize("language", ["fa", "ar"])
def test_signs_and_brackets_stand_where_a_reader_from_the_right_expects_them(
    page: Page, server: str, language: str
) -> None:
    for address, least in WITH_SIGNS.items():
        page.goto(f"{server}{address}{'&' if '?' in address else '?'}lang={language}")
        found = page.evaluate(SIGNS)
        assert found["wrong"] == [], address
        assert found["looked"] >= least, address

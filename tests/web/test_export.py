"""A run in one file: it opens from a disk without a network and steps as the page does."""

import base64
import hashlib
import json
import random
import re
from collections.abc import Callable, Iterator
from html import unescape
from html.parser import HTMLParser
from pathlib import Path

import pytest
from fastapi.testclient import TestClient
from playwright.sync_api import Browser, Page, expect
from typer.testing import CliRunner

from app.cli import main
from app.main import create_app
from app.views.export import Film, film_of, unlinked
from app.views.picture import Picture, Piece
from tests.long_lesson import write_long_lesson
from tests.web.browsing import EVERY_SIZE, Watched, document, until
from tests.web.test_escaping import LONG, MARKUP, PERCENT, REORDERED, yaml_of

FILES = [
    "/lessons/how-many-python-files/export.html",
    "/lessons/how-many-python-files/export.html?lanes=correct",
    "/lessons/how-many-python-files/export.html?lanes=forgot_results:checked",
    "/lessons/how-many-python-files/export.html?lanes=missing_tool_use_id",
    "/lessons/lose-the-thread/export.html?lanes=correct,swapped_ids,text_only,split_results",
    "/lessons/lose-the-thread/export.html?lanes=split_results&theme=dark",
]
CLOSING = "</script></style></template></textarea><!-- <script> --> <![CDATA["


class Parts(HTMLParser):
    """The tags of a document, and what stands in its scripts and styles."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.inside: list[tuple[str, dict[str, str | None], str]] = []
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))

    def handle_data(self, data: str) -> None:
        if self.tags and self.tags[-1][0] in ("script", "style") and data.strip():
            self.inside.append((*self.tags[-1], data))


def hashed(text: str) -> str:
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"


# --- what is in the file


@pytest.mark.parametrize("address", FILES)
def test_a_file_loads_nothing_and_leads_nowhere(client: TestClient, address: str) -> None:
    answer = client.get(address)
    assert answer.status_code == 200
    assert answer.headers["content-disposition"].startswith('attachment; filename="')
    parts = Parts(answer.text)
    for tag, attributes in parts.tags:
        assert tag not in ("link", "img", "iframe", "form", "base", "object", "embed"), attributes
        assert not {"src", "srcset", "style", "action", "background"} & set(attributes)
        assert not [name for name in attributes if name.startswith(("hx-", "on"))]
        href = attributes.get("href")
        assert href is None or re.fullmatch(r"#step-\d+", href)
    style = next(text for tag, _, text in parts.inside if tag == "style")
    assert "url(" not in style
    assert "@import" not in style


@pytest.mark.parametrize("language", ["en", "ar", "fa", "ru"])
def test_a_file_holds_the_letters_of_arabic_and_persian(client: TestClient, language: str) -> None:
    html = client.get(f"{FILES[0]}{'&' if '?' in FILES[0] else '?'}lang={language}").text
    needed = ["data:font/woff2;base64"] if language in ("ar", "fa") else []
    assert [found[:22] for found in re.findall(r"url\((.*?)\)", html)] == needed


@pytest.mark.parametrize("address", FILES[:3])
def test_a_file_carries_its_own_policy(client: TestClient, address: str) -> None:
    answer = client.get(address)
    parts = Parts(answer.text)
    (policy,) = (
        str(attributes["content"])
        for tag, attributes in parts.tags
        if tag == "meta" and attributes.get("http-equiv") == "Content-Security-Policy"
    )
    style = next(text for tag, _, text in parts.inside if tag == "style")
    (script,) = (
        text for tag, attributes, text in parts.inside if tag == "script" and not attributes
    )
    assert policy == (
        f"default-src 'none'; script-src {hashed(script)}; style-src {hashed(style)}; "
        "font-src data:; base-uri 'none'; form-action 'none'"
    )
    assert answer.headers["content-security-policy"] == f"{policy}; frame-ancestors 'self'"


@pytest.mark.parametrize("text", [MARKUP, CLOSING, REORDERED, PERCENT, "\ud800"], ids=range(5))
def test_hostile_text_stays_text(client_of: Callable[..., TestClient], text: str) -> None:
    file = text.encode("utf-8", "replace").decode()
    client = client_of(yaml_of(text), hostile=file)
    for lanes in ("correct", "correct,missing_tool_use_id"):
        is_text(client.get(f"/lessons/own/export.html?lanes={lanes}").text, text)


def is_text(html: str, text: str) -> None:
    tags = [tag for tag, _ in Parts(html).tags]
    assert (tags.count("script"), tags.count("style"), tags.count("template")) == (2, 1, 1)
    assert not {"img", "hx-partial", "textarea"} & set(tags)
    assert "<!--" not in html
    assert not re.search("[\u202a-\u202e\u2066-\u2069\u200b\ufeff\x00-\x08\x0e-\x1f\u2028]", html)
    assert text[:4].encode("utf-8", "replace").decode() in unescape(html) or text == "\ud800"


def test_a_text_of_a_megabyte_is_cut(client_of: Callable[..., TestClient]) -> None:
    client = client_of(yaml_of(LONG), hostile=LONG)
    assert len(client.get("/lessons/own/export.html?lanes=correct").text) < 400_000


@pytest.mark.parametrize("lanes", ["correct", "correct,forgot_results,split_results"])
def test_a_file_grows_with_its_run_and_no_faster(tmp_path: Path, lanes: str) -> None:
    sizes = []
    for messages in (10, 60):
        write_long_lesson(tmp_path, messages)
    with TestClient(create_app([tmp_path])) as client:
        for messages in (10, 60):
            html = client.get(f"/lessons/long-{messages}/export.html?lanes={lanes}").text
            pieces = re.search(r"<template.*?</script>", html, re.DOTALL)
            assert pieces
            sizes.append(len(pieces[0]))
    assert 3 < sizes[1] / sizes[0] < 7


# --- the film


def shown(film: Film) -> Iterator[tuple[dict[str, Piece], dict[str, tuple[Piece, ...]]]]:
    """What each frame shows."""
    single: dict[str, int] = {}
    lists: dict[str, tuple[int, ...]] = {}
    for frame in film.frames:
        single |= frame.single
        lists |= {
            name: lists.get(name, ())[:kept] + more for name, (kept, more) in frame.lists.items()
        }
        yield (
            {name: film.pieces[number] for name, number in single.items()},
            {name: tuple(film.pieces[n] for n in numbers) for name, numbers in lists.items()},
        )


def test_a_film_shows_what_its_pictures_show() -> None:
    draw = random.Random(7)
    pictures = []
    for step in range(40):
        items = tuple(Piece(f"i-{n}", "item", draw.choice("ab")) for n in range(draw.randrange(6)))
        single = {"one": Piece("one", "one", draw.choice("ab")), "other": Piece("other", "o")}
        pictures.append(Picture(str(step), single, {"list": items, "unseen": items}))
    film = film_of(iter(pictures), ("one", "list"))
    assert list(shown(film)) == [
        ({"one": picture.single["one"]}, {"list": picture.lists["list"]}) for picture in pictures
    ]
    assert len(set(film.pieces)) <= len(film.pieces) < 40 * 4


@pytest.mark.parametrize(
    ("html", "without"),
    [
        (
            '<a class="rule" href="/rules/A40" title="x">A40</a>',
            '<a class="rule" title="x">A40</a>',
        ),
        ('<a href="#step-1">1</a>', '<a href="#step-1">1</a>'),
        ('<a hx-get="" href="/p">x</a>', "<a>x</a>"),
        ('<p> href="/x"</p>', '<p> href="/x"</p>'),
    ],
)
def test_links_to_the_server_are_taken_out(html: str, without: str) -> None:
    assert unlinked(html) == without


# --- the trace


def test_the_trace_is_a_json_object_a_line_for_each_step_of_each_lane(client: TestClient) -> None:
    answer = client.get("/lessons/how-many-python-files/trace.jsonl")
    assert answer.headers["content-type"].startswith("application/jsonl")
    lines = [json.loads(line) for line in answer.text.splitlines()]
    lanes = ("correct", "forgot_results", "missing_tool_use_id")
    for lane in lanes:
        run = client.get(f"/api/runs/how-many-python-files/{lane}").json()
        own = {"lesson": run["lesson"], "lane": lane, "checked": run["checked"]}
        steps = [{**own, **step} for step in run["steps"]]
        assert [line for line in lines if line["lane"] == lane] == steps
    assert {line["lane"] for line in lines} == set(lanes)


@pytest.mark.parametrize("file", ["export.html", "trace.jsonl"])
@pytest.mark.parametrize(
    ("query", "status", "says"),
    [
        ("?lanes=none", 404, "no lane none."),
        ("?lanes=correct,correct", 422, "stands twice"),
        ("?step=3", 422, "An address has no key"),
        ("?lang=xx", 422, "it may be en"),
    ],
)
def test_a_wrong_address_gets_a_sentence(
    client: TestClient, file: str, query: str, status: int, says: str
) -> None:
    answer = client.get(f"/lessons/how-many-python-files/{file}{query}")
    assert answer.status_code == status
    assert says in re.sub("</?code>", "", answer.text)
    assert client.get(f"/lessons/none/{file}").status_code == 404


@pytest.mark.parametrize("query", ["", "?lanes=correct", "?lanes=correct:unchecked&step=3"])
def test_a_lesson_links_to_its_file(client: TestClient, query: str) -> None:
    page = client.get(f"/lessons/how-many-python-files{query}").text
    found = re.search(r'<a class="quiet export" href="([^"]+)" download', page)
    assert found
    file = client.get(unescape(found[1]))
    assert file.status_code == 200
    assert "step=" not in found[1]
    assert ("unchecked" in found[1]) == ("unchecked" in query)


# --- the command


def test_the_command_writes_the_file_that_the_page_links_to(
    client: TestClient, tmp_path: Path
) -> None:
    file = tmp_path / "run.html"
    done = CliRunner().invoke(main, ["export", "4", "--lanes", "correct", "-o", str(file)])
    assert (done.exit_code, done.stdout.split(":")[0]) == (0, str(file))
    answer = client.get("/lessons/4/export.html?lanes=correct")
    assert file.read_text(encoding="utf-8") == answer.text
    printed = CliRunner().invoke(main, ["export", "4", "--lanes", "correct", "-o", "-"])
    assert printed.stdout == answer.text


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("none",), "There is no lesson 'none'"),
        (("4", "--lanes", "none"), "no lane 'none'."),
        (("4", "--lanes", "correct:x"), "it may have checked, unchecked, approve, deny"),
        (("4", "--lang", "xx"), "There is no language 'xx'; there is en"),
        (("4", "-o", "no/such/folder/run.html"), "cannot be written: No such file"),
    ],
)
def test_a_wrong_word_gets_a_sentence(words: tuple[str, ...], said: str) -> None:
    done = CliRunner().invoke(main, ["export", *words])
    assert done.exit_code in (1, 2)
    assert said in done.stderr
    assert not done.stdout


# --- in a browser, from a disk, with the network cut


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """The addresses of files on the disk: lesson 4 with one lane and with all."""
    folder = tmp_path_factory.mktemp("away from everything")
    made = {}
    for name, lanes in (("one", "forgot_results"), ("all", None)):
        file = folder / f"{name}.html"
        words = ["export", "4", "-o", str(file), *(["--lanes", lanes] if lanes else [])]
        assert CliRunner().invoke(main, words).exit_code == 0
        made[name] = file.as_uri()
    return made


@pytest.fixture(scope="module")
def cut_off(browser: Browser) -> Iterator[Page]:
    """A page without a network, of a browser that keeps it."""
    context = browser.new_context(offline=True, viewport={"width": 1280, "height": 720})
    yield context.new_page()
    context.close()


def at(page: Page) -> int:
    return int(page.locator("#at").inner_text())


def test_lesson_4_is_stepped_through_and_says_what_the_page_says(
    cut_off: Page, files: dict[str, str], client: TestClient
) -> None:
    page, watched = cut_off, Watched(cut_off)
    page.goto(files["one"])
    steps = client.get("/api/runs/how-many-python-files/forgot_results").json()["steps"]
    for step in steps:
        assert at(page) == step["step"]
        said = re.sub(r"\s+", "", page.locator("#now").inner_text())
        assert said == step["kind"] + re.sub(r"\s+", "", step["sentence"])
        assert page.locator("#messages > .m").count() == step["length"]
        page.locator("#step").click(force=True)  # at the end it changes nothing
    assert at(page) == len(steps) - 1
    assert page.url.endswith(f"#step-{len(steps) - 1}")
    expect(page.locator("#step")).to_have_attribute("aria-disabled", "true")
    assert watched.said == []
    assert {url.partition(":")[0] for url in watched.asked} == {"file"}


@pytest.mark.parametrize(("name", "last"), [("one", 25), ("all", 28)])
def test_a_link_leads_to_its_step_and_keys_move(
    cut_off: Page, files: dict[str, str], name: str, last: int
) -> None:
    page, watched = cut_off, Watched(cut_off)
    page.goto("about:blank")
    page.goto(f"{files[name]}#step-7")
    assert at(page) == 7
    for key, step in [
        *[("ArrowRight", 8), ("PageDown", 9), ("Space", 10), ("ArrowLeft", 9), ("PageUp", 8)],
        *[("Home", 0), ("n", 1), ("End", last), ("n", last), ("ArrowRight", last)],
    ]:
        page.keyboard.press(key)
        assert (key, at(page)) == (key, step)
    page.go_back()  # to the step before the jump to the end
    until(page, "() => document.getElementById('at').textContent === '1'")
    page.locator("#steps [data-step='5'] a").click()
    assert (at(page), page.url.partition("#")[2]) == (5, "step-5")
    page.locator("#letters").click()
    page.keyboard.press("n")
    assert at(page) == 5
    for address, step in (("#3", 3), ("#step=4", 4), ("#step-999", last), ("#nothing", 0)):
        page.evaluate("hash => { location.hash = hash; }", address)
        until(page, "n => document.getElementById('at').textContent === `${n}`", step)
    assert watched.said == []


@pytest.mark.parametrize("name", ["one", "all"])
def test_a_file_that_was_stepped_through_is_the_one_that_its_link_opens(
    cut_off: Page, files: dict[str, str], name: str
) -> None:
    page, draw = cut_off, random.Random(4)
    page.goto("about:blank")
    page.goto(files[name])
    moves = ["#step", "#step", "#step", "#back", "#turn", "#start", "#end"]
    for _ in range(6):
        for _ in range(draw.randrange(1, 9)):
            page.locator(draw.choice(moves)).click(force=True)
        stepped, step = document(page), at(page)
        page.goto("about:blank")
        page.goto(f"{files[name]}#step-{step}")
        assert document(page) == stepped


def test_a_call_is_tied_to_its_result_on_hover_and_on_focus(cut_off: Page, tmp_path: Path) -> None:
    file, page = tmp_path / "correct.html", cut_off
    words = ["export", "4", "-o", str(file), "--lanes", "correct"]
    assert CliRunner().invoke(main, words).exit_code == 0
    page.goto(f"{file.as_uri()}#step-9")
    call, tied = page.locator("#m-1 .j-id"), page.locator(".tied")
    call.hover()
    expect(tied).to_have_text(['"toolu_01"', '"toolu_01"'])
    expect(page.locator("#tie")).to_be_visible()
    page.mouse.move(5, 5)
    expect(tied).to_have_count(0)
    page.locator("#step").click()
    page.locator("#m-4 .j-id").focus()
    expect(tied).to_have_text(['"toolu_02"', '"toolu_02"'])


def test_play_goes_to_the_end(cut_off: Page, files: dict[str, str]) -> None:
    page = cut_off
    page.goto("about:blank")
    page.clock.install()
    page.goto(f"{files['one']}#step-20")
    page.keyboard.press("p")
    expect(page.locator("#play")).to_have_text("Pause")
    page.clock.run_for(4_000)
    assert at(page) == 22
    page.clock.run_for(8_000)
    assert at(page) == 25
    expect(page.locator("#play")).to_have_text("Play")


@pytest.mark.parametrize("name", ["one", "all"])
def test_axe_finds_no_fault_and_nothing_scrolls_sideways(
    cut_off: Page, files: dict[str, str], name: str, axe: str
) -> None:
    page = cut_off
    page.goto("about:blank")
    page.goto(f"{files[name]}#step-9")
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme)
        page.evaluate(f"() => {{ {axe} }}")
        found = page.evaluate("() => axe.run({ resultTypes: ['violations'] })")
        said = [
            (fault["id"], [n["html"][:200] for n in fault["nodes"]])
            for fault in found["violations"]
        ]
        assert said == [], scheme
    page.emulate_media(color_scheme=None)
    for width, height in EVERY_SIZE:
        page.set_viewport_size({"width": width, "height": height})
        assert page.evaluate("() => document.documentElement.scrollWidth") <= width
    page.set_viewport_size({"width": 1280, "height": 720})
    assert page.evaluate("() => document.documentElement.scrollHeight") <= 720


@pytest.mark.parametrize("name", ["one", "all"])
def test_without_scripts_a_file_is_a_text_to_read(
    browser: Browser, files: dict[str, str], name: str
) -> None:
    context = browser.new_context(offline=True, java_script_enabled=False)
    page = context.new_page()
    page.goto(files[name])
    told = page.locator("#steps .said-of")
    assert told.count() == {"one": 26, "all": 29}[name]
    for n in range(told.count()):
        expect(told.nth(n)).to_be_visible()
    expect(page.locator("#now")).to_contain_text("6 turns")
    expect(page.locator("#step")).to_be_hidden()
    page.set_viewport_size({"width": 390, "height": 844})
    for pane in page.locator(".pane").all():
        expect(pane).to_be_visible()
    assert page.evaluate("() => document.documentElement.scrollWidth") <= 390
    context.close()


@pytest.mark.parametrize("scripts", [True, False])
def test_after_the_last_step_a_file_looks_back_and_leads_to_no_other_lesson(
    browser: Browser, files: dict[str, str], scripts: bool
) -> None:
    page = browser.new_page(offline=True, java_script_enabled=scripts)
    page.goto(files["all"])
    look_back = page.get_by_role("button", name="Look back")
    if scripts:
        expect(look_back).to_be_hidden()
        page.keyboard.press("End")
    look_back.click()
    page.get_by_text("What is tool_use_id for?").click()
    expect(page.get_by_text("It says which call a result answers.")).to_be_visible()
    expect(page.get_by_text("Once the tool has run, the model knows.")).to_be_visible()
    page.get_by_role("button", name="Close").click()
    expect(page.get_by_text("It says which call a result answers.")).to_be_hidden()
    assert page.locator(".next-lesson").count() == 0
    page.close()

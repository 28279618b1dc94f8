"""The language of a page: which one a reader gets, and that it stays on the way."""

import re
import shutil
from collections.abc import Callable
from html import unescape
from pathlib import Path
from urllib.parse import parse_qsl, urlsplit

import pytest
from babel.messages.frontend import CommandLineInterface
from fastapi.testclient import TestClient

from app import paths
from app.main import create_app
from app.settings import Settings
from catalogues import compile_catalogues
from tests.pages import page_addresses
from tests.web.conftest import sentence

DIRECTIONS = {"en": "ltr", "ar": "rtl", "fa": "rtl", "ru": "ltr"}
LESSON = "/lessons/how-many-python-files"
NAMES = {"en": "English", "ar": "العربية", "fa": "فارسی", "ru": "Русский"}
FOREIGN = """\
number: 90
title: Two and three
point: A point.
task: "What is 2 + 3?"
tools: [add]
lanes:
  - loop: correct
script:
  - text: "5"
right: "5"
"""


def with_language(address: str, language: str) -> str:
    return f"{address}{'&' if '?' in address else '?'}lang={language}"


def switch(html: str) -> dict[str, str]:
    """The address of the page in each language, by the name that stands on the link."""
    found = re.findall(r'<a href="([^"]+)" lang="\w+" hreflang="\w+"[^>]*>([^<]+)</a>', html)
    return {name: unescape(page) for page, name in found}


@pytest.mark.parametrize("language", DIRECTIONS)
def test_every_page_says_its_language_and_direction(client: TestClient, language: str) -> None:
    for address in page_addresses():
        answer = client.get(with_language(address, language))
        if not answer.headers.get("content-type", "").startswith("text/html"):
            continue
        start = f'<html lang="{language}" dir="{DIRECTIONS[language]}"'
        assert start in answer.text, address
        if "<header" in answer.text and "content-language" in answer.headers:
            assert answer.headers["content-language"] == language, address
            assert "Accept-Language" not in answer.headers.get("vary", ""), address


@pytest.mark.parametrize(
    ("header", "language"),
    [
        ("fa-IR, en;q=0.5", "fa"),
        ("en;q=0.5, ru", "ru"),
        ("ar;q=0, ru;q=0.1", "ru"),
        ("ja", "en"),
        ("", "en"),
        ("fa;q=x, ar", "ar"),
    ],
)
def test_a_reader_without_a_choice_gets_the_language_of_the_browser(
    client: TestClient, header: str, language: str
) -> None:
    answer = client.get("/", headers={"Accept-Language": header})
    assert f'<html lang="{language}"' in answer.text
    assert "Accept-Language" in answer.headers["vary"]
    assert answer.headers["content-language"] == language


def test_an_address_decides_over_the_browser(client: TestClient) -> None:
    answer = client.get("/?lang=ru", headers={"Accept-Language": "fa"})
    assert '<html lang="ru" dir="ltr"' in answer.text


@pytest.mark.parametrize(
    ("address", "kept"),
    [
        ("/", ""),
        ("/rules?effect=warn&theme=dark", "effect=warn"),
        ("/check?example=A40", "example=A40"),
        (f"{LESSON}?lanes=correct&step=7&theme=dark&tab=request", "lanes=correct&step=7"),
        (
            f"{LESSON}?lanes=correct,forgot_results:unchecked&step=3",
            "=correct,forgot_results&step=3",
        ),
        (f"{LESSON}?lanes=correct&step=7&view=present", "lanes=correct&step=7"),
        ("/lessons/none", ""),
        ("/?lang=xx", ""),
    ],
)
def test_the_switch_leads_to_the_same_page_in_each_language(
    client: TestClient, address: str, kept: str
) -> None:
    links = switch(client.get(address).text)
    assert [*links] == [*NAMES.values()]
    for code, name in NAMES.items():
        assert kept in links[name]
        assert re.search(rf"[?&]lang={code}(&|$)", links[name])
        assert f'<html lang="{code}"' in client.get(links[name]).text


@pytest.mark.parametrize("language", ["fa", "ru"])
def test_a_chosen_language_stays_in_every_link_and_form(client: TestClient, language: str) -> None:
    for address in page_addresses():
        answer = client.get(with_language(address, language))
        if not answer.headers.get("content-type", "").startswith("text/html"):
            continue
        html = answer.text
        for tag in re.findall(r"<(?:a|form)\b[^>]*>", html):
            found = re.search(r'\b(?:href|action)="(/[^"]*)"', tag)
            if not found or "hreflang" in tag:
                continue
            if tag.startswith("<form") and 'method="post"' not in tag:
                continue  # its language is a hidden field
            assert f"lang={language}" in found[1], (address, tag)


@pytest.mark.parametrize(
    ("language", "says"), [("fa", "گام <b>۷</b> از ۱۴"), ("ru", "Шаг <b>7</b> из 14")]
)
def test_numbers_are_written_as_the_language_writes_them(
    client: TestClient, language: str, says: str
) -> None:
    html = client.get(f"{LESSON}?lanes=correct&step=7&lang={language}").text
    assert says in html
    assert '<span class="index" dir="ltr">[0]</span>' in html  # JSON as it is


def test_an_error_comes_in_the_language_of_the_address(client: TestClient) -> None:
    html = client.get("/lessons/none?lang=fa").text
    assert '<html lang="fa" dir="rtl"' in html
    assert "درس" in html
    assert "There is no lesson" not in html


def test_a_lesson_in_another_language_than_the_page_says_so(
    client: TestClient, client_of: Callable[..., TestClient]
) -> None:
    html = client_of(FOREIGN).get("/lessons/own?lang=fa").text
    assert 'class="quiet own-language"' in html
    assert "English" in html.partition("own-language")[2][:200]
    assert "own-language" not in client.get(f"{LESSON}?lang=fa").text


def test_a_fifth_language_is_offered_without_a_change_of_code(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The commands of CONTRIBUTING, and nothing translated yet: the page speaks English."""
    locales = tmp_path / "locales"
    shutil.copytree(paths.LOCALES, locales)
    contributing = Path("CONTRIBUTING.md").read_text(encoding="utf-8")
    commands = re.findall(r"^    pybabel (init .*) -l de$", contributing, re.MULTILINE)
    assert len(commands) == 2
    monkeypatch.chdir(tmp_path)
    for command in commands:
        for language in ("de", "he"):
            words = [*command.split(), "-l", language]
            CommandLineInterface().run(["pybabel", "-q", *words])
    compile_catalogues(locales)
    monkeypatch.setattr(paths, "LOCALES", locales)
    with TestClient(create_app()) as client:
        for address in ("/", f"{LESSON}?lanes=correct&step=7", "/rules/A40", "/lessons/none"):
            html = client.get(with_language(address, "he")).text
            assert '<html lang="he" dir="rtl"' in html
            assert {*switch(html)} == {*NAMES.values(), "Deutsch", "עברית"}
            assert '<html lang="de" dir="ltr"' in client.get(switch(html)["Deutsch"]).text
            assert (">Lessons</a>" in html) == ("/lessons/how" not in address)
        lane = f"{LESSON}?lanes=correct&step=7"
        told = [sentence(client.get(f"{lane}&lang={code}").text) for code in ("de", "en")]
        assert told[0] == told[1] != ""


DATA = re.compile(r"/runs/[^?]+\.\w+")  # of a run, the same in every language


def shape(address: str) -> object:
    """What pages of one kind share: the path without names, and which keys the address has."""
    parts = urlsplit(address)
    keys = dict(parse_qsl(parts.query))
    path = re.sub(r"^/(lessons|rules|steps|runs)/[^/]+", r"/\1/x", parts.path)
    lanes = len(keys.get("lanes", "").split(","))
    return path, lanes, keys.get("step") == "0", frozenset({*keys} - {"step", "theme"})


def test_a_chosen_language_stays_on_every_way_through_the_pages(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """From the overview through every link, one page of each kind, with live runs on."""
    monkeypatch.setattr("app.web.start.models", lambda settings: [])
    settings = Settings(ANTHROPIC_API_KEY="none", HALQA_DATA=tmp_path)
    seen: set[object] = set()
    order = {"lane": "correct", "task": "x", "model": "m", "max_tokens": "9", "cap": "3"}
    with TestClient(create_app(settings=settings), follow_redirects=False) as client:
        begun = client.post("/live?lang=fa", data={"lesson": "two-and-three", **order})
        ways = ["/?lang=fa", begun.headers["location"]]
        while ways:
            address = ways.pop()
            if shape(address) in seen:
                continue
            seen.add(shape(address))
            answer = client.get(address)
            assert answer.status_code in (200, 303), address
            found = [answer.headers["location"]] if answer.status_code == 303 else []
            if answer.headers.get("content-type", "").startswith("text/html"):
                for tag in re.findall(r"<(?:a|form)\b[^>]*>", answer.text):
                    way = re.search(r'\b(?:href|action|hx-get)="(/[^"#]*)', tag)
                    if not way or "hreflang" in tag or DATA.fullmatch(way[1]):
                        continue
                    if tag.startswith("<form") and 'method="post"' not in tag:
                        form = answer.text.partition(tag)[2].partition("</form>")[0]
                        assert '<input type="hidden" name="lang" value="fa">' in form, (
                            address,
                            tag,
                        )
                    elif tag.startswith("<a"):
                        found.append(unescape(way[1]))
            for way in found:
                assert "lang=fa" in way, (address, way)
            ways += found
    assert len(seen) > 45


@pytest.mark.parametrize(
    ("language", "forward", "back"), [("en", "→", "←"), ("fa", "←", "→"), ("ar", "←", "→")]
)
def test_arrows_of_a_text_point_where_the_language_reads_to(
    client: TestClient, language: str, forward: str, back: str
) -> None:
    keys = re.findall(r"<kbd>([←→])</kbd>", client.get(f"/help?lang={language}").text)
    assert keys == [forward, back]
    for page in ("difference", "trace"):
        html = client.get(f"{LESSON}/{page}?step=5&lang={language}").text
        crumbs = html.partition('class="crumbs"')[2]
        assert re.search(r'<a href="[^"]+">(.)', crumbs).group(1) == back  # type: ignore[union-attr]


@pytest.mark.parametrize("view", ["", "&view=present"])
def test_how_many_signs_are_left_out_is_a_number_of_the_language_with_its_plus_before_it(
    client: TestClient, view: str
) -> None:
    html = client.get(f"/lessons/again-and-again?step=26&lang=fa{view}").text
    assert re.search(r'dir="ltr">\+[۰-۹]+</span>', html)
    assert not re.search(r'("cut"|"true")[^>]*>\+[0-9]', html)

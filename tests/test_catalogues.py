"""The catalogues: every text that a person reads is in them, translated, with its placeholders."""

import gettext
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from configparser import ConfigParser
from importlib import import_module
from pathlib import Path

import pytest
from babel.messages.catalog import Catalog, Message
from babel.messages.pofile import read_po

from app.web.languages import preferred, read_languages
from catalogues import compile_catalogues

CHECKOUT = Path(__file__).resolve().parents[1]
LOCALES = CHECKOUT / "locales"
CATALOGUES = sorted(LOCALES.glob("*/LC_MESSAGES/*.po"))
LANGUAGES = ("ar", "fa", "ru")
PLACEHOLDER = re.compile(r"%\(\w+\)[sd]|\{\w+\}")


def read(file: Path) -> Catalog:
    with file.open("rb") as source:
        return read_po(source)


def named(file: Path) -> str:
    return f"{file.parts[-3]} {file.stem}"


def forms(message: Message) -> list[str]:
    """All forms of a translation."""
    return [*message.string] if isinstance(message.string, list | tuple) else [message.string]


@pytest.mark.parametrize("domain", ["messages", "rules"])
def test_a_template_holds_every_text_of_the_code(domain: str, tmp_path: Path) -> None:
    """Where this fails, a text is new: run `make messages`, and translate it."""
    cfg = {"messages": "babel.cfg", "rules": "babel-rules.cfg"}[domain]
    calls = re.search(r"^CALLS := (.*)$", (CHECKOUT / "Makefile").read_text(), re.MULTILINE)
    assert calls
    extracted = tmp_path / "now.pot"
    command = [sys.executable, "-m", "babel.messages.frontend", "-q", "extract", "-F", cfg]
    command += ["-o", str(extracted), *calls[1].split(), "."]
    subprocess.run(command, cwd=CHECKOUT, check=True, stderr=subprocess.DEVNULL)
    now = {message.id for message in read(extracted) if message.id}
    assert len(now) > 300
    assert now == {message.id for message in read(LOCALES / f"{domain}.pot") if message.id}


@pytest.mark.parametrize("file", CATALOGUES, ids=named)
def test_a_catalogue_translates_every_text_of_its_template(file: Path) -> None:
    wanted = {message.id for message in read(LOCALES / f"{file.stem}.pot") if message.id}
    catalogue = read(file)
    found = {message.id: message for message in catalogue if message.id}
    assert [id for id in wanted if id not in found] == []
    assert [id for id in found if id not in wanted] == []
    assert [id for id, message in found.items() if message.fuzzy] == []
    assert [id for id, message in found.items() if not all(forms(message))] == []
    assert [id for id, m in found.items() if m.pluralizable and len(forms(m)) < 2] == []
    assert not catalogue.obsolete


@pytest.mark.parametrize("file", CATALOGUES, ids=named)
def test_a_translation_has_the_placeholders_of_its_text(file: Path) -> None:
    wrong = []
    for message in read(file):
        if not message.id:
            continue
        if not message.pluralizable:
            assert isinstance(message.id, str)
            wanted = Counter(PLACEHOLDER.findall(message.id))
            if Counter(PLACEHOLDER.findall(message.string)) != wanted:
                wrong.append(message.id)
            continue
        one, many = ({*PLACEHOLDER.findall(text)} for text in message.id)
        # A form for one or two may do without the number, and without what only many have.
        needed = (one & many) - {"%(num)s"}
        for form in forms(message):
            if not needed <= {*PLACEHOLDER.findall(form)} <= one | many | {"%(num)s"}:
                wrong.append(message.id)
    assert wrong == []


def test_every_language_of_the_page_has_both_catalogues() -> None:
    assert [named(file) for file in CATALOGUES] == [
        f"{language} {domain}" for language in LANGUAGES for domain in ("messages", "rules")
    ]


class Asked(gettext.NullTranslations):
    """Notes what it is asked to translate."""

    def __init__(self) -> None:
        super().__init__()
        self.texts: set[str] = set()

    def add_fallback(self, fallback: gettext.NullTranslations) -> None:
        """There is nothing to fall back to."""

    def gettext(self, message: str) -> str:
        self.texts.add(message)
        return message

    def ngettext(self, msgid1: str, msgid2: str, n: int) -> str:
        self.texts.add(msgid1)
        return msgid1 if n == 1 else msgid2


def known_texts() -> Iterator[str]:
    for domain in ("messages", "rules"):
        for message in read(LOCALES / f"{domain}.pot"):
            yield message.id if isinstance(message.id, str) else message.id[0]


def test_every_text_that_a_page_asks_for_is_in_a_template(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    from fastapi.testclient import TestClient

    from app.main import create_app
    from app.run import trace_of
    from app.web import languages, site
    from tests.pages import page_addresses

    asked = Asked()
    monkeypatch.setattr(languages.gettext, "translation", lambda *_, **__: asked)
    unread = read_languages.__wrapped__  # what others have read is none of this test's
    monkeypatch.setattr(site, "read_languages", unread)
    with TestClient(create_app()) as client:
        for address in page_addresses():
            client.get(address)
        for address in ("/none", "/lessons/none", "/rules/A99", "/?x=1", "/?lang=xx"):
            client.get(address)
        for lesson in client.app.state.site.library.lessons():  # type: ignore[attr-defined]
            for lane in lesson.lanes:
                page = f"/lessons/{lesson.slug}?lanes={lane.name}"
                last = len(trace_of(lesson, lane.name, lane.checked, "en").steps) - 1
                for step in (*range(0, min(last, 30), 4), last):
                    assert client.get(f"{page}&step={step}").status_code == 200
            for step in (*range(0, 30, 6), 999):
                client.get(f"/lessons/{lesson.slug}?step={step}")
                client.get(f"/lessons/{lesson.slug}?step={step}&view=present")
    assert len(asked.texts) > 300
    assert asked.texts - {*known_texts()} == set()


def test_a_language_is_added_by_a_catalogue_alone(tmp_path: Path) -> None:
    """German, with nothing translated yet: the page offers it, and speaks English."""
    folder = tmp_path / "de" / "LC_MESSAGES"
    command = [sys.executable, "-m", "babel.messages.frontend", "-q", "init", "-l", "de"]
    template = str(LOCALES / "messages.pot")
    folder.mkdir(parents=True)
    subprocess.run([*command, "-i", template, "-o", str(folder / "messages.po")], check=True)
    compile_catalogues(tmp_path)
    languages = read_languages(tmp_path, CHECKOUT / "templates")
    assert [*languages] == ["en", "de"]
    german = languages["de"]
    assert (german.name, german.direction, german.digits) == ("Deutsch", "ltr", "")
    assert german.words.gettext("Lessons") == "Lessons"
    assert german.words.number(1234) == "1.234"
    assert preferred("de-CH, fr;q=0.8", languages) is german


@pytest.mark.parametrize(
    ("language", "name", "direction", "number", "decimal", "list_"),
    [
        ("en", "English", "ltr", "1,234", "1.5", "a, b"),
        ("ar", "العربية", "rtl", "1,234", "1.5", "a، b"),
        ("fa", "فارسی", "rtl", "۱٬۲۳۴", "۱٫۵", "a، b"),
        ("ru", "Русский", "ltr", "1\u00a0234", "1,5", "a, b"),
    ],
)
def test_a_language_names_itself_and_writes_numbers_and_lists_its_own_way(
    language: str, name: str, direction: str, number: str, decimal: str, list_: str
) -> None:
    found = read_languages(LOCALES, CHECKOUT / "templates")[language]
    assert (found.name, found.direction) == (name, direction)
    assert (found.words.number(1234), found.words.number("1.5")) == (number, decimal)
    assert found.words.gettext("Step %(step)s", step=1234).endswith(number)
    assert found.words.listed(["a", "b"]) == list_


def test_what_is_extracted_by_name_is_where_it_is_looked_for() -> None:
    config = ConfigParser()
    config.read(CHECKOUT / "babel.cfg", encoding="utf-8")
    named = [name.removeprefix("constants: ") for name in config if name.startswith("constants: ")]
    for name in named:
        if "*" in name:
            continue  # of many files, each of which has some
        module = import_module(name.removesuffix(".py").replace("/", "."))
        for constant in config[f"constants: {name}"]["names"].split():
            assert hasattr(module, constant), f"babel.cfg: {name} has no {constant}"
    assert len(named) > 5

"""Every error, in each language: its page, its direction, and not one English sentence in it."""

import re
from collections.abc import Callable
from html import unescape
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient

from app.lessons import LessonFault, read_lesson
from app.main import create_app
from app.views.texts import Words
from tests.web.test_languages import DIRECTIONS, FOREIGN, with_language

LESSON = "/lessons/how-many-python-files"
ERRORS: list[tuple[int, str, str, dict[str, Any]]] = [
    (404, "GET", "/none", {}),
    (404, "GET", "/lessons/none", {}),
    (404, "GET", f"{LESSON}?lanes=none", {}),
    (404, "GET", "/rules/A99", {}),
    (404, "GET", "/runs/none", {}),
    (404, "GET", f"/runs/{'x' * 70}", {}),
    (404, "GET", "/static/none.css", {}),
    (422, "GET", f"{LESSON}?step=x", {}),
    (422, "GET", f"{LESSON}?lanes=correct&view=xx", {}),
    (422, "GET", f"{LESSON}?speed=1", {}),
    (422, "GET", f"{LESSON}?step=1&step=2", {}),
    (422, "GET", "/?theme=xx", {}),
    (422, "GET", "/check?example=A06", {}),
    (405, "DELETE", "/", {}),
    (400, "GET", "/", {"headers": {"Host": "evil.example"}}),
    (400, "POST", "/check", {"data": {"request": "{}"}}),
    (403, "POST", "/check", {"headers": {"Origin": "http://evil.example"}}),
    (403, "POST", "/live", {"headers": {"Origin": "http://evil.example"}}),
    (403, "POST", "/live/password", {"data": {"password": "x"}}),
    (400, "POST", "/live/password", {"data": {f"field-{n}": "x" for n in range(9)}}),
    (409, "POST", "/live", {"data": {"task": "x"}}),
    (413, "POST", "/check", {"files": {"file": b" " * 6_100_000}}),
    *((422, "POST", "/runs", {"files": {"file": text}}) for text in (b"{", b"[]", b"{}")),
    (422, "POST", "/runs", {"files": {"file": b'{"x": 1, "run": {}, "entries": []}'}}),
    (422, "POST", "/runs", {"files": {"file": b'{"run": 1, "entries": []}'}}),
]
NO_REQUESTS = [
    *("", "[]", "7", "{", "[1,", '{"a" 1}', '{"a": 1 "b": 2}', "{a: 1}", '["a', '["a\n"]'),
    *(r'["\x"]', r'["\u12"]', "[1] 2", '{"a": NaN}', '{"a":' * 300, "9" * 5_000),
]
BROKEN_LESSONS = [
    FOREIGN.replace("title:", "titel:"),
    FOREIGN.replace("title:", "zzzz:"),
    FOREIGN.replace("[add]", "[ad]"),
    FOREIGN.replace("loop: correct", "loop: wrong"),
    FOREIGN.replace('right: "5"', "right: '('"),
    FOREIGN.replace('right: "5"', "shown: [none]"),
    FOREIGN.replace('right: "5"', "cap: none"),
    FOREIGN.replace('text: "5"', "calls: []"),
    FOREIGN.replace('text: "5"', "calls: [{as: a, tool: none, input: {}}]"),
    FOREIGN.replace('- text: "5"', "- when: [{}]\n    text: x"),
    FOREIGN.replace('- text: "5"', "- text: '{none}'"),
    FOREIGN.replace("title:", "workspace: ../..\ntitle:"),
    FOREIGN.replace("title: Two", "title: 'Two"),
]


def english(html: str) -> list[str]:
    """Three English words or more in a row, but for what is set as code or names a language."""
    body = html.partition("<body")[2] or html
    for tag in ("code", "svg", "script"):
        body = re.sub(rf"<{tag}\b.*?</{tag}>", " … ", body, flags=re.DOTALL)
    text = unescape(re.sub(r"<[^>]+>", " | ", body))
    return re.findall(r"[A-Za-z]{2,}(?:[ ,’']+[A-Za-z]{2,}){2,}", text)


def words_of(client: TestClient) -> dict[str, Words]:
    """The words of each language."""
    languages = client.app.state.site.languages  # type: ignore[attr-defined]
    return {code: language.words for code, language in languages.items()}


@pytest.mark.parametrize(("status", "method", "address", "sent"), ERRORS)
def test_an_error_is_told_in_each_language(
    client: TestClient,
    monkeypatch: pytest.MonkeyPatch,
    status: int,
    method: str,
    address: str,
    sent: dict[str, Any],
) -> None:
    monkeypatch.setattr("app.web.start.GUESS", 0)
    told = set()
    for language, direction in DIRECTIONS.items():
        answer = client.request(method, with_language(address, language), **sent)
        assert answer.status_code == status
        assert f'<html lang="{language}" dir="{direction}"' in answer.text
        (said,) = re.findall(r'<p class="what" dir="auto">(.*?)</p>', answer.text)
        assert language == "en" or english(answer.text) == []
        told.add(said)
    assert len(told) == len(DIRECTIONS)


def test_a_fault_of_ours_is_told_in_each_language(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("app.web.overview.overview", lambda *_: 1 / 0)
    with TestClient(create_app(), raise_server_exceptions=False) as client:
        for language, direction in DIRECTIONS.items():
            answer = client.get(f"/?lang={language}")
            assert answer.status_code == 500
            assert f'<html lang="{language}" dir="{direction}"' in answer.text
            assert language == "en" or english(answer.text) == []


@pytest.mark.parametrize("text", NO_REQUESTS, ids=lambda text: text[:12])
def test_what_is_no_request_is_told_in_each_language(client: TestClient, text: str) -> None:
    told = set()
    for language in DIRECTIONS:
        answer = client.post(f"/check?lang={language}", files={"file": text.encode()})
        assert answer.status_code == 422
        (said,) = re.findall(r'<p class="unread".*?</p>', answer.text, re.DOTALL)
        assert language == "en" or english(said) == []
        told.add(said)
    assert len(told) == len(DIRECTIONS)


@pytest.mark.parametrize("yaml", BROKEN_LESSONS)
def test_a_fault_of_a_lesson_is_told_in_each_language(
    client: TestClient, tmp_path: Path, yaml: str
) -> None:
    folder = tmp_path / "own"
    (folder / "workspace").mkdir(parents=True)
    (folder / "lesson.yaml").write_text(yaml, encoding="utf-8")
    with pytest.raises(LessonFault) as raised:
        read_lesson(folder)
    for language, words in words_of(client).items():
        said = words.say(raised.value.sentence)
        assert "<code>own/lesson.yaml</code>" in said
        assert language == "en" or english(said) == []
        assert (said == words_of(client)["en"].say(raised.value.sentence)) == (language == "en")


def test_the_overview_tells_faults_of_lessons_in_its_language(
    client_of: Callable[..., TestClient],
) -> None:
    client = client_of(BROKEN_LESSONS[0])
    for language, said in (("en", "did you mean"), ("fa", "منظورتان"), ("ru", "может быть,")):
        faults = client.get(f"/?lang={language}").text.partition('class="faults"')[2]
        assert f"{said} <code>title</code>" in faults

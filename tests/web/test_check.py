"""A request pasted into /check: judged, shown as text, not stored, never a traceback."""

import json
import re
import tempfile
from collections.abc import Callable
from html import unescape
from typing import Any

import pytest
from fastapi.testclient import TestClient

from app.engine.rules import RULES
from tests.web.test_rules import plain

HOST = {"Origin": "http://testserver", "Sec-Fetch-Site": "same-origin"}
MARKUP = "<script>alert(1)</script><img src=x onerror=alert(2)>\"'&</textarea></li>"
HIDDEN = "safe\u202egnp.exe\u2066\u200b"


def send(client: TestClient, body: Any, **fields: str) -> Any:
    """Send a request with the form as a browser does; `body` is JSON, or its text."""
    text = body if isinstance(body, str) else json.dumps(body)
    return client.post(
        "/check",
        files={"request": (None, text), **{key: (None, value) for key, value in fields.items()}},
        headers=HOST,
    )


def example(number: str) -> Any:
    return RULES[number].refused or RULES[number].accepted


def verdict(html: str) -> str:
    found = re.search(r'class="verdict-card (\w+)"', html)
    assert found, plain(html)[:500]
    return found[1]


# --- the form


@pytest.mark.parametrize(
    ("address", "status", "says"),
    [
        ("/check", 200, "Would the API take this request?"),
        ("/check?example=A40", 200, '"tool_use"'),
        ("/check?example=O24&lang=en", 200, '"function_call"'),
        ("/check?example=A06", 422, "The rule A06 has no example; A40 has one."),
        ("/check?example=A99", 404, "There is no rule A99"),
        ("/check?x=1", 422, "it may have example, lang"),
    ],
)
def test_an_address_answers(client: TestClient, address: str, status: int, says: str) -> None:
    answer = client.get(address)
    assert answer.status_code == status
    assert says in plain(answer.text)


@pytest.mark.parametrize("number", [number for number, rule in RULES.items() if rule.accepted])
def test_an_example_is_filled_in_as_it_is(client: TestClient, number: str) -> None:
    html = client.get(f"/check?example={number}").text
    found = re.search(r"<textarea[^>]*>\n(.*?)</textarea>", html, re.DOTALL)
    assert found
    assert json.loads(unescape(found[1])) == example(number)


def test_the_two_examples_offered_are_refused_and_accepted(client: TestClient) -> None:
    html = client.get("/check").text
    offered = re.findall(r'href="/check\?example=(\w+)"', html)
    assert [verdict(send(client, example(number)).text) for number in offered] == [
        "refused",
        "accepted",
    ]


# --- the verdict


@pytest.mark.parametrize("number", [n for n, rule in RULES.items() if rule.refused])
def test_a_refused_example_is_refused_by_its_rule_at_its_place(
    client: TestClient, number: str
) -> None:
    answer = send(client, RULES[number].refused)
    assert answer.status_code == 200
    assert answer.headers["cache-control"] == "no-store"
    assert verdict(answer.text) == "refused"
    assert f'<a class="number" href="/rules/{number}">' in answer.text
    anchor = re.search(r'class="finding-link refuse" href="#([\w-]+)"', answer.text)
    assert anchor
    assert f'id="{anchor[1]}"' in answer.text


@pytest.mark.parametrize("number", [n for n, rule in RULES.items() if rule.accepted])
def test_an_accepted_example_is_accepted(client: TestClient, number: str) -> None:
    assert verdict(send(client, RULES[number].accepted).text) == "accepted"


def test_all_faults_and_where_the_next_one_is(client: TestClient) -> None:
    messages = [{"role": "user", "content": "x", "a": 1}, {"role": "user", "content": "y", "b": 2}]
    html = send(client, {"model": "claude-opus-5", "max_tokens": 9, "messages": messages}).text
    assert "2 faults in all. The API names one only" in plain(html)
    first = html.partition('id="m-0"')[2].partition('id="m-1"')[0]
    assert re.search(r'href="#m-1"[^>]*>Next fault', first)
    assert "Next fault" not in html.partition('id="m-1"')[2]


def test_the_dialect_is_guessed_or_chosen_and_the_model_put_in(client: TestClient) -> None:
    assert "(guessed)" in send(client, example("O27")).text
    chosen = send(client, example("O27"), dialect="anthropic").text
    assert "(guessed)" not in chosen
    assert "judged as Anthropic Messages API" in plain(chosen)
    assert verdict(send(client, example("A13")).text) == "refused"
    assert verdict(send(client, example("A13"), model="claude-haiku-4-5").text) == "accepted"
    assert send(client, example("A13"), dialect="gemini").status_code == 422


def test_a_request_is_judged_under_its_beta_headers(client: TestClient) -> None:
    body = {
        "model": "claude-opus-5",
        "max_tokens": 9,
        "context_management": {"edits": [{"type": "compact_20260112"}]},
        "messages": [{"role": "user", "content": "Hello."}],
    }
    assert verdict(send(client, body).text) == "refused"
    html = send(client, body, betas=f"{MARKUP}, compact-2026-01-12").text
    assert verdict(html) == "accepted"
    assert "<code>compact-2026-01-12</code>" in html
    assert MARKUP not in html
    chat = send(client, body, betas="compact-2026-01-12", dialect="openai").text
    assert "<code>compact-2026-01-12</code>" not in chat


def test_strict_alternation_says_that_the_real_api_is_milder(client: TestClient) -> None:
    html = send(client, RULES["A11"].accepted, strict="on").text
    assert verdict(html) == "refused"
    assert "The real API would accept this request" in plain(html)
    assert "stricter than the real API" in plain(client.get("/check").text)
    assert " checked" not in client.get("/check").text


def test_a_key_that_stands_twice_is_said(client: TestClient) -> None:
    html = send(
        client, '{"model": "a", "model": "claude-opus-5", "max_tokens": 1, "messages": []}'
    ).text
    assert "This key stands twice in one object" in plain(html)


def test_a_file_may_be_sent_instead(client: TestClient) -> None:
    file = json.dumps(example("A59")).encode()
    answer = client.post(
        "/check", files={"request": (None, ""), "file": ("a.json", file)}, headers=HOST
    )
    assert verdict(answer.text) == "refused"


# --- what is no request


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "There is nothing here"),
        ('{\r\n"a": nope}', "This is not JSON, at line 2, column 6: a value is expected"),
        ("[]", "This is JSON, but a list"),
        ("[" * 100_000, "more than 200 levels deep"),
        ('{"a": ' + "9" * 9_000 + "}", "more than 4,000 digits"),
        ('{"a": NaN}', "NaN is no JSON value"),
        ("%(x)s %s {{ 7*7 }}", "This is not JSON"),
    ],
)
def test_what_is_no_request_gets_a_sentence_and_stays_in_the_form(
    client: TestClient, text: str, says: str
) -> None:
    answer = send(client, text)
    assert answer.status_code == 422
    assert says in plain(answer.text)
    assert "Would the API take this request?" in plain(answer.text)


@pytest.mark.parametrize(
    "body",
    [
        {},
        {"messages": {}},
        {"messages": [None, 1, [], {"role": [], "content": {"a": {}}}]},
        {"messages": [{"role": "user", "content": "\ud800"}], "model": "\ud800"},
        {"messages": [], "tools": [[]], "system": 1, "max_tokens": 10**3999},
    ],
)
def test_any_object_gets_a_verdict(client: TestClient, body: Any) -> None:
    assert verdict(send(client, body).text) == "refused"


# --- hostile content, size, other sites


@pytest.mark.parametrize("text", [MARKUP, HIDDEN, "100% of %(num)s {{ 7*7 }}"])
def test_hostile_text_is_shown_as_text(client: TestClient, text: str) -> None:
    body = {
        "model": text,
        text: text,
        "max_tokens": 9,
        "messages": [{"role": text, "content": text}, {"role": "user", "content": text, text: 1}],
    }
    answer = send(client, body, model=text)
    assert answer.status_code == 200
    html = re.sub(r"<textarea.*?</textarea>", "", answer.text, flags=re.DOTALL)
    assert "<img" not in answer.text
    assert "<script" not in answer.text
    assert not re.search("[\u202a-\u202e\u2066-\u2069\u200b]", html)
    assert answer.text.count("</textarea>") == 1
    assert text[:4] in unescape(html)


def test_two_megabytes_are_read_and_more_is_refused(client: TestClient) -> None:
    body = {"model": "claude-opus-5", "max_tokens": 9, "messages": []}
    room = 2_000_000 - len(json.dumps({**body, "messages": [{"role": "user", "content": ""}]}))
    fits = {**body, "messages": [{"role": "user", "content": "x" * room}]}
    answer = send(client, fits)
    assert verdict(answer.text) == "accepted"
    assert len(answer.text) < 50_000
    over = {**body, "messages": [{"role": "user", "content": "x" * (room + 1)}]}
    for refused in (send(client, over), send(client, "x" * 7_000_000)):
        assert refused.status_code == 413
        assert "more than 2 MB is not read here" in plain(refused.text)


def test_what_says_nothing_of_its_size_is_not_read_to_its_end(client: TestClient) -> None:
    sent = 0

    def endless() -> Any:
        nonlocal sent
        yield b'--b\r\nContent-Disposition: form-data; name="request"\r\n\r\n'
        while sent < 50_000_000:
            sent += 1_000_000
            yield b"x" * 1_000_000

    headers = {**HOST, "Content-Type": "multipart/form-data; boundary=b"}
    assert client.post("/check", content=endless(), headers=headers).status_code == 413


def test_many_faults_make_no_large_page(client: TestClient) -> None:
    messages = [{"role": "user", "content": "x", "name": "y"} for _ in range(20_000)]
    answer = send(client, {"model": "claude-opus-5", "max_tokens": 9, "messages": messages})
    assert len(answer.text) < 600_000
    assert "… and 19,940 more" in plain(answer.text)


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({}, 200),
        ({"Origin": "http://testserver"}, 200),
        ({"Sec-Fetch-Site": "same-origin"}, 200),
        ({"Sec-Fetch-Site": "none"}, 200),
        ({"Sec-Fetch-Site": "cross-site"}, 403),
        ({"Sec-Fetch-Site": "same-site", "Origin": "http://testserver"}, 403),
        ({"Origin": "http://attacker.example"}, 403),
        ({"Origin": "http://testserver.attacker.example"}, 403),
        ({"Origin": "null"}, 403),
    ],
)
def test_only_our_own_page_may_send_the_form(
    client: TestClient, headers: dict[str, str], status: int
) -> None:
    files = {"request": (None, json.dumps(example("A40")))}
    answer = client.post("/check", files=files, headers=headers)
    assert answer.status_code == status
    assert status == 200 or "sent from a page of another site" in plain(answer.text)


@pytest.mark.parametrize(
    ("content", "kind"),
    [
        (b"request=%7B%7D", "application/x-www-form-urlencoded"),
        (b"{}", "application/json"),
        (b"nothing", "multipart/form-data; boundary=b"),
        (b"nothing", "multipart/form-data"),
        (b"", ""),
    ],
)
def test_another_form_is_refused_with_a_sentence(
    client: TestClient, content: bytes, kind: str
) -> None:
    answer = client.post("/check", content=content, headers={**HOST, "Content-Type": kind})
    assert answer.status_code in (400, 422)
    assert "Traceback" not in answer.text
    assert "Halqa" in answer.text


def test_nothing_is_written_to_a_disk(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    rolled: list[str] = []
    real: Callable[..., Any] = tempfile.TemporaryFile

    def watched(*args: Any, **kwargs: Any) -> Any:
        rolled.append("a file")
        return real(*args, **kwargs)

    monkeypatch.setattr(tempfile, "TemporaryFile", watched)
    file = b'{"a": "' + b"x" * 1_900_000 + b'"}'
    answer = client.post("/check", files={"file": ("a.json", file)}, headers=HOST)
    assert answer.status_code == 200
    assert rolled == []


def test_the_answer_has_the_security_headers(client: TestClient) -> None:
    policy = send(client, example("A40")).headers["content-security-policy"]
    assert policy == client.get("/").headers["content-security-policy"]
    assert "form-action 'self'" in policy

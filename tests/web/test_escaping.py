"""Texts of models, tools, files and lessons are shown as text, whatever stands in them."""

import re
from collections.abc import Callable, Iterator
from html import unescape

import pytest
from fastapi.testclient import TestClient

from tests.steps import fragment_of
from tests.web.conftest import link

MARKUP = "<script>alert(1)</script><img src=x onerror=alert(2)>\"'&</li></ol><hx-partial>"
REORDERED = "safe\u202egnp.exe\u2066\u200b\ufeff\x07\x1b[31m\u2028"
PERCENT = "100% of %(num)s %s { text } {{ 7*7 }} {% raw %}"
LONG = "x" * 1_000_000

YAML = """\
title: {short}
point: {short}
about: {short}
task: {text}
tools: [read_file]
lanes:
  - {{loop: correct, truth: {{checked: {short}}}}}
  - {{loop: missing_tool_use_id}}
  - {{loop: forgot_results, checked: false}}
cap: 2
script:
  - text: {text}
    calls:
      - {{tool: read_file, input: {{path: {text}}}}}
      - {{tool: read_file, input: {{path: hostile.txt}}}}
  - {{text: {end}}}
"""


def yaml_of(text: str) -> str:
    """The lesson with a text in all places; only in the long ones where it is long itself."""
    short = text if len(text) < 10_000 else "Own"
    return YAML.format(text=quoted(text), short=quoted(short), end=quoted(f"End: {short}"))


def quoted(text: str) -> str:
    """A text as YAML's double-quoted string, all but plain letters escaped."""
    plain = (c if c.isascii() and c.isalnum() else f"\\U{ord(c):08x}" for c in text)
    return f'"{"".join(plain)}"'


def pages_of(client: TestClient) -> Iterator[str]:
    """The overview, and every page and fragment of the lesson, by each lane and tab."""
    yield client.get("/").text
    yield client.get("/lessons/own/trace?lanes=correct,missing_tool_use_id,forgot_results").text
    for lanes in ("correct", "missing_tool_use_id", "forgot_results", "correct,forgot_results"):
        for tab in ("", "&tab=request"):
            address = f"/lessons/own?lanes={lanes}{tab}"
            while address:
                answer = client.get(address)
                assert answer.status_code == 200, address
                yield answer.text
                fragment = fragment_of(answer.text)
                if fragment:
                    yield client.get(fragment).text
                address = link(answer.text, "step")


@pytest.mark.parametrize(
    "text", [MARKUP, REORDERED, PERCENT], ids=["markup", "reordered", "percent"]
)
def test_hostile_text_stays_text(client_of: Callable[..., TestClient], text: str) -> None:
    seen = 0
    for html in pages_of(client_of(yaml_of(text), hostile=text)):
        assert "<img" not in html
        assert not re.search(r"<script(?! src=\"/static/)", html)
        assert not re.search(
            "[\u202a-\u202e\u2066-\u2069\u200b\ufeff\x00-\x08\x0e-\x1f\u2028]", html
        )
        assert html.count("<hx-partial ") == html.count("</hx-partial>")
        seen += text[:4] in unescape(html)
    assert seen > 20


def test_what_hides_or_reorders_is_written_out(client_of: Callable[..., TestClient]) -> None:
    html = client_of(yaml_of(REORDERED)).get("/lessons/own?lanes=correct&step=2").text
    assert html.count(r"safe\u202egnp.exe\u2066\u200b\ufeff\u0007\u001b[31m\u2028") >= 3


def test_a_text_of_a_megabyte_is_cut_with_a_notice(client_of: Callable[..., TestClient]) -> None:
    client = client_of(yaml_of(LONG), hostile=LONG)
    for html in pages_of(client):
        assert len(html) < 400_000
    shown = client.get("/lessons/own?lanes=correct&step=3").text
    assert "… 999,400 characters more" in shown  # in messages[]
    assert "… 996,000 characters more" in shown  # in the chat
    whole = client.get("/lessons/own?lanes=correct&step=3&tab=request").text
    assert "… 980,000 characters more" in whole


def test_a_cut_text_can_be_unfolded_up_to_a_limit(client_of: Callable[..., TestClient]) -> None:
    client = client_of(yaml_of(LONG), hostile=LONG)
    html = client.get("/lessons/own?lanes=correct&step=3").text
    (rest,) = set(re.findall(r'<details class="string">.*?<bdi class="j-s">(.*?)</bdi>', html))
    assert len(unescape(rest)) == 6_001  # and an ellipsis

"""The page of a trace: a row for each call, filtered and sorted by its address, and its files."""

import csv
import io
import json
import re
from html import unescape

import pytest
from fastapi.testclient import TestClient

TRACE = "/lessons/why-is-it-late/trace"
ONE = f"{TRACE}?lanes=prints_each_call"


def tools_in(html: str) -> list[str]:
    """The tools of the rows, in their order."""
    body = "".join(re.findall(r"<tbody.*?</tbody>", html, re.DOTALL))
    return re.findall(r'<td[^>]*class="tool"[^>]*><code>(\w+)</code>', body)


@pytest.mark.parametrize(
    ("query", "tools"),
    [
        ("", ["get_order_status", "get_refund_policy"]),
        ("&sort=-seconds", ["get_refund_policy", "get_order_status"]),
        ("&sort=-number", ["get_refund_policy", "get_order_status"]),
        ("&tool=get_refund_policy", ["get_refund_policy"]),
        ("&text=WEATHER&tool=&sort=tool", ["get_order_status", "get_refund_policy"]),
        ("&text=shipping", ["get_refund_policy"]),
        ("&errors=only", []),
    ],
)
def test_the_address_says_which_calls_are_shown(
    client: TestClient, query: str, tools: list[str]
) -> None:
    assert tools_in(client.get(ONE + query).text) == tools


def test_a_row_leads_to_the_steps_that_asked_and_ran(client: TestClient) -> None:
    html = client.get(f"{ONE}&step=9").text
    links = [unescape(link) for link in re.findall(r'<td.*?href="([^"]*)"', html)]
    assert links == [
        f"/lessons/why-is-it-late?lanes=prints_each_call&step={step}" for step in (2, 4, 7, 9)
    ]
    assert 'href="/lessons/why-is-it-late?lanes=prints_each_call&amp;step=9"' in html


def test_the_calls_of_a_helper_stand_further_in_while_their_order_is_that_of_asking(
    client: TestClient,
) -> None:
    helped = "/lessons/not-here/trace?lanes=asks_a_helper"
    html = client.get(helped).text
    assert len(re.findall(r'<tr [^>]*class="[a-z]* inside"', html)) == 4
    numbers = re.findall(r'class="number"><span>([\d.]+)<', html)
    assert numbers == ["1", "1.1", "1.2", "1.3", "1.4", "2"]
    assert "Their time is part of that call" in html
    assert " inside" not in "".join(
        re.findall(r"<tr [^>]*>", client.get(f"{helped}&sort=-seconds").text)
    )
    in_russian = client.get(f"{helped}&lang=ru").text
    assert "<span>1.4</span>" in in_russian  # a number of a call is no fraction


def test_sorting_keeps_what_is_filtered_and_turns_round(client: TestClient) -> None:
    html = client.get(f"{ONE}&lang=en&tool=get_order_status&sort=seconds").text
    headings = [unescape(link) for link in re.findall(r'<th [^>]*><a href="([^"]*)"', html)]
    assert f"{ONE}&lang=en&tool=get_order_status&sort=-seconds" in headings
    assert f"{ONE}&lang=en&tool=get_order_status" in headings
    assert html.count('aria-sort="ascending"') == 1


def test_several_lanes_have_a_table_each(client: TestClient) -> None:
    html = client.get(f"{TRACE}?lanes=correct,one_round,forgot_results:unchecked").text
    assert len(re.findall(r"<table", html)) == 3
    assert len(tools_in(html)) == 2 + 1 + 6


def test_what_is_simulated_is_said(client: TestClient) -> None:
    html = client.get(ONE).text
    assert "Simulated: the script says how long a reply and a call take" in html
    assert "genai-prices" in html


@pytest.mark.parametrize("page", ["lanes=correct", "lanes=correct,one_round"])
def test_a_lesson_leads_to_its_trace(client: TestClient, page: str) -> None:
    html = client.get(f"/lessons/why-is-it-late?{page}&step=3&lang=fa").text
    assert f'href="{TRACE}?{page}&amp;step=3&amp;lang=fa" data-at' in html


@pytest.mark.parametrize(
    ("query", "status", "said"),
    [
        ("?sort=size", 422, "sort is 'size'"),
        ("?errors=all", 422, "errors is 'all'"),
        ("?lanes=none", 404, "has no lane none"),
        ("?colour=red", 422, "An address has no key 'colour' here"),
    ],
)
def test_a_wrong_address_gets_a_sentence(
    client: TestClient, query: str, status: int, said: str
) -> None:
    answer = client.get(TRACE + query)
    words = unescape(re.sub(r"<[^>]+>", "", answer.text))
    assert (answer.status_code, said in words) == (status, True)


def test_hostile_text_is_looked_for_as_text(client: TestClient) -> None:
    html = client.get(f"{TRACE}?text=%22%3E%3Cscript%3E&tool=%3Cb%3E").text
    assert "<script>" not in html
    assert "<b>" not in "".join(re.findall(r"<select.*?</select>", html, re.DOTALL))
    assert "No call of this lane is like that." in html


def test_the_files_hold_the_lanes_of_the_page(client: TestClient) -> None:
    html = client.get(ONE).text
    nav = re.search(r'<nav class="files".*?</nav>', html, re.DOTALL)
    assert nav
    lines, table, spans = [
        client.get(unescape(link)) for link in re.findall(r'href="([^"]*)"', nav[0])
    ]
    assert {json.loads(line)["lane"] for line in lines.text.splitlines()} == {"prints_each_call"}
    assert table.headers["content-type"].startswith("text/csv")
    assert table.content.startswith(b"\xef\xbb\xbf")
    rows = [*csv.DictReader(io.StringIO(table.content.decode("utf-8-sig"), newline=""))]
    assert [row["tool"] for row in rows] == ["get_order_status", "get_refund_policy"]
    scope = spans.json()["resourceSpans"][0]["scopeSpans"][0]
    assert scope["spans"][0]["name"] == "invoke_agent prints_each_call"
    for answer in (lines, table, spans):
        assert "attachment" in answer.headers["content-disposition"]
    assert client.get(unescape(re.findall(r'href="([^"]*)"', nav[0])[2])).content == spans.content

"""The pages about the rules: all of them, one of them, what is forgiven."""

import re
from html import unescape

import pytest
from fastapi.testclient import TestClient
from typer.testing import CliRunner

from app.cli import main
from app.engine.rules import RULES
from app.engine.rules.anthropic.keys import BETA_STOP_REASONS, STOP_REASONS
from app.engine.rules.openai.keys import FINISH_REASONS
from app.engine.rules.rule import EFFECTS

REFUSING = [rule for rule in RULES.values() if rule.effect == "refuse"]
TOO_LARGE = ("A06", "A09")  # no example: it would not fit a page


def plain(html: str) -> str:
    """The text of a page without its tags."""
    return " ".join(unescape(re.sub(r"<[^>]+>", " ", html)).split())


def listed(html: str) -> list[str]:
    """The numbers of the rules that a list of rules shows."""
    return re.findall(r'<code class="number">([AO]\d\d)</code>', html)


@pytest.mark.parametrize(
    ("address", "status", "says"),
    [
        ("/rules", 200, "What the APIs accept and refuse"),
        ("/rules?api=anthropic&effect=warn&lang=en", 200, "contested"),
        ("/rules?api=openai&effect=not-judged", 200, "No rule is like that."),
        ("/rules?api=gemini", 422, "api is 'gemini'; it may be anthropic, openai."),
        ("/rules?effect=", 422, "it may be refuse, warn, accept, not-judged."),
        ("/rules?api=openai&api=openai", 422, "The key api stands twice"),
        ("/rules?x=1", 422, "it may have api, effect, lang, theme."),
        ("/rules/A99", 404, "There is no rule A99. Rules A01 A02"),
        ("/rules/a40", 404, "There is no rule a40."),
        ("/rules/A40?lang=xx", 422, "lang is 'xx'; it may be en"),
        ("/forgives", 200, "What the API forgives"),
        ("/stop-reasons", 200, "Why a model stops"),
        ("/stop-reasons?x", 422, "An address has no key 'x' here; it may have lang, theme."),
        ("/forgives?x", 422, "An address has no key 'x' here; it may have lang, theme."),
    ],
)
def test_an_address_answers(client: TestClient, address: str, status: int, says: str) -> None:
    answer = client.get(address)
    assert answer.status_code == status
    assert says in plain(re.sub("</?code>", "", answer.text))


def test_the_page_and_the_command_list_the_same_rules(client: TestClient) -> None:
    printed = [
        line.split("  ")[0] for line in CliRunner().invoke(main, ["rules"]).stdout.splitlines()
    ]
    html = client.get("/rules").text
    assert listed(html) == printed == list(RULES)
    assert all(unescape(f"{rule.title}") in plain(html) for rule in RULES.values())


@pytest.mark.parametrize("api", ["", "anthropic", "openai"])
@pytest.mark.parametrize("effect", ["", *EFFECTS])
def test_the_filters_keep_what_they_say(client: TestClient, api: str, effect: str) -> None:
    keys = {"api": api, "effect": effect.replace(" ", "-")}
    html = client.get("/rules", params={key: value for key, value in keys.items() if value}).text
    assert listed(html) == [
        number
        for number, rule in RULES.items()
        if effect in ("", rule.effect)
        and (not api or number.startswith("O" if api == "openai" else "A"))
    ]


def test_every_filter_and_every_rule_in_the_list_is_a_link_that_leads_somewhere(
    client: TestClient,
) -> None:
    links = re.findall(r'href="(/rules[^"]*)"', client.get("/rules?effect=warn").text)
    assert len(links) > 10
    assert {client.get(unescape(link)).status_code for link in links} == {200}


@pytest.mark.parametrize("number", RULES)
def test_a_rules_page_says_what_it_checks_how_sure_and_from_where(
    client: TestClient, number: str
) -> None:
    rule = RULES[number]
    answer = client.get(f"/rules/{number}")
    assert answer.status_code == 200
    shown = plain(answer.text)
    assert rule.title in shown
    for one in rule.checks:
        assert one.sentence in shown
        assert one.effect == "accept" or not one.api or one.certainty in shown
    for part in (rule.certainty, *rule.sources, rule.believed, rule.looser):
        assert " ".join(part.split()) in shown
    wordings = re.findall(r'class="wording"[^>]*>(.*?)</code>', answer.text)
    assert not any(re.search(r"\{[a-z]+\}", wording) for wording in wordings)


@pytest.mark.parametrize("rule", REFUSING, ids=lambda rule: rule.number)
def test_every_refusing_rule_has_a_page_with_a_pair(client: TestClient, rule: object) -> None:
    number = rule.number  # type: ignore[attr-defined]
    html = client.get(f"/rules/{number}").text
    sides = re.findall(r'<section class="side (\w+)"', html)
    assert sides == ([] if number in TOO_LARGE else ["accepted", "refused"])
    refused = html.partition('class="side refused"')[2]
    assert number in TOO_LARGE or re.search(r'class="(is-wrong|gap)"', refused)


def test_a_rule_that_only_accepts_shows_one_request_and_no_red(client: TestClient) -> None:
    html = client.get("/rules/A42").text
    assert re.findall(r'<section class="side (\w+)"', html) == ["accepted"]
    assert not re.search(r'class="(is-wrong|gap|mark refused)"', html)


def test_links_to_sources_are_plain_and_tell_them_nothing(client: TestClient) -> None:
    foreign = []
    for number in RULES:
        html = client.get(f"/rules/{number}").text
        foreign += re.findall(
            r'<(\w+)[^>]* (?:href|src)="(https?:[^"]*)"( rel="noreferrer")?', html
        )
    assert len(foreign) > 100
    assert {(tag, rel) for tag, _, rel in foreign} == {("a", ' rel="noreferrer"')}
    hosts = {address.split("/")[2] for _, address, _ in foreign}
    assert hosts == {"platform.claude.com", "github.com"}


@pytest.mark.parametrize(
    ("number", "lane", "step"),
    [
        ("A40", "forgot_results", "refuses request 2"),
        ("A59", "missing_tool_use_id", "refuses request 2"),
        ("A46", "split_results", "Warning"),
    ],
)
def test_a_rule_leads_to_the_very_step_of_a_lesson_that_shows_it(
    client: TestClient, number: str, lane: str, step: str
) -> None:
    html = client.get(f"/rules/{number}?lang=en").text
    scenes = re.findall(r'<ul class="scenes">(.*?)</ul>', html, re.DOTALL)
    assert scenes
    links = [unescape(one) for one in re.findall(r'href="([^"]+)"', scenes[0])]
    link = next(one for one in links if f"lanes={lane}" in one)
    assert "lang=en" in link
    page = client.get(link)
    assert page.status_code == 200
    assert number in page.text
    assert step in plain(page.text)


def test_a_refusal_in_a_lesson_leads_to_its_rule(client: TestClient) -> None:
    html = client.get("/lessons/how-many-python-files?lanes=missing_tool_use_id&step=7").text
    assert '<a class="rule" href="/rules/A59"' in html


def test_what_is_forgiven_names_every_wrong_belief_and_an_accepted_request(
    client: TestClient,
) -> None:
    html = client.get("/forgives").text
    believed = [rule for rule in RULES.values() if rule.believed]
    assert sorted(listed(html)) == sorted(rule.number for rule in believed)
    shown = plain(html)
    for rule in believed:
        assert " ".join(rule.believed.split()) in shown
    assert 'class="mark refused"' not in html.partition('href="/rules/A02"')[0]


def test_every_reason_to_stop_leads_to_a_step_that_shows_it(client: TestClient) -> None:
    html = client.get("/stop-reasons?lang=en").text
    rows = dict(re.findall(r'<th scope="row"><code>(.*?)</code></th>(.*?)</tr>', html, re.S))
    assert set(rows) == {*STOP_REASONS, *BETA_STOP_REASONS, *FINISH_REASONS, "…"}
    for name, row in rows.items():
        links = [unescape(link) for link in re.findall(r'href="(/lessons/[^"]*)"', row)]
        assert links, name
        assert name == "…" or name in plain(client.get(links[0]).text)
    step = re.search(r'href="(/lessons/cut-off[^"]*)"', rows["max_tokens"])
    assert step
    assert "stop_reason</code> is <code>max_tokens" in client.get(unescape(step[1])).text
    assert "new_reason" in rows["…"]


def test_the_chosen_language_stays_in_every_link(client: TestClient) -> None:
    for address in (
        "/rules",
        "/rules/A40",
        "/forgives",
        "/stop-reasons",
        "/check",
        "/check?example=A40",
    ):
        joint = "&" if "?" in address else "?"
        html = client.get(f"{address}{joint}lang=en").text
        links = re.findall(
            r'(?:href|action)="(/(?:rules|forgives|stop-reasons|check|lessons)?'
            r'(?:[/?][^"]*)?)"(?! lang=)',
            html,
        )
        assert len(links) > 4
        assert [link for link in links if "lang=en" not in link] == []


@pytest.mark.parametrize(
    "address",
    [
        "/lessons/how-many-python-files?lanes=missing_tool_use_id&step=7&lang=en&theme=dark",
        "/lessons/how-many-python-files?step=28&lang=en&theme=dark",
        "/lessons/lose-the-thread?lanes=text_only&step=8&lang=en&theme=dark",
    ],
)
def test_a_step_leads_to_its_rule_in_the_same_language_and_colours(
    client: TestClient, address: str
) -> None:
    html = client.get(address).text
    found = re.search(r'data-fragments="([^"]*)"', html)
    assert found
    step = re.search(r"step=(\d+)", address)
    assert step
    fragment = client.get(f"{found[1]}to-{step[1]}?lang=en&theme=dark").text
    for shown in (html, fragment):
        rules = re.findall(r'href="(/rules/[^"]*)"', shown)
        assert rules
        assert all(rule.endswith("?lang=en&amp;theme=dark") for rule in rules)

"""Predict before you see: what is asked, when, and what is said of a guess; the look back."""

import re
from html import unescape

import pytest
from fastapi.testclient import TestClient

from app.lessons import Lesson
from app.lessons.spec import Prediction
from app.paths import SCENARIOS
from app.run import library, trace_of
from app.views.addresses import Choice, Place, View
from app.views.predictions import question, verdict
from tests.web.conftest import link

LANGUAGES = ("en", "ar", "fa", "ru")
LESSONS = library([SCENARIOS]).lessons()
# Every shipped prediction, in each position of the server's switch that it is asked in.
ASKED = [
    pytest.param(lesson, asked, checked, id=f"{lesson.slug}-{n}-{checked}")
    for lesson in LESSONS
    for n, asked in enumerate(lesson.spec.predictions)
    for checked in ((True, False) if asked.checked is None else (asked.checked,))
]
THREE = "/lessons/how-many-python-files"
FIRST = "/lessons/two-and-three?lanes=correct&step=3"  # the first question is asked here


def step_of(lesson: Lesson, asked: Prediction, checked: bool) -> int:
    """The number of the step that a prediction is about."""
    steps = trace_of(lesson, asked.lane, checked, "en").steps
    return next(n for n, s in enumerate(steps) if (s.turn, s.kind) == (asked.turn, asked.kind))


def page_of(lesson: Lesson, asked: Prediction, checked: bool, step: int) -> str:
    """The address of the lane's page."""
    lanes = f"{asked.lane}:{'checked' if checked else 'unchecked'}"
    return f"/lessons/{lesson.slug}?lanes={lanes}&step={step}"


def panel(html: str) -> str:
    """The question of a page or a fragment as plain text; "" where none is asked."""
    found = re.search(r'<div id="predict"[^>]* role.*?</ol>', html, re.DOTALL)
    return unescape(re.sub(r"<[^>]+>", " ", found[0])) if found else ""


def told(html: str) -> str:
    """What a page says of a guess, as plain text."""
    found = re.search(r'<div id="verdict"[^>]*>(.*?)</div>', html, re.DOTALL)
    assert found
    return " ".join(unescape(re.sub(r"<[^>]+>", " ", found[1])).split())


@pytest.mark.parametrize(("lesson", "asked", "checked"), ASKED)
def test_every_shipped_question_is_asked_before_its_step_and_nowhere_else(
    lesson: Lesson, asked: Prediction, checked: bool
) -> None:
    trace = trace_of(lesson, asked.lane, checked, "en")
    choice = Choice(asked.lane, checked)
    for language in LANGUAGES:
        place = Place(lesson, (choice,), 0, View(), "", language)
        found = [
            step
            for step in range(len(trace.steps) - 1)
            if (q := question(place.at(step), [(choice, trace, step + 1)]))
            and q.ask == asked.ask[language]
        ]
        assert found == [step_of(lesson, asked, checked) - 1]


@pytest.mark.parametrize(("lesson", "asked", "checked"), ASKED)
def test_the_question_comes_with_the_step_before_and_each_guess_is_told_right_or_wrong(
    client: TestClient, lesson: Lesson, asked: Prediction, checked: bool
) -> None:
    step = step_of(lesson, asked, checked)
    html = client.get(page_of(lesson, asked, checked, step - 1)).text
    assert asked.ask["en"] in panel(html)
    options = [unescape(found) for found in re.findall(r'class="option" href="([^"]+)"', html)]
    assert len(options) == len(asked.options)
    right = next(option for option in asked.options if option.right)
    for address, option in zip(options, asked.options, strict=True):
        assert option.text["en"] in panel(html)
        after = client.get(address).text
        assert f"step={step}&" in address
        assert link(after, "back").endswith(f"step={step - 1}")
        wrong = f"Wrong: {option.text['en']} {option.reason['en']} "
        assert told(after) == (
            ("" if option.right else wrong) + f"Right: {right.text['en']} {right.reason['en']}"
        )
        assert "guess=" not in re.sub(r'<a class="option".*?>', "", after)
    assert told(client.get(page_of(lesson, asked, checked, step)).text) == ""


@pytest.mark.parametrize(("lesson", "asked", "checked"), ASKED)
def test_a_question_may_be_switched_off_and_stays_off(
    client: TestClient, lesson: Lesson, asked: Prediction, checked: bool
) -> None:
    before = step_of(lesson, asked, checked) - 1
    html = client.get(page_of(lesson, asked, checked, before) + "&predict=off").text
    assert panel(html) == ""
    for id in ("start", "back", "step", "end") if before else ("step", "end"):
        assert link(html, id).endswith("predict=off")
    assert "predict=off" in link(html, "present")


@pytest.mark.parametrize(
    ("lanes", "step", "lane"),
    [
        ("correct,forgot_results,missing_tool_use_id", 6, "forgot_results"),
        ("correct,missing_tool_use_id", 6, "missing_tool_use_id"),
        ("correct,forgot_results:checked", 6, "forgot_results"),
        ("correct,forgot_results,missing_tool_use_id", 5, ""),
        ("correct", 6, ""),
        ("forgot_results", 6, ""),  # its own question came a step before: it appends nothing
    ],
)
def test_of_several_lanes_the_row_is_asked_about_whose_lane_has_a_question(
    client: TestClient, lanes: str, step: int, lane: str
) -> None:
    for view in ("", "&view=present"):
        asked = panel(client.get(f"{THREE}?lanes={lanes}&step={step}{view}").text)
        assert asked.split()[:1] == ([lane] if lane else [])


@pytest.mark.parametrize(
    ("guess", "status"), [("1", 200), ("4", 200), ("0", 422), ("5", 422), ("x", 422), ("", 422)]
)
def test_a_guess_in_an_address_is_one_to_four(client: TestClient, guess: str, status: int) -> None:
    answer = client.get(f"/lessons/two-and-three?lanes=correct&step=2&guess={guess}")
    assert answer.status_code == status  # where nothing was asked, nothing is said
    assert status == 422 or told(answer.text) == ""


def test_no_verdict_is_given_for_a_guess_that_is_none_of_the_options() -> None:
    assert verdict(None, 1) == ()


def test_line_by_line_nothing_is_asked(client: TestClient) -> None:
    assert panel(client.get(FIRST).text)
    assert panel(client.get(f"{FIRST}&at=1").text) == ""


@pytest.mark.parametrize("view", ["", "&view=present"])
@pytest.mark.parametrize("lesson", LESSONS, ids=lambda lesson: lesson.slug)
def test_the_last_step_looks_back_and_leads_to_the_next_lesson(
    client: TestClient, lesson: Lesson, view: str
) -> None:
    for lanes in (lesson.lanes[0].name, ",".join(lesson.shown)):
        address = f"/lessons/{lesson.slug}?lanes={lanes}"
        last = unescape(client.get(f"{address}&step=999999{view}").text)
        for card in lesson.spec.recap:
            assert f">{card.question['en']}</summary>" in last
            assert f">{card.answer['en']}</p>" in last
        assert lesson.spec.myth
        assert f">{lesson.spec.myth.myth['en']}</dd>" in last
        assert f">{lesson.spec.myth.truth['en']}</dd>" in last
        early = client.get(f"{address}&step=1{view}").text
        assert "</summary>" not in re.sub(r'<ol id="messages".*?</ol>', "", early, flags=re.DOTALL)
        following = LESSONS[LESSONS.index(lesson) + 1 :]
        links = re.findall(r'class="[^"]*next-lesson" href="(/lessons/[^"]+)"', last)
        start = f"/lessons/{following[0].slug}{view.replace('&', '?')}" if following else ""
        assert set(links) == ({start} if following else set())


# --- what a lesson is about


@pytest.mark.parametrize(
    ("address", "way"),
    [
        (
            "/lessons/whose-fault?lanes=as_it_is",
            '<a class="button small" href="/failures?lang=fa">',
        ),
        ("/lessons/whose-fault", '<a class="button small" href="/failures?lang=fa">'),
        ("/lessons/cut-off", '<a class="button small" href="/stop-reasons?lang=fa">'),
        (THREE, ""),
    ],
)
def test_the_name_of_a_lesson_opens_what_it_is_about_and_where_it_goes_on(
    client: TestClient, address: str, way: str
) -> None:
    html = client.get(f"{address}{'&' if '?' in address else '?'}lang=fa").text
    opened = re.search(r'<section popover id="about".*?</section>', html, re.DOTALL)
    assert opened
    lesson = next(one for one in LESSONS if f"/{one.slug}" in address)
    assert '<button type="button" popovertarget="about"' in html
    assert lesson.point("fa") in unescape(opened[0])
    assert lesson.about("fa") in unescape(opened[0])
    assert way in opened[0]
    assert way in html.split('id="look-back"')[1]
    assert way or "/failures" not in opened[0]

"""The shipped lessons say the same, and do the same, in every language."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from pydantic import BaseModel

from app.engine.dialects.parts import read_reply
from app.engine.script import names_in
from app.engine.steps import Reply, Step, Tool, Trace
from app.lessons import Lesson
from app.lessons.spec import OWN, Prediction
from app.paths import SCENARIOS
from app.run import library, run_lane

MOST = 500  # steps that are compared: a loop without an end takes seconds
LANGUAGES = ("en", "ar", "fa", "ru")
TRANSLATED = [language for language in LANGUAGES if language != "en"]
LESSONS = library([SCENARIOS]).lessons()
LANES = [(lesson, lane.name) for lesson in LESSONS for lane in lesson.lanes]

# What a program compares or matches may be one string for all languages; what people read may not.
FOR_PROGRAMS = ("right", "contains", "lacks")
LETTERS = {"en": "A-Za-z", "ar": "ء-ي", "fa": "ء-ی", "ru": "А-яЁё"}
FOREIGN = {"ar": "پچژگکیۀ۰-۹", "fa": "يكىةأإ٠-٩"}
AS_THEY_ARE = (
    *("input", "request", "lead", "blocks", "server_tools", "stop_details"),
    *("hooks", "after", "until", "limits", "descriptions", "links"),
)
SUMS = ("2 + 3 = {sum}.",)  # no letters, whatever the language


def named(value: object) -> str:
    return value.slug if isinstance(value, Lesson) else str(value)


def texts(part: Any, place: str = "") -> Iterator[tuple[str, dict[str, str]]]:
    """Every text of a lesson, with its place, such as `predictions.0.ask`."""
    if isinstance(part, BaseModel):
        for name in type(part).model_fields:
            yield from texts(getattr(part, name), f"{place}.{name}".lstrip("."))
    elif place.rpartition(".")[2] in AS_THEY_ARE:
        return
    elif isinstance(part, list):
        for n, item in enumerate(part):
            yield from texts(item, f"{place}.{n}")
    elif isinstance(part, dict) and part:
        yield place, part


TEXTS = [(lesson, place, text) for lesson in LESSONS for place, text in texts(lesson.spec)]
READ = [
    (lesson, f"{lesson.slug}: {place} in {language}", language, said)
    for lesson, place, text in TEXTS
    if place.rpartition(".")[2] not in FOR_PROGRAMS
    for language, said in text.items()
]


def test_lessons_are_searched_to_their_last_text() -> None:
    numbers = [lesson.number for lesson in LESSONS]
    assert numbers == sorted(set(numbers))
    assert len(numbers) >= 11
    places = {re.sub(r"\d+", "n", place) for _, place, _ in TEXTS}
    assert places == {
        "title",
        "point",
        "about",
        "task",
        "right",
        "lanes.n.task",
        "lanes.n.system",
        "lanes.n.truth.checked",
        "lanes.n.truth.unchecked",
        "script.n.summary",
        "script.n.text",
        "script.n.thinking",
        "script.n.when.n.contains",
        "script.n.when.n.lacks",
        "script.n.when.n.system",
        "script.n.when.n.task",
        "predictions.n.ask",
        "predictions.n.options.n.text",
        "predictions.n.options.n.reason",
        "recap.n.question",
        "recap.n.answer",
        "myth.myth",
        "myth.truth",
    }


@pytest.mark.parametrize("lesson", LESSONS, ids=named)
def test_every_text_is_there_in_every_language(lesson: Lesson) -> None:
    missing = [
        f"{lesson.slug}: {place} is missing in {language}"
        for owner, place, text in TEXTS
        if owner is lesson and not (set(text) == {OWN} and place.endswith(FOR_PROGRAMS))
        for language in LANGUAGES
        if not text.get(language, "").strip()
    ]
    assert missing == []


def misspelt(text: str, language: str) -> bool:
    """Whether a text lacks the letters of its language, or has those of a neighbour."""
    foreign = FOREIGN.get(language)
    return not re.search(f"[{LETTERS[language]}]", text) or bool(
        foreign and re.search(f"[{foreign}]", text)
    )


@pytest.mark.parametrize("lesson", LESSONS, ids=named)
def test_every_text_is_written_in_the_letters_of_its_language(lesson: Lesson) -> None:
    wrong = [
        f"{place}: {said}"
        for owner, place, language, said in READ
        if owner is lesson and said not in SUMS and misspelt(said, language)
    ]
    assert wrong == []


@pytest.mark.parametrize("lesson", LESSONS, ids=named)
def test_no_latin_word_turns_a_text_from_right_to_left_around(lesson: Lesson) -> None:
    wrong = [
        f"{place}: {said}"
        for owner, place, language, said in READ
        if owner is lesson and language in ("ar", "fa")
        # The first letter gives the direction; brackets beside a Latin word change sides.
        if re.match(r"[^ء-ی]*[A-Za-z{]", said) or "[]" in said
    ]
    assert wrong == []


@pytest.mark.parametrize("lesson", LESSONS, ids=named)
def test_placeholders_are_the_same_in_every_language(lesson: Lesson) -> None:
    wrong = [
        f"{lesson.slug}: {place} in {language}"
        for owner, place, text in TEXTS
        if owner is lesson and "en" in text
        for language in TRANSLATED
        if sorted(names_in(text.get(language, ""))) != sorted(names_in(text["en"]))
    ]
    assert wrong == []


def files(folder: Path) -> dict[str, str]:
    return {
        file.relative_to(folder).as_posix(): file.read_text(encoding="utf-8")
        for file in folder.rglob("*")
        if file.is_file() and "__pycache__" not in file.parts
    }


@pytest.mark.parametrize("language", TRANSLATED)
@pytest.mark.parametrize(
    ("lesson", "name"),
    [
        (lesson, name)
        for lesson in LESSONS
        for name in sorted({lane.workspace for lane in lesson.lanes})
    ],
    ids=named,
)
def test_a_workspace_holds_the_same_files_and_only_texts_differ(
    lesson: Lesson, name: str, language: str
) -> None:
    english, own = (files(lesson.workspace(lang, name)) for lang in ("en", language))
    assert set(own) == set(english)
    for name, text in english.items():
        translated = name.endswith((".txt", ".md"))
        assert (own[name] != text) is translated, f"{lesson.slug}: {name} in {language}"
        assert own[name].count("\n") == text.count("\n"), f"{lesson.slug}: {name} in {language}"
        assert not translated or not misspelt(own[name], language), f"{lesson.slug}: {name}"


def shape(step: Step) -> tuple[object, ...]:
    """What of a step no language may change."""
    seen = (step.kind, step.turn, step.lines, step.ran, step.version, step.length)
    match step:
        case Reply():
            reply = read_reply(step.reply)
            kinds = [block["type"] for block in reply["content"]]
            return (*seen, reply["stop_reason"], kinds)
        case Tool():
            return (*seen, step.call["id"], step.call["name"], step.call["input"])
        case _:
            return seen


def run_shape(trace: Trace) -> tuple[object, ...]:
    ending = trace.ending
    return [shape(step) for step in trace.steps], ending.kind, ending.rules, ending.error


@pytest.mark.parametrize("checked", [True, False])
@pytest.mark.parametrize(("lesson", "lane"), LANES, ids=named)
def test_a_lane_runs_alike_in_every_language(lesson: Lesson, lane: str, checked: bool) -> None:
    one = lesson.lane(lane)
    english = run_lane(lesson, one, checked, "en", most_steps=MOST)
    for language in TRANSLATED:
        own = run_lane(lesson, one, checked, language, most_steps=MOST)
        assert run_shape(own) == run_shape(english), language
        asked = [trace.messages(trace.asks[0])[0]["content"] for trace in (own, english)]
        assert asked[0] != asked[1], f"{language}: the task is the English one"


@pytest.mark.parametrize("lesson", LESSONS, ids=named)
def test_a_lesson_asks_before_it_shows_and_looks_back_at_its_end(lesson: Lesson) -> None:
    assert len(lesson.spec.predictions) >= 2
    assert 3 <= len(lesson.spec.recap) <= 5
    assert lesson.spec.myth is not None


ASKED = [
    (lesson, n, asked) for lesson in LESSONS for n, asked in enumerate(lesson.spec.predictions)
]


@pytest.mark.parametrize(("lesson", "n", "asked"), ASKED, ids=lambda v: named(v)[:24])
def test_a_prediction_stands_at_a_step_and_has_one_right_option(
    lesson: Lesson, n: int, asked: Prediction
) -> None:
    for checked in (True, False) if asked.checked is None else (asked.checked,):
        for language in LANGUAGES:
            lane = lesson.lane(asked.lane)
            steps = run_lane(lesson, lane, checked, language, most_steps=MOST).steps
            assert (asked.turn, asked.kind) in [(step.turn, step.kind) for step in steps]
    assert [option.right for option in asked.options].count(True) == 1
    assert 2 <= len(asked.options) <= 4
    for language in LANGUAGES:
        offered = [option.text[language] for option in asked.options]
        assert len(set(offered)) == len(offered), f"{lesson.slug}: prediction {n} in {language}"


@pytest.mark.parametrize("lesson", LESSONS, ids=named)
def test_no_two_predictions_stand_at_the_same_step(lesson: Lesson) -> None:
    places = [
        (asked.lane, asked.turn, asked.kind, checked)
        for asked in lesson.spec.predictions
        for checked in ((True, False) if asked.checked is None else (asked.checked,))
    ]
    assert len(places) == len(set(places))

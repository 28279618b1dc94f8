"""The sentence beside the switch: the lesson's own, else one that the run bears out."""

import gettext

import pytest

from app.lessons import Lesson
from app.paths import SCENARIOS
from app.run import library, trace_of
from app.views.addresses import Choice, Place, View
from app.views.lane import picture
from app.views.lanes.picture import Reading as LanesReading
from app.views.lanes.picture import frame
from app.views.lanes.shown import Lanes, Shown
from app.views.reading import Reading
from app.views.texts import Words

WORDS = Words(gettext.NullTranslations())
LANES = [
    (lesson, lane.name, checked)
    for lesson in library([SCENARIOS]).lessons()
    for lane in lesson.lanes
    for checked in (True, False)
]
BESIDE = [lane for lane in LANES if len(lane[0].lanes) > 1]


def named(value: object) -> str:
    return value.slug if isinstance(value, Lesson) else str(value)


def alone(lesson: Lesson, name: str, checked: bool) -> str:
    """The sentence on the page of one lane."""
    choice = Choice(name, checked)
    trace = trace_of(lesson, name, checked, "en")
    reading = Reading(lesson, lesson.lane(name), trace, WORDS, "en")
    place = Place(lesson, (choice,), 0, View(), "digest", "en")
    truth: str = picture(reading, place).single["switch"].data.truth
    return truth


@pytest.mark.parametrize(("lesson", "name", "checked"), LANES, ids=named)
def test_a_sentence_without_a_lesson_of_its_own_says_what_the_run_shows(
    lesson: Lesson, name: str, checked: bool
) -> None:
    own = lesson.lane(name).truth("en", checked)
    refused = trace_of(lesson, name, checked, "en").ending.kind == "refused"
    said = alone(lesson, name, checked)
    if own:
        assert said == own
    elif not checked:
        assert said == "The server takes any request as it comes."
    else:
        assert ("refuses one of these" in said) is refused
        assert ("refuses none of these" in said) is not refused


@pytest.mark.parametrize(("lesson", "name", "checked"), BESIDE, ids=named)
def test_one_lane_and_several_say_the_same(lesson: Lesson, name: str, checked: bool) -> None:
    shown = tuple(
        Shown(lane, on, trace_of(lesson, lane.name, on, "en"))
        for lane in (lesson.lane(name), next(x for x in lesson.lanes if x.name != name))
        for on in ((checked,) if lane.name == name else (lane.checked,))
    )
    choices = tuple(Choice(lane.name, lane.checked) for lane in shown)
    reading = LanesReading(Lanes(lesson, shown, "en"), WORDS)
    place = Place(lesson, choices, 0, View(), "digest", "en")
    assert frame(reading, place).heads[0].truth == alone(lesson, name, checked)

"""One lane: its reading, and where its other lanes and their comparison stand."""

from functools import lru_cache
from typing import Any

from app.lessons import Lesson
from app.run import watched
from app.views import lane
from app.views.addresses import Choice, Place
from app.views.export import file_address
from app.views.picture import Picture
from app.views.statements import Run, at, line_by_line, statements
from app.web.languages import Language
from app.web.site import comparison_of, reading_of

KEPT = 128  # pictures: a step and the one before it are asked for in turn
TEMPLATE = "lane.html"
PARTS = "lane_parts.html"  # the macros that draw the pieces


def last(place: Place, language: Language) -> int:
    """The number of the last step."""
    return _reading(place, language).last


def last_statement(place: Place, language: Language) -> int:
    """The number of a place's statement; that of the last one after its step if it is past it."""
    return at(_lines(place.lesson, place.choices[0], language), place).at


def context(place: Place, language: Language) -> dict[str, Any]:
    """What of the page stays from step to step."""
    return {
        "reading": _reading(place, language),
        "export": file_address(place, "export.html"),
    }


@lru_cache(maxsize=KEPT)
def picture(place: Place, language: Language) -> Picture:
    """The pieces of the page at a step."""
    reading = _reading(place, language)
    shown = lane.picture(reading, place, _others(place, reading, language))
    if not place.statement:
        return shown
    (choice,) = place.choices
    return line_by_line(shown, reading, _lines(place.lesson, choice, language), place)


def _reading(place: Place, language: Language) -> lane.Reading:
    (choice,) = place.choices
    return reading_of(place.lesson, choice, language)


@lru_cache(maxsize=KEPT)
def _lines(lesson: Lesson, choice: Choice, language: Language) -> Run:
    return statements(watched(lesson, choice.lane, choice.checked, language.code))


def _others(place: Place, reading: lane.Reading, language: Language) -> lane.Others:
    """Where the other lanes and the comparison stand."""
    lesson, (shown,) = place.lesson, place.choices
    turn, after = reading.place_of(place.step)
    choices = [Choice(other.name, other.checked) for other in lesson.lanes]
    steps = {
        choice: reading_of(lesson, choice, language).near(turn, after)
        for choice in choices
        if choice != shown
    }
    compared = _compared(lesson, shown)
    if not compared:
        return lane.Others(steps, "", 0)
    rows = comparison_of(lesson, compared, language.code)
    row = rows.row_of(compared.index(shown), place.step)
    return lane.Others(steps, place.with_lanes(*compared, step=row).page, len(compared))


def _compared(lesson: Lesson, shown: Choice) -> tuple[Choice, ...]:
    """The lanes to compare a lane with: those shown first, else the first one of the lesson."""
    names = list(lesson.shown)
    if shown.lane not in names:
        names = [lesson.lanes[0].name, shown.lane]
    choices = tuple(
        shown if name == shown.lane else Choice(name, lesson.lane(name).checked) for name in names
    )
    return choices if len(choices) > 1 else ()

"""One lane: its reading, and where its other lanes and their comparison stand."""

from functools import lru_cache
from typing import Any

from app.lessons import Lesson
from app.run import watched
from app.views import lane
from app.views.addresses import Choice, Place
from app.views.export import file_address
from app.views.picture import Picture
from app.views.reading import Reading
from app.views.statements import Run, at, line_by_line, statements
from app.web.languages import Language
from app.web.site import reading_of

KEPT = 128  # pictures: a step and the one before it are asked for in turn
TEMPLATE = "lane.html"
PARTS = "lane_parts.html predict_parts.html"  # the macros that draw the pieces


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
    reading, (choice,) = _reading(place, language), place.choices
    shown = lane.picture(reading, place, _compared(place.lesson, choice))
    if not place.statement:
        return shown
    return line_by_line(shown, reading, _lines(place.lesson, choice, language), place)


def _reading(place: Place, language: Language) -> Reading:
    (choice,) = place.choices
    return reading_of(place.lesson, choice, language)


@lru_cache(maxsize=KEPT)
def _lines(lesson: Lesson, choice: Choice, language: Language) -> Run:
    return statements(watched(lesson, choice.lane, choice.checked, language.code, choice.decisions))


def _compared(lesson: Lesson, shown: Choice) -> tuple[Choice, ...]:
    """The lanes to compare a lane with: those shown first, else the first one of the lesson."""
    names = list(lesson.shown)
    if shown.lane not in names:
        names = [lesson.lanes[0].name, shown.lane]
    choices = tuple(
        shown if name == shown.lane else Choice(name, lesson.lane(name).checked) for name in names
    )
    return choices if len(choices) > 1 else ()

"""Several lanes side by side: their reading, and the way to other lanes at the same turn."""

from functools import lru_cache
from typing import Any

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from app.lessons import Lesson
from app.run import trace_of
from app.views.addresses import Choice, Place, read_choices, read_statement, read_step, read_view
from app.views.export import file_address
from app.views.lanes import picture as lanes_picture
from app.views.lanes.picture import Reading, frame
from app.views.lanes.shown import Lanes, Shown, same_turn
from app.views.picture import Picture
from app.web.languages import Language
from app.web.queries import chosen
from app.web.site import site_of

router = APIRouter()
KEPT = 64
TEMPLATE = "compare.html"
PARTS = "compare_parts.html predict_parts.html"  # the macros that draw the pieces


def last(place: Place, language: Language) -> int:
    """The number of the last row."""
    return _reading(place, language).last


def context(place: Place, language: Language) -> dict[str, Any]:
    """What of the page stays from row to row."""
    return {
        "frame": frame(_reading(place, language), place),
        "export": file_address(place, "export.html"),
    }


@lru_cache(maxsize=KEPT)
def picture(place: Place, language: Language) -> Picture:
    """The pieces of the page at a row."""
    return lanes_picture.picture(_reading(place, language), place)


def _reading(place: Place, language: Language) -> Reading:
    return reading_of(place.lesson, place.choices, language)


@lru_cache(maxsize=KEPT)
def reading_of(lesson: Lesson, choices: tuple[Choice, ...], language: Language) -> Reading:
    """Lanes, recorded, compared and read. Raises UnknownLane."""
    shown = tuple(
        Shown(
            lesson.lane(choice.lane),
            choice.checked,
            trace_of(lesson, choice.lane, choice.checked, language.code, choice.decisions),
            decisions=choice.decisions,
        )
        for choice in choices
    )
    return Reading(Lanes(lesson, shown, language.code), language.words)


@router.api_route(
    "/lessons/{slug}/lanes",
    methods=["GET", "HEAD"],
    openapi_extra={
        "samples": ["/lessons/lose-the-thread/lanes?from=correct,swapped_ids&step=7&lanes=correct"]
    },
)
async def other_lanes(request: Request, slug: str) -> Response:
    """The page of other lanes at the turn that the lanes in `from` had reached, or of the same
    lanes in other colours or line by line."""
    site, asked = site_of(request), request.query_params
    lesson = site.library.find(slug)
    view = read_view(lambda key: chosen(asked.get(key)), site.languages)
    language = site.language(request, view.lang)
    before = read_choices(asked.get("from"), lesson)
    after = read_choices(asked.get("lanes"), lesson)
    at = read_step(asked.get("step"))
    step = same_turn(
        reading_of(lesson, before, language).lanes, at, reading_of(lesson, after, language).lanes
    )
    statement = read_statement(chosen(asked.get("at")), after, view) if len(after) == 1 else 0
    if after != before:
        statement = min(statement, 1)
    place = Place(lesson, after, step, view, site.digest(lesson), language.code, statement)
    return RedirectResponse(place.page, 303, {"Cache-Control": "no-cache"})

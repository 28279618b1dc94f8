"""A lesson's page at any step, and what changes from one step to another."""

from typing import Any

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import Response

from app.lessons import Lesson
from app.views import lane
from app.views.addresses import KEYS, BadAddress, Choice, Place, listed, read_choices, read_step, read_view
from app.views.picture import Picture, changes, whole
from app.web.answers import fragment, page, stale
from app.web.languages import Language
from app.web.site import comparison_of, reading_of, site_of

router = APIRouter()


@router.api_route(
    "/lessons/{slug}",
    methods=["GET", "HEAD"],
    openapi_extra={
        "samples": [
            "/lessons/two-and-three",
            "/lessons/how-many-python-files?lanes=correct&step=7",
            "/lessons/how-many-python-files?lanes=forgot_results&step=12",
            "/lessons/how-many-python-files?lanes=missing_tool_use_id&step=7&tab=request",
        ]
    },
)
async def lesson_page(request: Request, slug: str) -> Response:
    """A lesson at a step. 404 for an unknown lesson or lane, 422 for what is in no right form."""
    site = site_of(request)
    asked = _asked(request, KEYS)
    lesson = site.library.find(slug)
    view = read_view(asked.get, site.languages)
    language = site.language(request, view.lang)
    choices = read_choices(asked.get("lanes"), lesson)
    number = read_step(asked.get("step"))
    place = Place(lesson, choices, number, view, site.digest(lesson), language.code)
    template, context = _page(place, language)
    return page(request, language, template, context, chosen=view.lang)


@router.api_route("/steps/{digest}/{lang}/{slug}/{lanes}/{move}", methods=["GET", "HEAD"])
async def step_fragment(
    request: Request, digest: str, lang: str, slug: str, lanes: str, move: str
) -> Response:
    """What changes from step a to step b (`a-b`), or all that makes step b (`to-b`)."""
    site = site_of(request)
    lesson = site.library.find(slug)
    view = read_view(_asked(request, ("lang", "tab", "keys")).get, site.languages)
    choices = read_choices(lanes, lesson)
    before, _, after = move.partition("-")
    target = read_step(after)
    if lang not in site.languages:
        raise BadAddress(f"There is no language {lang!r:.20}; there is {listed([*site.languages])}.")
    place = Place(lesson, choices, target, view, site.digest(lesson), lang)
    if digest != place.digest:
        return stale(place.page)
    language = site.languages[lang]
    shown = _picture(place, language)
    if before == "to":
        swaps = whole(shown)
    else:
        swaps = changes(_picture(place.at(read_step(before)), language), shown)
    return fragment(language, {"parts": _parts(place), "title": shown.title, "changes": swaps})


def _asked(request: Request, known: tuple[str, ...]) -> dict[str, str]:
    """The query of an address. Raises BadAddress for a key that is unknown or stands twice."""
    asked: dict[str, str] = {}
    for key, value in request.query_params.multi_items():
        if key not in known:
            raise BadAddress(f"An address has no key {key!r:.40} here; it may have {listed(known)}.")
        if key in asked:
            raise BadAddress(f"The key {key} stands twice in this address; name it once.")
        asked[key] = value
    return asked


# --- one lane, or several


def _page(place: Place, language: Language) -> tuple[str, dict[str, Any]]:
    """The template of a page and what it draws."""
    reading = reading_of(place.lesson, place.choices[0], language)
    place = place.at(min(place.step, reading.last))
    return "lane.html", {
        "lesson": place.lesson,
        "place": place,
        "reading": reading,
        "picture": _picture(place, language),
        "parts": _parts(place),
    }


def _parts(place: Place) -> str:
    """The macros that draw the pieces."""
    return "lane_parts.html"


def _picture(place: Place, language: Language) -> Picture:
    """The pieces of a page at a step; a step past the end is the last one."""
    reading = reading_of(place.lesson, place.choices[0], language)
    place = place.at(min(place.step, reading.last))
    return lane.picture(reading, place, _others(place, reading, language))


def _others(place: Place, reading: lane.Reading, language: Language) -> lane.Others:
    """Where the other lanes, the other position of the switch and the comparison stand."""
    lesson, (shown,) = place.lesson, place.choices
    turn, after = reading.place_of(place.step)
    choices = [Choice(other.name, other.checked) for other in lesson.lanes]
    choices.append(Choice(shown.lane, not shown.checked))
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



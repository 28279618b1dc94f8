"""Where lanes part: their messages side by side at a step, and their loops as one difference."""

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import Response

from app.said import Said
from app.views.addresses import (
    VIEW_KEYS,
    BadAddress,
    Place,
    read_choices,
    read_step,
    read_view,
)
from app.views.lanes.difference import pairs, sources
from app.web import lanes
from app.web.answers import page
from app.web.queries import asked
from app.web.site import site_of

router = APIRouter()
FOUR = "/lessons/how-many-python-files"


@router.api_route(
    "/lessons/{slug}/difference",
    methods=["GET", "HEAD"],
    openapi_extra={"samples": [f"{FOUR}/difference?step=5"]},
)
async def difference_page(request: Request, slug: str) -> Response:
    """The `messages[]` of lanes at a step, in pairs, with what differs marked."""
    return _page(request, slug, "/difference")


@router.api_route(
    "/lessons/{slug}/source",
    methods=["GET", "HEAD"],
    openapi_extra={"samples": [f"{FOUR}/source"]},
)
async def source_page(request: Request, slug: str) -> Response:
    """The source of the lanes' loops, in pairs, as a difference."""
    return _page(request, slug, "/source")


def _page(request: Request, slug: str, what: str) -> Response:
    """404 for an unknown lesson or lane, 422 for fewer than two lanes."""
    site = site_of(request)
    found = asked(request, ("lanes", "step", *VIEW_KEYS))
    lesson = site.library.find(slug)
    view = read_view(found.get, site.languages)
    language = site.language(request, view.lang)
    choices = read_choices(found.get("lanes"), lesson)
    if len(choices) < 2:
        raise BadAddress(Said("One lane differs from nothing; name two lanes or more in lanes."))
    shown = lanes.reading_of(lesson, choices, language).lanes
    step = min(read_step(found.get("step")), shown.last)
    place = Place(lesson, choices, step, view, site.digest(lesson), language.code)
    back, following = shown.next_difference(step, back=True), shown.next_difference(step)
    context = {
        "what": what,
        "lesson": lesson,
        "place": place,
        "row": shown.rows[step],
        "pairs": pairs(shown, step) if what == "/difference" else (),
        "sources": sources(shown) if what == "/source" else (),
        "before": None if back is None else place.at(back),
        "after": None if following is None else place.at(following),
    }
    return page(request, language, "difference.html", context, chosen=view.lang)

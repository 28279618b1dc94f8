"""One lane line by line: the statement that runs next, and the loop's variables."""

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from app.run import watched
from app.views.addresses import (
    KEYS,
    BadAddress,
    Place,
    address,
    read_choices,
    read_step,
    read_view,
)
from app.views.lane import Band
from app.views.source import code_of
from app.views.statements import Statement, place_of, statements
from app.web.answers import page
from app.web.queries import asked
from app.web.site import site_of

router = APIRouter()


@router.api_route(
    "/lessons/{slug}/lines",
    methods=["GET", "HEAD"],
    openapi_extra={"samples": ["/lessons/how-many-python-files/lines?lanes=correct&step=5&at=2"]},
)
async def lines_page(request: Request, slug: str) -> Response:
    """A statement of a step. 404 for an unknown lesson or lane, 422 for more than one lane."""
    site = site_of(request)
    found = asked(request, (*KEYS, "at", "from"))
    lesson = site.library.find(slug)
    given = {key: value for key, value in found.items() if value}
    view = read_view(given.get, site.languages)
    language = site.language(request, view.lang)
    choices = read_choices(found.get("lanes"), lesson)
    if len(choices) != 1:
        raise BadAddress("One lane at a time is shown line by line; name one in lanes.")
    step = read_step(found.get("step"))
    place = Place(lesson, choices, step, view, site.digest(lesson), language.code)
    if "from" in found:  # sent by the form of the lane's page
        return RedirectResponse(place.beside("/lines"), 303, {"Cache-Control": "no-cache"})
    (choice,) = choices
    lane = lesson.lane(choice.lane)
    run = statements(watched(lesson, lane.name, choice.checked, language.code))
    here = place_of(run, step, read_step(found.get("at")))
    now = run[here]
    code = code_of(lane.loop)
    around = {"before": run[here - 1 : here], "after": run[here + 1 : here + 2]}
    context = {
        "lesson": lesson,
        "lane": lane,
        "place": place.at(now.step),
        "statement": now,
        "code_rows": code.rows,
        "band": Band(*code.place(now.lines), ()),
        **{name: _address(place, one[0]) if one else "" for name, one in around.items()},
    }
    return page(request, language, "lines.html", context, chosen=view.lang)


def _address(place: Place, statement: Statement) -> str:
    base = place.at(statement.step).beside("/lines")
    return address(base, at=str(statement.at)) if "?" not in base else f"{base}&at={statement.at}"

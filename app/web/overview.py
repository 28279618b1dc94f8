"""The way in."""

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import Response

from app.run import ending_of
from app.views.addresses import Choice, read_view
from app.views.overview import FIRST, overview
from app.web.answers import page
from app.web.site import reading_of, site_of

router = APIRouter()


@router.api_route("/", methods=["GET", "HEAD"])
async def overview_page(request: Request) -> Response:
    """All lessons with their endings, and one press to the first comparison."""
    site = site_of(request)
    view = read_view(request.query_params.get, site.languages)
    language = site.language(request, view.lang)
    lessons = site.library.lessons()
    readings = [
        reading_of(lesson, Choice(lane.name, lane.checked), language)
        for lesson in lessons
        if lesson.slug == FIRST
        for lane in lesson.lanes
    ]
    endings = {
        # How a lane ends is the same in every language.
        lesson.slug: [(lane.name, ending_of(lesson, lane.name)) for lane in lesson.lanes]
        for lesson in lessons
    }
    faults = [fault.sentence for fault in site.library.faults()]
    shown = overview(lessons, readings, endings, faults, view, language.code)
    return page(request, language, "overview.html", {"overview": shown}, chosen=view.lang)

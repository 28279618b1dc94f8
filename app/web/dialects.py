"""A turn's request in both dialects side by side, of lanes of a lesson and of a live run."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from fastapi import APIRouter
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response

from app.engine.steps import Helper, Step
from app.lessons import Lane
from app.live.subject import Subject
from app.source import loops
from app.views.addresses import VIEW_KEYS, Place, read_choices, read_step, read_view
from app.views.dialects import Both, both_of
from app.views.lanes.shown import Shown
from app.views.reading import Reading
from app.web import lanes
from app.web.answers import page
from app.web.guard import Id, guarded
from app.web.live import live_of
from app.web.queries import asked
from app.web.runs import run_and_place
from app.web.site import site_of

LATE = "/lessons/the-other-api/dialects"

router = APIRouter()


@router.api_route(
    "/lessons/{slug}/dialects",
    methods=["GET", "HEAD"],
    openapi_extra={
        "samples": [
            f"{LATE}?lanes=wrong_tool_call_id&step=6",
            "/lessons/done-or-asking/dialects?lanes=correct&step=6",
        ]
    },
)
async def dialects_page(request: Request, slug: str) -> Response:
    """The request of a step's turn, and its reply; where a helper agent works, of the helper's
    turn. 404 for an unknown lesson or lane."""
    site = site_of(request)
    found = asked(request, ("lanes", "step", *VIEW_KEYS))
    lesson = site.library.find(slug)
    view = read_view(found.get, site.languages)
    language = site.language(request, view.lang)
    choices = read_choices(found.get("lanes"), lesson)
    shown = lanes.reading_of(lesson, choices, language).lanes
    step = min(read_step(found.get("step")), shown.last)
    place = Place(lesson, choices, step, view, "", language.code)
    turn = max(1, shown.rows[step].turn)
    context = {
        "title": lesson.title(language.code),
        "place": place,
        "turn": turn,
        "lanes": [
            _both(lane, shown.step(step, n), turn, lesson.helper)
            for n, lane in enumerate(shown.shown)
        ],
        **_turns(place, turn, shown.turns, shown.comparison.first_row_of_turn),
    }
    return page(request, language, "dialects.html", context, chosen=view.lang)


@router.api_route("/runs/{id}/dialects", methods=["GET", "HEAD"], include_in_schema=False)
@guarded
async def run_dialects_page(request: Request, id: Id) -> Response:
    """The same of a live run as far as it is."""
    site, live = site_of(request), live_of(request)
    found = asked(request, ("step", *VIEW_KEYS), ())
    view = read_view(found.get, site.languages)
    language = site.language(request, view.lang)
    state = await run_in_threadpool(live.state, id)
    run, place = run_and_place(request, state, language)
    reading = run.reading
    place = replace(place.at(min(read_step(found.get("step")), reading.last)), view=view)
    step = reading.trace.steps[place.step]
    turn = max(1, step.turn)
    context = {
        "title": state.run.name,
        "place": place,
        "turn": turn,
        "lanes": [_both(reading, step, turn, state.subject.helper)],
        **_turns(place, turn, len(reading.firsts) - 1, reading.firsts.__getitem__),
    }
    answer = page(request, language, "dialects.html", context, chosen=view.lang)
    answer.headers["Cache-Control"] = "no-store"
    return answer


def _both(
    of: Shown | Reading, step: Step | None, turn: int, helper: Lane | Subject | None
) -> tuple[str, Both | None, bool]:
    """The name of a lane, its request, and whether that is its helper's."""
    name = of.lane.name
    if isinstance(step, Helper):
        dialect, betas = loops()[step.loop].dialect, helper.betas if helper else ()
        return name, both_of(step.run, step.inner.turn, dialect, betas), True
    return name, both_of(of.trace, turn, of.loop.dialect, of.lane.betas), False


def _turns(place: Place, turn: int, last: int, first: Callable[[int], int]) -> dict[str, Any]:
    """The addresses of the turns before and after; None where there is none."""
    return {
        "before": place.at(first(turn - 1)).dialects if turn > 1 else None,
        "after": place.at(first(turn + 1)).dialects if turn < last else None,
    }

"""The failures of tools over all lessons and this browser's runs, and what to change."""

from collections.abc import Iterator
from functools import partial

from fastapi import APIRouter
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response

from app.live import CannotGoOn, State
from app.run import trace_of
from app.store import UnknownRun
from app.views.addresses import Choice, Place, View
from app.views.failures import Run, failures
from app.views.texts import visible
from app.web.answers import page
from app.web.guard import guarded
from app.web.languages import Language
from app.web.live import live_of, owners_of
from app.web.queries import asked, one_of
from app.web.runs import step_address
from app.web.site import Site, site_of

MOST_RUNS = 50  # of this browser's, the newest first

router = APIRouter()


@router.api_route("/failures", methods=["GET", "HEAD"])
@guarded
async def failures_page(request: Request) -> Response:
    """Every failure of a tool, by how many tasks it came up in."""
    site = site_of(request)
    found = asked(request, ("lang",))
    chosen = one_of(found, "lang", tuple(site.languages))
    language = site.language(request, chosen)
    view = View(lang=chosen, theme=found.get("theme", ""))

    def shown() -> object:
        runs = [*_lessons(site, language, view), *_own(request, view)]
        return failures(runs, language.words)

    context = {"failures": await run_in_threadpool(shown)}
    answer = page(request, language, "failures.html", context, chosen=chosen)
    answer.headers["Cache-Control"] = "no-store"  # it shows this browser's runs
    return answer


def _lessons(site: Site, language: Language, view: View) -> Iterator[Run]:
    """Every lane of every lesson, as it starts."""
    for lesson in site.library.lessons():
        for lane in lesson.lanes:
            choice = Choice(lane.name, lane.checked)
            place = Place(lesson, (choice,), 0, view, "", language.code)
            yield Run(
                lane.task(lesson.language),
                lesson.title(language.code),
                lane.name,
                partial(_page, place),
                trace_of(lesson, lane.name, lane.checked, lesson.language),
            )


def _page(place: Place, step: int) -> str:
    return place.at(step).page


def _own(request: Request, view: View) -> Iterator[Run]:
    """This browser's runs, as far as they are recorded."""
    live = live_of(request)
    for run in live.store.runs(owners_of(request), live.clock())[:MOST_RUNS]:
        try:
            state = live.state(run.id)
        except (CannotGoOn, UnknownRun):
            continue
        name, page_of = visible(run.name), partial(step_address, run.id, view)
        yield Run(_task(state), name, run.lane, page_of, state.replayed.trace)


def _task(state: State) -> str:
    """A run's task, in its lesson's own language where it is one of the lesson's."""
    task, lesson = state.subject.task, state.lesson
    for lane in lesson.lanes if lesson else ():
        if lesson and task in map(lane.task, lesson.languages):
            return lane.task(lesson.language)
    return task

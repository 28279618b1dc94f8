"""A live run: its page at any step, the press that goes on, the reply while it comes."""

import asyncio
import hashlib
import time
from collections.abc import AsyncIterator
from dataclasses import replace
from typing import Any

from fastapi import APIRouter
from fastapi.sse import EventSourceResponse, ServerSentEvent
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response

from app.live import State
from app.store import NoStore
from app.views.addresses import VIEW_KEYS, Choice, View, read_step, read_view
from app.views.picture import changes, whole
from app.views.run import Run, RunPlace, picture
from app.web import errors
from app.web.answers import fragment, page, stale
from app.web.guard import LOCKED, Id, go_to, guarded, number_of, own_run, text_of
from app.web.languages import Language
from app.web.live import live_of, may_act, run_of, unlocked
from app.web.queries import asked, chosen
from app.web.site import site_of

PAUSE = 0.2  # seconds between two looks at a call that is under way
MOST_STREAM = 900.0  # seconds; the page then asks anew
PRIVATE = "private, max-age=86400, immutable"

router = APIRouter()


@router.api_route("/runs/{id}", methods=["GET", "HEAD"], include_in_schema=False)
@guarded
async def run_page(request: Request, id: Id) -> Response:
    """A run at a step; past its end at the last one, where it goes on."""
    site, live = site_of(request), live_of(request)
    found = asked(request, ("step", *VIEW_KEYS), ())
    view = read_view(found.get, site.languages)
    language = site.language(request, view.lang)
    state = await run_in_threadpool(live.state, id)
    run, place = run_and_place(request, state, language)
    number = read_step(found["step"]) if "step" in found else 0
    place = replace(place.at(min(number, run.reading.last)), view=view)
    context = {
        "lesson": run.reading.lesson,
        "reading": run.reading,
        "run": state.run,
        "mine": may_act(request, state.run),
        "place": place,
        "parts": parts_of(view),
        "picture": picture(run, place),
        "coming": run.coming,
        "heads": (),
        "questions": False,
        "export": f"{place.act}/recording.json",
    }
    template = "run_present.html" if view.view else "run.html"
    answer = page(request, language, template, context, chosen=view.lang)
    answer.headers["Cache-Control"] = "no-store"
    return answer


@router.api_route(
    "/runs/{id}/steps/{digest}/{lang}/{move}", methods=["GET", "HEAD"], include_in_schema=False
)
@guarded
async def run_fragment(request: Request, id: Id, digest: str, lang: str, move: str) -> Response:
    """What changes from one step of a run to another, as for a lesson."""
    site, live = site_of(request), live_of(request)
    view = read_view(asked(request, VIEW_KEYS, ()).get, site.languages)
    language = site.languages.get(lang) or site.language(request, "")
    state = await run_in_threadpool(live.state, id)
    run, place = run_and_place(request, state, language)
    place = replace(place, view=view)
    before, _, after = move.partition("-")
    place = place.at(min(read_step(after), run.reading.last))
    if digest != place.digest:
        return stale(place.page)
    shown = picture(run, place)
    if before == "to":
        swaps = whole(shown)
    else:
        swaps = changes(picture(run, place.at(min(read_step(before), run.reading.last))), shown)
    answer = fragment(language, {"parts": parts_of(view), "title": shown.title, "changes": swaps})
    answer.headers["Cache-Control"] = PRIVATE
    return answer


@router.api_route("/runs/{id}/view", methods=["GET", "HEAD"], include_in_schema=False)
@guarded
async def run_view(request: Request, id: Id) -> Response:
    """The same step in another view, as the settings of a page ask for it."""
    given = request.query_params
    view = read_view(lambda key: chosen(given.get(key)), site_of(request).languages)
    return go_to(step_address(id, view, read_step(given.get("step"))))


def parts_of(view: View) -> str:
    """The files with the macros that draw the pieces."""
    return f"run_parts.html {'present' if view.view else 'lane'}_parts.html"


def run_and_place(request: Request, state: State, language: Language) -> tuple[Run, RunPlace]:
    """A run and its first step. The digest of its fragments tells how far the run is, and how its
    lesson is written."""
    site, live = site_of(request), live_of(request)
    run = run_of(state, live, language, may_act(request, state.run))
    reading = run.reading
    choice = Choice(reading.lane.name, reading.lane.checked)
    lesson = state.lesson.digest if state.lesson else ""
    far = (len(state.entries), repr(run.coming))
    facts = (site.made_of, lesson, state.run.id, state.run.name, far)
    place = RunPlace(reading.lesson, (choice,), 0, View(), _hash(facts), language.code)
    return run, place


def _hash(facts: object) -> str:
    return hashlib.sha256(repr(facts).encode()).hexdigest()[:12]


# --- its forms


@router.post("/runs/{id}/step", include_in_schema=False)
@guarded
async def step_run(request: Request, id: Id) -> Response:
    """Make the one call, or run the one tool, that the page showed as next."""
    live = live_of(request)
    await own_run(request, id)
    if not unlocked(request):
        return errors.answer(request, 403, LOCKED)
    form = await request.form(max_fields=5)
    at = number_of(form, "at")
    await run_in_threadpool(live.press, id, number_of(form, "effect"), number_of(form, "attempt"))
    return await _stepped(request, id, at)


async def _stepped(request: Request, id: str, at: int) -> Response:
    """The way to the step after one, or to the last while a call is under way."""
    live = live_of(request)
    for _ in range(10):  # a tool is quick: its step is there at once
        state = await run_in_threadpool(live.state, id)
        if not state.under_way:
            break
        await asyncio.sleep(0.02)
    last = len(state.replayed.trace.steps) - 1
    step = min(at + 1, last) if not state.under_way else last
    return go_to(step_address(id, view_of(request), step))


@router.post("/runs/{id}/decide", include_in_schema=False)
@guarded
async def decide_run(request: Request, id: Id) -> Response:
    """Approve or deny the call that the page showed, and go on with it."""
    live = live_of(request)
    await own_run(request, id)
    if not unlocked(request):
        return errors.answer(request, 403, LOCKED)
    form = await request.form(max_fields=5)
    effect, attempt = number_of(form, "effect"), number_of(form, "attempt")
    await run_in_threadpool(live.decide, id, effect, attempt, text_of(form, "decision"))
    return await _stepped(request, id, number_of(form, "at"))


@router.post("/runs/{id}/cancel", include_in_schema=False)
@guarded
async def cancel_run(request: Request, id: Id) -> Response:
    """Break off the call that is under way."""
    live = live_of(request)
    await own_run(request, id)
    await run_in_threadpool(live.store.cancel, id)
    for _ in range(50):
        state = await run_in_threadpool(live.state, id)
        if not state.under_way:
            break
        await asyncio.sleep(0.05)
    return go_to(step_address(id, view_of(request), len(state.replayed.trace.steps) - 1))


def step_address(id: str, view: View, step: int) -> str:
    """The address of a step of a run."""
    return f"/runs/{id}?{'&'.join([f'step={step}', *view.query])}"


def view_of(request: Request) -> View:
    """The view that the address of a form names."""
    return read_view(request.query_params.get, site_of(request).languages)


# --- a reply that is coming


@router.get("/runs/{id}/stream", response_class=EventSourceResponse, include_in_schema=False)
async def stream_run(request: Request, id: Id) -> AsyncIterator[ServerSentEvent]:
    """What has come of the reply so far, until it is stored: any worker can tell."""
    live = live_of(request)
    give_up = time.monotonic() + MOST_STREAM
    before: Any = None
    while time.monotonic() < give_up and not await request.is_disconnected():
        try:
            now = live.clock()
            lease = await run_in_threadpool(live.store.lease, id)
        except NoStore:
            break
        if lease is None or lease.until <= now:
            break
        told = {"seconds": round(now - lease.started), "content": lease.partial.get("content", [])}
        if told != before:
            yield ServerSentEvent(data=told, event="coming")
            before = told
        await asyncio.sleep(PAUSE)
    yield ServerSentEvent(data={}, event="done")

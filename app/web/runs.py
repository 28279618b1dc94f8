"""Live runs: the form that starts one, the list, a run's page at any step, and its forms."""

import asyncio
import hashlib
import json
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from functools import wraps
from typing import Annotated, Any

from fastapi import APIRouter, Path
from fastapi.sse import EventSourceResponse, ServerSentEvent
from starlette.concurrency import run_in_threadpool
from starlette.datastructures import FormData, UploadFile
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from app.live import BadOrder, CannotGoOn, NotNow, Order, State, offered
from app.live.api import models
from app.live.lesson_file import lesson_zip
from app.live.orders import OWN_LOOP, OWN_TOKENS, OWN_TURNS
from app.source import loops
from app.store import NoStore, NotARecording, UnknownRun, read_recording, recording
from app.store.recording import MOST_BYTES
from app.views.addresses import VIEW_KEYS, Choice, View, read_step, read_view
from app.views.picture import changes, whole
from app.views.run import Run, RunPlace, picture
from app.views.texts import visible
from app.web import errors
from app.web.answers import fragment, page, stale
from app.web.languages import Language
from app.web.live import (
    live_of,
    may_act,
    owners_of,
    remember_owner,
    right_password,
    run_of,
    token_of,
    unlock,
    unlocked,
)
from app.web.origin import from_elsewhere
from app.web.queries import asked, one_of
from app.web.site import site_of

PARTS = "run_parts.html lane_parts.html"
PAUSE = 0.2  # seconds between two looks at a call that is under way
MOST_STREAM = 900.0  # seconds; the page then asks anew
GUESS = 0.5  # seconds that a wrong password costs
PRIVATE = "private, max-age=86400, immutable"
MOST_NAME = 120

ELSEWHERE = "This form was sent from a page of another site; send it from this one."
NOT_YOURS = "Only the browser that started this run can do this."
LOCKED = "This server asks for a password before real calls; give it on the page /live."
OFF = "Live is off: this server has no key of the Messages API."

router = APIRouter()
Id = Annotated[str, Path(max_length=60)]
Route = Callable[..., Awaitable[Response]]


def guarded(route: Route) -> Route:
    """A route in whose errors the sentence is the answer."""

    @wraps(route)
    async def answered(request: Request, **values: Any) -> Response:
        if request.method == "POST" and from_elsewhere(request):
            return errors.answer(request, 403, ELSEWHERE)
        try:
            return await route(request, **values)
        except UnknownRun as unknown:
            return errors.answer(request, 404, str(unknown.args[0]))
        except (BadOrder, NotARecording) as bad:
            return errors.answer(request, 422, str(bad))
        except (NotNow, CannotGoOn) as refusal:
            return errors.answer(request, 409, str(refusal))
        except NoStore as broken:
            return errors.answer(request, 503, str(broken))

    return answered


# --- start


@router.api_route(
    "/live",
    methods=["GET", "HEAD"],
    openapi_extra={"samples": ["/live", "/live?lesson=two-and-three"]},
)
@guarded
async def live_page(request: Request) -> Response:
    """The form that starts a run: of a lesson's lane, or of a task of one's own."""
    site, live = site_of(request), live_of(request)
    found = asked(request, ("lang", "lesson", "lane"))
    chosen = one_of(found, "lang", tuple(site.languages))
    language = site.language(request, chosen)
    lesson = site.library.find(found["lesson"]) if found.get("lesson") else None
    lane = lesson.lane(found["lane"]) if lesson and found.get("lane") else None
    first = lane or (lesson.lanes[0] if lesson else None)
    context = {
        "on": live.settings.live,
        "open": unlocked(request),
        "lesson": lesson,
        "lessons": site.library.lessons(),
        "lanes": lesson.lanes if lesson else (),
        "lane": first,
        "loops": [*loops()],
        "own_loop": OWN_LOOP,
        "task": lesson.task(language.code) if lesson else "",
        "system": (lesson.system(language.code) or "") if lesson else "",
        "offered": offered(lesson, live.workspace is not None),
        "chosen_tools": first.tools if first else offered(None, live.workspace is not None),
        "model": lesson.spec.model if lesson else "claude-opus-5",
        "models": await _models(request) if live.settings.live and unlocked(request) else [],
        "max_tokens": lesson.spec.max_tokens if lesson else OWN_TOKENS,
        "cap": min((lesson.cap if lesson else 0) or OWN_TURNS, live.settings.live_turns),
        "most_turns": live.settings.live_turns,
        "folder": live.workspace is not None,
    }
    answer = page(request, language, "live.html", context, chosen=chosen)
    answer.headers["Cache-Control"] = "no-store"
    return answer


@router.post("/live")
@guarded
async def start_run(request: Request) -> Response:
    """Begin a run and go to its page; nothing is sent yet."""
    live = live_of(request)
    if not live.settings.live:
        return errors.answer(request, 409, OFF)
    if not unlocked(request):
        return errors.answer(request, 403, LOCKED)
    form = await request.form(max_fields=60)
    site = site_of(request)
    slug = _text(form, "lesson")
    lesson = site.library.find(slug) if slug else None
    order = Order(
        lesson=lesson,
        lane=_text(form, "lane"),
        task=_text(form, "task"),
        model=_text(form, "model"),
        max_tokens=_number(form, "max_tokens"),
        system=_text(form, "system").strip(),
        tools=tuple(str(tool) for tool in form.getlist("tools")),
        cap=_number(form, "cap"),
        stream=_text(form, "stream") != "off",
        lang=site.language(request, "").code,
    )
    token, owner = token_of(request)
    run = await run_in_threadpool(live.start, order, owner)
    answer = _go(f"/runs/{run.id}")
    remember_owner(request, answer, token)
    return answer


@router.post("/live/password")
@guarded
async def give_password(request: Request) -> Response:
    """Let this browser make real calls, where it knows the password."""
    form = await request.form(max_fields=5)
    if not right_password(request, _text(form, "password")):
        await asyncio.sleep(GUESS)
        return errors.answer(request, 403, "This is not the password.")
    answer = _go("/live")
    if live_of(request).settings.live_password is not None:
        unlock(request, answer)
    return answer


async def _models(request: Request) -> list[str]:
    """The models that the API lists, asked for once."""
    state = request.app.state
    if not getattr(state, "models", None):
        state.models = await run_in_threadpool(models, live_of(request).settings)
    listed: list[str] = state.models
    return listed


# --- the list


@router.api_route("/runs", methods=["GET", "HEAD"])
@guarded
async def runs_page(request: Request) -> Response:
    """This browser's runs."""
    site, live = site_of(request), live_of(request)
    chosen = one_of(asked(request, ("lang",)), "lang", tuple(site.languages))
    runs = await run_in_threadpool(lambda: live.store.runs(owners_of(request), live.clock()))
    context = {
        "runs": [(run, time.strftime("%Y-%m-%d %H:%M", time.gmtime(run.created))) for run in runs],
        "on": live.settings.live,
        "days": live.settings.runs_days,
    }
    answer = page(request, site.language(request, chosen), "runs.html", context, chosen=chosen)
    answer.headers["Cache-Control"] = "no-store"
    return answer


@router.post("/runs")
@guarded
async def import_run(request: Request) -> Response:
    """A recording from a file, as a new run of this browser's."""
    live = live_of(request)
    if int(request.headers.get("content-length") or 0) > MOST_BYTES + 10_000:
        return errors.answer(request, 413, f"A recording has at most {MOST_BYTES:,} bytes.")
    form = await request.form(max_files=1, max_fields=5)
    file = form.get("file")
    data = await file.read() if isinstance(file, UploadFile) else b""
    await form.close()
    read, entries = await run_in_threadpool(read_recording, data)
    token, owner = token_of(request)

    def stored() -> str:
        run = live.store.create(
            owner=owner,
            name=visible(read.name),
            lesson=visible(read.lesson),
            lane=visible(read.lane),
            model=visible(read.model),
            settings=read.settings,
            now=live.clock(),
            days=live.settings.runs_days,
            entries=entries,
        )
        try:
            live.state(run.id)
        except CannotGoOn:
            live.delete(run.id)
            raise
        return run.id

    answer = _go(f"/runs/{await run_in_threadpool(stored)}")
    remember_owner(request, answer, token)
    return answer


# --- a run


@router.api_route("/runs/{id}", methods=["GET", "HEAD"], include_in_schema=False)
@guarded
async def run_page(request: Request, id: Id) -> Response:
    """A run at a step; past its end at the last one, where it goes on."""
    site, live = site_of(request), live_of(request)
    found = asked(request, ("step", *VIEW_KEYS), ())
    view = read_view(found.get, site.languages)
    language = site.language(request, view.lang)
    state = await run_in_threadpool(live.state, id)
    run, place = _shown(request, state, language)
    number = read_step(found["step"]) if "step" in found else 0
    place = place.at(min(number, run.reading.last)).seen(lang=view.lang, theme=view.theme)
    place = place.seen(tab=view.tab, keys=view.keys)
    context = {
        "lesson": run.reading.lesson,
        "reading": run.reading,
        "run": state.run,
        "mine": may_act(request, state.run),
        "place": place,
        "parts": PARTS,
        "picture": picture(run, place),
        "coming": run.coming,
        "now": state.now,
    }
    answer = page(request, language, "run.html", context, chosen=view.lang)
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
    run, place = _shown(request, state, language)
    place = place.seen(lang=view.lang, theme=view.theme, tab=view.tab, keys=view.keys)
    before, _, after = move.partition("-")
    place = place.at(min(read_step(after), run.reading.last))
    if digest != place.digest:
        return stale(place.page)
    shown = picture(run, place)
    if before == "to":
        swaps = whole(shown)
    else:
        swaps = changes(picture(run, place.at(min(read_step(before), run.reading.last))), shown)
    answer = fragment(language, {"parts": PARTS, "title": shown.title, "changes": swaps})
    answer.headers["Cache-Control"] = PRIVATE
    return answer


def _shown(request: Request, state: State, language: Language) -> tuple[Run, RunPlace]:
    """A run and its first step. The digest of its fragments tells how far the run is."""
    site, live = site_of(request), live_of(request)
    run = run_of(state, live, language, may_act(request, state.run))
    reading = run.reading
    choice = Choice(reading.lane.name, reading.lane.checked)
    facts = (site.made_of, state.run.id, state.run.name, len(state.entries), repr(run.coming))
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
    await _mine(request, id)
    if not unlocked(request):
        return errors.answer(request, 403, LOCKED)
    form = await request.form(max_fields=5)
    at = _number(form, "at")
    await run_in_threadpool(live.press, id, _number(form, "effect"), _number(form, "attempt"))
    for _ in range(10):  # a tool is quick: its step is there at once
        state = await run_in_threadpool(live.state, id)
        if not state.under_way:
            break
        await asyncio.sleep(0.02)
    last = len(state.replayed.trace.steps) - 1
    step = min(at + 1, last) if not state.under_way else last
    return _go(_address(id, request, step))


@router.post("/runs/{id}/cancel", include_in_schema=False)
@guarded
async def cancel_run(request: Request, id: Id) -> Response:
    """Break off the call that is under way."""
    live = live_of(request)
    await _mine(request, id)
    await run_in_threadpool(live.store.cancel, id)
    for _ in range(50):
        state = await run_in_threadpool(live.state, id)
        if not state.under_way:
            break
        await asyncio.sleep(0.05)
    return _go(_address(id, request, len(state.replayed.trace.steps) - 1))


@router.post("/runs/{id}/name", include_in_schema=False)
@guarded
async def rename_run(request: Request, id: Id) -> Response:
    """Give a run another name."""
    await _mine(request, id)
    name = visible(_text(await request.form(max_fields=5), "name").strip())[:MOST_NAME]
    if not name:
        return errors.answer(request, 422, "A name is missing.")
    await run_in_threadpool(live_of(request).store.rename, id, name)
    return _go("/runs")


@router.post("/runs/{id}/delete", include_in_schema=False)
@guarded
async def delete_run(request: Request, id: Id) -> Response:
    """Forget a run."""
    await _mine(request, id)
    await run_in_threadpool(live_of(request).delete, id)
    return _go("/runs")


async def _mine(request: Request, id: str) -> None:
    """Raises NotNow where a run is another browser's, and UnknownRun."""
    live = live_of(request)
    run = await run_in_threadpool(live.store.run, id, live.clock())
    if not may_act(request, run):
        raise NotNow(NOT_YOURS)


# --- what can be taken away


@router.api_route("/runs/{id}/recording.json", methods=["GET", "HEAD"], include_in_schema=False)
@guarded
async def export_run(request: Request, id: Id) -> Response:
    """The run as one document that any Halqa can replay without a key."""
    state = await run_in_threadpool(live_of(request).state, id)
    text = json.dumps(recording(state.run, state.entries), indent=1)
    return _download(text.encode(), "application/json", "run.json")


@router.api_route("/runs/{id}/lesson.zip", methods=["GET", "HEAD"], include_in_schema=False)
@guarded
async def lesson_of_run(request: Request, id: Id) -> Response:
    """The run as a lesson's folder, ready to edit."""
    live = live_of(request)

    def made() -> bytes:
        state = live.state(id)
        return lesson_zip(state, live.folder_to_pack(state))

    return _download(await run_in_threadpool(made), "application/zip", "lesson.zip")


def _download(data: bytes, kind: str, name: str) -> Response:
    headers = {
        "Cache-Control": "no-store",
        "Content-Disposition": f'attachment; filename="{name}"',
    }
    return Response(data, 200, headers, kind)


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


# --- forms


def _text(form: FormData, name: str) -> str:
    value = form.get(name)
    return value.replace("\r\n", "\n") if isinstance(value, str) else ""


def _number(form: FormData, name: str) -> int:
    """A whole number of a form; -1, which no form asks for, where it is none."""
    text = _text(form, name).strip()
    return int(text) if text.isascii() and text.isdigit() and len(text) < 10 else -1


def _address(id: str, request: Request, step: int) -> str:
    """A step of a run, in the view that the form's address names."""
    view = read_view(request.query_params.get, site_of(request).languages)
    return f"/runs/{id}?{'&'.join([f'step={step}', *view.query])}"


def _go(address: str) -> Response:
    return RedirectResponse(address, 303, {"Cache-Control": "no-store"})

"""The form that starts a live run, and the password that it may ask for."""

import asyncio

from fastapi import APIRouter
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response

from app.live import ASK_HELPER, FOLDER_TOOLS, Order, offered
from app.live.api import models
from app.live.orders import OWN_LOOP, OWN_TOKENS, OWN_TURNS, speaks
from app.live.subject import HELPER_TURNS
from app.said import Said
from app.source import loops
from app.views.addresses import read_view
from app.web import errors
from app.web.answers import page
from app.web.guard import LOCKED, go_to, guarded, number_of, text_of, with_view
from app.web.live import (
    live_of,
    remember_owner,
    right_password,
    token_of,
    unlock,
    unlocked,
)
from app.web.queries import asked, one_of
from app.web.site import site_of

GUESS = 0.5  # seconds that a wrong password costs
OFF = Said("Live is off: this server has no key of the Messages API.")

router = APIRouter()


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
    lanes = [one for one in lesson.lanes if speaks(one.loop)] if lesson else []
    first = lane or next(iter(lanes), None)
    own_tools = FOLDER_TOOLS if live.workspace is not None else ()
    offers = offered(lesson, live.folder_tools)
    context = {
        "on": live.settings.live,
        "open": unlocked(request),
        "lesson": lesson,
        "lessons": site.library.lessons(),
        "lanes": lanes,
        "lane": first,
        "loops": [name for name in loops() if speaks(name)],
        "own_loop": OWN_LOOP,
        "task": (first or lesson).task(language.code) if lesson else "",
        "system": ((first or lesson).system(language.code) or "") if lesson else "",
        "offered": offers,
        "helper_turns": HELPER_TURNS if ASK_HELPER in offers else 0,
        "chosen_tools": first.tools if first else own_tools,
        "model": first.model if first else "claude-opus-5",
        "models": await _models(request) if live.settings.live and unlocked(request) else [],
        "max_tokens": lesson.spec.max_tokens if lesson else OWN_TOKENS,
        "cap": min((first.cap if first else 0) or OWN_TURNS, live.settings.live_turns),
        "stops": first.handling.stops if first else False,
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
    slug = text_of(form, "lesson")
    lesson = site.library.find(slug) if slug else None
    order = Order(
        lesson=lesson,
        lane=text_of(form, "lane"),
        task=text_of(form, "task"),
        model=text_of(form, "model"),
        max_tokens=number_of(form, "max_tokens"),
        system=text_of(form, "system").strip(),
        tools=tuple(str(tool) for tool in form.getlist("tools")),
        cap=number_of(form, "cap"),
        stream=text_of(form, "stream") != "off",
        stops=text_of(form, "stops") == "on",
        lang=site.language(request, read_view(request.query_params.get, site.languages).lang).code,
    )
    token, owner = token_of(request)
    run = await run_in_threadpool(live.start, order, owner)
    answer = go_to(with_view(request, f"/runs/{run.id}"))
    remember_owner(request, answer, token)
    return answer


@router.post("/live/password")
@guarded
async def give_password(request: Request) -> Response:
    """Let this browser make real calls, where it knows the password."""
    form = await request.form(max_fields=5)
    if not right_password(request, text_of(form, "password")):
        await asyncio.sleep(GUESS)
        return errors.answer(request, 403, Said("This is not the password."))
    answer = go_to(with_view(request, "/live"))
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

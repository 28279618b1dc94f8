"""This browser's runs: the list, import and export, another name, away with one."""

import json
import time

from fastapi import APIRouter
from starlette.concurrency import run_in_threadpool
from starlette.datastructures import UploadFile
from starlette.requests import Request
from starlette.responses import Response

from app.live import CannotGoOn
from app.live.lesson_file import lesson_zip
from app.said import Said
from app.store import read_recording, recording
from app.store.recording import MOST_BYTES, too_long
from app.views.texts import visible
from app.web import errors
from app.web.answers import page
from app.web.guard import Id, go_to, guarded, own_run, text_of, with_view
from app.web.live import live_of, owners_of, remember_owner, token_of
from app.web.queries import asked, one_of
from app.web.site import site_of

MOST_NAME = 120

router = APIRouter()


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
        return errors.answer(request, 413, too_long())
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

    answer = go_to(with_view(request, f"/runs/{await run_in_threadpool(stored)}"))
    remember_owner(request, answer, token)
    return answer


@router.post("/runs/{id}/name", include_in_schema=False)
@guarded
async def rename_run(request: Request, id: Id) -> Response:
    """Give a run another name."""
    await own_run(request, id)
    name = visible(text_of(await request.form(max_fields=5), "name").strip())[:MOST_NAME]
    if not name:
        return errors.answer(request, 422, Said("A name is missing."))
    await run_in_threadpool(live_of(request).store.rename, id, name)
    return go_to(with_view(request, "/runs"))


@router.post("/runs/{id}/delete", include_in_schema=False)
@guarded
async def delete_run(request: Request, id: Id) -> Response:
    """Forget a run."""
    await own_run(request, id)
    await run_in_threadpool(live_of(request).delete, id)
    return go_to(with_view(request, "/runs"))


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
        return lesson_zip(state, live.folders.to_pack(state))

    return _download(await run_in_threadpool(made), "application/zip", "lesson.zip")


def _download(data: bytes, kind: str, name: str) -> Response:
    headers = {
        "Cache-Control": "no-store",
        "Content-Disposition": f'attachment; filename="{name}"',
    }
    return Response(data, 200, headers, kind)

"""The application: lessons and settings in, middleware and routes together."""

from collections.abc import Sequence
from pathlib import Path

from fastapi import FastAPI
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.middleware.gzip import GZipMiddleware
from starlette.responses import FileResponse, Response

from app import paths
from app.lessons import UnknownLane, UnknownLesson
from app.live import Live
from app.settings import Settings, read_settings
from app.views.addresses import BadAddress
from app.views.rules import UnknownRule
from app.web import (
    api,
    check,
    dialects,
    difference,
    errors,
    export,
    failures,
    help,
    lanes,
    lessons,
    overview,
    rules,
    run_texts,
    runs,
    shelf,
    snippets,
    start,
    trace,
)
from app.web.assets import Assets
from app.web.hosts import KnownHosts, names_of
from app.web.kept import Kept
from app.web.security import SecurityHeaders
from app.web.site import read_site


def create_app(
    folders: Sequence[Path] = (),
    host: str = "127.0.0.1",
    *,
    settings: Settings | None = None,
    workspace: Path | None = None,
    granted: Sequence[str] = (),
) -> FastAPI:
    """The application with the shipped lessons and those in `folders`.

    `settings` are those of the environment where left out, `workspace` the folder that live runs
    of a task of one's own may read, `granted` the tools beside those that read which may be used on
    it: `write_file`, `bash`. Raises BadSettings.

    It answers only requests made to this machine, which listens at `host`, or to a name of the
    settings: a page of another site cannot reach it by a name of its own.
    """
    app = FastAPI(
        title="Halqa",
        docs_url=None,
        redoc_url=None,
        openapi_url="/openapi.json",
        exception_handlers={
            UnknownLesson: errors.not_found,
            UnknownLane: errors.not_found,
            UnknownRule: errors.not_found,
            BadAddress: errors.bad_address,
            HTTPException: errors.refused,
            RequestValidationError: errors.unnamed,
            Exception: errors.broken,
        },
    )
    app.state.site = site = read_site(folders)
    settings = settings or read_settings()
    app.state.live = Live(settings, site.library, workspace, granted)
    app.add_middleware(GZipMiddleware, minimum_size=600)
    app.add_middleware(SecurityHeaders)
    app.add_middleware(Kept)
    app.add_middleware(KnownHosts, names=[*names_of(host), *settings.host_names])
    app.include_router(overview.router)
    app.include_router(lessons.router)
    app.include_router(lanes.router)
    app.include_router(difference.router)
    app.include_router(dialects.router)
    app.include_router(export.router)
    app.include_router(trace.router)
    app.include_router(snippets.router)
    app.include_router(api.router)
    app.include_router(rules.router)
    app.include_router(check.router)
    app.include_router(failures.router)
    app.include_router(help.router)
    app.include_router(start.router)
    app.include_router(shelf.router)
    app.include_router(runs.router)
    app.include_router(run_texts.router)
    app.openapi = api.description  # type: ignore[method-assign]  # pages are not described
    app.mount("/static", Assets(paths.STATIC, site.assets))

    @app.api_route("/favicon.ico", methods=["GET", "HEAD"], include_in_schema=False)
    async def favicon() -> Response:
        return FileResponse(paths.STATIC / "favicon.svg", media_type="image/svg+xml")

    return app

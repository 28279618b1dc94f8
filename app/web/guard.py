"""What the routes of live runs share: who is let in, what is refused, the fields of a form."""

from collections.abc import Awaitable, Callable
from functools import wraps
from typing import Annotated, Any

from fastapi import Path
from starlette.concurrency import run_in_threadpool
from starlette.datastructures import FormData
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from app.live import BadOrder, CannotGoOn, NotNow
from app.said import Said
from app.store import NoStore, NotARecording, UnknownRun
from app.views.addresses import address, read_view
from app.web import errors
from app.web.live import live_of, may_act
from app.web.origin import from_elsewhere
from app.web.site import site_of

ELSEWHERE = Said("This form was sent from a page of another site; send it from this one.")
NOT_YOURS = Said("Only the browser that started this run can do this.")
LOCKED = Said("This server asks for a password before real calls; give it on the page /live.")

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
            return errors.answer(request, 404, unknown.args[0])
        except (BadOrder, NotARecording) as bad:
            return errors.answer(request, 422, bad.args[0])
        except (NotNow, CannotGoOn) as refusal:
            return errors.answer(request, 409, refusal.args[0])
        except NoStore as broken:
            return errors.answer(request, 503, broken.args[0])

    return answered


async def own_run(request: Request, id: str) -> None:
    """Raises NotNow where a run is another browser's, and UnknownRun."""
    live = live_of(request)
    run = await run_in_threadpool(live.store.run, id, live.clock())
    if not may_act(request, run):
        raise NotNow(NOT_YOURS)


# --- forms


def text_of(form: FormData, name: str) -> str:
    """A text of a form; "" where there is none."""
    value = form.get(name)
    return value.replace("\r\n", "\n") if isinstance(value, str) else ""


def number_of(form: FormData, name: str) -> int:
    """A whole number of a form; -1, which no form asks for, where it is none."""
    text = text_of(form, name).strip()
    return int(text) if text.isascii() and text.isdigit() and len(text) < 10 else -1


def go_to(page: str) -> Response:
    """On to a page, after a form has done its work."""
    return RedirectResponse(page, 303, {"Cache-Control": "no-store"})


def with_view(request: Request, path: str) -> str:
    """The address of a page in the language and the colours that the form's address names."""
    view = read_view(request.query_params.get, site_of(request).languages)
    return address(path, lang=view.lang, theme=view.theme)

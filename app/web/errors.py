"""Errors: one clear sentence, as a page that says where to go from here, or as JSON."""

import logging

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from app.said import Said
from app.views.addresses import THEMES, BadAddress, View
from app.views.missing import missing
from app.views.texts import visible
from app.web.answers import page
from app.web.security import HEADERS
from app.web.site import site_of

log = logging.getLogger("halqa")

UNKNOWN_PAGE = Said("There is no page at this address.")
WRONG_METHOD = Said("This address does not take this method.")
KNOWN = {404: UNKNOWN_PAGE, 405: WRONG_METHOD}
UNREADABLE = Said("What was sent cannot be read.")
BROKEN = Said("Halqa made a mistake. It is written in the server's log.")


async def not_found(request: Request, error: Exception) -> Response:
    """A lesson, a lane or a rule that does not exist: the sentence lists what does, the page links
    to it."""
    return answer(request, 404, error.args[0], error)


async def refused(request: Request, error: Exception) -> Response:
    """An HTTP error of the framework's own; an unknown page is the usual one."""
    assert isinstance(error, HTTPException)
    said = KNOWN.get(error.status_code, UNREADABLE)
    response = answer(request, error.status_code, said)
    response.headers.update(error.headers or {})
    return response


async def unnamed(request: Request, error: Exception) -> Response:
    """A part of the path that can name nothing: the framework turned it away."""
    return answer(request, 404, UNKNOWN_PAGE)


async def bad_address(request: Request, error: Exception) -> Response:
    """An address in the wrong form: the sentence says what would be right."""
    assert isinstance(error, BadAddress)
    return answer(request, 422, error.args[0])


async def broken(request: Request, error: Exception) -> Response:
    """A fault of ours. The page tells nothing of it; the log tells all."""
    log.error("%s failed", request.url.path, exc_info=error)
    response = answer(request, 500, BROKEN)
    response.headers.update(HEADERS)  # this answer is made outside the middleware that adds them
    return response


def answer(request: Request, status: int, said: str, error: Exception | None = None) -> Response:
    """An error with one sentence, which is an English constant with names in it; on a page, links
    to what there is where something was not found."""
    if request.url.path.startswith("/api/"):
        return JSONResponse({"status": status, "error": visible(said)}, status)
    site = site_of(request)
    asked = request.query_params
    chosen = asked.get("lang", "") if asked.get("lang") in site.languages else ""
    theme = asked.get("theme", "") if asked.get("theme") in THEMES else ""
    language = site.language(request, chosen)
    context: dict[str, object] = {"status": status, "said": language.words.say(said)}
    context["missing"] = error and missing(
        error, site.library.lessons(), View(chosen, theme), language.code, language.words
    )
    return page(request, language, "error.html", context, status=status, chosen=chosen)

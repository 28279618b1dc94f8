"""Answers: a page, a fragment, an error, with the headers that each kind has."""

import hashlib
from collections.abc import Mapping
from typing import Any

from starlette.requests import Request
from starlette.responses import HTMLResponse, Response

from app.views.addresses import THEMES, address
from app.views.themes import Theme
from app.web.assets import FOREVER
from app.web.languages import Language
from app.web.site import site_of


def page(
    request: Request,
    language: Language,
    template: str,
    context: Mapping[str, Any],
    *,
    status: int = 200,
    chosen: str = "",
) -> Response:
    """A whole page. It may be kept, but is asked for anew; 304 where it has not changed.

    `chosen` is the language that the address names; without one the answer depends on the reader.
    """
    site = site_of(request)
    asked = request.query_params.get("theme", "")
    theme = asked if asked in THEMES else ""
    html = language.templates.get_template(template).render(
        language=language,
        assets=f"/static/{site.assets}",
        chosen=chosen,
        theme=theme,
        kept=address("", lang=chosen, theme=theme),
        themes=_themes(request, theme) if status == 200 else (),
        **context,
    )
    body = html.encode("utf-8", "backslashreplace")
    headers = {"Cache-Control": "no-cache", "Content-Language": language.code}
    if not chosen:
        headers["Vary"] = "Accept-Language"
    if status != 200:
        return HTMLResponse(body, status, headers)
    headers["ETag"] = f'W/"{hashlib.sha256(body).hexdigest()[:20]}"'
    if headers["ETag"] in _tags(request.headers.get("if-none-match", "")):
        return Response(status_code=304, headers=headers)
    return HTMLResponse(body, headers=headers)


def _themes(request: Request, theme: str) -> list[Theme]:
    """This page in each theme: as the system has it, light, dark."""
    url = request.url
    pages = [url.remove_query_params("theme")]
    pages += [url.include_query_params(theme=name) for name in THEMES]
    return [
        Theme(name, f"{page.path}?{page.query}" if page.query else page.path, name == theme)
        for name, page in zip(("", *THEMES), pages, strict=True)
    ]


def _tags(header: str) -> list[str]:
    return [tag.strip() for tag in header.split(",")]


def fragment(language: Language, context: Mapping[str, Any]) -> Response:
    """What changes from one step to another: its address says all, so it is kept for ever."""
    html = language.templates.get_template("step.html").render(context)
    return HTMLResponse(
        html.encode("utf-8", "backslashreplace"), headers={"Cache-Control": FOREVER}
    )


def stale(address: str) -> Response:
    """Instead of a fragment that is no longer true: htmx loads the page itself."""
    return HTMLResponse("", 404, {"HX-Redirect": address, "Cache-Control": "no-store"})

"""Answers: a page, a fragment, an error, with the headers that each kind has."""

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote

from starlette.requests import Request
from starlette.responses import HTMLResponse, Response

from app.views.addresses import KEYS, THEMES, Place, address
from app.views.themes import Theme
from app.web.assets import FOREVER
from app.web.languages import Language
from app.web.site import site_of


@dataclass(frozen=True)
class Alternate:
    """A page in one of the languages."""

    code: str
    name: str
    direction: str
    page: str


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
        live=request.app.state.live.settings.live,
        themes=_themes(request, theme) if status == 200 else (),
        languages=_languages(request, site.languages, context.get("place")),
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


def _languages(
    request: Request, languages: Mapping[str, Language], place: Place | None
) -> list[Alternate]:
    """This page in each language; where a form was sent, the page that has the form. The address of
    a step is written as the links to steps are, whatever way it was asked for."""
    asked = {} if request.method == "POST" else dict(request.query_params)
    asked.pop("guess", None)
    path = request.url.path
    pages = []
    for code, language in languages.items():
        if place is not None and place.page.partition("?")[0] == path:
            page = place.seen(lang=code).page
        else:
            keys = {**asked, "lang": code}
            known = {key: keys.pop(key) for key in KEYS if key in keys}  # in their order
            ordered = {**keys, **known}.items()
            query = "&".join(f"{quote(key)}={quote(value, safe=',:/')}" for key, value in ordered)
            page = f"{path}?{query}"
        pages.append(Alternate(code, language.name, language.direction, page))
    return pages


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

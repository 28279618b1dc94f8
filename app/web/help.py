"""The help sheet: keys, words, the two positions of the switch, where the rules come from."""

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import Response

from app.web.answers import page
from app.web.queries import asked, one_of
from app.web.site import site_of

router = APIRouter()


@router.api_route("/help", methods=["GET", "HEAD"])
async def help_page(request: Request) -> Response:
    """What a reader may want to look up while stepping."""
    site = site_of(request)
    chosen = one_of(asked(request, ("lang",)), "lang", tuple(site.languages))
    return page(request, site.language(request, chosen), "help.html", {}, chosen=chosen)

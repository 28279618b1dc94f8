"""Whether a form was sent from one of our own pages."""

from urllib.parse import urlsplit

from starlette.requests import Request


def from_elsewhere(request: Request) -> bool:
    """Whether a browser says that another site's page sent this request.

    Programs that are no browsers send neither header, and have no reader to be tricked.
    """
    site = request.headers.get("sec-fetch-site")
    if site is not None and site not in ("same-origin", "none"):
        return True
    origin = request.headers.get("origin")
    return origin is not None and urlsplit(origin).netloc != request.headers.get("host")

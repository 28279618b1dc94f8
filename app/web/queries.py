"""Reads the query of an address."""

from collections.abc import Sequence

from starlette.requests import Request

from app.said import Said, quoted
from app.views.addresses import THEMES, BadAddress, listed, not_among

DEFAULTS = ("", "system", "on")  # what a form names and an address leaves out


def no_key(key: str, known: Sequence[str]) -> Said:
    """The sentence for a key that an address may not have."""
    return Said(
        "An address has no key %(key)s here; it may have %(known)s.",
        key=quoted(key),
        known=listed(known),
    )


def twice(key: str) -> Said:
    """The sentence for a key that stands twice."""
    return Said("The key %(key)s stands twice in this address; name it once.", key=key)


def asked(
    request: Request, known: Sequence[str], always: Sequence[str] = ("theme",)
) -> dict[str, str]:
    """The query of an address, which may hold `theme` on every page.

    Raises BadAddress for a key that is unknown or stands twice, or a theme that there is not.
    """
    known = (*known, *always)
    found: dict[str, str] = {}
    for key, value in request.query_params.multi_items():
        if key not in known:
            raise BadAddress(no_key(key, known))
        if key in found:
            raise BadAddress(twice(key))
        found[key] = value
    one_of(found, "theme", THEMES)
    return found


def one_of(found: dict[str, str], key: str, known: Sequence[str]) -> str:
    """The value of a key that may have some values; "" where it is left out. Raises BadAddress."""
    value = found.get(key)
    if value is not None and value not in known:
        raise BadAddress(not_among(key, value, known))
    return value or ""


def chosen(value: str | None) -> str | None:
    """The value of a key that a form sends; what is the default has a name in it too."""
    return None if value in DEFAULTS else value

"""Reads the query of an address."""

from collections.abc import Sequence

from starlette.requests import Request

from app.views.addresses import THEMES, BadAddress, listed


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
            raise BadAddress(
                f"An address has no key {key!r:.40} here; it may have {listed(known)}."
            )
        if key in found:
            raise BadAddress(f"The key {key} stands twice in this address; name it once.")
        found[key] = value
    one_of(found, "theme", THEMES)
    return found


def one_of(found: dict[str, str], key: str, known: Sequence[str]) -> str:
    """The value of a key that may have some values; "" where it is left out. Raises BadAddress."""
    value = found.get(key)
    if value is not None and value not in known:
        raise BadAddress(f"{key} is {value!r:.40}; it may be {listed(known)}.")
    return value or ""

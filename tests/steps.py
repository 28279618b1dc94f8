"""The addresses that a page's script makes from its links, for tests that have no browser."""

import re
from collections.abc import Callable, Iterator
from html import unescape

Get = Callable[[str], str]  # gives what stands at an address


def fragment_of(page: str, control: str = "step") -> str:
    """What htmx gets by a control of a page; "" where it leads nowhere."""
    address, fragments = _href(page, control), re.search(r'data-fragments="([^"]*)"', page)
    assert fragments, "no step can be taken from this page"
    if not address:
        return ""
    query = [key for key in address.partition("?")[2].split("&") if key]
    view = "&".join(key for key in query if not key.startswith(("lanes=", "step=", "at=")))
    here = _spot(at_of(page), at_of(page, "data-line", 0))
    before = here if address in (_href(page, "step"), _href(page, "back")) else "to"
    to = _spot(number_of(address), number_of(address, "at"))
    return f"{unescape(fragments[1])}{before}-{to}{'?' if view else ''}{view}"


def _href(page: str, control: str) -> str:
    link = re.search(rf'<a id="{control}"[^>]* href="([^"]*)"', page)
    return unescape(link[1]) if link else ""


def _spot(step: int, line: int) -> str:
    return f"{step}.{line}" if line else f"{step}"


def number_of(address: str, key: str = "step") -> int:
    """The step that an address names, or another number."""
    found = re.search(rf"[?&]{key}=(\d+)", address)
    return int(found[1]) if found else 0


def at_of(html: str, what: str = "value", default: int | None = None) -> int:
    """The step at which a page or a fragment stands, or its `data-last`, `data-turn` …"""
    tag = re.search(r'<input [^>]*id="at"[^>]*>', html)
    found = re.search(rf' {what}="(\d+)"', tag[0]) if tag else None
    if not found:
        assert default is not None, f"no {what}"
        return default
    return int(found[1])


def walk(get: Get, address: str) -> Iterator[tuple[str, str]]:
    """The address and the text of each step's answer, from a page to the end of its run."""
    return ((found, get(found)) for found in ahead(get(address)))


def ahead(page: str) -> Iterator[str]:
    """The address of each step's answer, from a page to the end of its run."""
    last = fragment_of(page, "end")
    for step in range(at_of(page) + 1, at_of(page, "data-last") + 1):
        yield re.sub(r"(to|\d+)-\d+(?=\?|$)", f"{step - 1}-{step}", last)

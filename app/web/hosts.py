"""Which names this server answers to: a page of another site cannot reach it by one of its own."""

import ipaddress
import socket
from collections.abc import Sequence
from urllib.parse import urlsplit

from starlette.datastructures import Headers
from starlette.requests import Request
from starlette.types import ASGIApp, Receive, Scope, Send

from app.said import Said
from app.web import errors

OWN = ("127.0.0.1", "localhost", "testserver")
FOREIGN = Said(
    "This server does not answer to this name; %(variable)s may add it.", variable="HALQA_HOSTS"
)


def names_of(host: str) -> tuple[str, ...]:
    """The names of a server that listens at `host`: where others can reach it, this machine's."""
    if host in OWN:
        return OWN
    return (*OWN, host, socket.gethostname())


class KnownHosts:
    """Refuses a request made to a name that is none of `names`; `*` is any.

    An address in numbers is taken: no page of another site can have it.
    """

    def __init__(self, app: ASGIApp, names: Sequence[str]) -> None:
        self.app, self.names = app, {name.lower() for name in names}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http" and not self._known(Headers(scope=scope).get("host", "")):
            await errors.answer(Request(scope), 400, FOREIGN)(scope, receive, send)
            return
        await self.app(scope, receive, send)

    def _known(self, header: str) -> bool:
        try:
            host = urlsplit(f"//{header}").hostname or ""
        except ValueError:
            return False
        return bool(self.names & {"*", host.rstrip(".")}) or _number(host)


def _number(host: str) -> bool:
    try:
        ipaddress.ip_address(host)
    except ValueError:
        return False
    return True

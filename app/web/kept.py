"""Answers that never change are made once. A fragment's address says all that is in it."""

from cachetools import LRUCache
from starlette.datastructures import Headers
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from app.web.assets import FOREVER

PREFIX = "/steps/"
MOST_BYTES = 64_000_000


class Kept:
    """Keeps whole answers under PREFIX that may be kept for ever, compressed as they were sent."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app
        self.answers: LRUCache[tuple[str, bytes, bool], tuple[Message, Message]] = LRUCache(
            MOST_BYTES, lambda answer: len(answer[1]["body"]) + 1_000
        )

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or scope["method"] != "GET" or PREFIX not in scope["path"]:
            await self.app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        key = (
            scope["path"],
            scope["query_string"],
            "gzip" in headers.get("accept-encoding", ""),
        )
        answer = self.answers.get(key)
        if answer is None:
            answer = await self._made(scope, receive)
            if _lasts(answer[0]):
                self.answers[key] = answer
        for message in answer:
            await send(dict(message))

    async def _made(self, scope: Scope, receive: Receive) -> tuple[Message, Message]:
        """The head of an answer, and its whole body."""
        messages: list[Message] = []

        async def collect(message: Message) -> None:
            messages.append(message)

        await self.app(scope, receive, collect)
        body = b"".join(message.get("body", b"") for message in messages[1:])
        return messages[0], {"type": "http.response.body", "body": body}


def _lasts(head: Message) -> bool:
    return head["status"] == 200 and Headers(raw=head["headers"]).get("cache-control") == FOREVER

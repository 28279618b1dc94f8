"""One call of the real API: the only place that knows the anthropic SDK, which it loads at need.

Loading takes seconds: everything here runs in a thread of its own.
"""

import asyncio
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from importlib import import_module
from typing import Any

from app.engine.steps import Json
from app.live.reply import NotAMessage, checked_reply
from app.settings import Settings

BEAT = 0.25  # seconds between two looks at whether the call is still wanted
CONNECT = 10.0  # seconds
LIST_PATIENCE = 5.0  # seconds for the list of models
KNOWN = ("model", "max_tokens", "system", "tools", "tool_choice", "thinking", "stop_sequences")

Watch = Callable[[Json], bool]  # gets what has come so far; False breaks the call off


@dataclass(frozen=True)
class Outcome:
    """What became of a call: the reply, or an error with what had come before it."""

    reply: Json | None
    error: Json | None = None
    partial: Json | None = None


@dataclass
class _Coming:
    """A reply that is coming."""

    message: Any = None
    ended: bool = False
    events: int = field(default=0)

    def snapshot(self) -> Json:
        if self.message is None:
            return {}
        try:
            return _plain(self.message)
        except Exception:  # a half-built block of an unknown kind
            return {}


def call(request: Json, settings: Settings, watch: Watch, betas: Sequence[str] = ()) -> Outcome:
    """Send a request once, under its beta headers, and wait for its reply. Whatever happens is an
    outcome."""
    return asyncio.run(_call(request, settings, watch, betas))


def models(settings: Settings) -> list[str]:
    """The models that the API lists; none where it gives no list."""

    async def listed() -> list[str]:
        async with _client(settings, LIST_PATIENCE) as client:
            page = await client.models.list(limit=100)
            return [str(model.id) for model in page.data]

    try:
        return asyncio.run(asyncio.wait_for(listed(), LIST_PATIENCE))
    except Exception:  # compatible servers often have no such list: the name can be typed
        return []


def _client(settings: Settings, silence: float) -> Any:
    import anthropic
    import httpx2

    key, token = settings.anthropic_api_key, settings.anthropic_auth_token
    return anthropic.AsyncAnthropic(
        api_key=key.get_secret_value() if key else None,
        auth_token=token.get_secret_value() if token else None,
        base_url=settings.anthropic_base_url,
        max_retries=0,  # each try is a step of its own
        timeout=httpx2.Timeout(silence, connect=min(CONNECT, silence)),
    )


async def _call(request: Json, settings: Settings, watch: Watch, betas: Sequence[str]) -> Outcome:
    coming = _Coming()
    give_up = time.monotonic() + settings.live_timeout
    task = asyncio.create_task(_send(request, settings, coming, betas))
    broken_off = ""
    while not (await asyncio.wait({task}, timeout=BEAT))[0]:
        if not await asyncio.to_thread(watch, coming.snapshot()):
            broken_off = "cancelled"
        elif time.monotonic() > give_up:
            broken_off = "timeout"
        if broken_off:
            task.cancel()
            await asyncio.wait({task})
            break
    partial = coming.snapshot() or None
    if broken_off and task.cancelled():
        return Outcome(None, {"status": None, "type": broken_off, "message": ""}, partial)
    error = task.exception()
    if error is None:
        return Outcome(task.result())
    return Outcome(None, _error(error), partial)


async def _send(request: Json, settings: Settings, coming: _Coming, betas: Sequence[str]) -> Json:
    """The reply as plain JSON. Raises whatever the SDK raises, and NotAMessage."""
    await asyncio.to_thread(import_module, "anthropic")  # it takes seconds, and the watch goes on
    known = {key: request[key] for key in KNOWN if key in request}
    rest = {k: v for k, v in request.items() if k not in (*KNOWN, "messages", "stream")}
    async with _client(settings, settings.live_silence) as client:
        send = {**known, "messages": request["messages"], "extra_body": rest or None}
        if betas:
            send["extra_headers"] = {"anthropic-beta": ",".join(betas)}
        if not request.get("stream"):
            # The SDK wants a stream for large `max_tokens` unless a time-out is named.
            message = await client.messages.create(**send, timeout=settings.live_silence)
            return checked_reply(_plain(message))
        async with client.messages.stream(**send) as stream:
            kind = stream.response.headers.get("content-type", "")
            if not kind.startswith("text/event-stream"):
                raise NotAMessage("it is no stream of events")
            async for event in stream:
                coming.events += 1
                coming.ended = coming.ended or event.type == "message_stop"
                if event.type not in ("ping", "error"):
                    coming.message = stream._current_snapshot_or_none()
        if not coming.ended:
            raise _CutOff
        return checked_reply(coming.snapshot())


class _CutOff(Exception):
    """A stream ended without its last event."""


def _plain(message: Any) -> Json:
    """What the API sent, as JSON."""
    plain: Json = message.to_dict(mode="json", warnings=False)
    for block in plain.get("content") or ():
        if isinstance(block, dict):
            block.pop("parsed_output", None)  # the SDK's own
    return plain


def _error(error: BaseException) -> Json:
    """What is kept of an exception: status, type, the API's own words, how long to wait."""
    import anthropic
    import httpx2

    if isinstance(error, NotAMessage):
        return {"status": None, "type": "not a message", "message": str(error)}
    if isinstance(error, anthropic.APIStatusError):
        return {
            "status": error.status_code,
            "type": str(error.type or ""),
            "message": _words(error),
            "wait": _wait(error.response.headers.get("retry-after")),
            "request_id": str(error.request_id or ""),
        }
    if isinstance(error, anthropic.APITimeoutError | httpx2.TimeoutException):
        kind = "timeout"
    elif isinstance(error, anthropic.APIConnectionError | httpx2.ConnectError):
        kind = "connection"
    elif isinstance(error, _CutOff | httpx2.TransportError):
        kind = "cut"
    else:
        kind = "not a message"
    return {"status": None, "type": kind, "message": _cause(error)}


def _words(error: Any) -> str:
    """The API's own words; the SDK puts the status before them."""
    body = error.body
    inner = body.get("error") if isinstance(body, dict) else None
    said = inner.get("message") if isinstance(inner, dict) else None
    return str(said if isinstance(said, str) else error.message)[:4_000]


def _wait(header: str | None) -> float | None:
    try:
        return max(0.0, float(header)) if header else None
    except ValueError:
        return None


def _cause(error: BaseException) -> str:
    return type(error.__cause__ or error).__name__.lstrip("_")

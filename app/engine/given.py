"""What a loop is given: a model and tools that lead to the recorder, and a `print` of its own."""

import io
from collections.abc import Callable, Mapping
from types import FunctionType
from typing import Any, Protocol

from app.engine.steps import Fault, Json

MOST_PRINTED = 2_000  # characters that are kept of what a loop prints between two steps

Loop = Callable[..., Any]


class Server(Protocol):
    """Answers requests: a script behind the rules, or the real API."""

    def body(self, messages: Any, changes: Json) -> Json:
        """The whole request: what the lane supplies, the messages, and what the loop changes."""

    def check(self, request: Json) -> tuple[Fault, ...]:
        """What the server finds wrong with a request, refusing or not."""

    def reply(self, request: Json) -> Json:
        """The reply to a request. Raises NoReply, and Halt to end the run here."""


class Prices(Protocol):
    """What a loop gets as `prices`."""

    def dollars(self, usage: Json) -> float:
        """What a reply cost, from its `usage`."""


class Takes(Protocol):
    """What takes the calls of a loop: the recorder."""

    tools: Any

    def create(self, messages: Any, changes: Json) -> Json:
        """The reply to a request."""

    def call(self, call: Mapping[str, Any]) -> Json:
        """The result of a tool call, without its id."""


class Model:
    """What a loop gets as `model`."""

    def __init__(self, recorder: Takes) -> None:
        self._recorder = recorder

    def create(self, messages: Any, **changes: Any) -> Json:
        return self._recorder.create(messages, changes)


class Tools:
    """What a loop gets as `tools`."""

    def __init__(self, recorder: Takes) -> None:
        self._recorder = recorder

    def run(self, call: Mapping[str, Any]) -> Json:
        return self._recorder.call(call)

    @property
    def stuck(self) -> str:
        """Why a person must take over, where a guard says so; else ""."""
        return str(getattr(self._recorder.tools, "stuck", ""))

    def notes(self, messages: Any) -> list[Json]:
        """The system messages that a harness has for the model after these messages; else none."""
        noted: Callable[[Any], list[Json]] | None = getattr(self._recorder.tools, "notes", None)
        return noted(messages) if noted else []


class Printed:
    """What a loop prints between two steps; what is too long is cut, with a mark."""

    def __init__(self) -> None:
        self._text = ""

    def write(self, text: str) -> None:
        room = MOST_PRINTED - len(self._text)
        if room > 0:
            self._text += text if len(text) <= room else f"{text[:room]}…"

    def taken(self) -> str:
        """The text since this was last asked."""
        text, self._text = self._text, ""
        return text


def with_print(loop: Loop, printed: Printed) -> Loop:
    """The loop with a `print` of its own, as the terminal is the whole server's."""
    if not isinstance(loop, FunctionType) or "print" not in loop.__code__.co_names:
        return loop

    def printing(*values: object, **options: Any) -> None:
        text = io.StringIO()
        print(*values, **{**options, "file": text})  # noqa: T201
        printed.write(text.getvalue())

    own = {**loop.__globals__, "print": printing}
    made = FunctionType(loop.__code__, own, loop.__name__, loop.__defaults__, loop.__closure__)
    made.__kwdefaults__ = loop.__kwdefaults__
    return made

"""The script behind the rules: a server that judges a request before the model answers it."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from app.engine.clock import Clock
from app.engine.dialects import (
    from_older,
    reply_to_older,
    reply_to_openai,
    to_anthropic,
    to_older,
    to_openai,
)
from app.engine.rules import check
from app.engine.script import ScriptedReply, answered
from app.engine.steps import Fault, Json

MODEL = "claude-opus-5"


@dataclass(frozen=True)
class ScriptedServer:
    """What a lane supplies to each request, and whether requests are checked as by the real API.

    `tools` are those that are offered, or give them for a list of messages; `more` are further keys
    of the body, such as `stop_sequences`, `betas` the beta headers sent beside it; `strict` is the
    teaching option "strict alternation", under which a checked server is stricter than the API. A
    reply moves `clock` on by what the script says it takes.
    """

    script: Sequence[ScriptedReply]
    checked: bool = True
    tools: Sequence[Json] | Callable[[Any], Sequence[Json]] = ()
    system: str | None = None
    model: str = MODEL
    max_tokens: int = 1024
    more: Json = field(default_factory=dict)
    betas: Sequence[str] = ()
    strict: bool = False
    clock: Clock = field(default_factory=Clock)

    def body(self, messages: Any, changes: Json) -> Json:
        """The whole request, in the order of the API's own pages."""
        body: Json = {"model": self.model, "max_tokens": self.max_tokens}
        if self.system is not None:
            body["system"] = self.system
        if tools := self.tools(messages) if callable(self.tools) else self.tools:
            body["tools"] = list(tools)
        return {**body, **self.more, "messages": messages, **changes}

    def check(self, request: Json) -> tuple[Fault, ...]:
        """What the rules find; nothing on an unchecked server."""
        if not self.checked:
            return ()
        return check(request, betas=self.betas, strict_alternation=self.strict)

    def reply(self, request: Json) -> Json:
        """The script's reply. Raises NoReply."""
        number, reply = answered(self.script, request)
        self.clock.sleep(self.script[number].seconds)
        return reply


@dataclass(frozen=True)
class ChatServer(ScriptedServer):
    """The same script behind chat completions.

    `tools`, `max_tokens` and `more` are given in the words of the Messages API and put into the
    other dialect. There is no `system`: here that is a message, and the messages are the loop's.
    With `functions` the tools are offered, and called, in the older form.
    """

    functions: bool = False

    def body(self, messages: Any, changes: Json) -> Json:
        """The whole request; of `more` what has a counterpart."""
        body: Json = {"model": self.model, "max_tokens": self.max_tokens}
        read = to_anthropic(from_older({"messages": messages})).body["messages"]
        if tools := self.tools(read) if callable(self.tools) else self.tools:
            body["tools"] = list(tools)
        made = to_openai({**body, **self.more}).body
        return {**(to_older(made) if self.functions else made), "messages": messages, **changes}

    def check(self, request: Json) -> tuple[Fault, ...]:
        """What the rules of chat completions find; nothing on an unchecked server."""
        return check(request, "openai") if self.checked else ()

    def reply(self, request: Json) -> Json:
        """The script's reply to the same request in Messages, as a completion. Raises NoReply."""
        asked = to_anthropic(from_older(request)).body
        number, reply = answered(self.script, asked, "call_")
        self.clock.sleep(self.script[number].seconds)
        made = reply_to_openai(reply).body
        return reply_to_older(made) if self.functions else made

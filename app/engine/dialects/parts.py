"""Reads replies and messages of either dialect in one form: as blocks of the Messages API."""

from collections.abc import Mapping
from typing import Any

from app.engine.dialects.converted import Work
from app.engine.dialects.replies import reply_to_anthropic
from app.engine.dialects.to_anthropic import blocks_of, results_of
from app.engine.steps import Json, client_calls


def is_completion(reply: Mapping[str, Any]) -> bool:
    """Whether a reply is a chat completion."""
    return "choices" in reply


def read_reply(reply: Json) -> Json:
    """A reply of either dialect as `{stop_reason, content, usage}`."""
    return reply_to_anthropic(reply).body if is_completion(reply) else reply


def content_of(message: Any) -> Any:
    """The content of a message of either dialect; its calls and results are blocks in it."""
    if not isinstance(message, dict):
        return None
    if message.get("role") == "tool":
        return results_of(message)
    if message.get("role") == "assistant" and "tool_calls" in message:
        return blocks_of(message, (), (), Work())
    return message.get("content")


def message_of(reply: Json) -> Json:
    """The message that a loop appends of a reply."""
    if is_completion(reply):
        message: Json = reply["choices"][0]["message"]
        return message
    return {"role": "assistant", "content": reply["content"]}


def reason_of(reply: Json) -> str:
    """Why the model stopped, in the reply's own word."""
    found = reply["choices"][0]["finish_reason"] if is_completion(reply) else reply["stop_reason"]
    return str(found)


def reason_key(reply: Mapping[str, Any]) -> str:
    """What that word's key is called."""
    return "finish_reason" if is_completion(reply) else "stop_reason"


def calls_of(reply: Json) -> list[Mapping[str, Any]]:
    """The calls of a reply as `tool_use` blocks."""
    return client_calls(read_reply(reply).get("content"))


def same_call(call: Mapping[str, Any], ran: Mapping[str, Any]) -> bool:
    """Whether the call that was run is this one: a loop may have rewritten its input."""
    if "id" in call and "id" in ran:
        return bool(call["id"] == ran["id"])
    return call == ran

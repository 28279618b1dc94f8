"""Reads replies and messages of either dialect in one form: as blocks of the Messages API."""

from collections.abc import Mapping
from typing import Any

from app.engine.dialects.converted import Work
from app.engine.dialects.older import call_in
from app.engine.dialects.replies import reply_to_anthropic
from app.engine.dialects.to_anthropic import blocks_of, results_of
from app.engine.steps import Json, client_calls


def is_completion(reply: Mapping[str, Any]) -> bool:
    """Whether a reply is a chat completion."""
    return "choices" in reply


def read_reply(reply: Json) -> Json:
    """A reply of either dialect as `{stop_reason, content, usage}`."""
    if not is_completion(reply):
        return reply
    read = reply_to_anthropic(reply).body
    older = call_in(message_of(reply))
    return {**read, "content": [*(read["content"] or ()), *older]} if older else read


def content_of(message: Any) -> Any:
    """The content of a message of either dialect; its calls and results are blocks in it."""
    if not isinstance(message, dict):
        return None
    if message.get("role") == "tool":
        return results_of(message)
    if message.get("role") == "function":  # the name stands for the id that it has not
        under = {"tool_use_id": message["name"]} if "name" in message else {}
        return [{"type": "tool_result", **under, "content": message.get("content")}]
    if message.get("role") == "assistant" and "function_call" in message:
        return [
            *(blocks_of({**message, "tool_calls": None}, (), (), Work()) or ()),
            *call_in(message),
        ]
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


def tools_of(request: Mapping[str, Any]) -> list[Json]:
    """The tools that a request offers, each as it is described in the body, in whatever form."""
    offered = request.get("tools") or request.get("functions")
    tools = (
        [tool for tool in offered if isinstance(tool, dict)] if isinstance(offered, list) else []
    )
    inner = [tool.get("function") for tool in tools]
    return [own if isinstance(own, dict) else tool for own, tool in zip(inner, tools, strict=True)]


def same_call(call: Mapping[str, Any], ran: Mapping[str, Any]) -> bool:
    """Whether the call that was run is this one: a loop may have rewritten its input."""
    if "id" in call and "id" in ran:
        return bool(call["id"] == ran["id"])
    return call == ran

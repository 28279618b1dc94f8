"""The older form of chat completions: `functions` in place of `tools`, one call in a reply and no
ids. A call is answered by a message of the role `function` under the function's name.

Source: the types of the package openai 3.57, which mark it as deprecated.
"""

from typing import Any

from app.engine.dialects.to_anthropic import parsed
from app.engine.steps import Json


def to_older(body: Json) -> Json:
    """A request with its tools offered as `functions`; its messages stay as they are."""
    made = {key: value for key, value in body.items() if key != "tools"}
    if "tools" in body:
        made["functions"] = [tool["function"] for tool in body["tools"]]
    return made


def reply_to_older(completion: Json) -> Json:
    """A completion whose first call is a `function_call`; it has no room for others."""
    choice = completion["choices"][0]
    message = dict(choice["message"])
    calls = message.pop("tool_calls", None)
    if not calls:
        return completion
    older = {**message, "function_call": calls[0]["function"]}
    return {
        **completion,
        "choices": [{**choice, "message": older, "finish_reason": "function_call"}],
    }


def from_older(request: Json) -> Json:
    """A request of chat completions whose older calls and results have ids, for whoever plays the
    model; one without such is given back as it is."""
    messages = request.get("messages")
    if not isinstance(messages, list):
        return request
    told: list[Any] = []
    asked: dict[Any, str] = {}  # the id of the last call, by the name of its function
    for n, message in enumerate(messages):
        role = message.get("role") if isinstance(message, dict) else None
        if role == "assistant" and isinstance(call := message.get("function_call"), dict):
            asked = {call.get("name"): f"call_{n:02}"}
            calls = [{"id": f"call_{n:02}", "type": "function", "function": call}]
            message = {key: kept for key, kept in message.items() if key != "function_call"}
            told.append({**message, "tool_calls": calls})
        elif role == "function":
            under = asked.get(message.get("name"), "")
            told.append({"role": "tool", "tool_call_id": under, "content": message.get("content")})
        else:
            told.append(message)
    return {**request, "messages": told}


def call_in(message: Json) -> list[Json]:
    """The older call of a message as a `tool_use` block; its name stands for the id that it has
    not. Nothing where there is none."""
    call = message.get("function_call")
    if not isinstance(call, dict):
        return []
    name = call.get("name")
    return [{"type": "tool_use", "id": name, "name": name, "input": parsed(call.get("arguments"))}]

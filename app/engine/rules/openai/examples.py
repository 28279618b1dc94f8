"""Small requests of chat completions, for the examples of the rules."""

from typing import Any

Json = dict[str, Any]

ADD: Json = {
    "type": "function",
    "function": {
        "name": "add",
        "description": "Add two numbers.",
        "parameters": {
            "type": "object",
            "properties": {"a": {"type": "number"}, "b": {"type": "number"}},
            "required": ["a", "b"],
        },
    },
}
TASK: Json = {"role": "user", "content": "What is 2 + 3?"}


def request(*messages: Json, **more: Any) -> Json:
    """A whole request; its envelope can be changed by name."""
    return {"model": "gpt-4.1", **more, "messages": list(messages)}


def said(role: str, words: str) -> Json:
    return {"role": role, "content": words}


def call(ident: str = "call_1", /, **more: Any) -> Json:
    """A call with this id; `more` changes its function."""
    function = {"name": "add", "arguments": '{"a": 2, "b": 3}', **more}
    return {"id": ident, "type": "function", "function": function}


def calling(*calls: Json, **more: Any) -> Json:
    """An assistant message with calls."""
    return {"role": "assistant", "content": None, "tool_calls": list(calls), **more}


def tool(ident: str = "call_1", /, **more: Any) -> Json:
    """The tool message that answers the call with this id."""
    return {"role": "tool", "tool_call_id": ident, "content": "5", **more}


def text(words: str) -> Json:
    return {"type": "text", "text": words}


def image() -> Json:
    return {"type": "image_url", "image_url": {"url": "https://example.org/sum.png"}}


def audio() -> Json:
    return {"type": "input_audio", "input_audio": {"data": "UklGRg==", "format": "wav"}}

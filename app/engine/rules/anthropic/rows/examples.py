"""Small requests of the Messages API, for the examples of the rules."""

from typing import Any

Json = dict[str, Any]

ADD: Json = {
    "name": "add",
    "description": "Add two numbers.",
    "input_schema": {
        "type": "object",
        "properties": {"a": {"type": "number"}, "b": {"type": "number"}},
        "required": ["a", "b"],
    },
}
WEB_SEARCH: Json = {"type": "web_search_20260318", "name": "web_search"}
TASK: Json = {"role": "user", "content": "What is 2 + 3?"}
PIXEL = (  # one grey pixel
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR42mNoAAAAggCB2kUIOwAAAABJRU5ErkJggg=="
)
MARK: Json = {"type": "ephemeral"}


def request(*messages: Json, **more: Any) -> Json:
    """A whole request; its envelope can be changed by name."""
    return {"model": "claude-opus-5", "max_tokens": 1024, **more, "messages": list(messages)}


def user(*content: Json) -> Json:
    return {"role": "user", "content": list(content)}


def assistant(*content: Json) -> Json:
    return {"role": "assistant", "content": list(content)}


def said(role: str, words: str) -> Json:
    """A message whose content is a plain string."""
    return {"role": role, "content": words}


def text(words: str, **more: Any) -> Json:
    return {"type": "text", "text": words, **more}


def call(ident: str = "toolu_1", /, **more: Any) -> Json:
    """A client call with this id."""
    return {"type": "tool_use", "id": ident, "name": "add", "input": {"a": 2, "b": 3}, **more}


def result(ident: str = "toolu_1", /, **more: Any) -> Json:
    """The result of the call with this id."""
    return {"type": "tool_result", "tool_use_id": ident, "content": "5", **more}


def image() -> Json:
    source = {"type": "base64", "media_type": "image/png", "data": PIXEL}
    return {"type": "image", "source": source}


def document() -> Json:
    source = {"type": "text", "media_type": "text/plain", "data": "Two and three make five."}
    return {"type": "document", "source": source}


def thinking(words: str = "Two and three.", signature: str = "EqQBCgIYAhIM") -> Json:
    return {"type": "thinking", "thinking": words, "signature": signature}


def server_call(ident: str = "srvtoolu_1") -> Json:
    """A call of the API's own web search, with this id."""
    query = {"query": "library opening hours"}
    return {"type": "server_tool_use", "id": ident, "name": "web_search", "input": query}


def server_result(ident: str = "srvtoolu_1") -> Json:
    """What the API's own web search found."""
    return {"type": "web_search_tool_result", "tool_use_id": ident, "content": []}

"""The second stage: what takes more than one field, but no turns."""

from collections.abc import Iterator, Mapping
from typing import Any

from app.engine.rules.anthropic.keys import EFFORTS, TOOLSETS
from app.engine.rules.anthropic.models import Model
from app.engine.rules.findings import Findings, path

Json = Mapping[str, Any]

MOST_MARKS = 4
HIGH = EFFORTS.index("high")


def judge_whole(request: Json, model: Model | None, found: Findings) -> None:
    """Judge a request whose shape is right."""
    _known(request, model, found)
    _cap(request, model, found)
    _thinking(request, model, found)
    _tools(request, found)
    _tool_choice(request, model, found)
    _system(request, found)
    _messages(request, found)
    _marks(request, found)


def _known(request: Json, model: Model | None, found: Findings) -> None:
    """A03: whether the model is one of the table."""
    if model is None:
        found.add("A03", "known", "model", model=request["model"])


def _cap(request: Json, model: Model | None, found: Findings) -> None:
    """A02."""
    tokens = request["max_tokens"]
    if tokens == 0 and _asks_for_more_than_warming(request):
        found.add("A02", "warm", "max_tokens")
    if model is None or model.cap is None:
        if tokens > 8_192:  # no model has a smaller cap
            found.add("A02", "unknown model", "max_tokens")
    elif tokens > model.cap:
        words = {"tokens": str(tokens), "cap": str(model.cap), "model": request["model"]}
        found.add("A02", "cap", "max_tokens", **words)


def _asks_for_more_than_warming(request: Json) -> bool:
    return bool(
        request.get("stream")
        or _type(request, "thinking") == "enabled"
        or _type(request, "tool_choice") in ("any", "tool")
        or (request.get("output_config") or {}).get("format")
    )


def _type(request: Json, key: str) -> str:
    return str((request.get(key) or {}).get("type", ""))


def _thinking(request: Json, model: Model | None, found: Findings) -> None:
    """A65."""
    kind = _type(request, "thinking")
    if not kind:
        return
    if model is None:
        found.add("A65", "unknown model", "thinking")
    elif kind in model.refused:
        found.add("A65", "type", "thinking", type=kind)
    elif _effort(request) > HIGH and (
        kind == "between_tools" or (kind == "disabled" and not model.disabled_effort)
    ):
        found.add("A65", "effort", "thinking")
    if kind == "enabled":
        _budget(request, found)


def _effort(request: Json) -> int:
    effort = (request.get("output_config") or {}).get("effort")
    return EFFORTS.index(effort) if effort else HIGH


def _budget(request: Json, found: Findings) -> None:
    budget = request["thinking"]["budget_tokens"]
    if budget < 1024:
        found.add("A65", "budget", "thinking")
    if budget >= request["max_tokens"] > 0:
        found.add("A65", "max_tokens", "thinking")


# tools and tool_choice


def _tools(request: Json, found: Findings) -> None:
    """A31, A36, and the half of A27 that is about tools."""
    tools = request.get("tools") or []
    names: set[str] = set()
    for n, tool in enumerate(tools):
        name = tool.get("name")
        if name in names:
            found.add("A31", "twice", path("tools", n))
        elif name is not None:
            names.add(name)
        if tool.get("defer_loading") and tool.get("cache_control"):
            found.add("A27", "deferred tool", path("tools", n))
    if tools and all(tool.get("defer_loading") for tool in tools):
        found.add("A36", "all deferred", "tools")
    if not any(tool.get("type") in TOOLSETS for tool in tools):  # their members are not listed
        _references(request, names, found)


def _references(request: Json, names: set[str], found: Findings) -> None:
    """A36: the tools referred to are declared."""
    for where, block in _blocks(request):
        for name in _referred(block):
            if name not in names:
                found.add("A36", "reference", where, name=name)


def _referred(block: Json) -> list[str]:
    """The names in the tool_reference blocks inside a block."""
    content = block.get("content")
    if block["type"] == "tool_search_tool_result":
        content = content.get("tool_references") if isinstance(content, dict) else None
    elif block["type"] != "tool_result":
        content = None
    inside = content if isinstance(content, list) else []
    return [inner["tool_name"] for inner in inside if inner["type"] == "tool_reference"]


def _tool_choice(request: Json, model: Model | None, found: Findings) -> None:
    """A37 and A38."""
    choice = request.get("tool_choice")
    if choice is None:
        return
    tools = request.get("tools") or []
    if not tools:
        found.add("A37", "without tools", "tool_choice")
    elif choice["type"] == "tool" and not _has(tools, choice["name"]):
        found.add("A37", "unknown name", "tool_choice")
    if choice["type"] in ("any", "tool"):
        _forced(request, model, found)


def _has(tools: list[Json], name: str) -> bool:
    return any(tool.get("name") == name or tool.get("type") in TOOLSETS for tool in tools)


def _forced(request: Json, model: Model | None, found: Findings) -> None:
    """A38."""
    if _type(request, "thinking") == "enabled":
        found.add("A38", "manual thinking", "tool_choice")
    elif model is None:
        found.add("A38", "unknown model", "tool_choice")
    elif model.forced == "no":
        found.add("A38", "model", "tool_choice")
    elif model.forced == "unverified":
        found.add("A38", "unverified", "tool_choice")


# system and messages


def _blocks(request: Json) -> Iterator[tuple[str, Json]]:
    """The blocks of all messages with their places; strings are left out."""
    for n, message in enumerate(request["messages"]):
        content = message.get("content")
        if isinstance(content, list):
            for m, block in enumerate(content):
                yield path("messages", n, "content", m), block


def _system(request: Json, found: Findings) -> None:
    """A22, for the blocks of the system prompt."""
    system = request.get("system")
    for n, block in enumerate(system if isinstance(system, list) else ()):
        if not block["text"]:
            found.add("A22", "empty", path("system", n))


HOMES = {
    "tool_use": ("assistant", "assistant only"),
    "server_tool_use": ("assistant", "assistant only"),
    "mcp_tool_use": ("assistant", "assistant only"),
    "thinking": ("assistant", "assistant only"),
    "redacted_thinking": ("assistant", "assistant only"),
    "document": ("user", "user only"),
    "search_result": ("user", "user only"),
    "tool_result": ("user", "result in assistant"),
}


def _messages(request: Json, found: Findings) -> None:
    """A21 to A25."""
    messages = request["messages"]
    last = len(messages) - 1
    for n, message in enumerate(messages):
        role, content = message["role"], message.get("content", " ")
        if not content:
            if role != "assistant" or n != last:
                found.add("A21", "empty", path("messages", n), n=str(n))
        elif isinstance(content, str):
            if content.isspace() and "content" in message:
                found.add("A23", "blank", path("messages", n))
        else:
            for m, block in enumerate(content):
                _block(block, role, n, m, found)


def _block(block: Json, role: str, n: int, m: int, found: Findings) -> None:
    kind = block["type"]
    if kind == "text":
        if not block["text"].strip():
            _text(block, path("messages", n, "content", m), found)
        if role == "user" and block.get("citations"):
            found.add("A25", "citations", path("messages", n, "content", m))
        return
    home = HOMES.get(kind)
    if home and role != home[0]:
        found.add("A25", home[1], path("messages", n, "content", m), type=kind)
    if kind == "tool_result" and isinstance(block.get("content"), list):
        for k, inner in enumerate(block["content"]):
            if inner["type"] == "text" and not inner["text"].strip():
                _text(inner, path("messages", n, "content", m, "content", k), found)


def _text(block: Json, where: str, found: Findings) -> None:
    """A22 and A23, of a text without a word."""
    if block["text"]:
        found.add("A23", "blank", where)
    else:
        found.add("A22", "empty", where)


# Cache marks


def _marks(request: Json, found: Findings) -> None:
    """A26, and the halves of A27 that are about blocks."""
    marked = list(_marked(request))
    if request.get("cache_control"):
        marked.append(("cache_control", {}))
    if len(marked) > MOST_MARKS:
        found.add("A26", "marks", marked[MOST_MARKS][0], found=str(len(marked)))
    for where, block in marked:
        if block.get("type") in ("thinking", "redacted_thinking"):
            found.add("A27", "thinking", where)
        elif block.get("text") == "":
            found.add("A27", "empty text", where)


def _marked(request: Json) -> Iterator[tuple[str, Json]]:
    """The places and blocks that carry a cache mark, in the order of the prompt."""
    for key in ("tools", "system"):
        part = request.get(key)
        for n, block in enumerate(part if isinstance(part, list) else ()):
            if block.get("cache_control"):
                yield path(key, n), block
    for n, message in enumerate(request["messages"]):
        content = message.get("content")
        if isinstance(content, list):
            yield from _marked_blocks(content, path("messages", n, "content"))


def _marked_blocks(blocks: list[Json], where: str) -> Iterator[tuple[str, Json]]:
    for m, block in enumerate(blocks):
        if block.get("cache_control"):
            yield path(where, m), block
        if block.get("type") == "tool_result" and isinstance(block.get("content"), list):
            yield from _marked_blocks(block["content"], path(where, m, "content"))

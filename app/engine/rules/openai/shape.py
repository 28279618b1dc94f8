"""The first stage: each field by itself."""

import re
from collections.abc import Mapping
from typing import Any

from app.engine.rules.findings import Findings, path
from app.engine.rules.openai import keys
from app.engine.rules.openai.models import takes_max_tokens, takes_system

Json = Mapping[str, Any]

MOST_TOOLS = 128
LONGEST_ID = 40
NAME = re.compile(r"[a-zA-Z0-9_-]{1,64}")
CALLED = re.compile(r"[a-zA-Z0-9_-]+")  # a name in a call, and once a speaker's name
SPEAKER = re.compile(r"[^\s<|\\/>]+")


def judge_shape(request: Json, found: Findings) -> None:
    """Judge the keys and kinds of a whole request."""
    _body(request, found)
    _tools(request, found)
    _cap(request, found)
    messages = request.get("messages")
    if not isinstance(messages, list):
        found.add("O01", "list", "messages")
    elif not messages:
        found.add("O01", "empty", "messages")
    else:
        model = str(request.get("model", ""))
        for n, message in enumerate(messages):
            _message(message, n, takes_system(model), found)


def _body(request: Json, found: Findings) -> None:
    """O01: a model is named, and all keys are known."""
    if not request.get("model"):
        found.add("O01", "model", "model")
    for key in sorted(request.keys() - keys.BODY):
        found.add("O01", "unknown key", path(key), key=key)


# tools and what goes with them


def _tools(request: Json, found: Findings) -> None:
    """O14 to O17."""
    tools = request.get("tools")
    if tools is None:
        for key in ("parallel_tool_calls", "tool_choice"):
            if request.get(key) is not None:
                found.add("O17", "without tools", key, key=key)
    elif not isinstance(tools, list):
        found.add("O16", "list", "tools")
    elif not tools:
        found.add("O16", "empty", "tools")
    else:
        if len(tools) > MOST_TOOLS:
            found.add("O14", "many", "tools")
        for n, tool in enumerate(tools):
            _tool(tool, n, found)


def _tool(tool: Any, n: int, found: Findings) -> None:
    kind = tool.get("type") if isinstance(tool, dict) else None
    inner = tool.get(kind) if isinstance(kind, str) and kind in keys.CALLS else None
    if not isinstance(inner, dict):
        found.add("O16", "list", path("tools", n))
        return
    name = inner.get("name")
    if not isinstance(name, str) or not NAME.fullmatch(name):
        found.add("O15", "name", path("tools", n), path=f"tools[{n}].{kind}.name")


def _cap(request: Json, found: Findings) -> None:
    """O22."""
    model = request.get("model")
    if request.get("max_tokens") is None or not isinstance(model, str):
        return
    takes = takes_max_tokens(model)
    if takes is None:
        found.add("O22", "unknown model", "max_tokens")
    elif not takes:
        found.add("O22", "old name", "max_tokens")
    if takes is not False and request.get("max_completion_tokens") is not None:
        found.add("O22", "both names", "max_tokens")


# messages


def _message(message: Any, n: int, system: bool, found: Findings) -> None:
    where = path("messages", n)
    role = message.get("role") if isinstance(message, dict) else None
    if not isinstance(role, str) or role not in keys.ROLES:
        found.add("O20", "role", where, role=role if isinstance(role, str) else "")
        return
    if role in ("system", "developer") and not system:
        found.add("O20", "model", where, role=role, n=str(n))
    _speaker(message, n, found)
    if role == "tool" and not isinstance(message.get("tool_call_id"), str):
        found.add("O06", "missing", where, n=str(n))
    if role == "assistant" and message.get("tool_calls") is not None:
        _calls(message["tool_calls"], n, found)
    _content(message, role, n, found)


def _speaker(message: Json, n: int, found: Findings) -> None:
    """O15, for the name beside a role."""
    name, words = message.get("name"), f"messages[{n}].name"
    if name is None or (isinstance(name, str) and CALLED.fullmatch(name)):
        return
    allowed = isinstance(name, str) and SPEAKER.fullmatch(name)
    found.add("O15", "strange speaker" if allowed else "speaker", path("messages", n), path=words)


def _content(message: Json, role: str, n: int, found: Findings) -> None:
    """O08, O18 and O26."""
    content = message.get("content")
    where = path("messages", n)
    if isinstance(content, list):
        for m, part in enumerate(content):
            _part(part, role, path(where, "content", m), found)
    elif content is None and _may_be_silent(message, role):
        return
    elif not isinstance(content, str):
        if role == "tool":
            found.add("O26", "tool message", where)
        else:
            found.add("O08", "null" if content is None else "kind", where, n=str(n))


def _may_be_silent(message: Json, role: str) -> bool:
    """Whether content may be null: something else is said, or it is the older role."""
    others = ("tool_calls", "function_call", "refusal", "audio")
    return role == "function" or (
        role == "assistant" and any(message.get(key) is not None for key in others)
    )


HOLDS: Mapping[str, type] = {"text": str, "image_url": dict}  # what a part holds under its type


def _brackets(where: str) -> str:
    """A place as this API writes it: `messages[0].content[1].text`."""
    return re.sub(r"\.(\d+)", r"[\1]", where)


def _part(part: Any, role: str, where: str, found: Findings) -> None:
    kind = part.get("type") if isinstance(part, dict) else None
    if not isinstance(kind, str) or kind not in keys.ALL_PARTS:
        found.add("O26", "part", where, type=kind if isinstance(kind, str) else "")
    elif not isinstance(part.get(kind), HOLDS.get(kind, object)):
        found.add("O26", kind, where, path=_brackets(f"{where}.{kind}"))
    elif kind == "image_url" and role != "user":
        found.add("O18", "image", where, role=role)
    elif role == "tool" and kind not in keys.PARTS[role]:
        found.add("O26", "tool message", where)


def _calls(calls: Any, n: int, found: Findings) -> None:
    """O09, then each call."""
    where = path("messages", n)
    if not isinstance(calls, list):
        found.add("O09", "calls", where, n=str(n))
    elif not calls:
        found.add("O09", "empty", where, n=str(n))
    else:
        for m, call in enumerate(calls):
            _call(call, n, m, found)


def _call(call: Any, n: int, m: int, found: Findings) -> None:
    """O10, O12 and O13, and that a call can be answered at all."""
    where, words = path("messages", n, "tool_calls", m), f"messages[{n}].tool_calls[{m}]"
    kind = call.get("type") if isinstance(call, dict) else None
    if not isinstance(kind, str) or kind not in keys.CALLS:
        found.add("O09", "calls", where, n=str(n))
        return
    ident, inner = call.get("id"), call.get(kind)
    if not isinstance(ident, str):
        found.add("O02", "id", where, path=words)
    elif len(ident) > LONGEST_ID:
        found.add("O13", "long", where)
    inner = inner if isinstance(inner, dict) else {}
    if not inner.get("name") or not isinstance(inner["name"], str):
        found.add("O12", "empty", where, path=f"{words}.{kind}.name")
    elif not CALLED.fullmatch(inner["name"]):
        found.add("O12", "pattern", where, path=f"{words}.{kind}.name")
    if not isinstance(inner.get(keys.CALLS[kind]), str):
        found.add("O10", "string", where, path=f"{words}.{kind}.{keys.CALLS[kind]}")

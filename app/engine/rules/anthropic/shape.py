"""The first stage: each field by itself."""

import json
import marshal
import re
from collections.abc import Callable, Mapping
from typing import Any

from app.engine.rules.anthropic import keys
from app.engine.rules.anthropic.betas import TOOL_CHANGES, Known
from app.engine.rules.findings import Findings, path
from app.engine.rules.shapes import Problem, Problems, look

Json = Mapping[str, Any]

LARGEST = 32 * 1024 * 1024  # bytes of a body
MOST_MESSAGES = 100_000
PLAIN_KEYS = frozenset({"role", "content"})
ID = re.compile(r"[a-zA-Z0-9_-]+")
TOOL_NAME = re.compile(r"[a-zA-Z0-9_-]{1,128}")


def judge_shape(request: dict[str, Any], known: Known, found: Findings) -> None:
    """Judge the keys, kinds and patterns of a whole request."""
    _size(request, found)
    _max_tokens(request, found)
    _model(request, found)
    _body(request, known, found)
    _tools(request, found)
    _messages(request, known, found)


# The body


def _size(request: dict[str, Any], found: Findings) -> None:
    """A06. The exact size is only counted where the request is large at all."""
    try:
        rough = len(marshal.dumps(request, 2))  # each string once as UTF-8, as in JSON
        # A character of a string takes at most 6 bytes in JSON.
        if rough * 6 > LARGEST and _json_size(request) > LARGEST:
            found.add("A06", "size", "")
    except (ValueError, RecursionError):  # deeper than either of the two goes
        pass


def _json_size(request: Json) -> int:
    text = json.dumps(request, ensure_ascii=False, separators=(",", ":"))
    return len(text.encode("utf-8", "surrogatepass"))


def _max_tokens(request: Json, found: Findings) -> None:
    """A01, and the half of A02 that needs no model."""
    if "max_tokens" not in request:
        found.add("A01", "missing", "max_tokens")
        return
    tokens, problems = request["max_tokens"], Problems()
    look(tokens, int, (), problems)
    if problems:
        found.add("A01", "integer", "max_tokens")
    elif tokens < 0:
        found.add("A02", "negative", "max_tokens")


def _model(request: Json, found: Findings) -> None:
    """A03: that a model is named."""
    if not isinstance(request.get("model"), str):
        found.add("A03", "missing", "model")


HANDLED = frozenset({"max_tokens", "model", "messages"})
PARTS = {"tool_choice": ("A37", "form"), "thinking": ("A65", "form")}


def _body(request: Json, known: Known, found: Findings) -> None:
    """A05 and A08: the keys of the body, and all that stands below them but for the messages."""
    problems: Problems = []
    for key, value in request.items():
        if key in keys.SAMPLING:
            found.add("A08", "sampling", key, key=key)
        elif key not in known.body.kinds:
            found.add("A05", "unknown key", path(key), path=key)
        elif key not in HANDLED:
            look(value, known.body.kinds[key], (key,), problems)
    for problem in problems:
        number, check = _rule_of(problem)
        words = {"path": path(*problem.path), "message": problem.message}
        found.add(number, check, _place(problem), **words)


def _rule_of(problem: Problem) -> tuple[str, str]:
    """The rule that a problem of the body belongs to."""
    if problem.what == "unknown key":
        return "A05", "unknown key"
    key = problem.path[0]
    if key == "tools" and len(problem.path) == 3:  # a field of a tool
        if problem.path[2] == "input_schema":
            return "A32", "missing"
        if problem.path[2] == "name":
            fixed = problem.what == "wrong kind" and "valid" not in problem.message
            return "A30", "fixed name" if fixed else "name"
    return PARTS.get(str(key), ("A05", "wrong kind"))


def _place(problem: Problem) -> str:
    """Where a problem of the body is: the tool or block it is in, or the key of the body."""
    where = problem.path
    return path(*where[:-1]) if len(where) > 1 and isinstance(where[-1], str) else path(*where)


# tools


def _tools(request: Json, found: Findings) -> None:
    tools = request.get("tools")
    for n, tool in enumerate(tools if isinstance(tools, list) else ()):
        if isinstance(tool, dict) and tool.get("type") in (None, "custom"):
            _tool_name(tool, n, found)
            _input_schema(tool, n, found)


def _tool_name(tool: Json, n: int, found: Findings) -> None:
    """A30: the name of a tool of one's own."""
    name = tool.get("name")
    if isinstance(name, str) and not TOOL_NAME.fullmatch(name):
        found.add("A30", "name", path("tools", n), path=path("tools", n, "custom.name"))


def _input_schema(tool: Json, n: int, found: Findings) -> None:
    """A32 and A34: what stands at the top of a schema."""
    schema = tool.get("input_schema")
    if not isinstance(schema, dict):
        return
    where = path("tools", n)
    if schema.get("type") != "object":
        found.add("A32", "type", where, path=f"{where}.custom.input_schema.type")
    if schema.keys() & {"oneOf", "allOf", "anyOf"}:
        found.add("A34", "top", where, path=f"{where}.custom")


# messages


def _messages(request: Json, known: Known, found: Findings) -> None:
    """A04 and A09, then each message."""
    messages = request.get("messages")
    if not isinstance(messages, list):
        found.add("A04", "list", "messages")
    elif not messages:
        found.add("A04", "empty", "messages")
    elif len(messages) > MOST_MESSAGES:
        found.add("A09", "many", "messages")
    else:
        for n, message in enumerate(messages):
            _message(message, n, known, found)


def _message(message: Any, n: int, known: Known, found: Findings) -> None:
    if not isinstance(message, dict):
        found.add("A20", "message", path("messages", n), path=path("messages", n))
        return
    if message.keys() != PLAIN_KEYS:
        _message_keys(message, n, known, found)
    role = message.get("role")
    if not isinstance(role, str) or role not in keys.ROLES:
        shown = role if isinstance(role, str) else ""
        found.add("A10", "role", path("messages", n), role=shown)
    content = message.get("content")
    if isinstance(content, list):
        for m, block in enumerate(content):
            _block(block, role, n, m, known, found)
    elif not isinstance(content, str) and not _may_lack_content(message, known):
        found.add("A20", "content", path("messages", n), path=path("messages", n, "content"))


def _message_keys(message: Json, n: int, known: Known, found: Findings) -> None:
    """A05: the keys of a message; `role` and `content` have rules of their own."""
    problems: Problems = []
    known.message.look({"role": "", "content": "", **message}, (), problems)
    for problem in problems:
        if problem.path[0] not in ("role", "content"):
            where = path("messages", n, *problem.path)
            words = {"path": where, "message": problem.message}
            check = "unknown key" if problem.what == "unknown key" else "wrong kind"
            found.add("A05", check, path("messages", n), **words)


def _may_lack_content(message: Json, known: Known) -> bool:
    """Under a beta header a system message may do without content."""
    optional = "content" not in known.message.required
    return optional and "content" not in message and message.get("role") == "system"


def _block(block: Any, role: Any, n: int, m: int, known: Known, found: Findings) -> None:
    kind = block.get("type") if isinstance(block, dict) else None
    shape = known.blocks.get(kind) if isinstance(kind, str) else None
    if kind is None or shape is None:
        where = path("messages", n, "content", m)
        check = ("A19", "text") if role == "system" else ("A20", "block")
        found.add(*check, where, path=where)
        return
    problems: Problems = []
    shape.look(block, (), problems)
    if problems:
        _block_problems(block, problems, path("messages", n, "content", m), found)
    else:
        for judge in JUDGES.get(kind, ()):
            judge(block, n, m, found)
    if role == "system" and kind != "text" and kind not in TOOL_CHANGES:
        found.add("A19", "text", path("messages", n, "content", m))


FIELDS = {
    ("tool_use", "id"): ("A53", "missing"),
    ("server_tool_use", "id"): ("A53", "missing"),
    ("tool_use", "input"): ("A54", "input"),
    ("server_tool_use", "input"): ("A54", "input"),
    ("tool_result", "tool_use_id"): ("A59", "missing"),
    ("thinking", "signature"): ("A60", "signature"),
}


def _block_problems(block: Json, problems: Problems, where: str, found: Findings) -> None:
    """The rules that the problems of a block belong to."""
    kind = block["type"]
    for problem in problems:
        words = {"path": path(where, kind, *problem.path), "message": problem.message}
        if problem.what == "unknown key":
            found.add("A05", "unknown key", path(where, *problem.path[:-1]), **words)
        else:
            number, check = FIELDS.get((kind, str(problem.path[0])), ("A20", "fields"))
            found.add(number, check, where, **words)


# Blocks whose keys are right


def _where(n: int, m: int) -> str:
    return path("messages", n, "content", m)


def _id_pattern(key: str) -> Callable[[Json, int, int, Findings], None]:
    """A53, for the key that holds the id."""

    def judge(block: Json, n: int, m: int, found: Findings) -> None:
        if not ID.fullmatch(block[key]):
            words = {"path": path(_where(n, m), block["type"], key)}
            found.add("A53", "pattern", _where(n, m), **words)

    return judge


def _call_name(block: Json, n: int, m: int, found: Findings) -> None:
    """A30: the name in a call."""
    if not 1 <= len(block["name"]) <= 200:
        words = {"path": path(_where(n, m), "tool_use.name")}
        found.add("A30", "call's name", _where(n, m), **words)


def _signature(block: Json, n: int, m: int, found: Findings) -> None:
    """A60: an empty signature is none."""
    if not block["signature"]:
        found.add("A60", "empty", _where(n, m), path=_where(n, m))


def _result(block: Json, n: int, m: int, found: Findings) -> None:
    """A56 and A57: the content of a tool_result."""
    content = block.get("content", "")
    if isinstance(content, str):
        return
    if not isinstance(content, list):
        found.add("A57", "bare value", _where(n, m))
    elif not content:
        found.add("A56", "empty list", _where(n, m))
    else:
        _result_blocks(block, content, n, m, found)


def _result_blocks(block: Json, content: list[Any], n: int, m: int, found: Findings) -> None:
    """A57 and A58: the blocks inside a tool_result."""
    problems: Problems = []
    for k, inner in enumerate(content):
        look(inner, keys.RESULT_BLOCKS, ("content", k), problems)
    for problem in problems:
        words = {
            "path": path(_where(n, m), "tool_result", *problem.path),
            "message": problem.message,
        }
        if problem.what == "unknown key":
            found.add("A05", "unknown key", path(_where(n, m), *problem.path[:-1]), **words)
        else:
            found.add("A57", "blocks", _where(n, m), **words)
    if problems:
        return
    _reference_names(content, n, m, found)
    if block.get("is_error") and any(inner["type"] != "text" for inner in content):
        found.add("A58", "not text", _where(n, m), path=path(_where(n, m), "tool_result"))


def _reference_names(content: list[Any], n: int, m: int, found: Findings) -> None:
    """A30: the name in a tool_reference."""
    for k, inner in enumerate(content):
        if inner["type"] == "tool_reference" and not 1 <= len(inner["tool_name"]) <= 64:
            where = path(_where(n, m), "content", k)
            found.add("A30", "reference's name", where, path=f"{where}.tool_name")


JUDGES: Mapping[str, tuple[Callable[[Json, int, int, Findings], None], ...]] = {
    "tool_use": (_id_pattern("id"), _call_name),
    "server_tool_use": (_id_pattern("id"),),
    "tool_result": (_id_pattern("tool_use_id"), _result),
    "thinking": (_signature,),
}

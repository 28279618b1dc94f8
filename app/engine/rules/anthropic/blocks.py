"""The first stage for messages: each field of a message and of its blocks by itself."""

import re
from collections.abc import Callable, Mapping
from typing import Any

from app.engine.rules.anthropic import keys
from app.engine.rules.anthropic.betas import BETA, TOOL_CHANGES, Known
from app.engine.rules.findings import Findings, path
from app.engine.rules.shapes import Problems, look

Json = Mapping[str, Any]

PLAIN_KEYS = frozenset({"role", "content"})
ID = re.compile(r"[a-zA-Z0-9_-]+")
SERVER_ID = re.compile(r"srvtoolu_[a-zA-Z0-9_]+")


def judge_message(message: Any, n: int, known: Known, found: Findings) -> None:
    """Judge one message: its keys, its role, its content and each of its blocks."""
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
        name = "beta block" if isinstance(kind, str) and kind in BETA.blocks else "block"
        check = ("A19", "text") if role == "system" else ("A20", name)
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


def _server_id(block: Json, n: int, m: int, found: Findings) -> None:
    """A53, for the call of a server tool."""
    if not SERVER_ID.fullmatch(block["id"]):
        words = {"path": path(_where(n, m), "server_tool_use.id")}
        found.add("A53", "server pattern", _where(n, m), **words)


def _call_name(block: Json, n: int, m: int, found: Findings) -> None:
    """A30: the name in a call."""
    if wrong := _wrong_length(block["name"], 200):
        words = {"path": path(_where(n, m), "tool_use.name"), "message": wrong}
        found.add("A30", "call's name", _where(n, m), **words)


def _wrong_length(name: str, longest: int) -> str:
    """What is wrong with the length of a name; nothing where it is right."""
    if not name:
        return "String should have at least 1 character"
    return f"String should have at most {longest} characters" if len(name) > longest else ""


def _signature(block: Json, n: int, m: int, found: Findings) -> None:
    """A60: an empty signature is none."""
    if not block["signature"]:
        found.add("A60", "empty", _where(n, m), path=_where(n, m))


def _result(block: Json, n: int, m: int, found: Findings) -> None:
    """A56 to A58: the content of a tool_result."""
    content = block.get("content", "")
    if not content and block.get("is_error"):
        words = {"path": path(_where(n, m), "tool_result")}
        found.add("A58", "no text", _where(n, m), **words)
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
        if inner["type"] == "tool_reference" and (wrong := _wrong_length(inner["tool_name"], 64)):
            where = path(_where(n, m), "content", k)
            words = {"path": f"{where}.tool_name", "message": wrong}
            found.add("A30", "reference's name", where, **words)


JUDGES: Mapping[str, tuple[Callable[[Json, int, int, Findings], None], ...]] = {
    "tool_use": (_id_pattern("id"), _call_name),
    "server_tool_use": (_server_id,),
    "tool_result": (_id_pattern("tool_use_id"), _result),
    "thinking": (_signature,),
}

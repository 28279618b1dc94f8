"""The first stage: each field by itself. Here the body and the tools, in `blocks` the messages."""

import json
import marshal
import re
from collections.abc import Mapping
from typing import Any

from app.engine.rules.anthropic import keys
from app.engine.rules.anthropic.betas import BETA, Known
from app.engine.rules.anthropic.blocks import judge_message
from app.engine.rules.findings import Findings, path
from app.engine.rules.shapes import Problem, Problems, look

Json = Mapping[str, Any]

LARGEST = 32 * 1024 * 1024  # bytes of a body
MOST_MESSAGES = 100_000
MOST_USER_ID = 256
EMAIL = re.compile(r"[^\s@]@[\w-]+\.\w")
HALVES = re.compile("[\ud800-\udfff]")
HALVES_IN_BYTES = re.compile(rb"\xed[\xa0-\xbf]")  # as marshal writes them
TOOL_NAME = re.compile(r"[a-zA-Z0-9_-]{1,128}")


def judge_shape(request: dict[str, Any], known: Known, found: Findings) -> None:
    """Judge the keys, kinds and patterns of a whole request."""
    _size(request, found)
    _max_tokens(request, found)
    _model(request, found)
    _body(request, known, found)
    _stop_sequences(request, found)
    _user_id(request, found)
    _tools(request, found)
    _messages(request, known, found)


# The body


def _size(request: dict[str, Any], found: Findings) -> None:
    """A06, and that all strings are whole (A05); both only where a rough look finds a reason."""
    try:
        rough = marshal.dumps(request, 2)  # each string once as UTF-8, as in JSON
        # A character of a string takes at most 6 bytes in JSON.
        if len(rough) * 6 > LARGEST and _json_size(request) > LARGEST:
            found.add("A06", "size", "")
        if HALVES_IN_BYTES.search(rough):
            _halves(request, found)
    except (ValueError, RecursionError):  # deeper than either of the two goes
        pass


def _halves(request: Json, found: Findings) -> None:
    """A05: no string holds half of a surrogate pair, as text that was cut inside an emoji does."""
    rest: list[tuple[Any, tuple[str | int, ...]]] = [(request, ())]
    while rest:
        value, place = rest.pop()
        if isinstance(value, dict):
            rest += [(key, (*place, key)) for key in value if HALVES.search(key)]
            rest += [(item, (*place, key)) for key, item in value.items()]
        elif isinstance(value, list):
            rest += [(item, (*place, n)) for n, item in enumerate(value)]
        elif isinstance(value, str) and HALVES.search(value):
            found.add_once("A05", "half", path(*place))


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
            check = "beta key" if key in BETA.body.kinds else "unknown key"
            found.add("A05", check, path(key), path=key)
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


def _stop_sequences(request: Json, found: Findings) -> None:
    """A05: a stop sequence is not blank."""
    given = request.get("stop_sequences")
    for n, words in enumerate(given if isinstance(given, list) else ()):
        if isinstance(words, str) and not words.strip():
            found.add("A05", "blank stop", path("stop_sequences", n))


def _user_id(request: Json, found: Findings) -> None:
    """A05: the id of the user says nothing of the person."""
    metadata = request.get("metadata")
    given = metadata.get("user_id") if isinstance(metadata, dict) else None
    if isinstance(given, str) and (len(given) > MOST_USER_ID or EMAIL.search(given)):
        found.add("A05", "user id", "metadata")


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
            judge_message(message, n, known, found)

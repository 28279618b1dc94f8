"""The second stage: what takes more than one field, but no turns."""

from collections.abc import Collection, Mapping
from typing import Any

from app.engine.rules.anthropic.content import judge_content
from app.engine.rules.anthropic.keys import EFFORTS, TOOLSETS
from app.engine.rules.anthropic.models import Model
from app.engine.rules.findings import Findings, path

Json = Mapping[str, Any]

HIGH = EFFORTS.index("high")
INTERLEAVED = "interleaved-thinking"  # how the beta header begins under which budgets add up


def judge_whole(
    request: Json, model: Model | None, betas: Collection[str], found: Findings
) -> None:
    """Judge a request whose shape is right."""
    _known(request, model, found)
    _cap(request, model, found)
    _thinking(request, model, betas, found)
    _tools(request, found)
    _tool_choice(request, model, found)
    judge_content(request, found)


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
        if tokens > 4_096:  # no model has a smaller cap
            found.add("A02", "unknown model", "max_tokens")
    elif tokens > model.cap:
        shown = str(tokens) if tokens < 10**12 else "…"  # Python does not write out any number
        words = {"tokens": shown, "cap": str(model.cap), "model": request["model"]}
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


def _thinking(request: Json, model: Model | None, betas: Collection[str], found: Findings) -> None:
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
        _budget(request, betas, found)


def _effort(request: Json) -> int:
    effort = (request.get("output_config") or {}).get("effort")
    return EFFORTS.index(effort) if effort else HIGH


def _budget(request: Json, betas: Collection[str], found: Findings) -> None:
    budget = request["thinking"]["budget_tokens"]
    if budget < 1024:
        found.add("A65", "budget", "thinking")
    one_block = not any(beta.startswith(INTERLEAVED) for beta in betas)
    if one_block and budget >= request["max_tokens"] > 0:
        found.add("A65", "max_tokens", "thinking")


# tools and tool_choice


def _tools(request: Json, found: Findings) -> None:
    """A31, A35 and A36, and the half of A27 that is about tools."""
    tools = request.get("tools") or []
    names: set[str] = set()
    for n, tool in enumerate(tools):
        name = tool.get("name")
        if name in names:
            found.add("A31", "twice", path("tools", n))
        elif name is not None:
            names.add(name)
        if tool.get("input_examples"):
            found.add_once("A35", "examples", path("tools", n))
        if tool.get("defer_loading") and tool.get("cache_control"):
            found.add("A27", "deferred tool", path("tools", n))
    if tools and all(tool.get("defer_loading") for tool in tools):
        found.add("A36", "all deferred", "tools")


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

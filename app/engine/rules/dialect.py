"""Guesses from a body alone which API it was meant for."""

from collections.abc import Mapping
from typing import Any

from app.engine.rules.anthropic import keys as anthropic
from app.engine.rules.openai import keys as openai

ONLY_OPENAI = openai.BODY - anthropic.BODY.kinds.keys() - set(anthropic.SAMPLING)
ONLY_ANTHROPIC = anthropic.BODY.kinds.keys() - openai.BODY
OPENAI_BLOCKS = frozenset({"image_url", "input_audio", "file", "refusal"})
MOST = 200  # messages looked at


def dialect_of(request: Any) -> str:
    """ "anthropic" or "openai": a guess from keys, roles and blocks, then from the model's name."""
    if not isinstance(request, dict):
        return "anthropic"
    signs = _signs(request)
    for_openai, for_anthropic = signs.count("openai"), signs.count("anthropic")
    if for_openai != for_anthropic:
        return "openai" if for_openai > for_anthropic else "anthropic"
    model = request.get("model")
    if isinstance(model, str) and model.startswith("claude"):
        return "anthropic"
    return "openai" if _looks_like_openai(request) else "anthropic"


def _signs(request: Mapping[str, Any]) -> list[str]:
    """What speaks for one or the other; no sign is decisive."""
    signs = ["openai"] * len(ONLY_OPENAI & request.keys())
    signs += ["anthropic"] * len(ONLY_ANTHROPIC & request.keys())
    for tool in _objects(request.get("tools")):
        if "function" in tool:
            signs.append("openai")
        elif "input_schema" in tool:
            signs.append("anthropic")
    for message in _objects(request.get("messages")):
        if message.keys() & {"tool_calls", "tool_call_id", "function_call"}:
            signs.append("openai")
        for block in _objects(message.get("content")):
            kind = block.get("type")
            if isinstance(kind, str) and kind != "text":
                if kind in OPENAI_BLOCKS:
                    signs.append("openai")
                elif kind in anthropic.BLOCKS:
                    signs.append("anthropic")
    return signs


def _objects(value: Any) -> list[Mapping[str, Any]]:
    some = value[:MOST] if isinstance(value, list) else []
    return [item for item in some if isinstance(item, dict)]


def _looks_like_openai(request: Mapping[str, Any]) -> bool:
    """Whether the model is one of OpenAI's, or a system or developer message comes first."""
    model = request.get("model")
    if isinstance(model, str) and model.startswith(("gpt-", "chatgpt-", "o1", "o3", "o4")):
        return True
    first = next(iter(_objects(request.get("messages"))), {})
    return first.get("role") in ("system", "developer")

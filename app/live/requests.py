"""Requests as they are stored: each as what it adds to the one before, or the store would grow
with the square of the turns."""

from typing import Any

from app.engine.steps import Json


def added(before: Json | None, request: Json) -> Json:
    """What a request adds: its envelope where that changed, its messages from `keep` on."""
    old = before["messages"] if before and isinstance(before["messages"], list) else []
    new = request["messages"]
    if not isinstance(new, list):
        return {"whole": request}
    keep = 0
    while keep < min(len(old), len(new)) and old[keep] == new[keep]:
        keep += 1
    found: Json = {"keep": keep, "messages": new[keep:]}
    if before is None or _envelope(before) != _envelope(request):
        found["envelope"] = _envelope(request)
    return found


def joined(before: Json | None, stored: Json) -> Json:
    """The request that was stored. Raises ValueError where a stored one is in no right form."""
    if isinstance(stored.get("whole"), dict):
        return dict(stored["whole"])
    envelope: Any = stored.get("envelope", _envelope(before) if before else None)
    keep, messages = stored.get("keep"), stored.get("messages")
    if not (isinstance(envelope, dict) and isinstance(keep, int) and isinstance(messages, list)):
        raise ValueError("a stored request is in no right form")
    old = before["messages"] if before and isinstance(before.get("messages"), list) else []
    kept = [*old[:keep], *messages]
    return {**{k: kept if k == "messages" else v for k, v in envelope.items()}, "messages": kept}


def _envelope(request: Json) -> Json:
    """All but the messages; their place among the keys stays."""
    return {key: None if key == "messages" else value for key, value in request.items()}

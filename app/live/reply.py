"""What a reply must look like before a loop gets it: the SDK checks nothing of it."""

from typing import Any

from app.engine.steps import Json

TEXTS = {
    "text": ("text",),
    "thinking": ("thinking",),
    "tool_use": ("id", "name"),
    "server_tool_use": ("id", "name"),
}


class NotAMessage(ValueError):
    """A reply in the wrong form; the message names the place."""


def checked_reply(reply: Any) -> Json:
    """The reply itself. Raises NotAMessage; kinds of blocks and reasons we do not know pass."""
    if not isinstance(reply, dict):
        raise NotAMessage("it is no object")
    _text(reply, "stop_reason", "")
    content = reply.get("content")
    if not isinstance(content, list):
        raise NotAMessage("content is no list")
    for at, block in enumerate(content):
        if not isinstance(block, dict):
            raise NotAMessage(f"content.{at} is no object")
        where = f"content.{at}."
        _text(block, "type", where)
        for key in TEXTS.get(block["type"], ()):
            _text(block, key, where)
        if block["type"] == "tool_use" and not isinstance(block.get("input"), dict):
            raise NotAMessage(f"{where}input is no object")
    if not isinstance(reply.get("usage") or {}, dict):
        raise NotAMessage("usage is no object")
    return reply


def _text(holder: Json, key: str, where: str) -> None:
    if not isinstance(holder.get(key), str):
        raise NotAMessage(f"{where}{key} is no text")

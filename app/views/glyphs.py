"""One small sign for each message: its shape is the role, its letter what it holds."""

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Glyph:
    """`look` is `user`, `assistant`, `result`, `absent` or `other`; `name` says it in words."""

    look: str
    letter: str
    name: str


USER = Glyph("user", "U", "user")
ASSISTANT = Glyph("assistant", "A", "assistant")
RESULT = Glyph("result", "R", "user, tool_result")
NO_ID = Glyph("absent", "?", "user, tool_result without tool_use_id")
SYSTEM = Glyph("other", "S", "system")
OTHER = Glyph("other", "?", "not a message")
TOOL = Glyph("result", "R", "tool")
FUNCTION = Glyph("result", "R", "function")
TOOL_NO_ID = Glyph("absent", "?", "tool without tool_call_id")


def glyph_of(message: Any) -> Glyph:
    """The sign of a message. A result has the user's shape: in Messages it is a user message."""
    role = message.get("role") if isinstance(message, dict) else None
    if role == "assistant":
        return ASSISTANT
    if role == "tool":
        return TOOL if "tool_call_id" in message else TOOL_NO_ID
    if role == "function":
        return FUNCTION
    if role == "system":
        return SYSTEM
    if role != "user":
        return OTHER
    content = message.get("content")
    blocks = (
        [block for block in content if isinstance(block, dict)] if isinstance(content, list) else []
    )
    results = [block for block in blocks if block.get("type") == "tool_result"]
    if not results:
        return USER
    return RESULT if all("tool_use_id" in block for block in results) else NO_ID

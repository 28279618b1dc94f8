"""The second stage, for content: one pass over all blocks, each in its role."""

from collections.abc import Mapping
from typing import Any

from app.engine.rules.anthropic.betas import TOOL_CHANGES
from app.engine.rules.anthropic.keys import TOOLSETS
from app.engine.rules.anthropic.server_tools import SERVER_RESULTS
from app.engine.rules.findings import Findings, path

Json = Mapping[str, Any]
Place = tuple[str | int, ...]

MOST_MARKS = 4
# The role that may hold a block, and the check of A25 that says so.
HOMES = {
    **dict.fromkeys(SERVER_RESULTS, ("assistant", "assistant only")),
    "tool_use": ("assistant", "assistant only"),
    "server_tool_use": ("assistant", "assistant only"),
    "mcp_tool_use": ("assistant", "assistant only"),
    "thinking": ("assistant", "assistant only"),
    "redacted_thinking": ("assistant", "assistant only"),
    "document": ("user", "user only"),
    "search_result": ("user", "user only"),
    "tool_result": ("user", "result in assistant"),
    "image": ("user", "image in assistant"),
    "container_upload": ("user", "upload in assistant"),
}


def judge_content(request: Json, found: Findings) -> None:
    """A21 to A27, and the half of A36 that is about references."""
    content = _Content(request, found)
    for key in ("tools", "system"):
        part = request.get(key)
        for n, block in enumerate(part if isinstance(part, list) else ()):
            if block.get("cache_control"):
                content.marked.append(((key, n), block))
            if key == "system":
                content.text(block, (key, n))
    messages = request["messages"]
    for n, message in enumerate(messages):
        content.message(message, n, n == len(messages) - 1)
    if request.get("cache_control"):
        content.marked.append((("cache_control",), {}))
    content.marks()


class _Content:
    """What is collected on the way through the messages."""

    def __init__(self, request: Json, found: Findings) -> None:
        self.found = found
        self.marked: list[tuple[Place, Json]] = []  # blocks with a cache mark, as in the prompt
        tools = request.get("tools") or ()
        # The members of a toolset are not listed, so its names cannot be known.
        listed = not any(tool.get("type") in TOOLSETS for tool in tools)
        self.names = {str(tool.get("name")) for tool in tools} if listed else None

    def message(self, message: Json, n: int, is_last: bool) -> None:
        role, content = message["role"], message.get("content")
        if content is None:  # only under a beta header
            return
        if not content:
            if role != "assistant" or not is_last:
                self.found.add("A21", "empty", path("messages", n), n=str(n))
        elif isinstance(content, str):
            if content.isspace():
                self.found.add("A23", "blank", path("messages", n), part="messages")
        else:
            for m, block in enumerate(content):
                self.block(block, role, n, m)

    def block(self, block: Json, role: str, n: int, m: int) -> None:
        kind = block["type"]
        if block.get("cache_control"):
            self.marked.append((("messages", n, "content", m), block))
        self.home(block, role, ("messages", n, "content", m))
        if kind == "text":
            self.text(block, ("messages", n, "content", m))
        elif kind == "image":
            self.found.add_once("A28", "image", path("messages", n, "content", m))
        elif kind == "compaction":
            self.found.add_once("A77", "unchanged", path("messages", n, "content", m))
        elif kind == "tool_result":
            self.inside(block.get("content"), ("messages", n, "content", m, "content"))
        elif kind in TOOL_CHANGES and role == "system":
            self.tool_change(block["tool"], path("messages", n, "content", m))
        elif kind == "tool_search_tool_result":
            for inner in block["content"].get("tool_references", ()):
                self.reference(inner, ("messages", n, "content", m))

    def home(self, block: Json, role: str, place: Place) -> None:
        """A25."""
        kind = block["type"]
        home = HOMES.get(kind)
        if home and role != home[0]:
            self.found.add("A25", home[1], path(*place), type=kind)
        if kind == "text" and role == "user" and block.get("citations"):
            self.found.add("A25", "citations", path(*place))

    def inside(self, content: Any, place: Place) -> None:
        """The blocks inside a tool_result."""
        for k, inner in enumerate(content if isinstance(content, list) else ()):
            if inner.get("cache_control"):
                self.marked.append(((*place, k), inner))
            if inner["type"] == "text":
                self.text(inner, (*place, k))
            elif inner["type"] == "image":
                self.found.add_once("A28", "image", path(*place, k))
            elif inner["type"] == "tool_reference":
                self.reference(inner, (*place, k))

    def text(self, block: Json, place: Place) -> None:
        """A22 and A23."""
        if not block["text"]:
            self.found.add("A22", "empty", path(*place), part=str(place[0]))
        elif block["text"].isspace():
            self.found.add("A23", "blank", path(*place), part=str(place[0]))

    def declares(self, name: str) -> bool:
        """Whether `tools` may hold a tool of that name."""
        return self.names is None or name in self.names

    def tool_change(self, tool: Json, where: str) -> None:
        """A19: only a declared tool can be added or taken away by its name."""
        if tool["type"] == "tool_reference" and not self.declares(tool["name"]):
            self.found.add("A19", "tool", where)

    def reference(self, block: Json, place: Place) -> None:
        """A36."""
        if not self.declares(block["tool_name"]):
            self.found.add("A36", "reference", path(*place))

    def marks(self) -> None:
        """A26, and the halves of A27 that are about blocks."""
        if len(self.marked) > MOST_MARKS:
            place, _ = self.marked[MOST_MARKS]
            self.found.add("A26", "marks", path(*place), found=str(len(self.marked)))
        short = False  # whether a mark of 5 minutes came before
        for place, block in self.marked:
            lasts = block.get("cache_control", {}).get("ttl")
            if lasts == "1h" and short:
                self.found.add("A26", "order", path(*place), path=path(*place))
            short = short or lasts != "1h"
            if block.get("type") in ("thinking", "redacted_thinking"):
                self.found.add("A27", "thinking", path(*place))
            elif block.get("text") == "":
                self.found.add("A27", "empty text", path(*place))

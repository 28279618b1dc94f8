"""Messages of one role in a row, merged into turns as the API does."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from app.engine.rules.findings import path

Json = Mapping[str, Any]


class Block(NamedTuple):
    """A block with its place: message `n`, and `m` in its content (None: a string)."""

    kind: str
    n: int
    m: int | None
    block: Json

    @property
    def where(self) -> str:
        return (
            path("messages", self.n)
            if self.m is None
            else path("messages", self.n, "content", self.m)
        )


class Turn(NamedTuple):
    """Consecutive messages of one role: the blocks of all, and the first and last message."""

    role: str
    blocks: list[Block]
    first: int
    last: int

    def of_kind(self, kind: str) -> list[Block]:
        return [block for block in self.blocks if block.kind == kind]


def merged(messages: Sequence[Json]) -> list[Turn]:
    """The turns of a list of messages; a string is one text block."""
    turns: list[Turn] = []
    for n, message in enumerate(messages):
        role, content = message["role"], message.get("content", ())
        if isinstance(content, str):
            blocks = [Block("text", n, None, {"type": "text", "text": content})] if content else []
        else:
            blocks = [Block(block["type"], n, m, block) for m, block in enumerate(content)]
        if turns and turns[-1].role == role:
            before = turns[-1]
            before.blocks.extend(blocks)
            turns[-1] = before._replace(last=n)
        else:
            turns.append(Turn(role, blocks, n, n))
    return turns

"""Signatures of scripted thinking: digests by which a changed history shows in the request alone.

`halqa.<own>.<before>`: `own` covers the block's text and the thinking before it in its turn (A62),
`before` covers system, tools and all messages before it, without cache marks and without thinking
(A66). A real signature, which lacks the prefix, cannot be judged.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from hashlib import sha256
from typing import Any, NamedTuple

PREFIX = "halqa."
THINKING = frozenset({"thinking", "redacted_thinking"})
Block = Mapping[str, Any]


def sign(request: Mapping[str, Any], before: Sequence[Block], text: str) -> str:
    """The signature of a scripted thinking block.

    `request` is the body that is being answered, `before` the blocks of the reply that come before
    this one, `text` its thinking.
    """
    prefix = _Prefix(request)
    for message in request["messages"]:
        prefix.message(message["role"], blocks_of(message["content"]))
    prefix.message("assistant", before)
    return f"{PREFIX}{_own(prefix.thought, text)}.{prefix.digest()}"


class Verdict(NamedTuple):
    """What a signature says: is it ours, does it fit its thinking, does it fit what is before"
    " it."""

    scripted: bool
    own: bool
    before: bool


def verdicts(
    request: Mapping[str, Any], messages: Sequence[tuple[str, Sequence[Block]]]
) -> Iterator[Verdict]:
    """One verdict for each thinking block, in order. Messages are given as role and blocks."""
    prefix = _Prefix(request)
    for role, blocks in messages:
        yield from prefix.message(role, blocks)


def is_scripted(block: Block) -> bool:
    """Whether a block is thinking that a script signed."""
    return block.get("type") == "thinking" and str(block["signature"]).startswith(PREFIX)


def blocks_of(content: str | Sequence[Block]) -> Sequence[Block]:
    """A message's content as blocks: a string is one text block."""
    return [{"type": "text", "text": content}] if isinstance(content, str) else content


class _Prefix:
    """A running digest of what stands before a place, and the thinking before it in its turn."""

    def __init__(self, request: Mapping[str, Any]) -> None:
        self._hash = sha256(
            _bytes([_bare(block) for block in blocks_of(request.get("system") or ())])
        )
        self._hash.update(_bytes([_bare(tool) for tool in request.get("tools") or ()]))
        self._role = ""
        self.thought = ""  # stands for the thinking so far in this turn

    def message(self, role: str, blocks: Sequence[Block]) -> list[Verdict]:
        """Go past a message; the verdicts on its thinking blocks."""
        if role != self._role:
            self._role, self.thought = role, ""
            self._hash.update(role.encode())
        found = []
        for block in blocks:
            if block.get("type") in THINKING:
                found.append(self._past_thinking(block))
            else:
                self._hash.update(_bytes(_bare(block)))
        return found

    def digest(self) -> str:
        return self._hash.hexdigest()[:16]

    def _past_thinking(self, block: Block) -> Verdict:
        text = block.get("thinking", block.get("data", ""))
        before, self.thought = self.thought, _own(self.thought, text)
        if not is_scripted(block):
            return Verdict(False, False, False)
        own, _, prefix = block["signature"].removeprefix(PREFIX).partition(".")
        # Text put into a block that came without any is ignored, not refused.
        fits = own in (self.thought, _own(before, ""))
        self.thought = own
        return Verdict(True, fits, prefix == self.digest())


def _own(thought: str, text: str) -> str:
    return sha256(f"{thought}\n{text}".encode("utf-8", "surrogatepass")).hexdigest()[:16]


def _bytes(value: Any) -> bytes:
    return json.dumps(value, sort_keys=True, separators=(",", ":")).encode()


def _bare(block: Block) -> Block:
    """A block without its cache marks."""
    bare = {key: value for key, value in block.items() if key != "cache_control"}
    content = bare.get("content")
    if isinstance(content, list):
        bare["content"] = [_bare(inner) if isinstance(inner, dict) else inner for inner in content]
    return bare

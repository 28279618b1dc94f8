"""One entry of `messages[]` in a few words of its JSON, for the row of the first difference."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from app.engine.dialects.parts import content_of
from app.engine.steps import Append, Json, client_calls
from app.views.glyphs import Glyph
from app.views.lanes.shown import Shown
from app.views.strip import NO_ID, STRANGE, SWAPPED, glyph_of
from app.views.texts import visible

LONGEST = 32  # characters of a string, which is cut at its first line's end too
MOST_BLOCKS = 4


@dataclass(frozen=True)
class Token:
    """A piece of JSON. `look` is as in `app.views.tokens`, or `wrong` for an id that belongs to
    another call, `owner` for the call it belongs to, `no-call` for a call that is not there.
    `brief` tokens stay where there is little room."""

    text: str
    look: str = "p"
    brief: bool = False


@dataclass(frozen=True)
class Entry:
    """One entry with its sign, its index and its lines; `left_out` blocks are not shown."""

    glyph: Glyph
    index: int
    lines: tuple[tuple[Token, ...], ...]
    left_out: int = 0


def entries(lane: Shown, step: Append) -> tuple[Entry, ...]:
    """What an append put into `messages[]`."""
    brought = lane.rounds[step.turn]
    calls = {str(call.get("id")): call for call in brought.calls}
    owner = {tool.result.content: str(tool.call.get("id")) for tool in brought.tools}
    made = []
    for offset, message in enumerate(lane.trace.messages(step)[step.index :][: step.count]):
        content = message.get("content")
        blocks = content if isinstance(content, list) else message.get("tool_calls") or []
        if isinstance(older := message.get("function_call"), dict):
            blocks = [older]
        lines = [tuple(_head(message, brought.faults, owner))]
        for block in blocks[:MOST_BLOCKS]:
            if isinstance(block, dict):
                lines.append(tuple(_block(block, brought.faults, owner)))
        if message.get("role") == "assistant":
            kept = {str(call.get("id")) for call in client_calls(content_of(message))}
            name = "tool_calls" if lane.loop.dialect == "openai" else "tool_use"
            lost = [f"{name} {called}" for called in calls if called not in kept]
            lines += [(Token(text, "no-call", True),) for text in lost]
        glyph = glyph_of(message, brought.faults)
        left_out = max(0, len(blocks) - MOST_BLOCKS)
        made.append(Entry(glyph, step.index + offset, tuple(lines), left_out))
    return tuple(made)


def _head(message: Json, faults: frozenset[str], owner: dict[str, str]) -> Iterator[Token]:
    role, content = message.get("role"), message.get("content")
    yield from (Token("{"), Token('"role"', "k"), Token(": "))
    yield Token(_quoted(role), "result" if role in ("tool", "function") else str(role), True)
    if role in ("tool", "function"):
        key = "tool_call_id" if role == "tool" else "name"
        yield from _answer(key, message, faults, owner)
        return
    yield from (Token(", "), Token('"content"', "k"), Token(": "))
    if "tool_calls" in message:
        yield from (Token(_quoted(content)), Token(", "), Token('"tool_calls"', "k"), Token(": ["))
        return
    if "function_call" in message:
        yield from (Token(_quoted(content)), Token(", "), Token('"function_call"', "k"), Token(":"))
        return
    if isinstance(content, list):
        yield Token("[" if content else "[]}")
    else:
        yield from (Token(_quoted(content), "s", True), Token("}"))


def _block(block: Json, faults: frozenset[str], owner: dict[str, str]) -> Iterator[Token]:
    kind = block.get("type")
    if kind == "function":
        yield from _function(block)
        return
    if kind is None and "arguments" in block:  # the older form
        yield from (Token("{"), Token('"name"', "k"), Token(": "))
        yield from (Token(_quoted(block.get("name")), "s", True), Token(", …}"))
        return
    yield from (Token("{"), Token('"type"', "k"), Token(": "))
    yield Token(
        _quoted(kind),
        {"tool_use": "assistant", "tool_result": "result"}.get(str(kind), "s"),
        kind != "text",
    )
    if kind == "tool_result":
        yield from _answer("tool_use_id", block, faults, owner)
        return
    elif kind == "tool_use":
        yield from _pair("id", block.get("id"), "id")
        yield from _pair("name", block.get("name"), brief=False)
        yield from (Token(", "), Token('"input"', "k"), Token(": {…}"))
    elif kind in ("text", "thinking"):
        yield from _pair(kind, block.get(kind))
    yield Token("}")


def _function(call: Json) -> Iterator[Token]:
    """A call of chat completions."""
    yield from (Token("{"), Token('"id"', "k"), Token(": "))
    yield Token(_quoted(call.get("id")), "id", True)
    function = call.get("function")
    name = function.get("name") if isinstance(function, dict) else None
    yield from (Token(", "), Token('"function"', "k"), Token(": {"), Token('"name"', "k"))
    yield from (Token(": "), Token(_quoted(name), "s"), Token(", …}}"))


def _answer(
    key: str, answer: Json, faults: frozenset[str], owner: dict[str, str]
) -> Iterator[Token]:
    """What stands behind the type of a result, or the role of a tool message. `key` says which
    call it answers."""
    content = answer.get("content")
    belongs = owner.get(str(content))
    under = answer.get(key)
    if key in answer:
        wrong = bool(faults & {SWAPPED, STRANGE}) and belongs is not None and belongs != under
        yield from _pair(key, under, "wrong" if wrong else "id")
    else:
        wrong = False
        yield from (Token(", "), Token(key, "absent", True))
    yield from _pair("content", content, brief=NO_ID not in faults)
    yield Token("}")
    if wrong:
        yield Token(str(belongs), "owner", True)


def _pair(key: str, value: Any, look: str = "s", brief: bool = True) -> Iterator[Token]:
    yield from (Token(", "), Token(f'"{key}"', "k"), Token(": "))
    yield Token(_quoted(value), look, brief)


def _quoted(value: Any) -> str:
    """A value as JSON; a long string cut, its quotes kept, so that it still reads as JSON."""
    if isinstance(value, str):
        first, more, _ = value.partition("\n")
        value = first[:LONGEST] + ("…" if more or len(first) > LONGEST else "")
    text = visible(json.dumps(value, ensure_ascii=False, default=str))
    return text if len(text) <= 2 * LONGEST else text[: 2 * LONGEST] + "…"

"""A message in as few lines as a wall can show: its JSON, a line for each block, strings cut."""

from dataclasses import dataclass
from typing import Any

from app.views.tokens import Token, lines_of

MOST_BLOCKS = 3
# Characters of a text, and of other strings, by the number of blocks that are shown.
ROOM = {1: (220, 140), 2: (90, 70), 3: (60, 24)}
KEPT = (
    "type",
    "id",
    "tool_use_id",
    "tool_call_id",
    "name",
    "role",
)  # keys whose strings stay whole
LONGEST = 80  # characters that even these may have
MOST_KEYS, MOST_ITEMS = 6, 4  # of an object, of a list inside a block


@dataclass(frozen=True)
class Brief:
    """Lines of tokens; `left_out` blocks are not shown."""

    lines: tuple[tuple[Token, ...], ...]
    left_out: int = 0


def brief(message: Any) -> Brief:
    """A message, or a block of one, in a few lines."""
    content = message.get("content") if isinstance(message, dict) else None
    if not isinstance(message, dict) or not isinstance(content, list) or not content:
        return Brief((_line(_cut(message, "", ROOM[1])),))
    shown = content[:MOST_BLOCKS]
    room = ROOM[len(shown)]
    head = _line(_cut({key: v for key, v in message.items() if key != "content"}, "", room))
    opening = (Token("p", ", "), Token("k", '"content"'), Token("p", ": ["))
    lines = [(*head[:-1], *opening)]
    for n, block in enumerate(shown, 1):
        closing = "]}" if n == len(content) else ","
        lines.append((*_line(_cut(block, "", room)), Token("p", closing)))
    return Brief(tuple(lines), len(content) - len(shown))


def _line(value: Any) -> tuple[Token, ...]:
    """A JSON value on one line."""
    tokens: list[Token] = []
    for line in lines_of(value)[0]:
        if tokens and tokens[-1].text == ",":
            tokens.append(Token("p", " "))
        tokens += line.tokens
    return tuple(tokens)


def _cut(value: Any, key: str, room: tuple[int, int]) -> Any:
    """A value whose strings, objects and lists are short."""
    if isinstance(value, str):
        most = LONGEST if key in KEPT else room[0] if key == "text" else room[1]
        return value[:most] + ("…" if len(value) > most else "")
    if isinstance(value, dict):
        kept = list(value.items())[:MOST_KEYS]
        short = {str(name)[:LONGEST]: _cut(item, str(name), room) for name, item in kept}
        return short | ({"…": "…"} if len(value) > len(kept) else {})
    if isinstance(value, list):
        more = ["…"] if len(value) > MOST_ITEMS else []
        return [_cut(item, key, room) for item in value[:MOST_ITEMS]] + more
    return value

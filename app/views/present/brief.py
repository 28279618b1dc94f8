"""A message in as few lines as a wall can show: its JSON, a line for each block, strings cut."""

from dataclasses import dataclass
from typing import Any

from app.views.tokens import Token, lines_of

MOST_BLOCKS = 3
SAID = 60  # characters of a text
GIVEN = 24  # characters of other strings
PLAIN = 130  # characters of a message that is one string
KEPT = ("type", "id", "tool_use_id", "name", "role")  # keys whose strings stay whole
LONGEST = 80  # characters that even these may have
MOST_ITEMS = 4  # of an object or a list inside a block


@dataclass(frozen=True)
class Brief:
    """Lines of tokens; `left_out` blocks are not shown."""

    lines: tuple[tuple[Token, ...], ...]
    left_out: int = 0


def brief(message: Any) -> Brief:
    """A message, or a block of one, in a few lines."""
    content = message.get("content") if isinstance(message, dict) else None
    if not isinstance(message, dict) or "role" not in message:
        return Brief((_line(_cut(message, "", GIVEN)),))
    if not isinstance(content, list) or not content:
        return Brief((_line(_cut(message, "", PLAIN)),))
    head = _line({**_cut({k: v for k, v in message.items() if k != "content"}, "", GIVEN)})
    opening = (Token("p", ", "), Token("k", '"content"'), Token("p", ": ["))
    lines = [(*head[:-1], *opening)]
    shown = content[:MOST_BLOCKS]
    for n, block in enumerate(shown):
        last = n == len(content) - 1
        lines.append((*_line(_cut(block, "", GIVEN)), Token("p", "]}" if last else ",")))
    return Brief(tuple(lines), len(content) - len(shown))


def _line(value: Any) -> tuple[Token, ...]:
    """A JSON value on one line."""
    tokens: list[Token] = []
    for line in lines_of(value)[0]:
        if tokens and tokens[-1].text == ",":
            tokens.append(Token("p", " "))
        tokens += line.tokens
    return tuple(tokens)


def _cut(value: Any, key: str, limit: int) -> Any:
    """A value whose strings are short: of each the first line, and of that the first words."""
    if isinstance(value, str):
        most = LONGEST if key in KEPT else max(limit, SAID) if key == "text" else limit
        first, more, _ = value.partition("\n")
        return first[:most] + ("…" if more or len(first) > most else "")
    if isinstance(value, dict):
        kept = list(value.items())[: MOST_ITEMS + 2]
        return {str(k)[:LONGEST]: _cut(item, str(k), limit) for k, item in kept} | (
            {"…": "…"} if len(value) > len(kept) else {}
        )
    if isinstance(value, list):
        return [_cut(item, key, limit) for item in value[:MOST_ITEMS]] + (
            ["…"] if len(value) > MOST_ITEMS else []
        )
    return value

"""JSON as lines of coloured tokens: the real bytes, broken where a person would break them."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from app.views.texts import CUT_AT, cut, visible

WIDTH = 48  # columns of a line before an object is broken
DEEPEST = 14  # levels that are laid out; what lies deeper stays on one line
MOST_LINES = 80
MOST_LINES_WHOLE = 2_000
MOST_FOLDED = 6_000  # characters of a string that can be unfolded beyond its cut
IDS = ("id", "tool_use_id", "tool_call_id")
TOOL_LOOKS = {"tool_use": "call", "function": "call", "tool_result": "result"}


@dataclass(frozen=True)
class Token:
    """A piece of JSON and how it is drawn.

    `look` is `p` (punctuation), `k` (key), `s` (string), `n` (number, true, null), `user`,
    `assistant`, `call`, `result`, `id`, `absent` (a key that is missing), or `more` (a notice
    of `count` characters left out; `text` is the first part of them, to be unfolded).
    """

    look: str
    text: str
    count: int = 0


@dataclass(frozen=True)
class Line:
    """A line of tokens and its indentation in columns."""

    indent: int
    tokens: tuple[Token, ...]


def lines_of(value: Any, limit: int = CUT_AT) -> tuple[list[Line], int]:
    """A JSON value as lines, and how many lines more there are than are shown.

    Strings longer than `limit` characters are cut, with a notice.
    """
    most = MOST_LINES if limit == CUT_AT else MOST_LINES_WHOLE
    layout = _Layout(limit)
    layout.value(value, 0, "", 0)
    lines = layout.done()
    return lines[:most], max(0, len(lines) - most)


class _Layout:
    def __init__(self, limit: int) -> None:
        self.limit = limit
        self.lines: list[Line] = []
        self.indent = 0
        self.now: list[Token] = []

    def done(self) -> list[Line]:
        self.break_line(0)
        return self.lines

    def break_line(self, indent: int) -> None:
        if self.now:
            self.lines.append(Line(self.indent, tuple(self.now)))
        self.now, self.indent = [], indent

    def value(self, value: Any, indent: int, key: str, depth: int) -> None:
        """Put a value down at the cursor; lines that it breaks into begin at `indent`."""
        if depth > DEEPEST or not isinstance(value, dict | list) or not value:
            self.now += self.flat(value, key)
        elif isinstance(value, dict):
            self.object(value, indent, depth)
        elif self.fits(value, indent, key):
            self.now += self.flat(value, key)
        else:
            self.array(value, indent, depth)

    def object(self, value: dict[str, Any], indent: int, depth: int) -> None:
        self.now.append(Token("p", "{"))
        inner = indent + 1
        message = "role" in value and "content" in value
        missing = _missing_id(value)
        first = True
        for name, item in value.items():
            if not first:
                self.now.append(Token("p", ","))
                wide = self.column() + 1 + self.width(item) + len(str(name)) + 4 > WIDTH
                if message or wide:
                    self.break_line(inner)
                else:
                    self.now.append(Token("p", " "))
            first = False
            self.now += [Token("k", _quoted(str(name))), Token("p", ": ")]
            self.value(item, inner, str(name), depth + 1)
            if missing and name in ("type", "role"):
                self.now += [Token("p", ", "), Token("absent", missing)]
        self.now.append(Token("p", "}"))

    def array(self, value: list[Any], indent: int, depth: int) -> None:
        self.now.append(Token("p", "["))
        for n, item in enumerate(value):
            self.break_line(indent + 2)
            self.value(item, indent + 2, "", depth + 1)
            if n < len(value) - 1:
                self.now.append(Token("p", ","))
        self.now.append(Token("p", "]"))

    def column(self) -> int:
        return self.indent + sum(len(token.text) for token in self.now)

    def width(self, value: Any) -> int:
        """The columns of a value on one line, as far as they matter."""
        if isinstance(value, str):
            return len(value) + 2
        if isinstance(value, dict | list):
            return sum(len(token.text) for token in self.flat(value, ""))
        return len(json.dumps(value, default=str))

    def fits(self, value: list[Any], indent: int, key: str) -> bool:
        plain = not any(isinstance(item, dict | list) for item in value)
        return plain and self.column() + self.width(value) <= WIDTH

    def flat(self, value: Any, key: str) -> list[Token]:
        return list(_flat(value, key, self.limit))


def _missing_id(value: dict[str, Any]) -> str:
    """The key that should say which call a result answers, where it is not there."""
    if value.get("type") == "tool_result" and "tool_use_id" not in value:
        return "tool_use_id"
    if value.get("role") == "tool" and "tool_call_id" not in value:
        return "tool_call_id"
    return ""


def _flat(value: Any, key: str, limit: int, depth: int = 0) -> Iterator[Token]:
    if isinstance(value, dict) and depth <= DEEPEST:
        yield Token("p", "{")
        for n, (name, item) in enumerate(value.items()):
            yield Token("p", ", " if n else "")
            yield Token("k", _quoted(str(name)))
            yield Token("p", ": ")
            yield from _flat(item, str(name), limit, depth + 1)
        yield Token("p", "}")
    elif isinstance(value, list | tuple) and depth <= DEEPEST:
        yield Token("p", "[")
        for n, item in enumerate(value):
            yield Token("p", ", " if n else "")
            yield from _flat(item, "", limit, depth + 1)
        yield Token("p", "]")
    elif isinstance(value, str):
        kept, more = cut(value, limit)
        yield Token(_look(key, value), _quoted(kept)[:-1] if more else _quoted(kept))
        if more:
            rest = value[len(kept) :][:MOST_FOLDED] if limit == CUT_AT else ""
            yield Token("more", _quoted(rest)[1:-1], more)
            yield Token("s", '"')
    elif isinstance(value, dict | list | tuple):
        yield Token("p", "…")
    else:
        yield Token("n", _number(value))


def _number(value: Any) -> str:
    if value is None or isinstance(value, bool | int | float):
        return json.dumps(value)[:80]
    return visible(repr(value)[:80])


def _look(key: str, value: str) -> str:
    if key == "role" and value in ("user", "assistant", "tool", "function"):
        return "result" if value in ("tool", "function") else value
    if key == "type" and value in TOOL_LOOKS:
        return TOOL_LOOKS[value]
    return "id" if key in IDS else "s"


def _quoted(text: str) -> str:
    return visible(json.dumps(text, ensure_ascii=False))

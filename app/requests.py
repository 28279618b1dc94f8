"""Reads the body of a request from bytes that anybody may have written."""

import json
import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, NoReturn

from app.engine.steps import Json
from app.said import Said

MOST_BYTES = 40_000_000  # the API itself refuses more than 32 MB
MOST_DEEP = 200  # levels of lists and objects
MOST_DIGITS = 4_000  # Python turns no longer number into text

_STRING = r'"(?:[^"\\]|\\.)*+"'
_WIDE = ("utf-16", "utf-32")
_NAMES = {
    list: Said("a list"),
    str: Said("a string"),
    bool: Said("true or false"),
    type(None): Said("null"),
}

_PROBLEMS = {  # what Python's reader of JSON says, by how it begins
    "Expecting value": Said("a value is expected here"),
    "Expecting property name": Said("a key in double quotes is expected here"),
    "Expecting ':'": Said("a colon is expected here"),
    "Expecting ','": Said("a comma is expected here"),
    "Illegal trailing comma": Said("the last entry has a comma after it"),
    "Unterminated string": Said("a string that begins here never ends"),
    "Invalid control character": Said("a string holds a line break or another control character"),
    "Invalid \\escape": Said("a string holds a backslash that begins no escape"),
    "Invalid \\u": Said("a string holds %(start)s without four hex digits", start="\\u"),
    "Extra data": Said("one value ends and another begins"),
}


class NotARequest(ValueError):
    """Bytes that are no request body.

    `sentence` says why; `where` is the place, such as `line 3, column 5`, or "".
    """

    def __init__(self, said: str, where: str = "", **words: str | int) -> None:
        super().__init__(said % words if words else said)
        self.sentence = Said(said, **words)
        self.where = where


@dataclass(frozen=True)
class Read:
    """A request body; `twice` are the keys that stand twice in one object."""

    request: Json
    twice: tuple[str, ...] = ()


def read_request(data: bytes, most: int = MOST_BYTES) -> Read:
    """Read the JSON object that bytes hold. Raises NotARequest, whatever they hold."""
    if len(data) > most:
        raise NotARequest(
            "This is larger than %(most)s MB, the most that is read here.", most=most // 1_000_000
        )
    text = _decoded(data)
    if not text.strip():
        raise NotARequest("There is nothing here: a request body is a JSON object.")
    reader = _Reader(text)
    value = reader.value()
    if not isinstance(value, dict):
        kind = _NAMES.get(type(value), Said("a number"))
        raise NotARequest(
            "This is JSON, but %(kind)s: a request body is an object with messages in it.",
            kind=kind,
        )
    if _deeper(value, MOST_DEEP):
        raise _too_deep()
    if "messages" not in value:
        _refuse_others(value)
    return Read(value, tuple(reader.twice))


def _refuse_others(value: Json) -> None:
    """Raise NotARequest for an object that answers a request, or holds one."""
    kind = str(value.get("object"))
    if value.get("type") in ("message", "error") or kind.startswith("chat.completion"):
        raise NotARequest(
            "This is a reply of the API: a request body is an object with messages in it."
        )
    for key, item in value.items():
        if isinstance(item, dict) and "messages" in item:
            raise NotARequest("This holds a request in %(key)s: give that alone.", key=key[:80])


class _Reader:
    """Reads one text with Python's own reader, which is looser than JSON and follows no limits."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.twice: dict[str, None] = {}

    def value(self) -> Any:
        try:
            return json.loads(
                self.text,
                object_pairs_hook=self.object,
                parse_int=self.whole_number,
                parse_constant=self.constant,
            )
        except json.JSONDecodeError as error:
            if not self.text[: error.pos].strip() and "{" in self.text[error.pos :]:
                _fail(
                    self.text,
                    error.pos,
                    "This is not JSON, at line %(line)s, column %(column)s: something stands before"
                    " the body. Give the body alone: it begins with %(brace)s.",
                    brace="{",
                )
            _not_json(self.text, error.pos, _problem(error.msg))
        except RecursionError:
            raise _too_deep() from None

    def object(self, items: list[tuple[str, Any]]) -> Json:
        made = dict(items)
        if len(made) < len(items):
            counts = Counter(key for key, _ in items)
            self.twice.update((key, None) for key, count in counts.items() if count > 1)
        return made

    def whole_number(self, digits: str) -> int:
        if len(digits) > MOST_DIGITS:
            _fail(
                self.text,
                _place(self.text, re.escape(digits)),
                "A number has more than %(most)s digits: line %(line)s, column %(column)s.",
                most=MOST_DIGITS,
            )
        return int(digits)

    def constant(self, name: str) -> NoReturn:
        _not_json(
            self.text,
            _place(self.text, re.escape(name)),
            Said("%(name)s is no JSON value", name=name),
        )


def _decoded(data: bytes) -> str:
    kind = json.detect_encoding(data)[:6]
    if kind in _WIDE:
        raise NotARequest("This is %(kind)s text: save it as UTF-8.", kind=kind.upper())
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        before = data[: error.start].decode("utf-8", "replace")
        _fail(
            before,
            len(before),
            "This is not UTF-8 text: line %(line)s, column %(column)s cannot be read.",
        )


def _not_json(text: str, at: int, problem: str) -> NoReturn:
    _fail(
        text,
        at,
        "This is not JSON, at line %(line)s, column %(column)s: %(problem)s.",
        problem=problem,
    )


def _fail(text: str, at: int, said: str, **words: str | int) -> NoReturn:
    """Raise NotARequest for a place in a text."""
    line = text.count("\n", 0, at) + 1
    column = at - text.rfind("\n", 0, at)
    where = f"line {line}, column {column}"
    raise NotARequest(said, where, line=line, column=column, **words) from None


def _place(text: str, pattern: str) -> int:
    """Where a pattern first matches outside of strings."""
    found = (m.start(1) for m in re.finditer(f"{_STRING}|({pattern})", text) if m[1] is not None)
    return next(found, 0)


def _problem(message: str) -> Said:
    """What Python's reader says, in a sentence of ours; its own words where it says what no
    version before it said."""
    known = next((said for begin, said in _PROBLEMS.items() if message.startswith(begin)), None)
    return known or Said("Python's reader says %(words)s", words=message)


def _too_deep() -> NotARequest:
    return NotARequest(
        "This nests lists and objects more than %(most)s levels deep.", most=MOST_DEEP
    )


def _deeper(value: Any, most: int) -> bool:
    """Whether lists and objects nest more than `most` levels deep."""
    level: Iterable[Any] = [value]
    for _ in range(most):
        inner: list[Any] = []
        for item in level:
            if isinstance(item, dict):
                inner += [child for child in item.values() if isinstance(child, dict | list)]
            else:
                inner += [child for child in item if isinstance(child, dict | list)]
        if not inner:
            return False
        level = inner
    return True

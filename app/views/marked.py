"""JSON as lines of coloured tokens, with marks at places in it: what is wrong, what is absent."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any, NamedTuple

from app.views.texts import CUT_AT, compact, cut, visible
from app.views.tokens import IDS, Token

WIDTH = 56  # columns of a line before a list or an object is broken
DEEPEST = 14  # levels that are laid out; what lies deeper is left out
MOST_ITEMS = 12  # of a list or an object
MOST_LINES = 80

Path = tuple[str | int, ...]

# Looks of a mark.
WRONG = "wrong"  # what stands here should not
RIGHT = "right"  # what stands here is what the other side lacks
ABSENT = "absent"  # what belongs here does not stand here
LOST = "lost"  # what stands here has no counterpart in the other API
TIED = "tied"  # what stands here is the same as what has the same number beside it
SOLID = (WRONG, RIGHT, LOST, TIED)


@dataclass(frozen=True)
class Run:
    """Tokens of a line that share a mark; `mark` is one of the looks above, or "". `number` is that
    of what is TIED."""

    mark: str
    tokens: tuple[Token, ...]
    number: str = ""


@dataclass(frozen=True)
class Line:
    indent: int
    runs: tuple[Run, ...]


class Mark(NamedTuple):
    """`text` names what is absent, or is the number of a tie; `why` is said below."""

    look: str
    text: str = ""
    why: str = ""


class Folded(NamedTuple):
    """Stands for a list of which only the number of items is shown."""

    items: int


class Hidden(NamedTuple):
    """Stands for an object of which nothing is shown."""


Marks = Mapping[Path, Mark]
NONE = Mark("")


def marked_lines(value: Any, marks: Marks, at: Path = ()) -> list[Line]:
    """A JSON value that stands at the path `at`, as lines.

    Each of `marks` stands at a path: WRONG or RIGHT at a value, ABSENT where a key or an item is
    missing. Long strings, long lists and what lies deep is cut, with a notice.
    """
    layout = _Layout(marks)
    layout.value(value, at, 0)
    layout.break_line(0)
    return layout.lines[:MOST_LINES]


def reached(value: Any, path: Path) -> tuple[Path, Any]:
    """How far a path leads into a JSON value, and what stands there."""
    for n, part in enumerate(path):
        if (isinstance(value, dict) and part in value) or (
            isinstance(value, list) and isinstance(part, int) and 0 <= part < len(value)
        ):
            value = value[part]  # type: ignore[index]
        else:
            return path[:n], value
    return path, value


class _Layout:
    def __init__(self, marks: Marks) -> None:
        self.marks = marks
        self.mark = NONE
        self.lines: list[Line] = []
        self.indent = 0
        self.now: list[tuple[Mark, Token]] = []
        self.begun: set[Path] = set()  # what is tied and has shown its number
        self.why: list[str] = []  # the reasons to say below the line

    # --- lines

    def put(self, look: str, text: str, count: int = 0, mark: Mark | None = None) -> None:
        self.now.append((self.mark if mark is None else mark, Token(look, text, count)))

    def break_line(self, indent: int) -> None:
        if self.now:
            runs = [
                Run(mark.look, tuple(t for _, t in some), mark.text if mark.look == TIED else "")
                for mark, some in groupby(self.now, key=lambda pair: pair[0])
            ]
            self.lines.append(Line(self.indent, tuple(runs)))
            for why in self.why:
                self.lines.append(Line(self.indent + 2, (Run("", (Token("why", why),)),)))
            self.why = []
        self.now, self.indent = [], indent

    def column(self) -> int:
        return self.indent + sum(len(token.text) for _, token in self.now)

    # --- values

    def value(self, value: Any, path: Path, indent: int) -> None:
        """Put a value down at the cursor; lines that it breaks into begin at `indent`."""
        before = self.mark
        self.begin(path)
        self.mark = self.solid(path) or before
        if len(self.lines) > MOST_LINES or len(path) > DEEPEST:
            self.put("more", "…")
        elif isinstance(value, Hidden):
            for look, text in (("p", "{"), ("more", "…"), ("p", "}")):
                self.put(look, text)
        elif isinstance(value, Folded):
            self.put("items", "", value.items)
        elif isinstance(value, dict):
            self.object(value, path, indent)
        elif isinstance(value, list):
            self.array(value, path, indent)
        else:
            self.scalar(value, path)
        if path in self.marks and self.marks[path].why:
            self.why.append(self.marks[path].why)
        self.mark = before

    def begin(self, path: Path) -> None:
        """Put the number of a tie before what it ties, once."""
        if self.look(path) == TIED and path not in self.begun:
            self.begun.add(path)
            self.put("tie", self.marks[path].text, mark=NONE)

    def scalar(self, value: Any, path: Path) -> None:
        if not isinstance(value, str):
            self.put("n", visible(compact(value))[:80])
            return
        kept, more = cut(value, CUT_AT)
        text = visible(compact(kept))
        self.put(_look(path, value), text[:-1] if more else text)
        if more:
            self.put("more", "", more)
            self.put("s", '"')

    def object(self, value: Mapping[str, Any], path: Path, indent: int) -> None:
        self.put("p", "{")
        inner = indent + 1
        spread = ("content" in value and "role" in value) or not self.fits(value)
        first = True
        for key in self.kept(list(value), path):
            if key is None:
                self.rest(len(value))
                continue
            item = value[key]
            if not first:
                self.put("p", ",")
                wide = self.column() + len(str(key)) + 6 + _width(item, WIDTH) > WIDTH
                if spread and ("role" in value or wide):
                    self.break_line(inner)
                else:
                    self.put("p", " ")
            first = False
            before = self.mark
            self.begin((*path, key))
            self.mark = self.solid((*path, key)) or before
            self.put("k", visible(compact(str(key)[:200])))
            self.put("p", ": ")
            self.value(item, (*path, key), inner)
            self.mark = before
        for mark in self.missing(path, value):
            self.put("p", "" if first else ", ")
            self.gap(mark)
            first = False
        self.put("p", "}")

    def array(self, value: Sequence[Any], path: Path, indent: int) -> None:
        self.put("p", "[")
        nested = any(isinstance(item, dict | list) for item in value[:MOST_ITEMS])
        spread = nested or not self.fits(value)
        first = True
        for n in self.kept(range(len(value)), path):
            if n is None:
                self.rest(len(value))
                continue
            if not first:
                self.put("p", "," if spread else ", ")
            first = False
            if spread:
                self.break_line(indent + 2)
            if self.look((*path, n)) == ABSENT:
                self.gap(self.marks[(*path, n)])
                self.break_line(indent + 2)
            self.value(value[n], (*path, n), indent + 2)
        if self.look((*path, len(value))) == ABSENT:
            if spread:
                self.break_line(indent + 2)
            self.gap(self.marks[(*path, len(value))])
        self.put("p", "]")

    def fits(self, value: Any) -> bool:
        return self.column() + _width(value, WIDTH) <= WIDTH

    # --- marks

    def look(self, path: Path) -> str:
        return self.marks.get(path, NONE).look

    def solid(self, path: Path) -> Mark | None:
        """The mark at what stands at a path."""
        return self.marks[path] if self.look(path) in SOLID else None

    def missing(self, path: Path, value: Mapping[str, Any]) -> list[Mark]:
        """The keys that an object lacks."""
        return [
            mark
            for at, mark in self.marks.items()
            if mark.look == ABSENT and at[:-1] == path and at[-1] not in value
        ]

    def gap(self, mark: Mark) -> None:
        self.put("absent", visible(mark.text[:80]), mark=Mark(ABSENT))

    def kept(self, keys: Sequence[Any], path: Path) -> Iterator[Any]:
        """The keys or indexes that are shown: the first ones and those with a mark; None once,
        where others are left out."""
        if len(keys) <= MOST_ITEMS + 1:
            yield from keys
            return
        n = len(path)
        marked = {mark[n] for mark in self.marks if len(mark) > n and mark[:n] == path}
        first = 1 if marked else MOST_ITEMS
        yield from keys[:first]
        yield None
        yield from [key for key in keys[first:] if key in marked][:MOST_ITEMS]

    def rest(self, count: int) -> None:
        self.put("p", ", ")
        self.put("rest", "", count)


def _width(value: Any, most: int) -> int:
    """The columns of a value on one line, as far as they matter: `most + 1` is too many."""
    if isinstance(value, str):
        return min(len(value) + 2, most + 1)
    if isinstance(value, dict):
        width = 2
        for key, item in value.items():
            width += len(str(key)) + 6 + _width(item, most)
            if width > most:
                return most + 1
        return width
    if isinstance(value, Folded | Hidden):
        return 16
    if isinstance(value, list):
        width = 2
        for item in value:
            width += 2 + _width(item, most)
            if width > most:
                return most + 1
        return width
    return min(len(compact(value)), most + 1)


def _look(path: Path, value: str) -> str:
    key = path[-1] if path else ""
    if key == "role" and value in ("user", "assistant"):
        return value
    if (key == "role" and value in ("tool", "function")) or (
        key == "type" and value == "tool_result"
    ):
        return "result"
    if key == "type" and value == "tool_use":
        return "call"
    return "id" if key in IDS else "s"

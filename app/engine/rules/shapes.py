"""Shapes of JSON: which keys an object may have, and of which kind their values are.

A kind is a Python type (`str`, `int`, `float`, `bool`, `dict` for any object, `object` for
anything) or one of the classes below. A shape never holds itself, so a look at a value goes only as
deep as the table, however deep the value is.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

Kind = Any  # a type or one of the classes below; they refer to each other
Path = tuple[str | int, ...]

NAMES = {str: "string", int: "integer", float: "number", bool: "boolean", dict: "dictionary"}


class Problem(NamedTuple):
    """What is wrong at a path: `what` is "unknown key", "missing key" or "wrong kind"."""

    path: Path
    what: str
    message: str


Problems = list[Problem]


def look(value: Any, kind: Kind, path: Path, found: Problems) -> None:
    """Add to `found` all that keeps `value` from being of that kind."""
    if not isinstance(kind, type):
        kind.look(value, path, found)
    elif not _is(value, kind):
        _wrong(path, f"a valid {NAMES[kind]}", found)


def _is(value: Any, kind: type) -> bool:
    """Whether a JSON value is of a simple kind; `1.0` is an integer, true is not."""
    if isinstance(value, bool):
        return kind is bool or kind is object
    if kind is int:
        return isinstance(value, int) or (isinstance(value, float) and value.is_integer())
    if kind is float:
        return isinstance(value, int | float)
    return isinstance(value, kind)


def _wrong(path: Path, expected: str, found: Problems) -> None:
    found.append(Problem(path, "wrong kind", f"Input should be {expected}"))


@dataclass(frozen=True)
class Words:
    """One of some strings."""

    words: frozenset[str]

    def look(self, value: Any, path: Path, found: Problems) -> None:
        if not isinstance(value, str) or value not in self.words:
            expected = " or ".join(f"'{word}'" for word in sorted(self.words))
            _wrong(path, expected, found)


def words(*some: str) -> Words:
    """One of these strings."""
    return Words(frozenset(some))


@dataclass(frozen=True)
class Nullable:
    """A kind, or null."""

    kind: Kind

    def look(self, value: Any, path: Path, found: Problems) -> None:
        if value is not None:
            look(value, self.kind, path, found)


@dataclass(frozen=True)
class ListOf:
    """A list of values of one kind."""

    kind: Kind

    def look(self, value: Any, path: Path, found: Problems) -> None:
        if not isinstance(value, list):
            _wrong(path, "a valid list", found)
            return
        for n, item in enumerate(value):
            if type(item) is not self.kind:
                look(item, self.kind, (*path, n), found)


@dataclass(frozen=True)
class MapOf:
    """An object with any keys, whose values are of one kind."""

    kind: Kind

    def look(self, value: Any, path: Path, found: Problems) -> None:
        if not isinstance(value, dict):
            _wrong(path, "a valid dictionary", found)
            return
        for key, item in value.items():
            look(item, self.kind, (*path, key), found)


@dataclass(frozen=True)
class Or:
    """A simple kind (or words), or another: told apart by looking at the simple one first."""

    simple: Kind
    other: Kind

    def look(self, value: Any, path: Path, found: Problems) -> None:
        tried: Problems = []
        look(value, self.simple, path, tried)
        if tried:
            look(value, self.other, path, found)


class Shape:
    """An object with known keys."""

    def __init__(self, required: Mapping[str, Kind], optional: Mapping[str, Kind]) -> None:
        self.required = frozenset(required)
        self.kinds: Mapping[str, Kind] = {**required, **optional}
        kind = self.kinds.get("type")
        self.tag = next(iter(kind.words)) if isinstance(kind, Words) else None

    def look(self, value: Any, path: Path, found: Problems) -> None:
        if not isinstance(value, dict):
            _wrong(path, "a valid dictionary", found)
            return
        kinds = self.kinds
        for key, item in value.items():
            kind = kinds.get(key)
            if kind is None:
                unknown = Problem((*path, key), "unknown key", "Extra inputs are not permitted")
                found.append(unknown)
            elif type(item) is not kind and not (key == "type" and item == self.tag):
                look(item, kind, (*path, key), found)
        if not self.required <= value.keys():
            for key in sorted(self.required - value.keys()):
                found.append(Problem((*path, key), "missing key", "Field required"))

    def plus(self, optional: Mapping[str, Kind]) -> "Shape":
        """This shape with more optional keys."""
        required = {key: self.kinds[key] for key in self.required}
        return Shape(required, {**self.kinds, **optional})


class Tagged:
    """One of several shapes, told apart by the value of `type`; `default` where it is absent."""

    def __init__(self, shapes: Mapping[str, Shape], default: str | None = None) -> None:
        self.shapes = shapes
        self.default = default

    def look(self, value: Any, path: Path, found: Problems) -> None:
        if not isinstance(value, dict):
            _wrong(path, "a valid dictionary", found)
            return
        shape = self.shape(value)
        if shape is not None:
            shape.look(value, path, found)
        elif "type" in value:
            found.append(Problem((*path, "type"), "wrong kind", "Input tag is none of those known"))
        else:
            found.append(Problem((*path, "type"), "missing key", "Field required"))

    def shape(self, value: Mapping[str, Any]) -> Shape | None:
        """The shape that a value says it has."""
        tag = value.get("type")
        if tag is None:
            tag = self.default
        return self.shapes.get(tag) if isinstance(tag, str) else None

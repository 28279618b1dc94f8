"""The request types of the installed SDKs, read so that everything in them is checked at once.

Their lists are typed as any iterable, which pydantic checks only when read, and their objects let
unknown keys pass. Here lists are lists, unknown keys are refused, and what only a program can hold
(a model of a reply, an open file) is left out.
"""

import collections.abc
import functools
import os
import types
import typing
from typing import Any

import pydantic
import typing_extensions as te

LISTS = {collections.abc.Iterable, collections.abc.Sequence, list}
UNIONS: set[Any] = {typing.Union, types.UnionType}


def adapter(*types: Any) -> pydantic.TypeAdapter[Any]:
    """Checks a value against any of some request types."""
    either: Any = typing.Union[tuple(eager(kind) for kind in types)]  # noqa: UP007
    return pydantic.TypeAdapter(either)


def eager(kind: Any) -> Any:
    """A type with its lists checked at once and its objects closed."""
    if te.is_typeddict(kind):
        return _closed(kind)
    origin, args = te.get_origin(kind), te.get_args(kind)
    if origin in (te.Annotated, te.Required, te.NotRequired):
        return eager(args[0])
    if is_list(kind):
        return list[eager(args[0])]  # type: ignore[misc]
    if is_union(kind):
        return typing.Union[tuple(eager(arg) for arg in args if _is_json(arg))]  # noqa: UP007
    return kind


def is_list(kind: Any) -> bool:
    """Whether a type is a list; the SDK's own sequence type is a protocol with one argument."""
    origin = te.get_origin(kind)
    return origin in LISTS or getattr(origin, "__name__", "") == "SequenceNotStr"


def is_union(kind: Any) -> bool:
    return te.get_origin(kind) in UNIONS


def _is_json(kind: Any) -> bool:
    if isinstance(kind, type):
        return not issubclass(kind, pydantic.BaseModel | os.PathLike)
    origin: Any = te.get_origin(kind)
    return origin is not typing.IO and not _holds_a_model(kind)


def _holds_a_model(kind: Any) -> bool:
    """Whether a type is the annotated union of the blocks of a reply."""
    if te.get_origin(kind) is te.Annotated:
        inner = te.get_args(te.get_args(kind)[0])
        return any(isinstance(one, type) and issubclass(one, pydantic.BaseModel) for one in inner)
    return False


@functools.cache
def fields(kind: Any) -> dict[str, Any]:
    """The keys of an object type with their types, without the marks of what is required."""
    hints = te.get_type_hints(kind, include_extras=True)
    return {key: _bare(hint) for key, hint in hints.items()}


def required(kind: Any) -> set[str]:
    hints = te.get_type_hints(kind, include_extras=True)
    marked: Any = te.Required
    return {key for key, hint in hints.items() if te.get_origin(hint) is marked}


def members(kind: Any) -> list[Any]:
    """The alternatives of a type that JSON can hold, or the type itself."""
    if te.get_origin(kind) in (te.Annotated, te.Required, te.NotRequired):
        return members(te.get_args(kind)[0])
    if is_union(kind):
        return [one for arg in te.get_args(kind) if _is_json(arg) for one in members(arg)]
    return [kind]


def _bare(hint: Any) -> Any:
    wrapped = te.get_origin(hint) in (te.Required, te.NotRequired)
    return _bare(te.get_args(hint)[0]) if wrapped else hint


@functools.cache
def _closed(kind: Any) -> Any:
    needed = required(kind)
    hints = {
        key: te.Required[eager(hint)] if key in needed else eager(hint)
        for key, hint in fields(kind).items()
    }
    make: Any = te.TypedDict
    closed = make(kind.__name__, hints, total=False)
    extra = getattr(kind, "__pydantic_config__", {}).get("extra", "forbid")
    closed.__pydantic_config__ = {"extra": extra}
    closed.__module__ = __name__
    return closed

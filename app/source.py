"""The source of a loop, and how two of them differ."""

import inspect
from collections.abc import Callable
from dataclasses import dataclass
from difflib import SequenceMatcher
from functools import cache
from importlib import import_module
from typing import Any

from app.loops import dialect_of, names


@dataclass(frozen=True)
class Loop:
    """One loop of `app/loops`: its function, the function's source lines, and what it declares.

    `dialect` is the API that it speaks; `left_out` are lines of the base that this loop lacks,
    `put_in` lines of its own that the base lacks, both counted from 1.
    """

    name: str
    run: Callable[..., Any]
    lines: tuple[str, ...]
    base: str | None
    slip: str
    left_out: tuple[int, ...]
    put_in: tuple[int, ...]
    dialect: str = "anthropic"


@cache
def loops() -> dict[str, Loop]:
    """All loops by name, the correct one first."""
    return {name: _load(name) for name in names()}


def _load(name: str) -> Loop:
    module = import_module(f"app.loops.{name}")
    source, first = inspect.getsourcelines(module.run_agent)
    assert first == 1, f"{name}.py must begin with its loop: its line numbers are the page's"
    return Loop(
        name=name,
        run=module.run_agent,
        lines=tuple(line.rstrip("\n") for line in source),
        base=module.BASE,
        slip=module.SLIP,
        left_out=getattr(module, "LEFT_OUT", ()),
        put_in=getattr(module, "PUT_IN", ()),
        dialect=dialect_of(name),
    )


def difference(base: Loop, other: Loop) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """The lines of `base` that `other` lacks, and the lines of `other` that `base` lacks."""
    left_out: list[int] = []
    put_in: list[int] = []
    matcher = SequenceMatcher(a=base.lines, b=other.lines, autojunk=False)
    for tag, a1, a2, b1, b2 in matcher.get_opcodes():
        if tag != "equal":
            left_out += range(a1 + 1, a2 + 1)
            put_in += range(b1 + 1, b2 + 1)
    return tuple(left_out), tuple(put_in)

"""One file per loop, correct or with a slip: a plain `run_agent` that imports nothing.

Below each function stand four facts about it: BASE, the loop it differs from; SLIP, what it does
differently in one sentence; LEFT_OUT, the lines of the base that it lacks; PUT_IN, its own lines
that the base lacks. A test holds the files to them. DIALECT is the API that it speaks, where that
is another than the Messages API.
"""

from functools import cache
from importlib import import_module
from pkgutil import iter_modules


@cache
def names() -> tuple[str, ...]:
    """The names of all loops, the correct one first."""
    return tuple(
        sorted((m.name for m in iter_modules(__path__)), key=lambda n: (n != "correct", n))
    )


@cache
def dialect_of(name: str) -> str:
    """The API that a loop speaks: `anthropic` or `openai`."""
    return str(getattr(import_module(f"{__name__}.{name}"), "DIALECT", "anthropic"))

"""One file per loop, correct or with a slip: a plain `run_agent` that imports nothing.

Below each function stand four facts about it: BASE, the loop it differs from; SLIP, what it does
differently in one sentence; LEFT_OUT, the lines of the base that it lacks; PUT_IN, its own lines
that the base lacks. A test holds the files to them.
"""

from functools import cache
from pkgutil import iter_modules


@cache
def names() -> tuple[str, ...]:
    """The names of all loops, the correct one first."""
    return tuple(
        sorted((m.name for m in iter_modules(__path__)), key=lambda n: (n != "correct", n))
    )

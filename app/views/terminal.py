"""What the terminal shows of a run: the lines that the loop itself printed."""

from dataclasses import dataclass

from app.engine.steps import Step

MOST_LINES = 4  # that are shown at once


@dataclass(frozen=True)
class Terminal:
    """The last lines up to a step; the last `fresh` of them came with it, `earlier` are not shown.

    `prints` tells whether the run prints anything at all.
    """

    prints: bool
    lines: tuple[str, ...] = ()
    fresh: int = 0
    earlier: int = 0


def terminals_of(steps: tuple[Step, ...]) -> tuple[Terminal, ...]:
    """The terminal after each step."""
    prints = any(step.printed for step in steps)
    lines: list[str] = []
    seen: list[Terminal] = []
    for step in steps:
        new = step.printed.splitlines()
        lines += new
        shown = tuple(lines[-MOST_LINES:])
        fresh = min(len(new), len(shown))
        seen.append(Terminal(prints, shown, fresh, len(lines) - len(shown)))
    return tuple(seen)

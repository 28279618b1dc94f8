"""A run statement by statement: which lines run next, and what the loop's variables hold then."""

from dataclasses import dataclass

from app.engine.steps import Lines, Trace, Values


@dataclass(frozen=True)
class Value:
    """A number, or a list's length; `changed` since the statement before."""

    name: str
    number: int
    changed: bool


@dataclass(frozen=True)
class Statement:
    """One statement, about to run: the `at`-th of `count` in a step, counted from 1."""

    step: int
    at: int
    count: int
    lines: Lines
    values: tuple[Value, ...]


def statements(trace: Trace) -> tuple[Statement, ...]:
    """All statements of a watched run in order. A step that comes of a statement that began before
    it, as a reply does, has none of its own."""
    found: list[Statement] = []
    before: Values = ()
    for number, step in enumerate(trace.steps):
        for n, (lines, values) in enumerate(zip(step.ran, step.seen, strict=False)):
            known = dict(before)
            shown = tuple(Value(name, held, known.get(name) != held) for name, held in values)
            found.append(Statement(number, n + 1, len(step.seen), lines, shown))
            before = values
    return tuple(found)


def place_of(found: tuple[Statement, ...], step: int, at: int) -> int:
    """The number of a step's statement in the run; the nearest there is."""
    before = [n for n, one in enumerate(found) if (one.step, one.at) <= (max(step, 1), max(at, 1))]
    return before[-1] if before else 0

"""The lines of each loop that its slip touches, beside the same lines of the other loops."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from textwrap import dedent

from app.source import Loop, loops

MOST_LINES = {2: 8, 3: 6, 4: 4}  # by the number of lanes
STATEMENT = 8  # columns before a statement of the loop's body
CONTINUATION = 20  # columns from which a line continues the one before


@dataclass(frozen=True)
class Line:
    """One line of a loop. `look` is `same`, `left-out` (a line of the base that is not there) or
    `put-in`. `number` counts from 1, in the base for a line left out."""

    number: int
    text: str
    look: str = "same"


def excerpts(shown: Sequence[Loop]) -> list[tuple[Line, ...]]:
    """For each loop the lines that some loop among them leaves out, in the same order in each.

    A line left out stands where it belongs, a line put in stands where it runs.
    """
    bases = {loop.base or loop.name for loop in shown}
    touched = {
        base: sorted({n for loop in shown if loop.base == base for n in _touched(loop)})
        for base in bases
    }
    most = MOST_LINES[len(shown)]
    return [_excerpt(loop, touched[loop.base or loop.name], most) for loop in shown]


def _touched(loop: Loop) -> tuple[int, ...]:
    """The lines of the base that a loop leaves out, else the one that it puts its own behind."""
    if loop.left_out or not (loop.put_in and loop.base):
        return loop.left_out
    moved = _moved(loop, loops()[loop.base])
    return (max(number for number, own in moved.items() if own < loop.put_in[0]),)


def _excerpt(loop: Loop, touched: list[int], most: int) -> tuple[Line, ...]:
    base = loops()[loop.base] if loop.base else loop
    moved = _moved(loop, base)
    lines = []
    for number in touched:
        if number in loop.left_out:
            lines.append((number, Line(number, base.lines[number - 1], "left-out")))
        else:
            lines.append((number, Line(moved[number], base.lines[number - 1])))
    for number in loop.put_in:
        after = max((b for b, own in moved.items() if own < number), default=0)
        replaced = [n for n in loop.left_out if n > after]
        gap = next((b for b in sorted(moved) if b > after), len(base.lines) + 1)
        place = max((n for n in replaced if n < gap), default=after)
        lines.append((place, Line(number, loop.lines[number - 1], "put-in")))
    ordered = [line for _, line in sorted(lines, key=lambda placed: placed[0])]
    while len(ordered) > most and any(line.look == "same" for line in ordered):
        ordered.remove(next(line for line in reversed(ordered) if line.look == "same"))
    ordered = ordered[:most]
    if not ordered:
        return ()
    kept = [replace(line, text=_unaligned(line, ordered, moved)) for line in ordered]
    if not kept:
        return ()
    texts = dedent("\n".join(line.text for line in kept)).split("\n")
    return tuple(replace(line, text=text) for line, text in zip(kept, texts, strict=True))


def _unaligned(line: Line, shown: list[Line], moved: dict[int, int]) -> str:
    """A continuation whose first line is not shown has nothing to be aligned with."""
    bare = line.text.lstrip()
    if len(line.text) - len(bare) < CONTINUATION:
        return line.text
    before = {other.number for other in shown if other.look != "left-out"}
    if line.look == "left-out":
        back = {own: number for number, own in moved.items()}
        before = {back.get(number, 0) for number in before}
        before |= {other.number for other in shown if other.look == "left-out"}
    return line.text if line.number - 1 in before else " " * STATEMENT + bare


def _moved(loop: Loop, base: Loop) -> dict[int, int]:
    """Where each line of the base that the loop keeps stands in the loop."""
    kept = [n for n in range(1, len(base.lines) + 1) if n not in loop.left_out]
    own = [n for n in range(1, len(loop.lines) + 1) if n not in loop.put_in]
    return dict(zip(kept, own, strict=True))

"""The controls under a lesson: start, back, Step, next turn, end, and a cell for every step."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from app.views.addresses import Place
from app.views.picture import Piece

MOST_WORDS = 15  # steps whose cells carry their kind in words
MOST_TICKS = 150  # steps that have a cell of their own
MOST_CELLS = 100  # cells of turns, where there are more steps than that
MOST_LABELS = 14  # turns that carry their number


class Placed(Protocol):
    """A step, or a row of steps: which turn it is of, and its kind."""

    @property
    def turn(self) -> int: ...
    @property
    def kind(self) -> str: ...


@dataclass(frozen=True)
class Move:
    """A link to another step: `page` is its address, `fragment` what htmx gets instead.

    Both are "" where there is nowhere to go.
    """

    page: str = ""
    fragment: str = ""


@dataclass(frozen=True)
class Controls:
    start: Move
    back: Move
    step: Move
    turn: Move
    end: Move
    at: int
    last: int
    difference: Move | None = None  # to the next row in which lanes differ; None with one lane


@dataclass(frozen=True)
class Cell:
    """A place in the row of steps. `state` is `done`, `now` or `next`; `label` the turn's number
    over the first cell of a turn; `differs` marks the first difference of several lanes."""

    move: Move
    state: str
    kind: str  # "" where a cell is a tick
    label: str
    turn: int
    at: int
    differs: bool = False


def controls_of(firsts: Sequence[int], last: int, turn: int, place: Place) -> Controls:
    """The controls at a step: `firsts` are the first steps of the turns, `last` the last step."""
    at = place.step
    following = firsts[turn + 1] if turn + 1 < len(firsts) else last
    return Controls(
        start=jump(place, 0) if at else Move(),
        back=Move(place.at(at - 1).page, place.fragment_to(at - 1)) if at else Move(),
        step=Move(place.at(at + 1).page, place.fragment_to(at + 1)) if at < last else Move(),
        turn=jump(place, following) if at < last else Move(),
        end=jump(place, last) if at < last else Move(),
        at=at,
        last=last,
    )


def jump(place: Place, step: int) -> Move:
    """A link that may go any way."""
    return Move(place.at(step).page, place.jump_to(step))


def scrubber(
    steps: Sequence[Placed], firsts: Sequence[int], at: int, place: Place
) -> tuple[Piece, ...]:
    """A cell for each step; for each turn or few turns in a long run."""
    last = len(steps) - 1
    starts = range(1, last + 1)
    if last > MOST_TICKS:
        stride = -(-(len(firsts) - 1) // MOST_CELLS)
        starts = firsts[1::stride]  # type: ignore[assignment]
    every = -(-(len(firsts) - 1) // MOST_LABELS)
    cells = []
    for n, start in enumerate(starts):
        following = starts[n + 1] if n + 1 < len(starts) else last + 1
        step = steps[start]
        first = start == firsts[step.turn]
        labelled = first and (step.turn - 1) % every == 0
        cells.append(
            Piece(
                f"s-{start}",
                "cell",
                Cell(
                    move=jump(place, start),
                    state="now" if start <= at < following else "done" if start < at else "next",
                    kind=step.kind if last <= MOST_WORDS else "",
                    label=str(step.turn) if labelled else "",
                    turn=step.turn,
                    at=start,
                ),
            )
        )
    return tuple(cells)

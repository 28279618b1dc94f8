"""The controls under a lesson: start, back, Step, next turn, end, and a cell for every step."""

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Protocol

from app.views.addresses import Place
from app.views.picture import Piece

MOST_WORDS = 15  # steps whose cells carry their kind in words
MOST_TICKS = 150  # steps that have a cell of their own
MOST_CELLS = 100  # cells of turns, where there are more steps than that
MOST_VIEWS = 8  # in which the cells of one run are kept
MOST_LABELS = 14  # turns that carry their number


class Placed(Protocol):
    """A step, or a row of steps: which turn it is of, and its kind."""

    @property
    def turn(self) -> int: ...
    @property
    def kind(self) -> str: ...


@dataclass(frozen=True)
class Controls:
    """Addresses of the pages that the controls lead to, "" where there is nowhere to go.

    They are no part of what changes from step to step: `addresses.js` makes them from `At`.
    """

    start: str = field(compare=False)
    back: str = field(compare=False)
    step: str = field(compare=False)
    turn: str = field(compare=False)
    end: str = field(compare=False)
    at: int = field(compare=False)
    last: int
    # To the next row in which lanes differ; None with one lane.
    difference: str | None = field(default=None, compare=False)


@dataclass(frozen=True)
class At:
    """Where a page stands, and where its controls lead: from it `addresses.js` makes all addresses.

    `difference` is None where there is none ahead, `held` the number of messages in one lane's
    list, or in its helper's where that works. Line by line, `line` counts the statements after the
    step; `back` and `ahead` name the statements around it: `7.2` is the second one after step 7.
    """

    step: int
    last: int
    turn: int
    difference: int | None = None
    held: int | None = None
    line: int = 0
    back: str = ""
    ahead: str = ""


@dataclass(frozen=True)
class Cell:
    """A place in the row of steps. `state` is `done`, `now` or `next`; `label` the turn's number
    over the first cell of a turn; `differs` marks the first difference of several lanes."""

    page: str
    state: str
    kind: str  # "" where a cell is a tick
    label: str
    turn: int
    at: int
    differs: bool = False


def controls_of(firsts: Sequence[int], last: int, turn: int, place: Place) -> Controls:
    """The controls at a step: `firsts` are the first steps of the turns, `last` the last step."""
    at = place.step
    return Controls(
        start=place.at(0).page if at else "",
        back=place.at(at - 1).page if at else "",
        step=place.at(at + 1).page if at < last else "",
        turn=place.at(next_turn(firsts, last, turn)).page if at < last else "",
        end=place.at(last).page if at < last else "",
        at=at,
        last=last,
    )


def next_turn(firsts: Sequence[int], last: int, turn: int) -> int:
    """The first step of the turn after one; the last step where there is none."""
    return firsts[turn + 1] if turn + 1 < len(firsts) else last


class Scrubber:
    """The row of steps of one run: a cell for each step; for each turn or few turns in a long run.

    The cells are made once for each view, in each of their three states.
    """

    def __init__(self, steps: Sequence[Placed], firsts: Sequence[int]) -> None:
        self.steps, self.firsts = steps, firsts
        self.last = len(steps) - 1
        starts: Sequence[int] = range(1, self.last + 1)
        if self.last > MOST_TICKS:
            stride = -(-(len(firsts) - 1) // MOST_CELLS)
            starts = firsts[1::stride]
        self.starts = starts
        self._known: dict[Place, dict[str, tuple[Piece, ...]]] = {}

    def pieces(self, place: Place, marked: int | None = None) -> tuple[Piece, ...]:
        """The cells at a step; the one at `marked` is the first difference, once it is reached."""
        view = place.at(0)
        if view not in self._known:
            if len(self._known) == MOST_VIEWS:
                self._known.clear()
            self._known[view] = {
                state: tuple(self._cell(view, n, state) for n in range(len(self.starts)))
                for state in ("done", "now", "next")
            }
        cells = self._known[view]
        n = bisect_right(self.starts, place.step) - 1
        if n < 0:
            return cells["next"]
        shown = [*cells["done"][:n], cells["now"][n], *cells["next"][n + 1 :]]
        at = bisect_right(self.starts, marked) - 1 if marked else -1
        if 0 <= at <= n and self.starts[at] == marked:
            shown[at] = replace(shown[at], data=replace(shown[at].data, differs=True))
        return tuple(shown)

    def _cell(self, place: Place, n: int, state: str) -> Piece:
        start, firsts = self.starts[n], self.firsts
        step = self.steps[start]
        every = -(-(len(firsts) - 1) // MOST_LABELS)
        labelled = start == firsts[step.turn] and (step.turn - 1) % every == 0
        cell = Cell(
            page=place.at(start).page,
            state=state,
            kind=step.kind if self.last <= MOST_WORDS else "",
            label=str(step.turn) if labelled else "",
            turn=step.turn,
            at=start,
        )
        return Piece(f"s-{start}", "cell", cell)

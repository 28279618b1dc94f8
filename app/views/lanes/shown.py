"""The lanes of a page: what was chosen of a lesson, and how it compares."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from app.compare import Comparison, Row, compare
from app.engine.dialects.parts import read_reply
from app.engine.steps import WAITS, Reply, Step, Tool, Trace
from app.lessons import Lane, Lesson
from app.source import Loop, loops
from app.views.addresses import Choice
from app.views.strip import Round, rounds


@dataclass(frozen=True)
class Shown:
    """One lane of a page: which, whether its server checks requests, and its trace.

    `own` is its loop where that is none of the shipped ones, `decisions` what a person decided.
    """

    lane: Lane
    checked: bool
    trace: Trace
    own: Loop | None = None
    decisions: tuple[str, ...] = ()

    @property
    def choice(self) -> Choice:
        """The lane as an address names it."""
        return Choice(self.lane.name, self.checked, self.decisions)

    @property
    def waits(self) -> bool:
        """Whether the lane waits for a person's decision."""
        return self.trace.ending.kind == WAITS

    @property
    def name(self) -> str:
        return self.lane.name

    @property
    def loop(self) -> Loop:
        return self.own or loops()[self.lane.loop]

    @property
    def is_base(self) -> bool:
        """Whether the lane's loop is one that others differ from: nothing of it is a slip."""
        return self.loop.base is None

    @cached_property
    def rounds(self) -> dict[int, Round]:
        return rounds(self.trace)

    @cached_property
    def faults_before(self) -> dict[int, frozenset[str]]:
        """What had gone wrong before each turn, by its number."""
        before: frozenset[str] = frozenset()
        known = {}
        for turn, brought in self.rounds.items():
            known[turn] = before
            before |= brought.faults
        return known

    def repeats(self, step: Step) -> int:
        """How often before, in this lane, the model was answered or a tool was run as in `step`."""
        earlier = [s for s in self.trace.steps if s.turn < step.turn]
        if isinstance(step, Reply):
            mine = _asked(step)
            return sum(isinstance(s, Reply) and _asked(s) == mine for s in earlier)
        if isinstance(step, Tool):
            return sum(
                isinstance(s, Tool)
                and (s.call.get("name"), s.call.get("input"), s.result.content)
                == (step.call.get("name"), step.call.get("input"), step.result.content)
                for s in earlier
            )
        return 0


def _asked(step: Reply) -> list[object]:
    """A reply without the ids that tell its calls from those of other replies."""
    blocks = [
        block for block in read_reply(step.reply).get("content", []) if isinstance(block, dict)
    ]
    return [{key: value for key, value in block.items() if key != "id"} for block in blocks]


@dataclass(frozen=True)
class Lanes:
    """Two to four lanes of a lesson side by side."""

    lesson: Lesson
    shown: tuple[Shown, ...]
    lang: str

    @cached_property
    def comparison(self) -> Comparison:
        return compare([lane.trace for lane in self.shown])

    @property
    def rows(self) -> tuple[Row, ...]:
        return self.comparison.rows

    @property
    def last(self) -> int:
        """The number of the last row."""
        return len(self.rows) - 1

    @cached_property
    def reached(self) -> list[tuple[int, ...]]:
        """For each row, the last step that each lane has reached in it."""
        now = [0 for _ in self.shown]
        known = []
        for row in self.rows:
            now = [old if n is None else n for old, n in zip(now, row.steps, strict=True)]
            known.append(tuple(now))
        return known

    @property
    def turns(self) -> int:
        return self.rows[-1].turn

    def step(self, row: int, lane: int) -> Step | None:
        """A lane's step in a row; None where it has none."""
        number = self.rows[row].steps[lane]
        return None if number is None else self.shown[lane].trace.steps[number]

    def now(self, row: int, lane: int) -> Step:
        """The last step that a lane has reached in a row."""
        return self.shown[lane].trace.steps[self.reached[row][lane]]

    def has_ended(self, row: int, lane: int) -> bool:
        """Whether a lane has come to its end, in this row or before; one that waits has not."""
        return not self.shown[lane].waits and self.stands(row, lane)

    def stands(self, row: int, lane: int) -> bool:
        """Whether a lane has come to its last step, in this row or before."""
        return self.reached[row][lane] == len(self.shown[lane].trace.steps) - 1

    def next_difference(self, row: int, back: bool = False) -> int | None:
        """The nearest row after (or before) one in which lanes differ anew; None where there is
        none."""
        found = self.comparison.differences
        if back:
            return next((n for n in reversed(found) if n < row), None)
        return next((n for n in found if n > row), None)


def same_turn(before: Lanes, row: int, after: Lanes) -> int:
    """The row of other lanes that keeps the turn.

    A lane that stays keeps its step where it comes alone, or was alone; another lane that comes
    alone is as far into the turn; else the row stays where it is of that turn too.
    """
    row = min(row, before.last)
    turn = before.rows[row].turn
    alone = len(before.shown) == 1 or len(after.shown) == 1
    for at, lane in enumerate(before.shown) if alone else ():
        for n, other in enumerate(after.shown):
            if (lane.name, lane.checked) == (other.name, other.checked):
                return after.comparison.row_of(n, before.reached[row][at])
    if len(before.shown) == len(after.shown) == 1:
        rows = [n for n, one in enumerate(after.rows) if one.turn == turn]
        into = row - before.comparison.first_row_of_turn(turn)
        return rows[min(into, len(rows) - 1)] if rows else after.last
    if row <= after.last and after.rows[row].turn == turn:
        return row
    return after.comparison.first_row_of_turn(turn)


def value_of(lesson: Lesson, choices: Sequence[Choice]) -> str:
    """Lanes as an address names them."""
    return ",".join(choice.written(lesson) for choice in choices)

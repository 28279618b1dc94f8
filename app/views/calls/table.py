"""The rows: each call that a reply asked for or a loop made up, in the order of asking.

What a helper agent did inside a call is a table of its own, which hangs at that call's row.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

from app.engine.dialects.parts import calls_of, is_completion, read_reply, same_call
from app.engine.steps import Ask, Ending, Helper, Json, Reply, Result, Tool, Trace, Wait
from app.prices import SCRIPTED_AT, cost_of

CACHED = ("cache_read_input_tokens", "cache_creation_input_tokens")


@dataclass(frozen=True)
class Spent:
    """Time, tokens and money. `dollars` is None where a price is not known."""

    seconds: float = 0.0
    tokens_in: int = 0
    tokens_out: int = 0
    dollars: float | None = 0.0

    def __add__(self, other: "Spent") -> "Spent":
        known = self.dollars is not None and other.dollars is not None
        return Spent(
            round(self.seconds + other.seconds, 3),
            self.tokens_in + other.tokens_in,
            self.tokens_out + other.tokens_out,
            (self.dollars or 0) + (other.dollars or 0) if known else None,
        )

    @property
    def tokens(self) -> int:
        """What went in and what came out."""
        return self.tokens_in + self.tokens_out


@dataclass(frozen=True)
class Row:
    """One call.

    `number` counts the calls of one agent; `inside` are the numbers of the calls around it, where
    the agent is a helper, the outermost first, and `helping` what a helper did in this one. `asked`
    is the step of the reply that asks for it, None where no reply does; `ran` the step that ran it,
    with its `outcome`, both None where none does: steps of the whole run. Both times count from its
    start: `asked_at` is when the request left, `began` when the call was run. `turn_spent` is what
    its turn's request took, `so_far` all until the call is over. `decision` is what a person said
    of it: "" while the run waits for one, None where nobody is asked.
    """

    number: int
    turn: int
    asked: int | None
    ran: int | None
    asked_at: float
    began: float
    id: str
    tool: str
    arguments: Any
    outcome: Result | None
    seconds: float
    turn_spent: Spent
    so_far: Spent
    decision: str | None = None
    inside: tuple[int, ...] = ()
    helping: "Helping | None" = None

    @property
    def path(self) -> tuple[int, ...]:
        """Its number, after those of the calls around it."""
        return (*self.inside, self.number)

    @property
    def name(self) -> str:
        """The same as people write it: `3.1`."""
        return ".".join(map(str, self.path))

    @property
    def depth(self) -> int:
        """How many calls are around it."""
        return len(self.inside)

    @property
    def result(self) -> str:
        """What the tool gave back; "" where none ran."""
        return self.outcome.content if self.outcome else ""

    @property
    def failed(self) -> bool:
        """Whether the result is marked as an error."""
        return self.outcome is not None and self.outcome.is_error

    @property
    def tries(self) -> int:
        """How often the tool was tried."""
        return max(1, len(self.outcome.tries)) if self.outcome else 0


@dataclass(frozen=True)
class Turn:
    """One request: its step, when it left, what it took, its body without the messages, and its
    reply, None where it got none."""

    turn: int
    step: int
    began: float
    spent: Spent
    envelope: Json
    reply: Json | None = None


@dataclass(frozen=True)
class Table:
    """The calls and the turns of one agent, when it `began`, and what it took in all: turns without
    calls and what its helpers did included."""

    calls: tuple[Row, ...]
    turns: tuple[Turn, ...]
    total: Spent
    began: float = 0.0

    @cached_property
    def rows(self) -> tuple[Row, ...]:
        """All calls, those of helpers after the call that they were made in."""
        return tuple(
            row
            for call in self.calls
            for row in (call, *(call.helping.table.rows if call.helping else ()))
        )

    @property
    def helpers(self) -> tuple["Helping", ...]:
        """What all helpers did, those of helpers included."""
        return tuple(row.helping for row in self.rows if row.helping)

    @property
    def helpers_calls(self) -> int:
        """How many calls helpers made."""
        return len(self.rows) - len(self.calls)

    @property
    def helpers_turns(self) -> int:
        """How many turns helpers took."""
        return sum(len(helping.table.turns) for helping in self.helpers)

    @property
    def tools(self) -> tuple[str, ...]:
        """The names of the tools called, in the order of their first calls."""
        return tuple(dict.fromkeys(row.tool for row in self.rows))


BEFORE_ALL = Turn(0, 0, 0.0, Spent(), {})  # of a call that a loop runs before it asks


@dataclass(frozen=True)
class Helping:
    """The run of a helper agent inside a call: its own table, and how it ended."""

    table: Table
    ending: Ending


Dollars = Callable[[Trace], Sequence[float | None]]


def scripted_dollars(trace: Trace) -> tuple[float | None, ...]:
    """What each request of a scripted run would have cost, by the prices of a fixed day."""
    replies = {step.turn: step for step in trace.steps if isinstance(step, Reply)}
    return tuple(
        _cost(ask, replies[ask.turn].reply) if ask.turn in replies else 0.0 for ask in trace.asks
    )


def provider_of(reply: Json) -> str:
    """Whose API gave a reply."""
    return "openai" if is_completion(reply) else "anthropic"


def table_of(
    trace: Trace, dollars: Sequence[float | None], of_helper: Dollars = scripted_dollars
) -> Table:
    """The table of a run; `dollars` is the cost of each of its requests, one a turn, `of_helper`
    tells that of each of a helper's."""
    return _table(trace, _Made(dollars, of_helper))


def _table(trace: Trace, made: "_Made") -> Table:
    for number, step in enumerate(trace.steps):
        match step:
            case Ask():
                made.ask(number, step)
            case Reply():
                made.reply(number, step)
            case Wait():
                made.wait(step)
            case Tool():
                made.tool(number, step)
            case Helper() if made.helper is None:
                made.helper = number, step.run  # its other steps follow, up to the call's end
    made.cut_off()
    return Table(tuple(made.rows), tuple(made.turns), made.total, made.before.seconds)


@dataclass
class _Made:
    """A table in the making. Of a helper's: `before` is what the run had taken when it began,
    `first` the number of its first step, `inside` the numbers of the calls around it."""

    dollars: Sequence[float | None]
    of_helper: Dollars
    before: Spent = field(default_factory=Spent)
    first: int = 0
    inside: tuple[int, ...] = ()
    rows: list[Row] = field(default_factory=list)
    calls: list[Mapping[str, Any]] = field(default_factory=list)  # of each row
    turns: list[Turn] = field(default_factory=list)
    total: Spent = field(default_factory=Spent)
    helper: tuple[int, Trace] | None = None  # in the call that runs: its first step, its run

    @property
    def so_far(self) -> Spent:
        """What the whole run has taken."""
        return self.before + self.total

    @property
    def turn(self) -> Turn:
        """The turn that the run is in."""
        return self.turns[-1] if self.turns else BEFORE_ALL

    def ask(self, number: int, step: Ask) -> None:
        at = self.first + number
        self.turns.append(Turn(step.turn, at, self.so_far.seconds, Spent(), step.envelope))

    def reply(self, number: int, step: Reply) -> None:
        usage = _usage(step.reply)
        spent = Spent(
            step.seconds,
            _count(usage, "input_tokens") + sum(_count(usage, key) for key in CACHED),
            _count(usage, "output_tokens"),
            self.dollars[step.turn - 1] if step.turn <= len(self.dollars) else None,
        )
        self.total += spent
        self.turns[-1] = replace(self.turns[-1], spent=spent, reply=step.reply)
        for call in calls_of(step.reply):
            self.add(call, self.row(call, asked=self.first + number))

    def wait(self, step: Wait) -> None:
        at = self.waiting(step.call)
        if at is not None:
            self.rows[at] = replace(self.rows[at], decision=step.decision)

    def tool(self, number: int, step: Tool) -> None:
        began = self.so_far.seconds
        at = self.waiting(step.call)
        row = self.row(step.call, asked=None) if at is None else self.rows[at]
        helping = self.helped(row)
        helpers = helping.table.total if helping else Spent()
        self.total += replace(helpers, seconds=step.seconds)  # the helper's time is the call's
        done = replace(
            row,
            ran=self.first + number,
            began=began,
            outcome=step.result,
            seconds=step.seconds,
            so_far=self.so_far,
            helping=helping,
        )
        if at is None:
            self.add(step.call, done)
        else:
            self.rows[at] = done

    def helped(self, row: Row) -> Helping | None:
        """What a helper did in the call of a row that runs now."""
        if self.helper is None:
            return None
        (first, run), self.helper = self.helper, None
        made = _Made(self.of_helper(run), self.of_helper, self.so_far, self.first + first, row.path)
        return Helping(_table(run, made), run.ending)

    def cut_off(self) -> None:
        """Where the run ended inside a call: what its helper did until then."""
        at = next((at for at, row in enumerate(self.rows) if self.open(row)), None)
        if at is None or (helping := self.helped(self.rows[at])) is None:
            return
        spent = helping.table.total
        self.total += spent
        self.rows[at] = replace(
            self.rows[at], seconds=spent.seconds, so_far=self.so_far, helping=helping
        )

    def add(self, call: Mapping[str, Any], row: Row) -> None:
        self.calls.append(call)
        self.rows.append(row)

    def row(self, call: Mapping[str, Any], asked: int | None) -> Row:
        turn = self.turn
        return Row(
            number=len(self.rows) + 1,
            turn=turn.turn,
            asked=asked,
            ran=None,
            asked_at=turn.began,
            began=self.so_far.seconds,
            id=str(call.get("id", "")),
            tool=str(call.get("name", "")),
            arguments=call.get("input"),
            outcome=None,
            seconds=0.0,
            turn_spent=turn.spent,
            so_far=self.so_far,
            inside=self.inside,
        )

    def waiting(self, call: Mapping[str, Any]) -> int | None:
        """The row of this turn that a call which was run belongs to."""
        for at, row in enumerate(self.rows):
            if self.open(row) and same_call(self.calls[at], call):
                return at
        return None

    def open(self, row: Row) -> bool:
        """Whether a call of this turn has not been run."""
        return row.turn == self.turn.turn and row.ran is None


def _cost(ask: Ask, reply: Json) -> float | None:
    model = str(ask.envelope.get("model"))
    return cost_of(model, _usage(reply), SCRIPTED_AT, provider_of(reply))


def _usage(reply: Json) -> Json:
    usage = read_reply(reply).get("usage")
    return usage if isinstance(usage, dict) else {}


def _count(usage: Json, key: str) -> int:
    value = usage.get(key)
    return value if isinstance(value, int) and not isinstance(value, bool) and value > 0 else 0

"""The rows: each call that a reply asked for or a loop made up, in the order of asking."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from app.engine.dialects.parts import calls_of, is_completion, read_reply, same_call
from app.engine.steps import Ask, Json, Reply, Result, Tool, Trace, Wait
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

    `asked` is the step of the reply that asks for it, None where no reply does; `ran` the step that
    ran it, with its `outcome`, both None where none does. Both times count from the run's start:
    `asked_at` is when its request left, `began` when it was run. `turn_spent` is what its turn's
    request took, `so_far` all until the call is over. `decision` is what a person said of it: ""
    while the run waits for one, None where nobody is asked.
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
    """The calls of a run, its turns, and what it took in all, turns without calls included."""

    rows: tuple[Row, ...]
    turns: tuple[Turn, ...]
    total: Spent

    @property
    def tools(self) -> tuple[str, ...]:
        """The names of the tools called, in the order of their first calls."""
        return tuple(dict.fromkeys(row.tool for row in self.rows))


def scripted_dollars(trace: Trace) -> tuple[float | None, ...]:
    """What each request of a scripted run would have cost, by the prices of a fixed day."""
    replies = {step.turn: step for step in trace.steps if isinstance(step, Reply)}
    return tuple(
        _cost(ask, replies[ask.turn].reply) if ask.turn in replies else 0.0 for ask in trace.asks
    )


def provider_of(reply: Json) -> str:
    """Whose API gave a reply."""
    return "openai" if is_completion(reply) else "anthropic"


def table_of(trace: Trace, dollars: Sequence[float | None]) -> Table:
    """The table of a run; `dollars` is the cost of each of its requests, one a turn."""
    made = _Made(dollars)
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
    return Table(tuple(made.rows), tuple(made.turns), made.total)


@dataclass
class _Made:
    """A table in the making."""

    dollars: Sequence[float | None]
    rows: list[Row] = field(default_factory=list)
    calls: list[Mapping[str, Any]] = field(default_factory=list)  # of each row
    turns: list[Turn] = field(default_factory=list)
    total: Spent = field(default_factory=Spent)

    def ask(self, number: int, step: Ask) -> None:
        self.turns.append(Turn(step.turn, number, self.total.seconds, Spent(), step.envelope))

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
            self.add(call, self.row(call, asked=number))

    def wait(self, step: Wait) -> None:
        at = self.waiting(step.call)
        if at is not None:
            self.rows[at] = replace(self.rows[at], decision=step.decision)

    def tool(self, number: int, step: Tool) -> None:
        began = self.total.seconds
        self.total += Spent(step.seconds)
        at = self.waiting(step.call)
        row = self.row(step.call, asked=None) if at is None else self.rows[at]
        done = replace(
            row,
            ran=number,
            began=began,
            outcome=step.result,
            seconds=step.seconds,
            so_far=self.total,
        )
        if at is None:
            self.add(step.call, done)
        else:
            self.rows[at] = done

    def add(self, call: Mapping[str, Any], row: Row) -> None:
        self.calls.append(call)
        self.rows.append(row)

    def row(self, call: Mapping[str, Any], asked: int | None) -> Row:
        turn = self.turns[-1]
        return Row(
            number=len(self.rows) + 1,
            turn=turn.turn,
            asked=asked,
            ran=None,
            asked_at=turn.began,
            began=self.total.seconds,
            id=str(call.get("id", "")),
            tool=str(call.get("name", "")),
            arguments=call.get("input"),
            outcome=None,
            seconds=0.0,
            turn_spent=turn.spent,
            so_far=self.total,
        )

    def waiting(self, call: Mapping[str, Any]) -> int | None:
        """The row of this turn that a call which was run belongs to."""
        for at, row in enumerate(self.rows):
            here = row.turn == self.turns[-1].turn and row.ran is None
            if here and same_call(self.calls[at], call):
                return at
        return None


def _cost(ask: Ask, reply: Json) -> float | None:
    model = str(ask.envelope.get("model"))
    return cost_of(model, _usage(reply), SCRIPTED_AT, provider_of(reply))


def _usage(reply: Json) -> Json:
    usage = read_reply(reply).get("usage")
    return usage if isinstance(usage, dict) else {}


def _count(usage: Json, key: str) -> int:
    value = usage.get(key)
    return value if isinstance(value, int) and not isinstance(value, bool) and value > 0 else 0

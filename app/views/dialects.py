"""One request in both dialects: what is the same is tied, what is lost is struck through."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from app.engine.dialects import (
    Converted,
    Path,
    Tie,
    reply_to_anthropic,
    reply_to_openai,
    to_anthropic,
    to_openai,
)
from app.engine.rules import check
from app.engine.steps import Fault, Json, Reply, Trace
from app.views.marked import LOST, TIED, Hidden, Line, Mark, Marks, marked_lines
from app.views.requests import Entry, entry, messages_of

ANTHROPIC, OPENAI = "anthropic", "openai"
IDS = ("tool_use_id", "tool_call_id")  # they stand inside what is tied
SCHEMAS = ("input_schema", "parameters")


@dataclass(frozen=True)
class Side:
    """A dialect's side: `own` where the loop speaks it; `faults` refuse the request there."""

    dialect: str
    own: bool
    faults: tuple[Fault, ...]
    envelope: tuple[Line, ...]
    reply: tuple[Line, ...]


@dataclass(frozen=True)
class Row:
    """Messages that say the same; on one side there may be none."""

    left: tuple[Entry, ...]
    right: tuple[Entry, ...]


@dataclass(frozen=True)
class Both:
    """The request of a turn and its reply in both: Messages on the left, always."""

    turn: int
    turns: int
    left: Side
    right: Side
    rows: tuple[Row, ...]
    lost: int


def both_of(trace: Trace, turn: int, dialect: str, betas: Sequence[str] = ()) -> Both | None:
    """A turn of a trace, whose loop speaks `dialect` and sends these beta headers; None where no
    request was ever sent."""
    if not trace.asks:
        return None
    turn = min(max(turn, 1), len(trace.asks))
    request = trace.request(trace.asks[turn - 1])
    reply = next((s.reply for s in trace.steps if isinstance(s, Reply) and s.turn == turn), None)
    chat = dialect == OPENAI
    made = to_anthropic(request) if chat else to_openai(request)
    here, there = _marks(made, 1)
    answered = None if reply is None else (reply_to_anthropic if chat else reply_to_openai)(reply)
    own = _side(dialect, True, request, here, betas)
    other = _side(OPENAI if not chat else ANTHROPIC, False, made.body, there)
    if reply is not None and answered is not None:
        mine, theirs = _marks(answered, len(made.ties) + 1)
        own = _with_reply(own, reply, mine)
        other = _with_reply(other, answered.body, theirs)
    rows = _rows(request, made, here, there, own.dialect, other.dialect)
    if chat:
        rows = [Row(row.right, row.left) for row in rows]
    lost = len(made.lost) + (len(answered.lost) if answered else 0)
    left, right = (other, own) if chat else (own, other)
    return Both(turn, len(trace.asks), left, right, tuple(rows), lost)


def _side(dialect: str, own: bool, request: Json, marks: Marks, betas: Sequence[str] = ()) -> Side:
    faults = check(request, dialect, betas=betas)
    refusing = tuple(fault for fault in faults if fault.effect == "refuse")
    return Side(dialect, own, refusing, _envelope(request, marks), ())


def _with_reply(side: Side, reply: Json, marks: Marks) -> Side:
    lines = tuple(marked_lines(reply, marks))
    return Side(side.dialect, side.own, side.faults, side.envelope, lines)


def _marks(made: Converted, first: int) -> tuple[dict[Path, Mark], dict[Path, Mark]]:
    """The marks at the source and at what was made of it; ties are counted from `first` on."""
    here: dict[Path, Mark] = {}
    there: dict[Path, Mark] = {}
    numbers: dict[Path, int] = {}
    for tie in _units(made.ties):
        number = numbers.setdefault(tie.there, first + len(numbers))
        here[tie.here] = there[tie.there] = Mark(TIED, str(number))
    for lost in made.lost:  # what stands elsewhere there is not struck through
        mark = here.get(lost.where, Mark(LOST))
        here[lost.where] = Mark(mark.look, mark.text, lost.why)
    return here, there


def _units(ties: Sequence[Tie]) -> list[Tie]:
    """The ties without those that hold smaller ones, and without those of ids."""
    plain = [tie for tie in ties if tie.here[-1] not in IDS]
    return [
        tie
        for tie in plain
        if not any(_inside(o.here, tie.here) or _inside(o.there, tie.there) for o in plain)
    ]


def _inside(inner: Path, outer: Path) -> bool:
    return len(inner) > len(outer) and inner[: len(outer)] == outer


def _envelope(request: Json, marks: Marks) -> tuple[Line, ...]:
    """All but the messages; of a tool's schema nothing is shown."""
    shown: Json = {}
    for key, value in request.items():
        if key in ("tools", "functions") and isinstance(value, list):
            shown[key] = [_tool(tool) for tool in value]
        elif key != "messages" or not isinstance(value, list):
            shown[key] = value
    return tuple(marked_lines(shown, marks))


def _tool(tool: Any) -> Any:
    if not isinstance(tool, dict):
        return tool
    return {key: Hidden() if key in SCHEMAS else _tool(value) for key, value in tool.items()}


def _rows(
    request: Json, made: Converted, here: Marks, there: Marks, own: str, other: str
) -> list[Row]:
    """The messages of the source in order, each with what was made of it."""
    sources, products = messages_of(request), messages_of(made.body)
    owners: dict[int, int] = {}  # of a message that was made: the first source message, or -1
    for tie in made.ties:
        if tie.there[0] == "messages":
            at = tie.here[1] if tie.here[0] == "messages" else -1
            owners.setdefault(int(tie.there[1]), int(at))
    rows: list[tuple[list[int], list[int]]] = []
    begun: dict[int, int] = {}  # the row of each message that was made
    before = [n for n in range(len(products)) if owners.get(n) == -1]
    if before:
        rows.append(([], before))
    for n in range(len(sources)):
        mine = _made_of(n, made.ties)
        row = next((begun[m] for m in mine if m in begun), None)
        if row is None:
            row = len(rows)
            rows.append(([], []))
        rows[row][0].append(n)
        fresh = [m for m in mine if m not in begun]
        rows[row][1].extend(fresh)
        begun.update((m, row) for m in fresh)
    return [
        Row(_entries(sources, some, own, here), _entries(products, others, other, there))
        for some, others in rows
    ]


def _made_of(source: int, ties: Iterable[Tie]) -> list[int]:
    """The messages that were made of a source message."""
    found = {
        int(tie.there[1])
        for tie in ties
        if tie.here[:2] == ("messages", source) and tie.there[0] == "messages"
    }
    return sorted(found)


def _entries(
    messages: Sequence[Any], some: Iterable[int], dialect: str, marks: Marks
) -> tuple[Entry, ...]:
    return tuple(entry(n, messages[n], dialect, marks) for n in some)

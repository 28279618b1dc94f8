"""Several lanes for a wall: the first difference, what was sent last, and what came of it."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from app.engine.dialects.parts import content_of
from app.engine.steps import Append, End, Reply
from app.views.addresses import Place, View
from app.views.lanes.cells import Cell
from app.views.lanes.endings import EndingShown, ending
from app.views.lanes.excerpt import Line, excerpts
from app.views.lanes.picture import Reading
from app.views.lanes.picture import picture as lanes_picture
from app.views.picture import Picture, Piece
from app.views.present.frame import bars
from app.views.strip import STRANGE, SWAPPED, Strip

# By the number of lanes: what of a strip there is room for, and blocks of an appended message.
STRIP = {2: (3, 6), 3: (2, 4), 4: (1, 3)}
MOST_PARTS = {2: 3, 3: 2, 4: 1}
IN_CHAT = {"tool_use": "tool_calls", "tool_result": "tool", "text": "content"}
IN_OLDER = {"tool_use": "function_call", "tool_result": "function", "text": "content"}
MOST_CALLS = {2: 2, 3: 2, 4: 1}


@dataclass(frozen=True)
class Head:
    """What stands over a lane's column; `line` is the first line that makes its loop differ."""

    name: str
    slip: str
    checked: bool
    truth: str
    line: Line | None


@dataclass(frozen=True)
class Part:
    """A block of an appended message. `look` is `id`, `wrong` (the id of another call) or
    `absent`."""

    kind: str
    id: str
    look: str


@dataclass(frozen=True)
class Slot:
    """What a lane does in a row: its cell, the messages it sends, the blocks it appends (`more` are
    left out), whether it asks for something new where another lane does not, and its ending once it
    has come to one."""

    cell: Cell
    strip: Strip | None = None
    parts: tuple[Part, ...] = ()
    more: int = 0
    onward: bool = False
    ending: EndingShown | None = None


@dataclass(frozen=True)
class Row:
    """One row of the comparison; it does not depend on the step that the view stands at."""

    turn: int
    kind: str
    first: bool
    slots: tuple[Slot, ...]
    tasks: tuple[str, ...]


def heads(reading: Reading) -> tuple[Head, ...]:
    """The heads of the columns."""
    lanes, words = reading.lanes, reading.words
    shown = excerpts([lane.loop for lane in lanes.shown])
    return tuple(
        Head(
            lane.name,
            words.gettext(lane.loop.slip),
            lane.checked,
            lane.lane.truth(lanes.lang, lane.checked),
            _changed(excerpt),
        )
        for lane, excerpt in zip(lanes.shown, shown, strict=True)
    )


def picture(reading: Reading, place: Place) -> Picture:
    """The pieces of the view at the row `place.step`."""
    lanes = reading.lanes
    page = lanes_picture(reading, place)
    kept = [page.single[name] for name in ("now", "predict", "decide", "after", "recap")]
    single = [*kept, *bars(lanes.rows, reading.firsts, place)]
    return Picture(
        page.title,
        {piece.id: piece for piece in single},
        {
            "rows": tuple(
                Piece(f"row-{n}", "row", _row(reading, n)) for n in numbers(reading, place.step)
            ),
            "steps": page.lists["steps"],
        },
    )


def numbers(reading: Reading, at: int) -> list[int]:
    """The rows that are shown at row `at`, which is the last of them: the first difference once
    it is reached, the last request, and the reply where there is room for a third."""
    rows, first = reading.lanes.rows, reading.lanes.comparison.first_difference
    shown = {at}
    if first is not None and first < at:
        shown.add(first)
    for kind in ("ask", "reply"):
        latest = next((n for n in range(at, -1, -1) if rows[n].kind == kind), None)
        if latest is not None and len(shown) < 3 and rows[latest].turn == rows[at].turn:
            shown.add(latest)
    return sorted(shown)


def _row(reading: Reading, number: int) -> Row:
    row = reading.rows[number]
    slots = tuple(_slot(reading, number, at, cell) for at, cell in enumerate(row.cells))
    return Row(row.turn, row.kind, row.first, slots, row.tasks)


def _slot(reading: Reading, number: int, at: int, cell: Cell) -> Slot:
    lanes = reading.lanes
    step = lanes.step(number, at)
    if isinstance(step, Append):
        faults = lanes.shown[at].rounds[step.turn].faults
        message = lanes.shown[at].trace.messages(step)[step.index]
        content = content_of(message)
        blocks = content if isinstance(content, list) else []
        told = [
            block for block in blocks if isinstance(block, dict) and block.get("type") != "text"
        ]
        shown = (told or blocks)[: MOST_PARTS[len(lanes.shown)]]
        older = message.get("role") == "function" or "function_call" in message
        chat = IN_OLDER if older else IN_CHAT
        names = chat if lanes.shown[at].loop.dialect == "openai" else {}
        parts = tuple(_part(block, faults, names) for block in shown)
        if any(part.look == "absent" for part in parts):
            cell = replace(cell, word="")  # the part itself says it
        return Slot(cell, parts=parts, more=len(blocks) - len(parts))
    if isinstance(step, End) or (cell.look == "ended" and lanes.rows[number].kind != "ask"):
        return Slot(cell, ending=ending(reading.words, lanes, number, at, View()))
    many = len(lanes.shown)
    calls = cell.calls[: MOST_CALLS[many]]
    cell = replace(cell, calls=calls, more=cell.more + len(cell.calls) - len(calls))
    onward = (
        isinstance(step, Reply)
        and step.turn > 1
        and bool(calls and any(lanes.rows[number].differs))
        and not (cell.word or lanes.shown[at].repeats(step))
    )
    strip = _shorter(cell.strip, *STRIP[many]) if cell.strip else None
    return Slot(cell, strip, onward=onward)


def _shorter(whole: Strip, first: int, last: int) -> Strip:
    """The first and the last signs of a strip."""
    signs = whole.first + whole.last
    more = len(signs) - first - last
    if more <= (0 if whole.left_out else 1):
        return whole
    return Strip(signs[:first], whole.left_out + more, signs[-last:])


def _part(block: Any, faults: frozenset[str], names: Mapping[str, str]) -> Part:
    """A block, or the part of a chat completion that it stands for; `names` are what those are
    called."""
    kind = str(block.get("type", "")) if isinstance(block, dict) else ""
    name = names.get(kind, kind)
    if kind == "tool_result":
        if "tool_use_id" not in block:
            return Part(name, "", "absent")
        wrong = faults & {SWAPPED, STRANGE}
        return Part(name, str(block["tool_use_id"]), "wrong" if wrong else "id")
    return Part(name, str(block.get("id", "")) if kind == "tool_use" else "", "id")


def _changed(excerpt: tuple[Line, ...]) -> Line | None:
    """The line that says most about a slip: one that is put in, else one that is left out."""
    for look in ("put-in", "left-out"):
        found = next((line for line in excerpt if line.look == look), None)
        if found:
            return found
    return None

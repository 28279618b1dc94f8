"""Traces side by side: their steps aligned in rows, and the first row in which they differ."""

from collections.abc import Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from functools import cached_property
from typing import Any

from app.engine.dialects.parts import content_of, read_reply
from app.engine.steps import Append, Ask, Edit, End, Helper, Reply, Start, Step, Tool, Trace, Wait

Cells = list[int | None]


@dataclass(frozen=True)
class Row:
    """One row of a comparison: the number of each lane's step, or None where it has none.

    `kind` is the kind of step that the row holds; the end of a refused request stands in the row
    of the reply. `differs` marks the lanes whose step is not that of the first lane in the row;
    `holes` the lanes that lack a step here though they have not ended.
    """

    turn: int
    kind: str
    steps: tuple[int | None, ...]
    differs: tuple[bool, ...]
    holes: tuple[bool, ...]

    @property
    def same(self) -> bool:
        """Whether all lanes that have not ended do the same thing here."""
        return not any(self.differs) and not any(self.holes)


@dataclass(frozen=True)
class Comparison:
    """The rows of one to four traces; `first_difference` is the number of a row, or None."""

    rows: tuple[Row, ...]
    first_difference: int | None

    @cached_property
    def differences(self) -> tuple[int, ...]:
        """The rows in which lanes differ anew: one begins to do something else, or lacks a step;
        where none does, the row in which one ends and others go on.

        What a lane does otherwise because a step was missing is no new difference.
        """
        found = []
        before = ["same"] * len(self.rows[0].steps)
        for n, row in enumerate(self.rows):
            now = [
                "hole" if hole else "other" if differs else was if step is None else "same"
                for step, differs, hole, was in zip(
                    row.steps, row.differs, row.holes, before, strict=True
                )
            ]
            pairs = set(zip(before, now, strict=True))
            if pairs & {("same", "other"), ("same", "hole"), ("other", "hole")}:
                found.append(n)
            before = now
        if not found and self.first_difference is not None:
            return (self.first_difference,)
        return tuple(found)

    def row_of(self, lane: int, step: int) -> int:
        """The row that holds a lane's step."""
        return next(n for n, row in enumerate(self.rows) if row.steps[lane] == step)

    def first_row_of_turn(self, turn: int) -> int:
        """The row in which a turn begins; the last turn's, where there are fewer turns."""
        turns = [n for n, row in enumerate(self.rows) if row.turn <= turn]
        last = self.rows[turns[-1]].turn
        return next(n for n, row in enumerate(self.rows) if row.turn == last)


def compare(traces: Sequence[Trace]) -> Comparison:
    """Align traces turn by turn, inside a turn by the kinds of their steps."""
    lanes = range(len(traces))
    aligned: list[tuple[int, str, Cells]] = []
    for turn in range(max(trace.steps[-1].turn for trace in traces) + 1):
        merged: list[tuple[str, Cells]] = []
        for lane, trace in enumerate(traces):
            steps = [(_kind(step), n) for n, step in enumerate(trace.steps) if step.turn == turn]
            merged = _merge(merged, steps, lane, len(traces))
        aligned += [(turn, kind, cells) for kind, cells in merged]
    essences = [_essences(trace) for trace in traces]
    rows = []
    reached = [0 for _ in lanes]
    for turn, kind, cells in aligned:
        present = [essences[lane][n] for lane in lanes if (n := cells[lane]) is not None]
        reached = [max(reached[lane], cells[lane] or 0) for lane in lanes]
        differs = tuple(
            n is not None and essences[lane][n] != present[0] for lane, n in enumerate(cells)
        )
        holes = tuple(
            cells[lane] is None and kind != "end" and reached[lane] + 2 < len(traces[lane].steps)
            for lane in lanes
        )
        rows.append(Row(turn, kind, tuple(cells), differs, holes))
    first = next((n for n, row in enumerate(rows) if not row.same), None)
    if first is None:  # the same as far as all go: some end where others go on
        first = next((n for n, row in enumerate(rows) if None in row.steps), None)
    return Comparison(tuple(rows), first)


def _merge(
    merged: list[tuple[str, Cells]], steps: list[tuple[str, int]], lane: int, lanes: int
) -> list[tuple[str, Cells]]:
    """Put one more lane's steps of a turn into the rows of the lanes before it."""
    rows: list[tuple[str, Cells]] = []
    kinds = [kind for kind, _ in merged], [kind for kind, _ in steps]
    matcher = SequenceMatcher(a=kinds[0], b=kinds[1], autojunk=False)
    for tag, a1, a2, b1, b2 in matcher.get_opcodes():
        if tag == "equal":
            for (kind, cells), (_, n) in zip(merged[a1:a2], steps[b1:b2], strict=True):
                rows.append((kind, [*cells[:lane], n, *cells[lane + 1 :]]))
        else:
            rows += merged[a1:a2]
            rows += [
                (kind, [n if at == lane else None for at in range(lanes)])
                for kind, n in steps[b1:b2]
            ]
    return rows


def _kind(step: Step) -> str:
    """The end of a refused request stands in the reply's row."""
    refused = isinstance(step, End) and step.ending.kind == "refused"
    return "reply" if refused else step.kind


def _essences(trace: Trace) -> list[Any]:
    """What of each step is compared: ids and signatures as the order in which they came up, so
    that two lanes whose ids alone differ, or whose signatures hold other tools, are the same; what
    a lane declares (its tools, its server) left out."""
    ids: dict[str, str] = {}
    return [_renumber(_essence(trace, step), ids) for step in trace.steps]


def _essence(trace: Trace, step: Step) -> Any:
    match step:
        case Start(task=task):
            return task
        case Ask():
            return step.length, {key: step.envelope.get(key) for key in step.changed}
        case Reply(reply=reply):
            read = read_reply(reply)
            return read.get("stop_reason"), read.get("content")
        case Append(index=index, count=count):
            return [_said(message) for message in trace.messages(step)[index : index + count]]
        case Tool(call=call, result=result):
            asked = {key: call.get(key) for key in ("id", "name", "input")}
            return asked, result.content, result.is_error, result.changes, len(result.tries)
        case Wait(call=call, decision=decision):
            return {key: call.get(key) for key in ("id", "name", "input")}, decision
        case Helper(run=run, inner=inner):
            return inner.kind, _essence(run, inner)
        case Edit(index=index, after=after):
            return index, list(after)
        case End(ending=ending):
            return ending.kind, ending.text
    return step


def _said(message: Any) -> Any:
    """A message without what its dialect alone decides: a result is the user's."""
    role = message.get("role") if isinstance(message, dict) else None
    content = content_of(message)
    if isinstance(content, str):
        content = [{"type": "text", "text": content}]
    return "user" if role in ("tool", "function") else role, content


def renumbered(value: Any) -> Any:
    """JSON with its ids replaced by the order in which they come up."""
    return _renumber(value, {})


def _renumber(value: Any, ids: dict[str, str], key: str = "") -> Any:
    if key in ("id", "tool_use_id", "tool_call_id", "signature") and isinstance(value, str):
        return ids.setdefault(value, f"#{len(ids)}")
    if isinstance(value, dict):
        return {name: _renumber(item, ids, name) for name, item in value.items()}
    if isinstance(value, list | tuple):
        return [_renumber(item, ids) for item in value]
    return value

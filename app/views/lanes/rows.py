"""The rows of a comparison: what each lane does in them, or does not."""

from dataclasses import replace

from app.engine.steps import Append, Ask, End, Start
from app.views.checks import marks_of
from app.views.lanes.cells import Cell, RowShown
from app.views.lanes.done import done, request_key
from app.views.lanes.entry import entries
from app.views.lanes.lacking import lacking
from app.views.lanes.parting import parting
from app.views.lanes.shown import Lanes
from app.views.lanes.slips import slip_in
from app.views.texts import Words, one_line


def row_shown(w: Words, lanes: Lanes, number: int) -> RowShown:
    """A row as it is drawn; it does not depend on the step that the page stands at."""
    row = lanes.rows[number]
    first = number == lanes.comparison.first_difference
    cells = [_cell(w, lanes, number, lane) for lane in range(len(lanes.shown))]
    if first:
        cells = [_in_full(w, lanes, number, lane, cell) for lane, cell in enumerate(cells)]
    starts = (lanes.step(number, lane) for lane in range(len(lanes.shown)))
    tasks = [one_line(start.task, 300) for start in starts if isinstance(start, Start)]
    return RowShown(
        number=number,
        turn=row.turn,
        kind=row.kind,
        cells=tuple(cells),
        first=first,
        opens=row.turn > 0 and (number == 0 or lanes.rows[number - 1].turn != row.turn),
        same=row.same,
        tasks=tuple(tasks if len(set(tasks)) > 1 else tasks[:1]),
    )


def _cell(w: Words, lanes: Lanes, number: int, at: int) -> Cell:
    lane, row = lanes.shown[at], lanes.rows[number]
    step = lanes.step(number, at)
    if step is None:
        if row.holes[at]:
            return lacking(w, lanes, number, at)
        return Cell(lane.name, "ended" if lanes.has_ended(number, at) else "blank")
    cell = done(w, lane, step)
    word = cell.word or slip_in(w, lanes, number, at, step)
    return replace(cell, checks=marks_of(w, step), word="" if lane.is_base else word)


def _in_full(w: Words, lanes: Lanes, number: int, at: int, cell: Cell) -> Cell:
    """The row of the first difference shows more than the others."""
    step, lane = lanes.step(number, at), lanes.shown[at]
    if cell.look == "blank":
        if lanes.rows[number].kind != "end":
            return lacking(w, lanes, number, at)
        return replace(cell, look="note", text=w.gettext("goes on"))
    cell = replace(cell, parting=parting(w, lanes, number, at))
    if isinstance(step, Append):
        return replace(cell, entries=entries(lane, step))
    if isinstance(step, Ask):
        asks = [lanes.step(number, other) for other in range(len(lanes.shown))]
        keys = dict.fromkeys(key for ask in asks if isinstance(ask, Ask) for key in ask.changed)
        return replace(cell, changed=tuple(request_key(step, key) for key in keys))
    if isinstance(step, End) and step.ending.faults:
        return replace(cell, fault=step.ending.faults[0])
    return cell

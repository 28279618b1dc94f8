"""Long stretches in which all lanes do the same: one row that says how many steps it holds."""

from dataclasses import dataclass, field

from app.views.addresses import Place
from app.views.lanes.shown import Lanes
from app.views.picture import Piece

STAY = 6  # the newest rows of a stretch
FEWEST = 3  # rows that are worth a fold


@dataclass(frozen=True)
class Folded:
    """A stretch of rows: how many, the turns it spans; `page` is where they are unfolded, or
    folded again."""

    count: int
    first_turn: int
    last_turn: int
    page: str = field(compare=False)


def equal_rows(lanes: Lanes) -> int:
    """How many rows after the start all lanes have alike, until they part or one has ended."""
    found = 0
    for row in lanes.rows[1:]:
        if not row.same or None in row.steps:
            break
        found += 1
    return found


def folded(lanes: Lanes, equal: int, place: Place) -> Folded | None:
    """What is folded at a row, or would be where the reader has unfolded it; None where that is
    too little. `equal` is how many rows all lanes have alike."""
    count = min(equal, place.step) - STAY
    if count < FEWEST or not lanes.rows[0].same:
        return None
    other = place.seen(rows="" if place.view.rows else "all").page
    page = other if place.view.rows else f"{other}#row-1"  # the first one comes into sight
    return Folded(count, lanes.rows[1].turn, lanes.rows[count].turn, page)


def rows_at(pieces: tuple[Piece, ...], fold: Folded | None, place: Place) -> tuple[Piece, ...]:
    """The pieces of the rows up to a step, with one in place of those that are folded."""
    shown = pieces[: place.step + 1]
    if fold is None or place.view.rows:
        return shown
    return (shown[0], Piece("fold", "fold", fold), *shown[1 + fold.count :])

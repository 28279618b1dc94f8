"""What a page shows at one step, as named pieces; and what changes between two of them.

A page and a step's answer are made from the same pieces, so a page that was stepped to is the
page that its address gives.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True)
class Piece:
    """One element of the page: its id, the macro that draws it, and what it is drawn from."""

    id: str
    macro: str
    data: Any = None


@dataclass(frozen=True)
class Link:
    """A link that names the step of its page; `addresses.js` keeps it up: it is sent once."""

    page: str = field(compare=False)


@dataclass(frozen=True)
class Picture:
    """The pieces of a page.

    `single` pieces have a fixed place in the template; each of `lists`, by the id of the element
    that holds it, grows and shrinks.
    """

    title: str
    single: Mapping[str, Piece]
    lists: Mapping[str, tuple[Piece, ...]]


@dataclass(frozen=True)
class Change:
    """One swap of htmx: the id of the target, the manner, the pieces that come."""

    target: str
    swap: str
    pieces: tuple[Piece, ...] = ()


def changes(before: Picture, after: Picture) -> list[Change]:
    """The swaps that make one picture of the other; nothing that stays is sent again."""
    found = [
        Change(piece.id, "outerMorph", (piece,))
        for name, piece in after.single.items()
        if before.single[name] != piece
    ]
    for name, pieces in after.lists.items():
        found += _list_changes(name, before.lists[name], pieces)
    return found


def whole(after: Picture) -> list[Change]:
    """The swaps that make a picture of whatever is shown now."""
    singles = [Change(piece.id, "outerMorph", (piece,)) for piece in after.single.values()]
    return singles + [Change(name, "innerHTML", pieces) for name, pieces in after.lists.items()]


def _list_changes(
    name: str, before: tuple[Piece, ...], after: tuple[Piece, ...]
) -> Iterator[Change]:
    same = 0  # what both begin with: in a long run nearly all, and mostly the very same pieces
    for one, other in zip(before, after, strict=False):
        if one is not other and one != other:
            break
        same += 1
    before, after = before[same:], after[same:]
    old = {piece.id: piece for piece in before}
    new = {piece.id for piece in after}
    for piece in before:
        if piece.id not in new:
            yield Change(piece.id, "delete")
    coming: list[Piece] = []
    for piece in after:
        if piece.id not in old:
            coming.append(piece)
            continue
        if coming:
            yield Change(piece.id, "before", tuple(coming))
            coming = []
        if old[piece.id] != piece:
            yield Change(piece.id, "outerMorph", (piece,))
    if coming:
        yield Change(name, "append", tuple(coming))

"""What the presenter view has with one lane and with several: the controls and the size."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from app.views.addresses import SIZES, Place
from app.views.controls import At, Placed, controls_of, next_turn
from app.views.picture import Piece


@dataclass(frozen=True)
class Tools:
    """The links beside the steps: another size, and the way back to the page."""

    smaller: str = field(compare=False)
    larger: str = field(compare=False)
    size: int
    page: str = field(compare=False)


def bars(steps: Sequence[Placed], firsts: Sequence[int], place: Place) -> list[Piece]:
    """The controls, and the size that everything has."""
    at, last = place.step, len(steps) - 1
    controls = controls_of(firsts, last, steps[at].turn, place)
    return [
        Piece("state", "state", place.view.size),
        Piece("at", "at", At(at, last, next_turn(firsts, last, steps[at].turn))),
        Piece("moves", "moves", controls),
        Piece("more", "more", controls),
        Piece("tools", "tools", _tools(place)),
    ]


def _tools(place: Place) -> Tools:
    size = SIZES.index(place.view.size)
    return Tools(
        smaller=_sized(place, SIZES[size - 1]) if size else "",
        larger=_sized(place, SIZES[size + 1]) if size + 1 < len(SIZES) else "",
        size=place.view.size,
        page=place.seen(view="", size=SIZES[0]).page,
    )


def _sized(place: Place, size: int) -> str:
    return place.seen(size=size).page

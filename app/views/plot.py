"""What is sent each turn, as small bars on one scale: again, and for the first time."""

from collections.abc import Sequence
from dataclasses import dataclass

from app.engine.steps import Ask
from app.views.picture import Piece
from app.views.texts import size

HEIGHT = 24  # of the tallest bar
BYTES_A_TOKEN = 4  # an estimate


@dataclass(frozen=True)
class Bytes:
    """The bytes of a request: those sent before, and those that are new; `tools` are those of the
    descriptions of tools in it, which are of the one or the other."""

    again: int
    new: int
    tools: int = 0

    @property
    def total(self) -> int:
        return self.again + self.new


@dataclass(frozen=True)
class Bar:
    """A turn's request: the heights of its two parts, and how much of them are tools; all 0 in an
    empty slot, where it is not sent yet: what it will be is not told."""

    turn: int
    again: int = 0
    new: int = 0
    messages: int = 0
    size: str = ""
    tools: int = 0
    tools_size: str = ""


@dataclass(frozen=True)
class Sent:
    """The newest request in numbers; `turn` is 0 where none was sent yet."""

    turn: int
    messages: int = 0
    size: str = ""
    tokens: int = 0
    again: str = ""
    new: str = ""
    tools: str = ""


class Plot:
    """The bars of a run: one for each request. `sent` belongs to `asks`."""

    def __init__(self, asks: Sequence[Ask], sent: Sequence[Bytes]) -> None:
        most = max((each.total for each in sent), default=1)
        self._full: list[Piece] = []
        for ask, each in zip(asks, sent, strict=True):
            parts = (each.total, each.again, each.tools)
            tall, again, tools = (-(-HEIGHT * part // most) for part in parts)
            bar = Bar(
                ask.turn,
                again,
                max(0, tall - again),
                ask.length,
                size(each.total),
                tools,
                size(each.tools) if tools else "",
            )
            self._full.append(Piece(f"t-{ask.turn}", "bar", bar))
        self._empty = [Piece(f"t-{ask.turn}", "bar", Bar(ask.turn)) for ask in asks]

    def pieces(self, turn: int) -> tuple[Piece, ...]:
        """The bars in a turn, empty for those after it."""
        return (*self._full[:turn], *self._empty[turn:])


def newest(asks: Sequence[Ask], sent: Sequence[Bytes], turn: int) -> Sent:
    """The request of a turn in numbers."""
    if not turn:
        return Sent(0)
    ask, each = asks[turn - 1], sent[turn - 1]
    return Sent(
        turn,
        ask.length,
        size(each.total),
        -(-each.total // BYTES_A_TOKEN),
        size(each.again),
        size(each.new),
        size(each.tools) if each.tools else "",
    )

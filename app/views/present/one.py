"""One lane for a wall: the sentence, the lines that run, and the newest message."""

from dataclasses import dataclass, replace
from typing import Any

from app.engine.steps import Ask, Ending, Fault, Step
from app.views import messages
from app.views.addresses import Place, View
from app.views.checks import CheckMark, marks_of
from app.views.glyphs import Glyph, glyph_of
from app.views.helper import Own
from app.views.lane import Now, asked_before, asked_here, sender_of, title_of
from app.views.picture import Picture, Piece
from app.views.predictions import recap
from app.views.present.brief import Brief, brief
from app.views.present.frame import bars
from app.views.reading import Reading
from app.views.source import Row
from app.views.strip import Strip, rounds, strip
from app.views.texts import size

CODE_ROWS = 7  # lines of the loop that are shown at once
MOST_JOINED = 4  # messages that joined since the last request


@dataclass(frozen=True)
class Window:
    """The lines of the loop around those that made the step, which are `lit`."""

    rows: tuple[Row, ...]
    lit: tuple[int, int]  # the first row and the number of rows; 0 where the loop has not begun


@dataclass(frozen=True)
class Held:
    """What `messages[]` holds: as the last request sent it, and what has joined since."""

    strip: Strip | None
    joined: tuple[Glyph, ...]
    count: int
    size: str
    sent: bool


@dataclass(frozen=True)
class Newest:
    """The newest message. `look` is `yet` (not in the list), `never`, `joined`, `sent`, `kept`
    (nothing came), `refused` or `ended`; `waits` says what becomes of one that is not in the list,
    `checks` are those before the call of this step. It may be a `helper`'s, in a list of its own.
    """

    look: str
    index: int | None = None
    glyph: Glyph | None = None
    brief: Brief | None = None
    waits: messages.Pending | None = None
    fault: Fault | None = None
    ending: Ending | None = None
    checks: tuple[CheckMark, ...] = ()
    helper: bool = False


def picture(reading: Reading, place: Place) -> Picture:
    """The pieces of the view at `place.step`."""
    number = place.step
    step = reading.trace.steps[number]
    ended = None if reading.waits else recap(place, reading.last)
    sender = sender_of(reading, number)
    newest = replace(
        _newest(sender.reading, sender.number),
        checks=marks_of(reading.words, step),
        helper=bool(sender.ids),
    )
    single = [
        Piece("now", "now", Now(step.kind, reading.sentence(number))),
        Piece("window", "window", _window(reading, step)),
        Piece("held", "held", _held(reading, step)),
        Piece("newest", "newest", newest),
        Piece("predict", "predict", asked_before(reading, place)),
        Piece("decide", "decide", asked_here(reading, place)),
        Piece("after", "after", ended),
        Piece("recap", "recap", ended),
        *bars(reading.trace.steps, reading.firsts, place),
    ]
    return Picture(
        title_of(reading, number, reading.words),
        {piece.id: piece for piece in single},
        {"steps": reading.scrubber.pieces(place)},
    )


def _window(reading: Reading, step: Step) -> Window:
    """A few lines, those that run in their middle."""
    rows = reading.code.rows
    lit = reading.code.place(step.lines) if step.lines[0] else (0, 0)
    first = max(0, min(lit[0] - 1 - (CODE_ROWS - max(1, lit[1])) // 2, len(rows) - CODE_ROWS))
    return Window(rows[first : first + max(CODE_ROWS, lit[1])], lit)


def _held(reading: Reading, step: Step) -> Held:
    trace = reading.trace
    count, held = step.length, size(reading.bytes_of(step)) if step.length else ""
    if not step.turn:
        return Held(None, (), count, held, False)
    ask = trace.asks[step.turn - 1]
    joined = trace.messages(step)[ask.length :][:MOST_JOINED]
    return Held(
        strip(trace, ask, rounds(trace)),
        tuple(glyph_of(message) for message in joined),
        count,
        held,
        isinstance(step, Ask),
    )


def _newest(reading: Reading, number: int) -> Newest:
    trace = reading.trace
    step = trace.steps[number]
    if step.kind == "end":
        end = trace.ending
        if end.kind == "refused":
            return Newest("refused", fault=end.faults[0])
        return Newest("ended", ending=end)
    pending = messages.pending_pieces(trace, number, reading.fates, View())
    waiting = [piece for piece in pending if not isinstance(piece.data, messages.Held | Own)]
    if waiting and step.kind != "append":
        return _waiting(waiting[-1].data)
    held = trace.messages(step)
    look = {"append": "joined", "ask": "sent"}.get(step.kind, "kept")
    if not held:
        return Newest(look)
    at = len(held) - 1
    return Newest(look, at, glyph_of(held[at]), brief(held[at]))


def _waiting(data: Any) -> Newest:
    if isinstance(data, messages.Pending):
        look = "never" if data.fate.index is None else "yet"
        return Newest(look, data.fate.index, data.glyph, brief(data.json), data)
    assert isinstance(data, messages.Message)
    return Newest("yet", data.index, data.glyph, brief(data.message))

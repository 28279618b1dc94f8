"""Several lanes at one row of their comparison, as pieces of a page."""

from dataclasses import dataclass, replace

from app.lessons import Lane
from app.source import loops
from app.views.addresses import MOST_LANES, Choice, Place
from app.views.controls import At, Scrubber, controls_of, next_turn
from app.views.decisions import Asked, asked_now
from app.views.lane import Now
from app.views.lanes.endings import Bars, ending
from app.views.lanes.excerpt import Line, excerpts
from app.views.lanes.folded import equal_rows, folded, rows_at
from app.views.lanes.rows import row_shown
from app.views.lanes.sentence import sentence
from app.views.lanes.shown import Lanes, value_of
from app.views.picture import Link, Picture, Piece
from app.views.predictions import Question, question, recap
from app.views.texts import Words
from app.views.truth import truth_of


@dataclass(frozen=True)
class Option:
    """Another set of lanes, by the name of what is new in it."""

    name: str
    slip: str
    value: str


@dataclass(frozen=True)
class Head:
    """What stands over a lane's column. `flipped`, `alone` and `without` are sets of lanes: the
    same with this lane's switch turned, this lane alone, all but this one ("" where too few
    would be left); `instead` are those with another lane in its place."""

    name: str
    slip: str
    checked: bool
    truth: str
    excerpt: tuple[Line, ...]
    flipped: str
    alone: str
    without: str
    instead: tuple[Option, ...]


@dataclass(frozen=True)
class Frame:
    """What of the page stays while its rows come: the heads, and the lanes that can be added."""

    heads: tuple[Head, ...]
    more: tuple[Option, ...]


class Reading:
    """Lanes with all that their page shows of them; made once for each set of lanes."""

    def __init__(self, lanes: Lanes, words: Words) -> None:
        self.lanes, self.words = lanes, words
        self.rows = tuple(row_shown(words, lanes, n) for n in range(lanes.last + 1))
        self.row_pieces = tuple(Piece(f"row-{row.number}", "row", row) for row in self.rows)
        self.equal = equal_rows(lanes)
        self.firsts = [lanes.comparison.first_row_of_turn(n) for n in range(lanes.turns + 1)]
        self.scrubber = Scrubber(lanes.rows, self.firsts)
        self.bars = [Bars(lanes, at) for at in range(len(lanes.shown))]

    @property
    def last(self) -> int:
        """The number of the last row."""
        return self.lanes.last


def picture(reading: Reading, place: Place) -> Picture:
    """The pieces of the page at the row `place.step`."""
    at = place.step
    lanes, words = reading.lanes, reading.words
    row = lanes.rows[at]
    following = lanes.next_difference(at)
    controls = replace(
        controls_of(reading.firsts, reading.last, row.turn, place),
        difference="" if following is None else place.at(following).page,
    )
    fold = folded(lanes, reading.equal, place)
    open_ended = any(lane.waits for lane in lanes.shown)
    ended = None if open_ended else recap(place, reading.last)
    single = [
        Piece("now", "now", Now(row.kind, sentence(words, lanes, at, reading.rows[at].cells))),
        Piece(
            "at",
            "at",
            At(at, reading.last, next_turn(reading.firsts, reading.last, row.turn), following),
        ),
        Piece("folding", "folding", fold if place.view.rows else None),
        Piece("fill", "fill", tuple(lanes.has_ended(at, n) for n in range(len(lanes.shown)))),
        Piece("predict", "predict", _asked_before(reading, place)),
        Piece("decide", "decide", _asked_here(lanes, place)),
        Piece("after", "after", ended),
        Piece("recap", "recap", ended),
        Piece("moves", "moves", controls),
        Piece("more", "more", controls),
        Piece("beside", "beside", Link(place.beside("/difference"))),
        Piece("present", "present", Link(place.seen(view="present").page)),
    ]
    lists = {
        "rows": rows_at(reading.row_pieces, fold, place),
        "steps": reading.scrubber.pieces(place, lanes.comparison.first_difference),
    }
    for n, lane in enumerate(lanes.shown):
        shown = ending(words, lanes, at, n, place.view)
        single.append(Piece(f"ending-{lane.name}", "ending", shown))
        lists[f"bars-{lane.name}"] = reading.bars[n].pieces(at)
    return Picture(_title(reading, at), {piece.id: piece for piece in single}, lists)


def _asked_here(lanes: Lanes, place: Place) -> tuple[Asked, ...]:
    """What a person is asked in a row, there or since an earlier one."""
    asked: list[Asked] = []
    for at, number in enumerate(lanes.rows[place.step].steps):
        row, lane = place.step, lanes.shown[at]
        if number is None and lane.waits and lanes.stands(row, at):
            number = len(lane.trace.steps) - 1
            row = lanes.comparison.row_of(at, number)
        asked += asked_now(place.at(row), at, lane.trace, number)
    return tuple(asked)


def _asked_before(reading: Reading, place: Place) -> Question | None:
    """What is asked before the next row."""
    if place.step == reading.last:
        return None
    traces = [lane.trace for lane in reading.lanes.shown]
    following = reading.lanes.rows[place.step + 1].steps
    return question(place, zip(place.choices, traces, following, strict=True))


def _title(reading: Reading, at: int) -> str:
    lanes = reading.lanes
    return str(
        reading.words.gettext(
            "Step %(step)s of %(last)s · %(lanes)s · %(lesson)s",
            step=at,
            last=reading.last,
            lanes=reading.words.listed(lane.name for lane in lanes.shown),
            lesson=lanes.lesson.title(lanes.lang),
        ).unescape()
    )


# --- what does not change from step to step


def frame(reading: Reading, place: Place) -> Frame:
    """The heads of the columns, and what can be changed there."""
    lanes = reading.lanes
    others = [lane for lane in lanes.lesson.lanes if lane.name not in {s.name for s in lanes.shown}]
    shown_excerpts = excerpts([lane.loop for lane in lanes.shown])
    heads = tuple(_head(reading, n, others, excerpt) for n, excerpt in enumerate(shown_excerpts))
    chosen = _choices(lanes)
    more = others if len(chosen) < MOST_LANES else []
    return Frame(
        heads=heads,
        more=tuple(
            _option(reading, lane, [*chosen, Choice(lane.name, lane.checked)]) for lane in more
        ),
    )


def _head(reading: Reading, at: int, others: list[Lane], excerpt: tuple[Line, ...]) -> Head:
    lanes, words = reading.lanes, reading.words
    lane = lanes.shown[at]
    chosen = _choices(lanes)
    before, after = chosen[:at], chosen[at + 1 :]
    lesson, flipped = lanes.lesson, replace(chosen[at], checked=not lane.checked)
    return Head(
        name=lane.name,
        slip=words.gettext(lane.loop.slip),
        checked=lane.checked,
        truth=truth_of(lane.lane, lane.checked, lane.trace, lanes.lang, words),
        excerpt=excerpt,
        flipped=value_of(lesson, [*before, flipped, *after]),
        alone=value_of(lesson, [chosen[at]]),
        without=value_of(lesson, before + after) if len(chosen) > 2 else "",
        instead=tuple(
            _option(reading, other, [*before, Choice(other.name, other.checked), *after])
            for other in others
        ),
    )


def _option(reading: Reading, lane: Lane, chosen: list[Choice]) -> Option:
    slip = reading.words.gettext(loops()[lane.loop].slip)
    return Option(lane.name, slip, value_of(reading.lanes.lesson, chosen))


def _choices(lanes: Lanes) -> list[Choice]:
    return [shown.choice for shown in lanes.shown]

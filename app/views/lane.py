"""One lane at one step: the chat, the loop's code and `messages[]`, as pieces of a page."""

from dataclasses import dataclass, field, replace

from markupsafe import Markup

from app.engine.steps import (
    Append,
    Ask,
    Edit,
    End,
    Helper,
    Json,
    Reply,
    Step,
    Tool,
    Wait,
)
from app.source import loops
from app.views.addresses import Choice, Place
from app.views.controls import At, controls_of, next_turn
from app.views.copies import copies_of
from app.views.decisions import Asked, asked_now
from app.views.picture import Link, Picture, Piece
from app.views.plot import newest
from app.views.predictions import Question, question, recap
from app.views.reading import Reading
from app.views.ring import ring
from app.views.sentences import Sentence
from app.views.texts import Words, size
from app.views.truth import truth_of

MOST_LIT = 12  # messages that can be lit by their number


# --- what the templates draw


@dataclass(frozen=True)
class Now:
    kind: str
    sentence: Sentence


@dataclass(frozen=True)
class Band:
    """The statement that made the step, and those that ran before it since the last step."""

    row: int
    rows: int
    ran: tuple[tuple[int, int], ...]


@dataclass(frozen=True)
class Tab:
    name: str
    page: str = field(compare=False)
    current: bool


@dataclass(frozen=True)
class LaneLink:
    name: str
    slip: str
    page: str = field(compare=False)
    current: bool


@dataclass(frozen=True)
class Lanes:
    links: tuple[LaneLink, ...]
    compare: str = field(compare=False)  # an address, or "" where there is nothing to compare
    compared: tuple[str, ...]  # the names of those lanes


@dataclass(frozen=True)
class Switch:
    checked: bool
    flipped: str  # the lane with the other position, as an address names it
    truth: str


@dataclass(frozen=True)
class Foot:
    count: int
    size: str
    note: Markup
    lit: bool


@dataclass(frozen=True)
class Envelope:
    """A request without its messages; None where none has been sent. It may be a `helper`'s."""

    turn: int
    body: Json | None
    size: str
    changed: tuple[str, ...]
    helper: bool


@dataclass(frozen=True)
class Sender:
    """Whose request it is at a step: the agent's own reading and the number of the step there.
    `ids` is what the ids of its pieces begin with: "" where it is no helper."""

    reading: Reading
    number: int
    ids: str = ""

    def named(self, pieces: tuple[Piece, ...]) -> tuple[Piece, ...]:
        """Its pieces, under ids that no other agent's have."""
        return tuple(replace(piece, id=f"{self.ids}{piece.id}") for piece in pieces)


def sender_of(reading: Reading, number: int) -> Sender:
    """Whose request the whole request of a step is: a helper's where one works."""
    step = reading.trace.steps[number]
    if not isinstance(step, Helper):
        return Sender(reading, number)
    first = next(at for at, own in reading.helpers.items() if own.trace is step.run)
    return Sender(reading.helpers[first], step.number, f"in{first}-")


def picture(reading: Reading, place: Place, compared: tuple[Choice, ...] = ()) -> Picture:
    """The pieces of a lane's page at `place.step`. `compared` are the lanes to compare it with."""
    number = place.step
    trace, words = reading.trace, reading.words
    step = trace.steps[number]
    controls = controls_of(reading.firsts, reading.last, step.turn, place)
    whole = place.view.tab == "request"
    sender = sender_of(reading, number) if whole else Sender(reading, number)
    ended = None if reading.waits else recap(place, reading.last)
    single = {
        piece.id: piece
        for piece in (
            Piece("state", "state", _state(reading, number) + (" whole" if whole else "")),
            Piece("now", "now", Now(step.kind, reading.sentence(number))),
            Piece("lanes", "lanes", _lanes(reading, place, compared)),
            Piece("switch", "switch", _switch(reading, place)),
            Piece("band", "band", _band(reading, step)),
            Piece("where", "where", step.lines),
            Piece("values", "values"),
            Piece("terminal", "terminal", reading.terminals[number]),
            Piece("sent", "sent", newest(trace.asks, reading.sent, step.turn)),
            Piece("tabs", "tabs", _tabs(place)),
            Piece("envelope", "envelope", _envelope(sender) if whole else None),
            Piece("foot", "foot", _foot(sender)),
            Piece("copy", "copy", copies_of(step, place)),
            Piece("predict", "predict", asked_before(reading, place)),
            Piece("decide", "decide", asked_here(reading, place)),
            Piece("after", "after", ended),
            Piece("recap", "recap", ended),
            Piece("moves", "moves", controls),
            Piece("more", "more", controls),
            Piece("at", "at", _at(reading, place)),
            Piece("present", "present", Link(place.seen(view="present").page)),
        )
    }
    lists = {
        "chat": reading.chat.pieces(number),
        "messages": sender.named(sender.reading.messages(sender.number, place.view)),
        "pending": sender.named(sender.reading.pending(sender.number, place.view)),
        "plot": reading.plot.pieces(step.turn),
        "steps": reading.scrubber.pieces(place),
    }
    return Picture(title_of(reading, number, words), single, lists)


def asked_before(reading: Reading, place: Place) -> Question | None:
    """What is asked before the next step."""
    (shown,) = place.choices
    following = place.step + 1 if place.step < reading.last else None
    return question(place, [(shown, reading.trace, following)])


def asked_here(reading: Reading, place: Place) -> tuple[Asked, ...]:
    """What a person is asked at this step."""
    return asked_now(place, 0, reading.trace, place.step)


def title_of(reading: Reading, number: int, words: Words) -> str:
    """What the window is called at a step."""
    return str(
        words.gettext(
            "Step %(step)s of %(last)s · %(lane)s · %(lesson)s",
            step=number,
            last=reading.last,
            lane=reading.lane.name,
            lesson=reading.lesson.title(reading.lang),
        ).unescape()
    )


def _state(reading: Reading, number: int) -> str:
    """The classes that light what is new, and an arc of the ring: old pieces need not be sent
    again to go dark."""
    step, new = reading.trace.steps[number], 0
    if isinstance(step, Ask):
        new = step.length - step.fresh
    elif isinstance(step, Append):
        new = step.count
    arcs = " ".join(f"{arc.name}-{arc.look}" for arc in ring(reading.trace, number, reading.fates))
    return f"at-{step.kind} new-{min(new, MOST_LIT)} {arcs}"


def _band(reading: Reading, step: Step) -> Band:
    row, rows = reading.code.place(step.lines) if step.lines[0] else (0, 0)
    ran = tuple(
        reading.code.place(lines)
        for lines in dict.fromkeys(step.ran)
        if lines[0] and lines != step.lines
    )
    return Band(row, rows, ran)


def _tabs(place: Place) -> tuple[Tab, ...]:
    return tuple(
        Tab(tab, place.seen(tab=tab).page, place.view.tab == tab) for tab in ("", "request")
    )


def _at(reading: Reading, place: Place) -> At:
    step, last = reading.trace.steps[place.step], reading.last
    own = step.inner if isinstance(step, Helper) else step  # whose messages can be copied
    return At(place.step, last, next_turn(reading.firsts, last, step.turn), held=own.length)


def _lanes(reading: Reading, place: Place, compared: tuple[Choice, ...]) -> Lanes:
    (shown,) = place.choices
    links = []
    for lane in reading.lesson.lanes:
        current = lane.name == shown.lane
        slip = str(reading.words.gettext(loops()[lane.loop].slip))
        page = place.page if current else place.to_lanes(Choice(lane.name, lane.checked))
        links.append(LaneLink(lane.name, slip, page, current))
    address = place.to_lanes(*compared) if compared else ""
    return Lanes(tuple(links), address, tuple(choice.lane for choice in compared))


def _switch(reading: Reading, place: Place) -> Switch:
    (shown,) = place.choices
    flipped = replace(shown, checked=not shown.checked)
    truth = truth_of(reading.lane, shown.checked, reading.trace, reading.lang, reading.words)
    return Switch(shown.checked, place.with_lanes(flipped, step=place.step).lanes, truth)


def _envelope(sender: Sender) -> Envelope:
    reading, number, helper = sender.reading, sender.number, bool(sender.ids)
    turn = reading.trace.steps[number].turn
    if not turn:
        return Envelope(0, None, "", (), helper)
    ask = reading.trace.asks[turn - 1]
    total = reading.sent[ask.turn - 1].total
    return Envelope(ask.turn, ask.envelope, size(total), ask.changed, helper)


def _foot(sender: Sender) -> Foot:
    reading = sender.reading
    trace, step = reading.trace, reading.trace.steps[sender.number]
    _, ngettext = reading.words.gettext, reading.words.ngettext
    match step:
        case Ask() if step.turn > 1:
            old = reading.bytes_of(step, 0, step.fresh) if step.fresh else 0
            new = size(reading.bytes_of(step) - old)
            note = _("sent now: %(old)s again, %(new)s new", old=size(old), new=new)
        case Ask():
            note = _("sent now, all of it new")
        case End():
            note = ngettext(
                "%(num)s request carried %(sum)s messages",
                "%(num)s requests carried %(sum)s messages",
                len(trace.asks),
                sum=sum(trace.messages_sent),
            )
        case Append() | Edit() | Helper() | Reply() | Tool() | Wait():
            note = _("sent again each turn")
        case _:
            note = _("not sent yet")
    count = step.length
    return Foot(count, size(reading.bytes_of(step)), note, isinstance(step, Ask))

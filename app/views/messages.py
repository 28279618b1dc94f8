"""`messages[]` after a step: its entries, what is missing from it, what may still join it."""

import re
from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from app.engine.dialects.parts import message_of
from app.engine.steps import (
    Attempt,
    Check,
    Edit,
    End,
    Fault,
    Helper,
    Json,
    Reply,
    Result,
    Start,
    Step,
    Tool,
    Trace,
    Wait,
)
from app.views.addresses import View
from app.views.fates import LOST, Fate
from app.views.glyphs import ASSISTANT, RESULT, Glyph, glyph_of
from app.views.helper import own_list
from app.views.picture import Piece
from app.views.texts import compact, one_line, size

_PLACE = re.compile(r"messages\.(\d{1,9})")
_NAMED_INPUT = 60  # characters of a call's input where a lost result is named

Bytes = Callable[[Step, int, int], int]


@dataclass(frozen=True)
class Message:
    """An entry of the list; `whole` shows long strings at a greater length."""

    index: int
    message: Any
    whole: bool

    @property
    def glyph(self) -> Glyph:
        return glyph_of(self.message)


@dataclass(frozen=True)
class Hole:
    """What a loop never appended: `what` is `reply` or `result`; `names` are the calls."""

    what: str
    turn: int
    names: tuple[str, ...]
    glyph: Glyph


@dataclass(frozen=True)
class Divider:
    """Where the messages sent again end and the new ones begin: `what` is `again`, `new`,
    `nothing` or `later`."""

    what: str
    turn: int
    count: int
    size: str


@dataclass(frozen=True)
class Note:
    """A finding of the server, at the message that it is about; `rule` is its rule's address."""

    fault: Fault
    rule: str


@dataclass(frozen=True)
class Changed:
    """What stood in the list before an edit."""

    index: int
    before: tuple[Json, ...]


@dataclass(frozen=True)
class Pending:
    """A reply or a result that is not in the list. `json` is what the program holds; `fate` what
    will become of it and `lines` the statement that appends it; `call` names a result's call, and
    `result` is what came of it, with the checks before it and the tries."""

    what: str
    json: Any
    fate: Fate
    lines: tuple[int, int]
    glyph: Glyph
    call: str
    result: Result | None = None


@dataclass(frozen=True)
class Held:
    """A call that a person is asked about, with the checks that it has passed, and the tries where
    it is another one that they are asked about."""

    call: str
    checks: tuple[Check, ...]
    tries: tuple[Attempt, ...]
    decision: str


@dataclass(frozen=True)
class Refusal:
    """A refused request; the faults that refused it, in groups of one rule."""

    turn: int
    groups: tuple[tuple[Fault, ...], ...]
    view: View


def entries(messages: Sequence[Any], whole: bool) -> tuple[Piece, ...]:
    """The entries of a list, each a piece of its own."""
    return tuple(
        Piece(f"m-{index}", "message", Message(index, message, whole))
        for index, message in enumerate(messages)
    )


def message_pieces(
    trace: Trace,
    number: int,
    fates: dict[int, Fate],
    bytes_of: Bytes,
    view: View,
    drawn: Sequence[Piece],
) -> tuple[Piece, ...]:
    """The list after a step, with what is missing from it drawn where it belongs. `drawn` are the
    `entries` of the step's version of the list."""
    whole = view.tab == "request"
    step = trace.steps[number]
    before: dict[int, list[Piece]] = defaultdict(list)  # by the index of the message that follows
    for at, place, piece in _holes(trace, number, fates):
        before[place].append(Piece(f"h-{at}", "hole", piece))
    if whole and step.turn:
        for place, divider in _dividers(trace, step, bytes_of):
            before[place].append(Piece(f"d-{divider.what}-{divider.turn}", "divider", divider))
    for n, (place, fault) in enumerate(_findings(trace, step)):
        before[min(place + 1, step.length)].append(
            Piece(f"f-{step.turn}-{n}", "note", Note(fault, view.rule(fault.rule)))
        )
    if isinstance(step, Edit):
        changed = Changed(step.index, step.before)
        before[min(step.index, step.length)].append(Piece(f"e-{number}", "changed", changed))
    pieces: list[Piece] = []
    shown = 0
    for index in sorted(before):
        pieces += [*drawn[shown:index], *before[index]]
        shown = index
    return (*pieces, *drawn[shown : step.length])


def _holes(trace: Trace, number: int, fates: dict[int, Fate]) -> list[tuple[int, int, Hole]]:
    """Each hole with the number of its step and the index of the message that follows it.

    A lost reply becomes a hole when something joins the list after it, or with the next request;
    lost results with the next request.
    """
    holes: list[tuple[int, int, Hole]] = []
    now = trace.steps[number]
    length = now.length
    lost: dict[int, list[int]] = defaultdict(list)
    for at, fate in fates.items():
        if at >= number or fate.how != LOST:
            continue
        step = trace.steps[at]
        if isinstance(step, Reply) and (step.turn < now.turn or now.length > step.length):
            place = min(step.length, length)
            holes.append((at, place, Hole("reply", step.turn, (), ASSISTANT)))
        elif isinstance(step, Tool) and step.turn < now.turn:
            lost[step.turn].append(at)
    for turn, tools in lost.items():
        names = tuple(_named(trace.steps[at]) for at in tools)
        place = min(trace.asks[turn].length, length)
        holes.append((tools[0], place, Hole("result", turn, names, RESULT)))
    return sorted(holes, key=lambda hole: hole[0])


def _named(step: Step) -> str:
    assert isinstance(step, Tool)
    given = compact(step.call.get("input"))
    shown = given[:_NAMED_INPUT] + ("…" if len(given) > _NAMED_INPUT else "")
    return f"{step.call.get('name', '')} {shown}"


def _dividers(trace: Trace, step: Step, bytes_of: Bytes) -> list[tuple[int, Divider]]:
    ask = trace.asks[step.turn - 1]
    fresh, sent, length = ask.fresh, min(ask.length, step.length), step.length
    dividers = []
    if fresh:
        dividers.append((0, Divider("again", ask.turn, fresh, size(bytes_of(ask, 0, fresh)))))
    if ask.length > fresh:
        new = Divider("new", ask.turn, ask.length - fresh, size(bytes_of(ask, fresh, ask.length)))
        dividers.append((min(fresh, length), new))
    else:
        dividers.append((sent, Divider("nothing", ask.turn, 0, "")))
    if length > sent:
        later = Divider("later", ask.turn, length - sent, size(bytes_of(step, sent, length)))
        dividers.append((sent, later))
    return dividers


def _findings(trace: Trace, step: Step) -> list[tuple[int, Fault]]:
    """What the server said of this turn's request, with the index of the message it is about:
    warnings at once, refusals once they have come back."""
    if not step.turn:
        return []
    refused = isinstance(step, End) and step.ending.kind == "refused"
    return [
        (int(found[1]), fault)
        for fault in trace.asks[step.turn - 1].faults
        if (fault.effect == "warn" or (refused and fault.effect == "refuse"))
        and (found := _PLACE.match(fault.where))
    ]


def pending_pieces(
    trace: Trace, number: int, fates: dict[int, Fate], view: View
) -> tuple[Piece, ...]:
    """The reply and the results that the program holds and the list does not."""
    now = trace.steps[number]
    if isinstance(now, Start):
        return _beginning(trace)
    pieces: list[Piece] = []
    for at, fate in fates.items():
        step = trace.steps[at]
        if at > number or step.turn != now.turn or (fate.step is not None and fate.step <= number):
            continue
        if isinstance(step, Reply):
            if fate.how == LOST and now.length > step.length:
                continue  # it is a hole by now
            said = message_of(step.reply)
            pieces.append(_pending(trace, at, "reply", said, fate, ASSISTANT, ""))
        elif isinstance(step, Tool):
            pieces.append(_pending_result(trace, at, step, fate))
    if isinstance(now, Helper):
        pieces.append(Piece("helper-list", "own_list", own_list(now)))
    if isinstance(now, Wait):
        named = one_line(str(now.call.get("name", "")))
        pieces.append(
            Piece(f"w-{number}", "held_back", Held(named, now.checks, now.tries, now.decision))
        )
    if isinstance(now, End) and now.ending.kind == "refused":
        pieces.append(
            Piece("refused", "refused", Refusal(now.turn, _by_rule(now.ending.faults), view))
        )
    return tuple(pieces)


def _beginning(trace: Trace) -> tuple[Piece, ...]:
    """What the loop begins its list with: the first message of the first request."""
    first = trace.messages(trace.asks[0])[:1] if trace.asks else ()
    return tuple(Piece("begins", "begins", Message(0, message, False)) for message in first)


def _by_rule(faults: tuple[Fault, ...]) -> tuple[tuple[Fault, ...], ...]:
    """Faults in groups that share rule and sentence, each where its first one stands."""
    groups: dict[tuple[str, str], list[Fault]] = defaultdict(list)
    for fault in faults:
        groups[fault.rule, fault.sentence].append(fault)
    return tuple(tuple(group) for group in groups.values())


def _pending_result(trace: Trace, at: int, step: Tool, fate: Fate) -> Piece:
    named = one_line(str(step.call.get("name", "")))
    piece = _pending(trace, at, "result", step.result.block(), fate, RESULT, named)
    return replace(piece, data=replace(piece.data, result=step.result))


def _pending(
    trace: Trace, at: int, what: str, json: Any, fate: Fate, glyph: Glyph, call: str
) -> Piece:
    lines = trace.steps[fate.step].lines if fate.step is not None else (0, 0)
    return Piece(f"p-{at}", "pending", Pending(what, json, fate, lines, glyph, one_line(call)))

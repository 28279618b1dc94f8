"""`messages[]` as a row of small signs, with signs for what belongs there and is absent."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from app.engine.dialects.parts import calls_of, content_of
from app.engine.steps import Append, Edit, Json, Reply, Step, Tool, Trace
from app.views import fates, glyphs
from app.views.glyphs import Glyph

FIRST, LAST = 3, 6  # what a long strip shows of its begin and its end

# What became of a turn's reply and results on their way into `messages[]`.
REPLY_LOST = "reply lost"
CALLS_LOST = "calls lost"
RESULTS_LOST = "results lost"
NO_ID = "no id"
SWAPPED = "swapped"
STRANGE = "strange id"

NO_CALLS = Glyph("no-call", "A", "assistant without its calls")
OTHER_IDS = Glyph("swapped", "R", "user, tool_result under another id")
TOOL_OTHER_ID = Glyph("swapped", "R", "tool, under another id")
ABSENT_REPLY = Glyph("absent-reply", "", "assistant, never appended")
ABSENT_RESULT = Glyph("absent", "", "user, tool_result, never appended")


@dataclass(frozen=True)
class Strip:
    """A row of signs; of a long one the first and the last, with `left_out` signs between them."""

    first: tuple[Glyph, ...]
    left_out: int = 0
    last: tuple[Glyph, ...] = ()


@dataclass(frozen=True)
class Round:
    """What one turn of a lane brought: the reply, the calls that ran, the messages appended, and
    what went wrong with them on the way (`faults`)."""

    calls: tuple[Json, ...]
    tools: tuple[Tool, ...]
    appended: tuple[Json, ...]
    faults: frozenset[str]


def rounds(trace: Trace) -> dict[int, Round]:
    """What each turn of a trace brought, by its number."""
    known = fates.fates_of(trace)
    turns: dict[int, list[int]] = {}
    for number, step in enumerate(trace.steps):
        turns.setdefault(step.turn, []).append(number)
    return {turn: _round(trace, numbers, known) for turn, numbers in turns.items() if turn}


def strip(trace: Trace, step: Step, seen: Mapping[int, Round]) -> Strip:
    """The signs of `messages[]` as an `ask` sends it. `seen` is `rounds(trace)`."""
    glyphs = list(_glyphs(trace, step, seen))
    if len(glyphs) <= FIRST + LAST + 1:
        return Strip(tuple(glyphs))
    return Strip(tuple(glyphs[:FIRST]), len(glyphs) - FIRST - LAST, tuple(glyphs[-LAST:]))


def glyph_of(message: Json, faults: frozenset[str] = frozenset()) -> Glyph:
    """The sign of one message; `faults` are those of the turn that appended it."""
    plain = glyphs.glyph_of(message)
    if plain == glyphs.ASSISTANT and CALLS_LOST in faults:
        return NO_CALLS
    if not faults & {SWAPPED, STRANGE}:
        return plain
    return {glyphs.RESULT: OTHER_IDS, glyphs.TOOL: TOOL_OTHER_ID}.get(plain, plain)


def results_in(message: Json) -> int:
    """How many `tool_result` blocks a message holds."""
    content = content_of(message)
    blocks = content if isinstance(content, list) else []
    return sum(isinstance(b, dict) and b.get("type") == "tool_result" for b in blocks)


def _round(trace: Trace, numbers: list[int], known: Mapping[int, fates.Fate]) -> Round:
    steps = [trace.steps[number] for number in numbers]
    reply = next((step.reply for step in steps if isinstance(step, Reply)), {})
    tools = tuple(step for step in steps if isinstance(step, Tool))
    appended = tuple(
        message
        for step in steps
        if isinstance(step, Append)
        for message in trace.messages(step)[step.index : step.index + step.count]
    )
    # A turn in which no tool ran has nothing to lose: its reply may be the answer.
    faults = {
        _FAULTS[how]
        for n in numbers
        if n in known and tools
        if (how := (isinstance(trace.steps[n], Reply), known[n].how)) in _FAULTS
    }
    calls = tuple(dict(call) for call in (calls_of(reply) if reply else ()))
    return Round(calls, tools, appended, frozenset(faults))


# By whether it is a reply, and its fate.
_FAULTS = {
    (True, fates.LOST): REPLY_LOST,
    (True, fates.PART): CALLS_LOST,
    (False, fates.LOST): RESULTS_LOST,
    (False, fates.NO_ID): NO_ID,
    (False, fates.OTHER_ID): SWAPPED,
    (False, fates.STRANGE_ID): STRANGE,
}


def _glyphs(trace: Trace, step: Step, seen: Mapping[int, Round]) -> Iterator[Glyph]:
    first = trace.asks[0] if trace.asks else step
    if any(isinstance(s, Edit) for s in trace.steps if s.turn < step.turn):
        # Entries were changed or taken out: the list alone tells what stands there.
        yield from (glyph_of(message) for message in trace.messages(step))
        return
    yield from (glyph_of(message) for message in trace.messages(first))
    for turn in range(first.turn, step.turn):
        brought = seen[turn]
        if REPLY_LOST in brought.faults:
            yield ABSENT_REPLY
        yield from (glyph_of(message, brought.faults) for message in brought.appended)
        if RESULTS_LOST in brought.faults:
            yield ABSENT_RESULT

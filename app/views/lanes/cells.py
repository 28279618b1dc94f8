"""The rows of a comparison: what each lane does in them, or does not."""

from collections.abc import Callable
from dataclasses import dataclass, replace

from markupsafe import Markup

from app.compare import Row
from app.engine.dialects.parts import calls_of, read_reply, reason_of
from app.engine.steps import (
    Append,
    Ask,
    Edit,
    End,
    Fault,
    Helper,
    Json,
    Reply,
    Start,
    Step,
    Tool,
    Wait,
)
from app.views.carried import in_short
from app.views.checks import CheckMark, marks_of
from app.views.glyphs import Glyph
from app.views.helper import in_short as in_helper
from app.views.lanes.entry import Entry, entries
from app.views.lanes.shown import Lanes, Shown
from app.views.strip import (
    CALLS_LOST,
    FIRST,
    NO_ID,
    REPLY_LOST,
    RESULTS_LOST,
    STRANGE,
    SWAPPED,
    Strip,
    glyph_of,
    results_in,
    strip,
)
from app.views.texts import Words, code, compact, one_line

MESSAGES = code("messages[]")


@dataclass(frozen=True)
class Call:
    """A call by its tool's name and its input as JSON; `values` is the input without braces, for
    where there is little room."""

    name: str
    input: str
    values: str = ""


@dataclass(frozen=True)
class Added:
    """A message that joined: its sign and its index."""

    glyph: Glyph
    index: int


@dataclass(frozen=True)
class Cell:
    """What a lane does in a row.

    `look` is the kind of step, or `refused`, `hole` (a step that the lane lacks, and what that
    does), `note` (one that it does without harm), `blank` (it waits), `ended`. `text` is ours,
    `said` the model's or a tool's; `word` says in red what is wrong, `more` counts what is left
    out; `entries` and `fault` are for the first difference.
    """

    lane: str
    look: str
    text: str = ""
    title: str = ""
    said: str = ""
    calls: tuple[Call, ...] = ()
    checks: tuple[CheckMark, ...] = ()
    added: tuple[Added, ...] = ()
    strip: Strip | None = None
    changed: tuple[Call, ...] = ()
    more: int = 0
    word: str = ""
    warnings: tuple[Fault, ...] = ()
    fault: Fault | None = None
    entries: tuple[Entry, ...] = ()


@dataclass(frozen=True)
class RowShown:
    """One row: `first` marks the first difference, `opens` the first row of a turn."""

    number: int
    turn: int
    kind: str
    cells: tuple[Cell, ...]
    first: bool = False
    opens: bool = False
    same: bool = True
    tasks: tuple[str, ...] = ()  # one of all lanes, or one for each


def row_shown(w: Words, lanes: Lanes, number: int) -> RowShown:
    """A row as it is drawn; it does not depend on the step that the page stands at."""
    row = lanes.rows[number]
    first = number == lanes.comparison.first_difference
    cells = [_cell(w, lanes, number, lane) for lane in range(len(lanes.shown))]
    if first:
        cells = [_in_full(lanes, number, lane, cell) for lane, cell in enumerate(cells)]
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
            return _hole(w, lanes, number, at)
        return Cell(lane.name, "ended" if lanes.has_ended(number, at) else "blank")
    cell = _CELLS[type(step)](w, lane, step)
    word = cell.word or _word(w, lanes, number, at, step)
    return replace(cell, checks=marks_of(w, step), word="" if lane.is_base else word)


# --- the steps that a lane has


def _start(w: Words, lane: Shown, step: Step) -> Cell:
    return Cell(lane.name, "start")


def _ask(w: Words, lane: Shown, step: Step) -> Cell:
    assert isinstance(step, Ask)
    return Cell(
        lane.name,
        "ask",
        text=w.ngettext("%(num)s message", "%(num)s messages", step.length),
        strip=strip(lane.trace, step, lane.rounds),
        changed=tuple(_set(step, key) for key in step.changed),
        warnings=tuple(fault for fault in step.faults if fault.effect == "warn"),
    )


def _reply(w: Words, lane: Shown, step: Step) -> Cell:
    assert isinstance(step, Reply)
    calls = calls_of(step.reply)
    if calls:
        shown = tuple(_call(dict(call)) for call in calls[:2])
        return Cell(lane.name, "reply", calls=shown, more=len(calls) - len(shown))
    stop = reason_of(step.reply)
    return Cell(lane.name, "reply", said=one_line(_text(step.reply)), text=code(stop))


def _append(w: Words, lane: Shown, step: Step) -> Cell:
    assert isinstance(step, Append)
    faults = lane.rounds[step.turn].faults
    messages = lane.trace.messages(step)[step.index :]
    added = tuple(
        Added(glyph_of(message, faults), step.index + n)
        for n, message in enumerate(messages[: min(step.count, FIRST)])
    )
    return Cell(
        lane.name, "append", added=added, more=step.count - len(added), word=_slip(w, added, faults)
    )


def _tool(w: Words, lane: Shown, step: Step) -> Cell:
    assert isinstance(step, Tool)
    beside = len(lane.rounds[step.turn].tools) > 1
    calls = (_call(step.call),) if beside else ()
    text = in_short(w, step.result) or _printed(w, step)
    return Cell(lane.name, "tool", calls=calls, said=one_line(step.result.content), text=text)


def _printed(w: Words, step: Step) -> str:
    count = len(step.printed.splitlines())
    return w.ngettext("prints %(num)s line", "prints %(num)s lines", count) if count else ""


def _wait(w: Words, lane: Shown, step: Step) -> Cell:
    assert isinstance(step, Wait)
    text = {
        "": w.gettext("waits for a person"),
        "approve": w.gettext("a person approves"),
        "deny": w.gettext("a person denies"),
    }[step.decision]
    return Cell(lane.name, "wait", calls=(_call(step.call),), text=text)


def _helper(w: Words, lane: Shown, step: Step) -> Cell:
    assert isinstance(step, Helper)
    return Cell(lane.name, "helper", text=in_helper(w, step))


def _edit(w: Words, lane: Shown, step: Step) -> Cell:
    assert isinstance(step, Edit)
    text = w.gettext("changes %(messages)s from %(index)s on", messages=MESSAGES, index=step.index)
    return Cell(lane.name, "edit", text=text)


def _end(w: Words, lane: Shown, step: Step) -> Cell:
    assert isinstance(step, End)
    ending = step.ending
    if ending.kind == "refused":
        text = w.gettext("the server refuses the request")
        return Cell(lane.name, "refused", text=text, title=str(ending.status))
    return Cell(lane.name, "end", text=end_text(w, step))


def end_text(w: Words, step: End) -> Markup:
    """How a run ends, in a few words."""
    return {
        "answer": w.gettext("returns its text"),
        "wrong": w.gettext("returns its text")
        if step.ending.text
        else w.gettext("returns an empty text"),
        "stopped": w.gettext("gives up"),
        "no_answer": w.gettext("gives up: no turns are left"),
        "error": w.gettext("breaks off: %(error)s", error=code(step.ending.error)),
        "cut": w.gettext("Halqa stops it"),
    }[step.ending.kind]


_CELLS: dict[type[Step], Callable[[Words, Shown, Step], Cell]] = {
    Start: _start,
    Ask: _ask,
    Reply: _reply,
    Append: _append,
    Tool: _tool,
    Wait: _wait,
    Helper: _helper,
    Edit: _edit,
    End: _end,
}


def _set(step: Ask, key: str) -> Call:
    """A key of a request beside its messages; of tools only their names."""
    value = step.envelope.get(key)
    if key == "tools" and isinstance(value, list):
        value = [tool.get("name") for tool in value if isinstance(tool, dict)]
    return Call(key, one_line(compact(value), 40))


def _call(call: Json) -> Call:
    given = call.get("input")
    values = (
        " ".join(f"{k} {compact(v)}" for k, v in given.items()) if isinstance(given, dict) else ""
    )
    return Call(
        one_line(str(call.get("name")), 40), one_line(compact(given), 80), one_line(values, 40)
    )


def _text(reply: Json) -> str:
    blocks = [block for block in read_reply(reply).get("content", []) if isinstance(block, dict)]
    return "".join(str(block.get("text", "")) for block in blocks)


# --- what is wrong, in a word


def _slip(w: Words, added: tuple[Added, ...], faults: frozenset[str]) -> str:
    looks = {one.glyph.look for one in added}
    if "?" in {one.glyph.letter for one in added}:
        return w.gettext("no id")
    if "swapped" in looks:
        return w.gettext("wrong id") if STRANGE in faults else w.gettext("ids swapped")
    return w.gettext("calls lost") if "no-call" in looks else ""


def _word(w: Words, lanes: Lanes, number: int, at: int, step: Step) -> str:
    """A short red word for a step that the slip has changed."""
    lane, row = lanes.shown[at], lanes.rows[number]
    if isinstance(step, Ask):
        return _ask_word(w, lanes, number, lane, step)
    if isinstance(step, Append):
        return _append_word(w, lane, step) if row.differs[at] else ""
    if isinstance(step, Tool) and _is_lost_unseen(lanes, number, at):
        return w.gettext("result lost")
    again = lane.repeats(step)
    if isinstance(step, Reply) and again and calls_of(step.reply):
        return w.gettext("and again") if again > 1 else w.gettext("same question again")
    if isinstance(step, Tool) and again:
        return w.gettext("same result") if again == 1 else ""
    is_last = step.turn == lane.trace.steps[-1].turn
    if isinstance(step, Reply) and is_last and lane.trace.ending.kind == "wrong":
        return w.gettext("wrong answer")
    return w.gettext("differs") if row.differs[at] and isinstance(step, Reply | Tool) else ""


def _ask_word(w: Words, lanes: Lanes, number: int, lane: Shown, step: Ask) -> str:
    """What a request lacks, the first time that it does; then how many messages."""
    if "tools" in step.changed and not step.envelope.get("tools"):
        return w.gettext("no tools offered")
    before = lane.rounds[step.turn - 1].faults if step.turn > 1 else frozenset()
    word = _missing(w, before - lane.faults_before[max(1, step.turn - 1)])
    base = next((n for n, other in enumerate(lanes.shown) if other.is_base), None)
    asked = None if base is None else lanes.step(number, base)
    if word or not isinstance(asked, Ask) or asked.length == step.length:
        return word
    if step.length < asked.length:
        return w.ngettext("%(num)s fewer", "%(num)s fewer", asked.length - step.length)
    return w.ngettext("%(num)s more", "%(num)s more", step.length - asked.length)


def _append_word(w: Words, lane: Shown, step: Append) -> str:
    """A reply that the model gave before, or some of a turn's results."""
    message, brought = lane.trace.messages(step)[step.index], lane.rounds[step.turn]
    if message.get("role") == "assistant":
        replies = [s for s in lane.trace.steps if isinstance(s, Reply) and s.turn == step.turn]
        again = any(lane.repeats(reply) for reply in replies)
        return w.gettext("the same again") if again else ""
    results, made = results_in(message), len(brought.tools)
    if 0 < results < made:
        return w.gettext("%(some)s of %(all)s results", some=results, all=made)
    return ""


def _missing(w: Words, faults: frozenset[str]) -> str:
    """What a request lacks, said the first time that it does."""
    if {REPLY_LOST, RESULTS_LOST} <= faults:
        return w.gettext("round missing")
    words = {
        REPLY_LOST: w.gettext("reply missing"),
        RESULTS_LOST: w.gettext("result missing"),
        CALLS_LOST: w.gettext("calls missing"),
        NO_ID: w.gettext("no id"),
        SWAPPED: w.gettext("ids swapped"),
        STRANGE: w.gettext("wrong id"),
    }
    return next((word for fault, word in words.items() if fault in faults), "")


def _is_lost_unseen(lanes: Lanes, number: int, at: int) -> bool:
    """Whether the results of a turn are lost and no row of the turn has a hole that says so."""
    row = lanes.rows[number]
    if RESULTS_LOST not in lanes.shown[at].rounds[row.turn].faults:
        return False
    later = [other for other in lanes.rows[number + 1 :] if other.turn == row.turn]
    if any(other.steps[at] is not None and other.kind == "tool" for other in later):
        return False
    return not any(other.holes[at] for other in later)


# --- the steps that a lane lacks


def _hole(w: Words, lanes: Lanes, number: int, at: int) -> Cell:
    lane, row = lanes.shown[at], lanes.rows[number]
    now = lanes.now(number, at)
    if row.kind != "append":
        return Cell(lane.name, "note", text=_lacking(w, row))
    faults = lane.rounds[row.turn].faults if row.turn else frozenset()
    lost = _lost(w, lanes, number, faults)
    if not lost or lane.is_base:
        later = any(isinstance(s, Append) for s in _rest_of_turn(lane, now))
        text = w.gettext("all results go in one message") if later else ""
        title = w.gettext("Nothing yet") if later else w.gettext("Nothing appended")
        return Cell(lane.name, "note", title=title, text=text)
    stays = w.gettext(
        "%(messages)s stays at %(length)s: %(lost)s",
        messages=MESSAGES,
        length=now.length,
        lost=lost,
    )
    return Cell(lane.name, "hole", title=w.gettext("Nothing appended"), text=stays, word=lost)


def _lost(w: Words, lanes: Lanes, number: int, faults: frozenset[str]) -> str:
    """What the others append in a row and this lane never does."""
    row = lanes.rows[number]
    for at, lane in enumerate(lanes.shown):
        step = lanes.step(number, at)
        if not isinstance(step, Append):
            continue
        message = lane.trace.messages(step)[step.index]
        if message.get("role") == "assistant":
            return w.gettext("the reply is lost") if REPLY_LOST in faults else ""
        if RESULTS_LOST in faults:
            many = len(lane.rounds[row.turn].tools)
            return w.ngettext("the result is lost", "the results are lost", many)
    return ""


def _rest_of_turn(lane: Shown, now: Step) -> list[Step]:
    steps = lane.trace.steps
    return [step for step in steps[steps.index(now) + 1 :] if step.turn == now.turn]


def _lacking(w: Words, row: Row) -> Markup:
    return {
        "tool": w.gettext("no call runs here"),
        "ask": w.gettext("nothing is sent here"),
        "reply": w.gettext("no reply here"),
        "wait": w.gettext("nobody is asked here"),
        "helper": w.gettext("no helper works here"),
    }.get(row.kind) or w.gettext("nothing happens here")


# --- the first difference


def _in_full(lanes: Lanes, number: int, at: int, cell: Cell) -> Cell:
    """The row of the first difference shows more than the others."""
    step, lane = lanes.step(number, at), lanes.shown[at]
    if isinstance(step, Append):
        return replace(cell, entries=entries(lane, step))
    if isinstance(step, Ask):
        asks = [lanes.step(number, other) for other in range(len(lanes.shown))]
        keys = dict.fromkeys(key for ask in asks if isinstance(ask, Ask) for key in ask.changed)
        return replace(cell, changed=tuple(_set(step, key) for key in keys))
    if isinstance(step, End) and step.ending.faults:
        return replace(cell, fault=step.ending.faults[0])
    return cell

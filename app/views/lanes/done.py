"""A cell for a step that a lane has, by its kind."""

from collections.abc import Callable

from markupsafe import Markup

from app.engine.dialects.parts import calls_of, read_reply, reason_of
from app.engine.steps import (
    Append,
    Ask,
    Edit,
    End,
    Helper,
    Json,
    Reply,
    Start,
    Step,
    Tool,
    Wait,
)
from app.views.carried import in_short
from app.views.helper import in_short as in_helper
from app.views.lanes.cells import MESSAGES, Added, Call, Cell
from app.views.lanes.shown import Shown
from app.views.lanes.slips import slip_of
from app.views.strip import FIRST, glyph_of, strip
from app.views.texts import Words, code, compact, one_line


def done(w: Words, lane: Shown, step: Step) -> Cell:
    """What a lane does in a step."""
    return _CELLS[type(step)](w, lane, step)


def _start(w: Words, lane: Shown, step: Step) -> Cell:
    return Cell(lane.name, "start")


def _ask(w: Words, lane: Shown, step: Step) -> Cell:
    assert isinstance(step, Ask)
    return Cell(
        lane.name,
        "ask",
        text=w.ngettext("%(num)s message", "%(num)s messages", step.length),
        strip=strip(lane.trace, step, lane.rounds),
        changed=tuple(request_key(step, key) for key in step.changed),
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
        lane.name,
        "append",
        added=added,
        more=step.count - len(added),
        word=slip_of(w, added, faults),
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
    return Cell(lane.name, "end", text=_end_text(w, step))


def _end_text(w: Words, step: End) -> Markup:
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


def request_key(step: Ask, key: str) -> Call:
    """A key of a request beside its messages; of tools only their names."""
    value = step.envelope.get(key)
    if key == "tools" and isinstance(value, list):
        value = [tool.get("name") for tool in value if isinstance(tool, dict)]
    return Call(key, one_line(compact(value), 40))


def _call(call: Json) -> Call:
    given = call.get("input")
    named = given if isinstance(given, dict) else {}
    values = " ".join(f"{key} {compact(value)}" for key, value in named.items())
    alone = compact(next(iter(named.values()))) if len(named) == 1 else ""
    return Call(
        one_line(str(call.get("name")), 40),
        one_line(compact(given), 80),
        one_line(values, 40),
        one_line(alone, 40),
    )


def _text(reply: Json) -> str:
    blocks = [block for block in read_reply(reply).get("content", []) if isinstance(block, dict)]
    texts = ("content" if block.get("type") == "compaction" else "text" for block in blocks)
    return "".join(str(block.get(key, "")) for block, key in zip(blocks, texts, strict=True))


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

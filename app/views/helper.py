"""The steps of a helper agent, as the pages of the agent that asked it show them."""

from dataclasses import dataclass
from typing import Any

from markupsafe import Markup

from app.engine.dialects.parts import calls_of, read_reply
from app.engine.steps import Append, Ask, End, Helper, Json, Reply, Start, Tool
from app.views.glyphs import Glyph, glyph_of
from app.views.texts import Words, apart, code, compact, one_line

SHOWN_INPUT = 60  # characters of a call's input
MOST_SHOWN = 6  # messages of a helper's list


@dataclass(frozen=True)
class Line:
    """A line of a helper in the chat: `look` is `task`, `said`, `failed` or `done`;
    `call` is code before the text."""

    look: str
    depth: int
    call: str
    text: str
    lit: bool


@dataclass(frozen=True)
class Own:
    """The list that a helper holds: the newest of its messages, and how many there are."""

    messages: tuple[tuple[int, Glyph, Any], ...]
    count: int


def in_short(w: Words, step: Helper) -> Markup:
    """What a helper does, in a few words."""
    match step.inner:
        case Start(task=task):
            return w.gettext("gets a task: “%(task)s”", task=apart(one_line(task, 60)))
        case Ask(length=length):
            return w.ngettext("asks with %(num)s message", "asks with %(num)s messages", length)
        case Reply(reply=reply):
            calls = [_named(call) for call in calls_of(reply)]
            if calls:
                return w.listed(code(call) for call in calls)
            return w.gettext("says “%(text)s”", text=apart(one_line(_text(reply), 60)))
        case Append(count=count):
            return w.ngettext("appends %(num)s message", "appends %(num)s messages", count)
        case Tool(call=call, result=result):
            said = apart(one_line(result.content, 60))
            return w.gettext("%(call)s gave “%(said)s”", call=code(_name(call)), said=said)
        case End(ending=ending):
            return w.gettext("ends: “%(text)s”", text=apart(one_line(ending.text, 60)))
    return w.gettext("changes its list")


def said_by(step: Helper, lit: bool) -> Line | None:
    """A helper's step as a line of the chat; None for what a person does not see."""
    match step.inner:
        case Start(task=task):
            return Line("task", step.depth, "", task, lit)
        case Reply(reply=reply) if text := _text(reply):
            return Line("said", step.depth, "", text, lit)
        case Tool(call=call, result=result):
            look = "failed" if result.is_error else "done"
            return Line(look, step.depth, _named(call), one_line(result.content), lit)
    return None


def own_list(step: Helper) -> Own:
    """The messages that the helper holds after its step."""
    messages = step.run.messages(step.inner)
    held = [(index, glyph_of(message), message) for index, message in enumerate(messages)]
    return Own(tuple(held[-MOST_SHOWN:]), len(held))


def _name(call: Any) -> str:
    return one_line(str(call.get("name", "")), 60)


def _named(call: Any) -> str:
    given = compact(call.get("input"))
    return f"{_name(call)} {given[:SHOWN_INPUT]}{'…' if len(given) > SHOWN_INPUT else ''}"


def _text(reply: Json) -> str:
    blocks = read_reply(reply)["content"]
    texts = [b for b in blocks if isinstance(b, dict) and b.get("type") == "text"]
    return "\n\n".join(str(text.get("text", "")) for text in texts)

"""The scripted model: a pure function of the whole request.

It never counts its calls and knows no loop, lane or turn. What is not in the request did not
happen: a loop that forgets to append is asked the same thing again, as by a real model.
"""

import copy
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from app.engine.rules.anthropic.signatures import sign
from app.engine.steps import Json, NoReply, client_calls

NOTHING_TO_SAY = "the script has no reply to this request"
PLACEHOLDER = re.compile(r"\{([a-z][a-z0-9_]*)\}")


@dataclass(frozen=True)
class ScriptedCall:
    """A call that the script makes. `label` names its result in conditions and texts.

    Where its result `may_be_empty`, an empty one answers it too. `seconds` is how long it takes. An
    `unoffered` call is made though its tool may not be offered, as models do now and then.
    """

    label: str
    tool: str
    input: Json
    may_be_empty: bool = False
    seconds: float = 0.25
    unoffered: bool = False


@dataclass(frozen=True)
class When:
    """A condition on the result of a call, by label, or on the request: its `max_tokens` is under
    a number, it offers a tool (`described` by a text), or its `system`, its `task` (the first
    message) or a system message in the list (`told`) holds a text.

    A result that is not there meets none.
    """

    result: str = ""
    max_tokens_under: int | None = None
    offers: str | None = None
    described: str = ""
    system: str | None = None
    task: str | None = None
    told: str | None = None
    contains: str | None = None
    lacks: str | None = None
    more_than: str | None = None  # the label of another call; both results are numbers

    def holds(self, results: Mapping[str, str], request: Json) -> bool:
        """Whether a request, and the results in it by label, meet this condition."""
        if self.max_tokens_under is not None:
            allowed = request.get("max_tokens")
            return isinstance(allowed, int) and allowed < self.max_tokens_under
        if self.offers is not None:
            tool = _offered(request).get(self.offers)
            return tool is not None and self.described in str(tool.get("description", ""))
        if self.system is not None:
            return self.system in str(request.get("system", ""))
        if self.task is not None:
            first = next(iter(_dicts(request.get("messages"))), {})
            return self.task in _text_of(first.get("content"))
        if self.told is not None:
            return any(self.told in _text_of(note) for note in _notes(request))
        text = results.get(self.result)
        if text is None:
            return False
        if self.contains is not None and self.contains not in text:
            return False
        if self.lacks is not None and self.lacks in text:
            return False
        if self.more_than is not None:
            mine, other = _number(text), _number(results.get(self.more_than, ""))
            return mine is not None and other is not None and mine > other
        return True


@dataclass(frozen=True)
class ScriptedReply:
    """One reply of the script: thinking, `lead`, text, `blocks`, calls, in this order.

    `summary` is the text of a compaction block in front of them. `{label}` in its text is filled
    with that call's result. `more` are further keys of the reply, such as `stop_sequence`;
    `seconds` is how long the reply takes. What is said `again` and again is never behind us: as
    long as its conditions hold, it comes.
    """

    text: str = ""
    calls: tuple[ScriptedCall, ...] = ()
    when: tuple[When, ...] = ()
    stop_reason: str = ""
    thinking: str | None = None
    summary: str = ""
    lead: tuple[Json, ...] = ()
    blocks: tuple[Json, ...] = ()
    more: Json = field(default_factory=dict)
    seconds: float = 2.0
    again: bool = False


def names_in(text: str) -> list[str]:
    """The labels that a scripted text names: `{total}` names `total`."""
    return PLACEHOLDER.findall(text)


@dataclass
class _History:
    """What a request shows: its calls with their results, its assistant blocks, its ids."""

    calls: list[tuple[str, Any, str | None]] = field(default_factory=list)  # name, input, result
    said: list[Any] = field(default_factory=list)
    ids: set[str] = field(default_factory=set)


def choose(script: Sequence[ScriptedReply], request: Json) -> int | None:
    """Which reply comes next: the first that is not behind us, whose conditions hold, whose
    results are there and whose tools are offered. None where no reply fits."""
    history = _read(request)
    return _choose(script, history, _by_label(script, history), request)


def _choose(
    script: Sequence[ScriptedReply], history: _History, results: Mapping[str, str], request: Json
) -> int | None:
    tools = _offered(request)
    unused = list(history.calls)
    for number, reply in enumerate(script):
        if not reply.again and _is_behind(reply, unused, history, results):
            continue
        if (
            all(call.unoffered or call.tool in tools for call in reply.calls)
            and all(name in results for name in names_in(reply.text))
            and all(when.holds(results, request) for when in reply.when)
        ):
            return number
    return None


def answer(script: Sequence[ScriptedReply], request: Json) -> Json:
    """The scripted reply to a request: `{stop_reason, content, usage}`. Raises NoReply."""
    return answered(script, request)[1]


def answered(
    script: Sequence[ScriptedReply], request: Json, prefix: str = "toolu_"
) -> tuple[int, Json]:
    """Which reply of the script answers a request, and that reply; the ids of its calls begin with
    `prefix`. Raises NoReply."""
    history = _read(request)
    results = _by_label(script, history)
    number = _choose(script, history, results, request)
    if number is None:
        raise NoReply(NOTHING_TO_SAY)
    reply = script[number]
    text = _fill(reply.text, results)
    content: list[Json] = []
    if reply.thinking is not None:
        content.append(_thinking(request, reply.thinking))
    content += _compaction(reply)
    content += copy.deepcopy(reply.lead)  # a loop may write into what it was given
    if text:
        content.append({"type": "text", "text": text})
    content += copy.deepcopy(reply.blocks)
    for call, fresh in zip(reply.calls, _fresh_ids(history.ids, prefix), strict=False):
        content.append({"type": "tool_use", "id": fresh, "name": call.tool, "input": call.input})
    return number, {
        "stop_reason": reply.stop_reason or ("tool_use" if reply.calls else "end_turn"),
        **reply.more,
        "content": content,
        "usage": {"input_tokens": _tokens(request), "output_tokens": _tokens(content)},
    }


def _is_behind(
    reply: ScriptedReply,
    unused: list[tuple[str, Any, str | None]],
    history: _History,
    results: Mapping[str, str],
) -> bool:
    """Whether the request shows the reply: its calls answered, or its text said."""
    if not reply.calls:
        text = _fill(reply.text, results)
        said = [{"type": "text", "text": text}] if text else []
        shown = [*_compaction(reply), *said, *reply.lead, *reply.blocks]
        return bool(shown) and all(block in history.said for block in shown)
    found = []
    for call in reply.calls:
        match = next(
            (
                seen
                for seen in unused
                if seen not in found
                and (seen[2] or (call.may_be_empty and seen[2] is not None))
                and seen[:2] == (call.tool, call.input)
            ),
            None,
        )
        if match is None:
            return False
        found.append(match)
    for seen in found:
        unused.remove(seen)
    return True


def _compaction(reply: ScriptedReply) -> list[Json]:
    return [{"type": "compaction", "content": reply.summary}] if reply.summary else []


def _read(request: Json) -> _History:
    history = _History()
    results: dict[str, str] = {}
    asked: list[tuple[str, Any, str]] = []
    for message in _dicts(request.get("messages")):
        content = message.get("content")
        for block in _dicts(content):
            if block.get("type") == "tool_result":
                called = str(block.get("tool_use_id", ""))
                history.ids.add(called)
                results.setdefault(called, _text_of(block.get("content")))
        if message.get("role") != "assistant":
            continue
        history.said += (
            [{"type": "text", "text": content}] if isinstance(content, str) else _dicts(content)
        )
        for call in client_calls(content):
            called = str(call.get("id", ""))
            history.ids.add(called)
            asked.append((str(call.get("name", "")), call.get("input"), called))
    history.calls = [(name, given, results.get(called)) for name, given, called in asked]
    return history


def _by_label(script: Sequence[ScriptedReply], history: _History) -> dict[str, str]:
    """The last result of each labelled call that stands in the request."""
    latest = [call for call in reversed(history.calls) if call[2]]
    found: dict[str, str] = {}
    for call in (call for reply in script for call in reply.calls if call.label):
        for name, given, result in latest:
            if result and (name, given) == (call.tool, call.input):
                found[call.label] = result
                break
    return found


def _thinking(request: Json, text: str) -> Json:
    """A thinking block, signed over what the request shows; no server checks its shape here."""
    messages = [
        {"role": str(message.get("role")), "content": said}
        for message in _dicts(request.get("messages"))
        if isinstance(said := message.get("content"), str) or _dicts(said)
    ]
    signature = sign({**request, "messages": messages}, (), text)
    return {"type": "thinking", "thinking": text, "signature": signature}


def _fill(text: str, results: Mapping[str, str]) -> str:
    return PLACEHOLDER.sub(lambda found: results.get(found[1], found[0]), text)


def _fresh_ids(used: set[str], prefix: str) -> Iterator[str]:
    number = 0
    while True:
        number += 1
        if (name := f"{prefix}{number:02}") not in used:
            yield name


def _offered(request: Json) -> dict[str, Json]:
    """The tools of a request by their names, without those that a `tool_removal` takes away."""
    blocks = [block for note in _notes(request) for block in _dicts(note)]
    removed = [block.get("tool") for block in blocks if block.get("type") == "tool_removal"]
    names = [tool.get("name") for tool in removed if isinstance(tool, dict)]
    tools = _dicts(request.get("tools"))
    return {str(t.get("name", "")): t for t in tools if t.get("name") not in names}


def _notes(request: Json) -> list[Any]:
    """The contents of the system messages in a request's list."""
    messages = _dicts(request.get("messages"))
    return [message.get("content") for message in messages if message.get("role") == "system"]


def _dicts(value: Any) -> list[Json]:
    """The dicts of a list; nothing where it is no list: an unchecked server takes anything."""
    return [item for item in value if isinstance(item, dict)] if isinstance(value, list) else []


def _text_of(content: Any) -> str:
    if isinstance(content, str):
        return content
    return "".join(str(block.get("text", "")) for block in _dicts(content))


def _number(text: str) -> float | None:
    try:
        return float(text)
    except ValueError:
        return None


def _tokens(value: Any) -> int:
    """An estimate: UTF-8 bytes of the JSON over 4."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"), default=str)
    return -(-len(text.encode("utf-8", "surrogatepass")) // 4)

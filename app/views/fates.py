"""What became of each reply and each result: whether it ever stood in `messages[]`, and how."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from app.engine.dialects.parts import calls_of, content_of, read_reply
from app.engine.steps import (
    WAITS,
    Append,
    Ask,
    Edit,
    Json,
    Reply,
    Step,
    Tool,
    Trace,
    client_calls,
)
from app.harness.repeats import signature

WHOLE, PART, NO_ID, OTHER_ID, LOST = "whole", "part", "no id", "other id", "lost"
STRANGE_ID = "strange id"  # a result under an id that no call of its turn has
ALTERED = "altered"  # a reply without some block or with another in its place, all its calls there
OPEN = "open"  # the run goes on later: nobody knows yet
ENDED = "ended"  # the harness ended the run before the loop could append it


@dataclass(frozen=True)
class Fate:
    """`how` is one of the words above; `step` is the step that appended it and `index` the
    message that holds it, both None where it was lost, is open or the run ended first."""

    how: str
    step: int | None = None
    index: int | None = None


def fates_of(trace: Trace) -> dict[int, Fate]:
    """The fate of each reply and each tool result, by the number of its step.

    A reply or result that stands in no message before the next request is lost.
    """
    fates: dict[int, Fate] = {}
    open_replies: list[int] = []
    open_tools: list[int] = []
    for number, step in enumerate(trace.steps):
        match step:
            case Ask():
                open_replies, open_tools = [], []
            case Reply():
                open_replies.append(number)
                fates[number] = Fate(LOST)
            case Tool():
                open_tools.append(number)
                fates[number] = Fate(LOST)
            case Append() | Edit():
                for index, message in _arrived(trace, step):
                    _settle(trace, number, index, message, open_replies, open_tools, fates)
    if trace.ending.kind == WAITS:
        fates.update((number, Fate(OPEN)) for number in (*open_replies, *open_tools))
    elif trace.ending.outage:
        fates.update((number, Fate(ENDED)) for number in open_tools)
    return fates


def _arrived(trace: Trace, step: Append | Edit) -> list[tuple[int, Json]]:
    """The messages that a step brought, with their indexes."""
    count = step.count if isinstance(step, Append) else len(step.after)
    messages = trace.messages(step)[step.index : step.index + count]
    return list(enumerate(messages, step.index))


def _settle(
    trace: Trace,
    number: int,
    index: int,
    message: Any,
    replies: list[int],
    tools: list[int],
    fates: dict[int, Fate],
) -> None:
    if not isinstance(message, dict):
        return
    content = content_of(message)
    if message.get("role") == "assistant" and replies:
        step = trace.steps[replies[-1]]
        assert isinstance(step, Reply)
        fates[replies.pop()] = Fate(
            _how_said(read_reply(step.reply).get("content"), content), number, index
        )
    for block in content if isinstance(content, list) else ():
        if not isinstance(block, dict) or block.get("type") != "tool_result":
            continue
        answered = next((n for n in tools if _holds(trace.steps[n], block, same_id=True)), None)
        if answered is None:
            answered = next((n for n in tools if _holds(trace.steps[n], block)), None)
        if answered is not None:
            tools.remove(answered)
            manner = _manner(trace.steps[answered], block, _asked(trace, answered))
            fates[answered] = Fate(manner, number, index)


def _asked(trace: Trace, number: int) -> list[Any]:
    """The ids of the calls that the reply before a tool's step made."""
    while not isinstance(trace.steps[number], Reply | Ask):
        number -= 1
    step = trace.steps[number]
    return [call.get("id") for call in calls_of(step.reply)] if isinstance(step, Reply) else []


def _how_said(said: Any, kept: Any) -> str:
    """How a reply stands in the list; a string is one text block."""
    if isinstance(kept, str):
        kept = [{"type": "text", "text": kept}]
    if kept == said:
        return WHOLE
    calls = client_calls(kept)
    return ALTERED if all(call in calls for call in client_calls(said)) else PART


def _holds(step: Step, block: Json, same_id: bool = False) -> bool:
    """Whether a block carries a tool's result, under its own id where that is asked."""
    assert isinstance(step, Tool)
    if same_id and block.get("tool_use_id") != step.call.get("id"):
        return False
    return block.get("content") == step.result.content


def _manner(step: Step, block: Json, asked: list[Any]) -> str:
    assert isinstance(step, Tool)
    if "tool_use_id" not in block:
        return NO_ID
    if block["tool_use_id"] == step.call.get("id"):
        return WHOLE
    return OTHER_ID if block["tool_use_id"] in asked else STRANGE_ID


def asked_before(trace: Trace, number: int) -> bool:
    """Whether a reply makes a call that an earlier reply made already, with the same input."""
    return bool(_same_calls(trace, number))


def answered_before(trace: Trace, number: int) -> bool:
    """Whether the request before a reply holds such an earlier call together with its result."""
    made: set[Any] = set()
    answered: set[Any] = set()
    for message in trace.messages(trace.steps[number]):
        content = content_of(message)
        for block in content if isinstance(content, list) else ():
            if isinstance(block, dict) and block.get("type") == "tool_use":
                made.add(block.get("id"))
            elif isinstance(block, dict) and block.get("content"):
                answered.add(block.get("tool_use_id"))
    return any(call.get("id") in made & answered for call in _same_calls(trace, number))


def _same_calls(trace: Trace, number: int) -> list[Mapping[str, Any]]:
    """The calls of earlier replies that a reply makes again."""
    step = trace.steps[number]
    assert isinstance(step, Reply)
    made = {_signature(call) for call in calls_of(step.reply)}
    return [
        call
        for earlier in trace.steps[:number]
        if isinstance(earlier, Reply)
        for call in calls_of(earlier.reply)
        if _signature(call) in made
    ]


def _signature(call: Mapping[str, Any]) -> str:
    return signature(str(call.get("name")), call.get("input"))

"""What a loop must send after a reply, and the first thing in which a request differs from it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from app.engine.steps import Append, Ask, Edit, Reply, Step, Tool, client_calls
from app.said import Said, quoted

MOST_OUTLINED = 5  # messages


@dataclass(frozen=True)
class Slip:
    """What is wrong with a history: its kind, one sentence, and the step whose line to look at."""

    kind: str
    said: Said
    step: Step


@dataclass(frozen=True)
class Turn:
    """One turn as it was recorded: the request, the reply, the calls that were run, and all steps
    until the next request."""

    ask: Ask
    reply: Reply | None
    tools: tuple[Tool, ...]
    steps: tuple[Step, ...]

    @property
    def content(self) -> list[Any]:
        """The blocks of the reply."""
        return list(self.reply.reply["content"]) if self.reply else []

    @property
    def reason(self) -> str:
        """Why the model stopped writing; "" where it was not asked."""
        return str(self.reply.reply["stop_reason"]) if self.reply else ""

    @property
    def last(self) -> Step:
        """The last step of the turn that did something to it."""
        return next(s for s in reversed(self.steps) if isinstance(s, Ask | Reply | Tool))


def turns_of(steps: Sequence[Step]) -> list[Turn]:
    """The turns of a run, in order."""
    found: list[list[Step]] = []
    for step in steps:
        if isinstance(step, Ask):
            found.append([])
        if found:
            found[-1].append(step)
    return [
        Turn(
            ask=next(s for s in turn if isinstance(s, Ask)),
            reply=next((s for s in turn if isinstance(s, Reply)), None),
            tools=tuple(s for s in turn if isinstance(s, Tool)),
            steps=tuple(turn),
        )
        for turn in found
    ]


def first_slip(task: str, messages: Sequence[Any], ask: Ask) -> Slip | None:
    """What is wrong with the first request: it holds the task, as a user message, and no more."""
    if len(messages) == 1 and isinstance(messages[0], dict):
        said = messages[0].get("content")
        if messages[0].get("role") == "user" and said in (task, [_text(task)]):
            return None
    said = Said("The first request must hold one user message, the task, and no more.")
    return Slip("wrong_start", said, ask)


def next_slip(before: Sequence[Any], turn: Turn, after: Sequence[Any], ask: Ask) -> Slip | None:
    """What is wrong with the request that follows a turn whose reply asked for tools.

    `before` are the messages that the turn sent, `after` those of the next request, `ask`.
    """
    n = ask.turn
    same = 0
    while same < min(len(before), len(after)) and before[same] == after[same]:
        same += 1
    if same < len(before):
        said = Said(
            "Request %(n)s no longer holds %(place)s as it was sent before; a history only grows.",
            n=n,
            place=f"messages.{same}",
        )
        return Slip("changed_past", said, _change(turn, ask))
    new = list(after[len(before) :])
    roles = [message.get("role") if isinstance(message, dict) else None for message in new]
    if not new:
        said = Said(
            "Request %(n)s holds the same messages as the one before: neither the reply nor its"
            " results were appended.",
            n=n,
        )
        return Slip("forgot_round", said, ask)
    if "assistant" not in roles:
        said = Said(
            "Request %(n)s lacks the reply that it answers: no assistant message was appended.", n=n
        )
        return Slip("forgot_assistant", said, turn.steps[1] if len(turn.steps) > 1 else ask)
    if roles == ["assistant"]:
        return _reply_slip(turn, new[0], n, ask) or Slip(
            "forgot_results",
            Said(
                "Request %(n)s lacks the results: the tools ran, and no user message followed.", n=n
            ),
            turn.last,
        )
    if roles[0] != "assistant":
        said = Said(
            "In request %(n)s the results stand before the reply that asked for them; the reply"
            " comes first.",
            n=n,
        )
        return Slip("order", said, _append(turn, ask))
    slip = _reply_slip(turn, new[0], n, ask)
    if slip is not None:
        return slip
    if len(new) > 2 and set(roles[1:]) == {"user"}:
        said = Said(
            "Request %(n)s holds %(count)s user messages after the reply; all results go into one.",
            n=n,
            count=len(new) - 1,
        )
        return Slip("split_results", said, _append(turn, ask, -1))
    if roles != ["assistant", "user"]:
        shown = ", ".join(str(role) for role in roles)
        said = Said(
            "After the reply one user message must follow; request %(n)s added: %(roles)s.",
            n=n,
            roles=shown,
        )
        return Slip("extra", said, _append(turn, ask, -1))
    return _results_slip(turn, new[1], n, _append(turn, ask, -1))


def _reply_slip(turn: Turn, message: Any, n: int, ask: Ask) -> Slip | None:
    """What is wrong with the assistant message that should be the whole reply."""
    said, content = message.get("content"), turn.content
    if said == content:
        return None
    at = _append(turn, ask)
    kept = said if isinstance(said, list) else []
    lost = [str(block.get("type")) for block in content if block not in kept]
    if isinstance(said, str):
        told = Said("a text instead of the list of its blocks")
    elif lost and all(block in content for block in kept):
        told = Said("not all of it: %(blocks)s is missing", blocks=_listed(lost))
    else:
        told = Said("something else than what came")
    whole = Said(
        "Of the reply, request %(n)s holds %(told)s; append the whole %(content)s.",
        n=n,
        told=told,
        content='reply["content"]',
    )
    return Slip("part_of_reply", whole, at)


def _results_slip(turn: Turn, message: Mapping[str, Any], n: int, at: Step) -> Slip | None:
    """What is wrong with the user message that should hold a result for each call."""
    content = message.get("content")
    blocks = content if isinstance(content, list) else []
    results = [b for b in blocks if isinstance(b, dict) and b.get("type") == "tool_result"]
    if not results:
        said = Said(
            "The user message in request %(n)s holds no %(kind)s block; each result is a block of"
            " this type.",
            n=n,
            kind="tool_result",
        )
        return Slip("no_results", said, at)
    if len(results) < len(blocks):
        said = Said(
            "The user message in request %(n)s holds more than results; send results alone.", n=n
        )
        return Slip("extra", said, at)
    return _id_slip(turn, results, n, at) or _content_slip(turn, results, n, at)


def _id_slip(turn: Turn, results: Sequence[Mapping[str, Any]], n: int, at: Step) -> Slip | None:
    """Whether each call is answered once, under its own id."""
    calls = {str(call["id"]): call for call in client_calls(turn.content)}
    nameless = [b for b in results if "tool_use_id" not in b]
    if nameless:
        said = Said(
            "A result in request %(n)s does not say which call it answers: it lacks %(key)s.",
            n=n,
            key='"tool_use_id"',
        )
        return Slip("missing_id", said, at)
    ids = [str(b["tool_use_id"]) for b in results]
    for called in ids:
        if called not in calls:
            said = Said(
                "A result in request %(n)s answers %(id)s, which no call of the reply is; use the"
                " id of the call.",
                n=n,
                id=quoted(called),
            )
            return Slip("wrong_id", said, at)
        if ids.count(called) > 1:
            said = Said(
                "Request %(n)s answers the call %(id)s %(times)s times; once is right.",
                n=n,
                id=called,
                times=ids.count(called),
            )
            return Slip("wrong_id", said, at)
    missing = [called for called in calls if called not in ids]
    if missing:
        said = Said(
            "Request %(n)s answers %(count)s of %(all)s calls; %(ids)s has no result.",
            n=n,
            count=len(ids),
            all=len(calls),
            ids=_listed(missing),
        )
        return Slip("missing_results", said, at)
    return None


def _content_slip(
    turn: Turn, results: Sequence[Mapping[str, Any]], n: int, at: Step
) -> Slip | None:
    """Whether each result says what the tool gave back."""
    given = {str(tool.call.get("id")): tool.result for tool in turn.tools}
    for block in results:
        result = given.get(str(block["tool_use_id"]))
        if result is None:
            continue
        if _plain(block.get("content")) != result.content:
            others = {other.content for other in given.values()}
            if _plain(block.get("content")) in others:
                said = Said("In request %(n)s a result stands under the id of another call.", n=n)
                return Slip("swapped_ids", said, at)
            said = Said(
                "A result in request %(n)s is not what the tool gave back: %(content)s.",
                n=n,
                content=quoted(result.content),
            )
            return Slip("changed_result", said, at)
        if result.is_error and block.get("is_error") is not True:
            said = Said(
                "The tool failed, and the result in request %(n)s does not say so; keep %(key)s of"
                " what %(tool)s gave back.",
                n=n,
                key='"is_error"',
                tool="run_tool",
            )
            return Slip("lost_error", said, at)
    return None


def outline(messages: Sequence[Any]) -> str:
    """The messages of a request in short: their roles, and the kinds and ids of their blocks."""
    shown = [_outlined(message) for message in messages[-MOST_OUTLINED:]]
    return " | ".join(["…", *shown] if len(messages) > MOST_OUTLINED else shown)


def _outlined(message: Any) -> str:
    if not isinstance(message, dict):
        return f"{message!r:.40}"
    content = message.get("content")
    blocks = content if isinstance(content, list) else []
    kinds = [_kind(block) for block in blocks]
    return f"{message.get('role')!s:.20}" + (f": {_listed(kinds)}" if kinds else "")


def _kind(block: Any) -> str:
    if not isinstance(block, dict):
        return f"{block!r:.40}"
    named = block.get("id", block.get("tool_use_id", ""))
    return f"{block.get('type')!s:.40} {named!s:.40}".strip()


def _append(turn: Turn, ask: Ask, which: int = 0) -> Step:
    """The step that appended something in a turn; the next request where none was seen."""
    found = [step for step in turn.steps if isinstance(step, Append)]
    return found[which] if found else ask


def _change(turn: Turn, ask: Ask) -> Step:
    return next((step for step in turn.steps if isinstance(step, Edit)), ask)


def _plain(content: Any) -> Any:
    """The text of a result, whether it came as a text or as text blocks."""
    if isinstance(content, list) and all(isinstance(block, dict) for block in content):
        return "".join(str(block.get("text", "")) for block in content)
    return content


def _text(text: str) -> dict[str, str]:
    return {"type": "text", "text": text}


def _listed(names: Sequence[str]) -> str:
    return ", ".join(names)

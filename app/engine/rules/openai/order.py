"""The second stage: calls and the tool messages that answer them."""

from collections.abc import Mapping, Sequence
from typing import Any

from app.engine.rules.findings import Findings, path

Json = Mapping[str, Any]


def judge_order(messages: Sequence[Json], found: Findings) -> None:
    """Walk the list: after a message with calls comes a run of tool messages, one for each call."""
    n = 0
    late: set[str] = set()  # calls whose tool message comes after another message (O04)
    while n < len(messages):
        message = messages[n]
        if message["role"] == "tool" and message["tool_call_id"] not in late:
            found.add("O03", "no call", path("messages", n))
        n += 1
        if message["role"] == "assistant" and message.get("tool_calls"):
            calls = [call["id"] for call in message["tool_calls"]]
            n, late = _answers(messages, n, calls, found)


def _answers(
    messages: Sequence[Json], first: int, calls: list[str], found: Findings
) -> tuple[int, set[str]]:
    """Judge the run of tool messages at `first`; where it ends, and what is answered later."""
    asked, answered = set(calls), set[str]()
    n = first
    while n < len(messages) and messages[n]["role"] == "tool":
        _answer(messages[n]["tool_call_id"], n, asked, answered, found)
        n += 1
    missing = [ident for ident in calls if ident not in answered]
    late = _answered_later(messages, n, set(missing)) if missing else set()
    if missing:
        place = path("messages", min(n, len(messages) - 1))
        rule = ("O04", "between") if late else ("O02", "unanswered")
        found.add(*rule, place, ids=", ".join(missing))
    return n, late


def _answer(ident: str, n: int, asked: set[str], answered: set[str], found: Findings) -> None:
    """O07 and O27, for one tool message."""
    where = path("messages", n)
    if ident not in asked:
        found.add("O07", "unknown id", where, id=ident)
    elif ident in answered:
        found.add("O27", "twice", where, id=ident)
    answered.add(ident)


def _answered_later(messages: Sequence[Json], first: int, missing: set[str]) -> set[str]:
    """Which calls are answered after another message, but before the next calls."""
    late = set()
    for n in range(first, len(messages)):
        message = messages[n]
        if message["role"] == "assistant" and message.get("tool_calls"):
            break
        if message["role"] == "tool" and message["tool_call_id"] in missing:
            late.add(message["tool_call_id"])
    return late

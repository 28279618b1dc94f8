"""What the official SDK sends in a loop of tool calls is accepted, request by request."""

from collections.abc import Callable, Iterator
from typing import Any

import anthropic
import pytest

from app.engine.rules import check
from app.engine.rules.anthropic.rows.examples import ADD, WEB_SEARCH, server_call, server_result
from tests.rules.messages_server import Json, message, playing

TEXT: Json = {"type": "text", "text": "I will add them."}
DONE = message([{"type": "text", "text": "2 + 3 is 5."}], "end_turn")
THOUGHT: Json = {"type": "thinking", "thinking": "Two and three.", "signature": "EqQBCgIYAhIM"}
HIDDEN: Json = {"type": "thinking", "thinking": "", "signature": "EqQBCgIYAhIN"}
REDACTED: Json = {"type": "redacted_thinking", "data": "EqQBCgIY"}
CITED: Json = {
    "type": "text",
    "text": "It says five.",
    "citations": [
        {
            "type": "char_location",
            "cited_text": "five",
            "document_index": 0,
            "document_title": None,
            "start_char_index": 0,
            "end_char_index": 4,
            "file_id": "file_1",
        }
    ],
}


def call(n: int) -> Json:
    return {"type": "tool_use", "id": f"toolu_{n}", "name": "add", "input": {"a": n, "b": 3}}


PLANS: dict[str, list[Json]] = {
    "no call": [DONE],
    "one call": [message([call(1)], "tool_use"), DONE],
    "text and a call, twice": [
        message([TEXT, call(1)], "tool_use"),
        message([TEXT, call(2)], "tool_use"),
        DONE,
    ],
    "parallel calls": [message([call(1), call(2), call(3)], "tool_use"), DONE],
    "thinking": [message([THOUGHT, call(1)], "tool_use"), message([HIDDEN, TEXT], "end_turn")],
    "thinking, redacted, parallel": [
        message([THOUGHT, REDACTED, TEXT, call(1), call(2)], "tool_use"),
        message([HIDDEN, call(3)], "tool_use"),
        DONE,
    ],
    "a search of its own": [
        message([TEXT, server_call(), server_result(), call(1)], "tool_use"),
        DONE,
    ],
    "a paused turn": [message([TEXT, server_call()], "pause_turn"), DONE],
    "a cited text": [message([CITED, call(1)], "tool_use"), DONE],
    "an empty answer": [message([call(1)], "tool_use"), message([], "end_turn")],
}


@pytest.fixture(scope="module")
def clients() -> Iterator[Callable[[str], anthropic.Anthropic]]:
    """Makes clients of the SDK, and closes them."""
    made: list[anthropic.Anthropic] = []

    def client(address: str) -> anthropic.Anthropic:
        one = anthropic.Anthropic(api_key="k", base_url=address, max_retries=0, timeout=20)
        made.append(one)
        return one

    yield client
    for one in made:
        one.close()


def run(client: anthropic.Anthropic, streamed: bool, keep: Callable[[Any], Any]) -> list[Any]:
    """A plain loop with the SDK; `keep` makes what is appended of a reply."""
    messages: list[Any] = [{"role": "user", "content": "What is 2 + 3?"}]
    options: Any = {"model": "claude-opus-5", "max_tokens": 1024, "tools": [ADD, WEB_SEARCH]}
    while True:
        if streamed:
            with client.messages.stream(messages=messages, **options) as stream:
                reply = stream.get_final_message()
        else:
            reply = client.messages.create(messages=messages, **options)
        messages.append(keep(reply))
        calls = [block for block in reply.content if block.type == "tool_use"]
        if calls:
            messages.append({"role": "user", "content": [answer(block) for block in calls]})
        elif reply.stop_reason != "pause_turn":
            return messages


def answer(block: Any) -> Json:
    return {"type": "tool_result", "tool_use_id": block.id, "content": "5"}


def as_dicts(reply: Any) -> Json:
    return {"role": "assistant", "content": [block.to_dict() for block in reply.content]}


KEEPS = {
    "its own message": lambda reply: reply.to_param(),
    "its blocks": lambda reply: {"role": "assistant", "content": reply.content},
    "dicts": as_dicts,
}


@pytest.mark.parametrize("plan", PLANS.values(), ids=PLANS.keys())
@pytest.mark.parametrize("keep", KEEPS.values(), ids=KEEPS.keys())
@pytest.mark.parametrize("streamed", [False, True], ids=["plain", "streamed"])
def test_a_loop_of_the_sdk_is_accepted(
    clients: Callable[[str], anthropic.Anthropic], plan: list[Json], keep: Any, streamed: bool
) -> None:
    with playing(plan) as server:
        run(clients(server.address), streamed, keep)
    assert len(server.sent) == len(plan)
    for body in server.sent:
        assert [fault for fault in check(body) if fault.effect == "refuse"] == []


def test_the_next_question_after_a_finished_loop_is_accepted(
    clients: Callable[[str], anthropic.Anthropic],
) -> None:
    with playing(PLANS["text and a call, twice"]) as server:
        messages = run(clients(server.address), False, as_dicts)
    messages.append({"role": "user", "content": "And 3 + 4?"})
    assert check({**server.sent[-1], "messages": messages}) == ()


def test_a_loop_that_forgets_the_results_is_refused(
    clients: Callable[[str], anthropic.Anthropic],
) -> None:
    """The same server, the same SDK: the oracle can say no."""
    with playing(PLANS["one call"]) as server:
        client = clients(server.address)
        messages: list[Any] = [{"role": "user", "content": "What is 2 + 3?"}]
        for _ in range(2):
            reply = client.messages.create(
                model="claude-opus-5", max_tokens=1024, messages=messages
            )
            messages.append(as_dicts(reply))
    assert [fault.rule for fault in check(server.sent[1])] == ["A40", "A13"]

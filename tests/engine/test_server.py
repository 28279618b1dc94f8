"""The scripted server and its teaching option."""

from dataclasses import replace
from typing import Any

import pytest

from app.engine.script import ScriptedCall, ScriptedReply, When
from app.engine.server import ChatServer, ScriptedServer

USER = {"role": "user", "content": "hello"}


@pytest.mark.parametrize(
    ("options", "refused"),
    [({}, []), ({"strict": True}, ["A11"]), ({"strict": True, "checked": False}, [])],
)
def test_strict_alternation_is_an_option_of_a_checked_server(
    options: dict[str, bool], refused: list[str]
) -> None:
    server = ScriptedServer(script=(ScriptedReply("hello"),), **options)
    faults = server.check(server.body([USER, USER], {}))
    assert [fault.rule for fault in faults if fault.effect == "refuse"] == refused


# --- the same script in chat completions

ASKED = ScriptedReply(calls=(ScriptedCall("sum", "add", {"a": 2}),))
ANSWER = ScriptedReply("It is {sum}.", when=(When("sum", contains="5"),))
TOOL = {"name": "add", "input_schema": {"type": "object"}}
CHAT = ChatServer(script=(ASKED, ANSWER), tools=(TOOL,), max_tokens=64)


def test_a_chat_server_asks_and_answers_in_chat_completions() -> None:
    messages: list[Any] = [USER]
    body = CHAT.body(messages, {})
    assert list(body) == ["model", "max_completion_tokens", "tools", "messages"]
    assert body["tools"][0]["function"]["name"] == "add"
    message = CHAT.reply(body)["choices"][0]["message"]
    (call,) = message["tool_calls"]
    assert (call["id"], call["function"]["arguments"]) == ("call_01", '{"a":2}')
    messages += [message, {"role": "tool", "tool_call_id": "call_01", "content": "5"}]
    choice = CHAT.reply(CHAT.body(messages, {}))["choices"][0]
    assert (choice["finish_reason"], choice["message"]["content"]) == ("stop", "It is 5.")


def test_a_chat_server_checks_by_the_rules_of_chat_completions() -> None:
    request = CHAT.body([USER, {"role": "tool", "content": "5"}], {})
    assert [fault.rule for fault in CHAT.check(request)] == ["O06"]
    assert replace(CHAT, checked=False).check(request) == ()


@pytest.mark.parametrize(
    "messages", [None, "hello", [1], [{"role": "tool"}], [{}], [{"role": "function"}]]
)
def test_an_unchecked_chat_server_answers_whatever_it_is_sent(messages: Any) -> None:
    assert CHAT.reply(CHAT.body(messages, {}))["choices"][0]["finish_reason"] == "tool_calls"


def test_with_functions_tools_are_offered_called_and_answered_in_the_older_form() -> None:
    older = replace(CHAT, functions=True)
    body = older.body([USER], {})
    assert list(body) == ["model", "max_completion_tokens", "functions", "messages"]
    assert body["functions"] == [{"name": "add", "parameters": {"type": "object"}}]
    choice = older.reply(body)["choices"][0]
    call = {"name": "add", "arguments": '{"a":2}'}
    assert choice["finish_reason"] == "function_call"
    assert choice["message"] == {"role": "assistant", "content": None, "function_call": call}
    for name, reason in (("add", "stop"), ("other", "function_call")):
        result = {"role": "function", "name": name, "content": "5"}
        request = older.body([USER, choice["message"], result], {})
        assert older.check(request) == ()
        assert older.reply(request)["choices"][0]["finish_reason"] == reason


def test_beta_keys_pass_under_the_headers_of_the_lane_alone() -> None:
    edits = {"context_management": {"edits": [{"type": "compact_20260112"}]}}
    server = ScriptedServer(script=(ScriptedReply("hello"),), more=edits)
    request = server.body([USER], {})
    assert [fault.rule for fault in server.check(request)] == ["A05"]
    assert replace(server, betas=("compact-2026-01-12",)).check(request) == ()

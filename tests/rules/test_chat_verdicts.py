"""The verdicts of chat completions, in tables; faults are written as for the Messages API."""

# ruff: noqa: E501  a row of a table is one line

from typing import Any

from app.engine.rules.openai import keys
from app.engine.rules.openai.examples import (
    ADD,
    TASK,
    Json,
    audio,
    call,
    calling,
    image,
    request,
    said,
    text,
    tool,
)
from tests.rules.tables import found, table

HI, YES = said("user", "Hello."), said("assistant", "Yes?")
ONE, TWO = calling(call()), calling(call("c1"), call("c2"))
T1, T2 = tool("c1"), tool("c2")
LONG = "call_" + "1" * 36
CUSTOM = {"id": "call_1", "type": "custom", "custom": {"name": "add", "input": "2 + 3"}}


def tools(name: Any) -> Json:
    return {"tools": [{"type": "function", "function": {"name": name}}]}


@table(
    ("messages empty", request(), "O01 messages"),
    ("messages absent", {"model": "gpt-4.1"}, "O01 messages"),
    ("model absent", {"messages": [HI]}, "O01 model"),
    ("model null", request(HI, model=None), "O01 model"),
    ("model empty", request(HI, model=""), "O01 model"),
    ("a key of the other dialect", request(HI, system="Be brief."), "O01 system"),
    ("a key that is not known", request(HI, foo=None), "O01 foo"),
    ("a list instead of a request", [], "O01"),
    ("128 tools", request(HI, tools=[ADD] * 128), ""),
    ("129 tools", request(HI, tools=[ADD] * 129), "O14 tools"),
    ("a name of 64", request(HI, **tools("a" * 64)), ""),
    ("a name of 65", request(HI, **tools("a" * 65)), "O15 tools.0"),
    ("a name with a dot", request(HI, **tools("files.list")), "O15 tools.0"),
    ("no name", request(HI, tools=[{"type": "function", "function": {}}]), "O15 tools.0"),
    ("a custom tool", request(HI, tools=[{"type": "custom", "custom": {"name": "add"}}]), ""),
    ("a tool of the other dialect", request(HI, tools=[{"name": "add", "input_schema": {}}]), "O16 tools.0"),
    ("no tools in the list", request(HI, tools=[]), "O16 tools"),
    ("tools null", request(HI, tools=None), ""),
    ("parallel_tool_calls without tools", request(HI, parallel_tool_calls=True), "O17 parallel_tool_calls"),
    ("tool_choice without tools", request(HI, tool_choice="auto"), "O17 tool_choice"),
    ("both with tools", request(HI, tools=[ADD], tool_choice="required", parallel_tool_calls=False), ""),
    ("no cap", request(HI), ""),
    ("the old cap", request(HI, max_tokens=5), ""),
    ("the old cap on a model that reasons", request(HI, max_tokens=5, model="o3-mini"), "O22 max_tokens"),
    ("the new cap on a model that reasons", request(HI, max_completion_tokens=5, model="o3-mini"), ""),
    ("both caps", request(HI, max_tokens=5, max_completion_tokens=5), "O22 max_tokens"),
    ("both caps, one of them null", request(HI, max_tokens=None, max_completion_tokens=5), ""),
    ("the old cap on an unknown model", request(HI, max_tokens=5, model="m"), "? O22 max_tokens"),
    dialect="openai",
)  # fmt: skip
def test_the_envelope(body: Json, faults: str) -> None:
    assert found(body, "openai") == faults


@table(
    ("assistant first, users in a row, system last", request(YES, HI, HI, said("system", "Hm.")), ""),
    ("assistant last", request(HI, YES), ""),
    ("developer", request(said("developer", "Hm."), HI), ""),
    ("system on o1-mini", request(said("system", "Hm."), HI, model="o1-mini"), "O20 messages.0"),
    ("an unknown role", request(said("model", "Hi.")), "O20 messages.0"),
    ("no role", request({"content": "Hi."}), "O20 messages.0"),
    ("a message that is a string", request("Hi."), "O20 messages.0"),  # type: ignore[arg-type]
    ("assistant null without calls", request(HI, {"role": "assistant", "content": None}, HI), "O08 messages.1"),
    ("assistant absent without calls", request(HI, {"role": "assistant"}, HI), "O08 messages.1"),
    ("assistant empty", request(HI, said("assistant", ""), HI), ""),
    ("assistant refused, in no words", request(HI, {"role": "assistant", "content": None, "refusal": ""}), ""),
    ("assistant with nulls only", request(HI, {"role": "assistant", "content": None, "refusal": None, "tool_calls": None, "audio": None}), "O08 messages.1"),
    ("assistant refused", request(HI, {"role": "assistant", "content": None, "refusal": "No."}), ""),
    ("user null", request({"role": "user", "content": None}), "O08 messages.0"),
    ("user a number", request({"role": "user", "content": 5}), "O08 messages.0"),
    ("user with image and sound", request({"role": "user", "content": [text("?"), image(), audio()]}), ""),
    ("image from the system", request({"role": "system", "content": [image()]}), "O18 messages.0.content.0"),
    ("image from the assistant", request(HI, {"role": "assistant", "content": [image()]}), "O18 messages.1.content.0"),
    ("a block of the other dialect", request({"role": "user", "content": [{"type": "tool_result"}]}), "O26 messages.0.content.0"),
    ("a text part without text", request({"role": "user", "content": [{"type": "text"}]}), "O26 messages.0.content.0"),
    ("an image's address as a string", request({"role": "user", "content": [{"type": "image_url", "image_url": "https://example.org/a.png"}]}), "O26 messages.0.content.0"),
    ("a speaker's name", request({**HI, "name": "Sara_2"}), ""),
    ("a speaker's name with a space", request({**HI, "name": "Sara Lee"}), "O15 messages.0"),
    ("a speaker's name that is empty", request({**HI, "name": ""}), "O15 messages.0"),
    ("a speaker's name that is a number", request({**HI, "name": 5}), "O15 messages.0"),
    ("a speaker's name with an accent", request({**HI, "name": "Sar\u00e1"}), "warn O15 messages.0"),
    ("a string among the parts", request({"role": "user", "content": ["Hi."]}), "O26 messages.0.content.0"),
    ("older function message", request(HI, {"role": "function", "name": "add", "content": None}), ""),
    dialect="openai",
)  # fmt: skip
def test_messages(body: Json, faults: str) -> None:
    assert found(body, "openai") == faults


@table(
    ("answered", request(TASK, ONE, tool()), ""),
    ("answered, content empty", request(TASK, ONE, tool(content="")), ""),
    ("answered, calls with content", request(TASK, calling(call(), content="So:"), tool()), ""),
    ("answered, calls without content", request(TASK, {"role": "assistant", "tool_calls": [call()]}, tool()), ""),
    ("answered, custom", request(TASK, calling(CUSTOM), tool()), ""),
    ("answered in the other order", request(TASK, TWO, T2, T1), ""),
    ("not answered", request(TASK, ONE, HI), "O02 messages.2"),
    ("not answered, last", request(TASK, ONE), "O02 messages.1"),
    ("one of two", request(TASK, TWO, T1, HI), "O02 messages.3"),
    ("one of two, last", request(TASK, TWO, T1), "O02 messages.2"),
    ("a call without an id", request(TASK, calling({"type": "function", "function": {"name": "add", "arguments": ""}})), "O02 messages.1.tool_calls.0"),
    ("a tool message first", request(tool(), HI), "O03 messages.0"),
    ("a tool message after an answer", request(TASK, YES, tool()), "O03 messages.2"),
    ("a tool message after the user", request(TASK, ONE, tool(), HI, tool()), "O03 messages.4"),
    ("the user between", request(TASK, ONE, HI, tool()), "O04 messages.2"),
    ("the system between two", request(TASK, TWO, T1, said("system", "Hm."), T2), "O04 messages.3"),
    ("no id", request(TASK, ONE, said("tool", "5")), "O06 messages.2"),
    ("another id", request(TASK, ONE, tool("c9")), "O07 messages.2, O02 messages.2"),
    ("another id besides", request(TASK, ONE, tool(), tool("c9")), "O07 messages.3"),
    ("calls []", request(HI, {**YES, "tool_calls": []}), "O09 messages.1"),
    ("calls null", request(HI, {**YES, "tool_calls": None}), ""),
    ("calls an object", request(HI, {**YES, "tool_calls": {}}), "O09 messages.1"),
    ("arguments an object", request(TASK, calling(call(arguments={})), tool()), "O10 messages.1.tool_calls.0"),
    ("arguments no JSON", request(TASK, calling(call(arguments="{")), tool()), ""),
    ("name with a dot", request(TASK, calling(call(name="math.add")), tool()), "O12 messages.1.tool_calls.0"),
    ("name of a tool that is not in tools", request(TASK, calling(call(name="gone")), tool(), tools=[ADD]), ""),
    ("name empty", request(TASK, calling(call(name="")), tool()), "O12 messages.1.tool_calls.0"),
    ("an id of 41", request(TASK, calling(call(LONG)), tool(LONG)), "warn O13 messages.1.tool_calls.0"),
    ("an id of 40", request(TASK, calling(call(LONG[:-1])), tool(LONG[:-1])), ""),
    ("an image in the answer", request(TASK, ONE, tool(content=[image()])), "O18 messages.2.content.0"),
    ("sound in the answer", request(TASK, ONE, tool(content=[audio()])), "O26 messages.2.content.0"),
    ("answer null", request(TASK, ONE, tool(content=None)), "O26 messages.2"),
    ("answer a number", request(TASK, ONE, tool(content=5)), "O26 messages.2"),
    ("two answers", request(TASK, ONE, tool(), tool()), "O27 messages.3"),
    ("an id used again in a later round", request(TASK, ONE, tool(), ONE, tool()), ""),
    dialect="openai",
)  # fmt: skip
def test_calls_and_answers(body: Json, faults: str) -> None:
    assert found(body, "openai") == faults


def test_every_key_that_the_types_list_is_known() -> None:
    body = {**dict.fromkeys(keys.BODY), **request(HI)}
    assert found(body, "openai") == ""

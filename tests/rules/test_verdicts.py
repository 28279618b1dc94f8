"""The verdicts of the Messages API, one table per subject: what, and the faults it gives."""

# ruff: noqa: E501  a row of a table is one line

from typing import Any

import pytest

from app.engine.rules import check
from app.engine.rules.anthropic.rows.examples import (
    ADD,
    MARK,
    TASK,
    WEB_SEARCH,
    Json,
    assistant,
    call,
    document,
    image,
    request,
    result,
    said,
    server_call,
    server_result,
    text,
    thinking,
    user,
)
from app.engine.rules.anthropic.signatures import sign
from app.engine.rules.rule import INFERRED
from tests.rules.tables import found, table

HI, YES = said("user", "Hello."), said("assistant", "Yes?")
NOTE = said("system", "Be brief.")
ONE, TWO = assistant(call()), assistant(call("t1"), call("t2"))
R1, R2 = result("t1"), result("t2")
HAIKU, SONNET = {"model": "claude-haiku-4-5"}, {"model": "claude-sonnet-4-6"}
THINK = {"type": "enabled", "budget_tokens": 1024}
SEARCH = {"tools": [WEB_SEARCH, ADD]}
SEARCHED = assistant(server_call(), server_result(), text("At nine."))


def without(key: str, body: Json) -> Json:
    return {name: value for name, value in body.items() if name != key}


@table(
    ("max_tokens absent", without("max_tokens", request(HI)), "A01 max_tokens"),
    ("max_tokens null", request(HI, max_tokens=None), "A01 max_tokens"),
    ("max_tokens a string", request(HI, max_tokens="10"), "A01 max_tokens"),
    ("max_tokens true", request(HI, max_tokens=True), "A01 max_tokens"),
    ("max_tokens 10.5", request(HI, max_tokens=10.5), "A01 max_tokens"),
    ("max_tokens 10.0, an integer in JSON", request(HI, max_tokens=10.0), ""),
    ("max_tokens infinite", request(HI, max_tokens=float("inf")), "A01 max_tokens"),
    ("max_tokens below 0", request(HI, max_tokens=-1), "A02 max_tokens"),
    ("max_tokens 0 warms the cache", request(HI, max_tokens=0), ""),
    ("4096 on an unknown model", request(HI, max_tokens=4096, model="m"), "? A03 model"),
    (
        "4097 on an unknown model",
        request(HI, max_tokens=4097, model="m"),
        "? A03 model, ? A02 max_tokens",
    ),
    ("max_tokens 0 with stream", request(HI, max_tokens=0, stream=True), "A02 max_tokens"),
    (
        "max_tokens 0 with a format",
        request(HI, max_tokens=0, output_config={"format": {"type": "json_schema", "schema": {}}}),
        "A02 max_tokens",
    ),
    (
        "max_tokens 0 with a forced call",
        request(HI, max_tokens=0, tools=[ADD], tool_choice={"type": "any"}),
        "A02 max_tokens",
    ),
    ("128k on a current model", request(HI, max_tokens=128_000), ""),
    ("more than 128k", request(HI, max_tokens=128_001), "A02 max_tokens"),
    ("64k on Haiku 4.5", request(HI, max_tokens=64_000, **HAIKU), ""),
    ("more than 64k on Haiku 4.5", request(HI, max_tokens=64_001, **HAIKU), "A02 max_tokens"),
    (
        "128k on an unknown model",
        request(HI, max_tokens=128_000, model="m"),
        "? A03 model, ? A02 max_tokens",
    ),
    ("model absent", without("model", request(HI)), "A03 model"),
    ("model null", request(HI, model=None), "A03 model"),
    ("model unknown", request(HI, model="gpt-4.1"), "? A03 model"),
    ("messages absent", without("messages", request()), "A04 messages"),
    ("messages an object", {**request(), "messages": {}}, "A04 messages"),
    ("messages empty", request(), "A04 messages"),
    ("temperature", request(HI, temperature=0.5), "A08 temperature"),
    ("top_p and top_k", request(HI, top_p=1, top_k=5), "A08 top_p, A08 top_k"),
    ("a list instead of a request", [request(HI)], "A05"),
    ("a string instead of a request", "Hello.", "A05"),
)
def test_the_envelope(body: Json, faults: str) -> None:
    assert found(body) == faults


@table(
    ("in the body", request(HI, foo=1), "A05 foo"),
    ("betas, which is a header", request(HI, betas=["x"]), "A05 betas"),
    ("on a message", request({**HI, "name": "Sara"}), "A05 messages.0"),
    ("on a text block", request(user(text("Hi.", id="b1"))), "A05 messages.0.content.0"),
    (
        "index left from a stream",
        request(TASK, assistant(call(index=1)), user(result())),
        "A05 messages.1.content.0",
    ),
    (
        "name on a result",
        request(TASK, ONE, user(result(name="add"))),
        "A05 messages.2.content.0",
    ),
    (
        "in a block inside a result",
        request(TASK, ONE, user(result(content=[text("5", annotations=None)]))),
        "A05 messages.2.content.0.content.0",
    ),
    (
        "in a cache mark",
        request(user(text("Hi.", cache_control={**MARK, "scope": "org"}))),
        "A05 messages.0.content.0.cache_control",
    ),
    (
        "in the source of an image",
        request(user({**image(), "source": {"type": "url", "url": "x", "detail": "low"}})),
        "A05 messages.0.content.0.source",
    ),
    ("in a block of the system prompt", request(HI, system=[text("Hi.", id="x")]), "A05 system.0"),
    ("on a tool", request(HI, tools=[{**ADD, "function": {}}]), "A05 tools.0"),
    (
        "on tool_choice",
        request(HI, tools=[ADD], tool_choice={"type": "auto", "name": "add"}),
        "A05 tool_choice",
    ),
    ("on thinking", request(HI, thinking={"type": "adaptive", "budget_tokens": 5}), "A05 thinking"),
    ("inside an input, anything goes", request(TASK, assistant(call(input={"x": {}})), user(result())), ""),
    ("inside a schema, anything goes", request(HI, tools=[{**ADD, "input_schema": {"type": "object", "x": 1}}]), ""),
    ("system of another kind", request(HI, system=5), "A05 system"),
    ("system null", request(HI, system=None), "A05 system"),
    ("stream of another kind", request(HI, stream="yes"), "A05 stream"),
    ("tools of another kind", request(HI, tools={}), "A05 tools"),
    ("a tool of an unknown type", request(HI, tools=[{"type": "function"}]), "A05 tools.0"),
    ("a blank stop sequence", request(HI, stop_sequences=["END", "\n"]), "A05 stop_sequences.1"),
    ("stop sequences", request(HI, stop_sequences=["END", "\nUser:"]), ""),
    ("no stop sequences", request(HI, stop_sequences=[]), ""),
    ("a user's id", request(HI, metadata={"user_id": "user_7f3a-account__1"}), ""),
    ("a user's id with an email address", request(HI, metadata={"user_id": "sara@example.org"}), "A05 metadata"),
    ("a user's id of 256 characters", request(HI, metadata={"user_id": "a" * 256}), ""),
    ("a user's id of 257 characters", request(HI, metadata={"user_id": "a" * 257}), "A05 metadata"),
    ("half of an emoji", request(said("user", "Look: \ud83d")), "A05 messages.0.content"),
    ("half of an emoji, in a result", request(TASK, ONE, user(result(content=[text("\ude00")]))), "A05 messages.2.content.0.content.0.text"),
    ("half of an emoji, in an input's key", request(TASK, assistant(call(input={"\ud83d": 1})), user(result())), "A05 messages.1.content.0.input.\\ud83d"),
    ("a whole emoji", request(said("user", "Look: \U0001f600 \u05d0\ud7ff\ue000")), ""),
    ("a strange cache mark", request(HI, cache_control={"type": "x"}), "A05 cache_control"),
    ("nulls where the types allow them", request(user(text("Hi.", citations=None, cache_control=None)), speed=None, container=None), ""),
    ("a block as the SDK dumps it, with nulls", request(TASK, assistant(call(caller=None, toolset_name=None)), user(result())), ""),
)  # fmt: skip
def test_unknown_keys_and_wrong_kinds(body: Json, faults: str) -> None:
    assert found(body) == faults


@table(
    ("role tool", request(TASK, {"role": "tool", "content": "5"}), "A10 messages.1"),
    ("role absent", request({"content": "Hi."}), "A10 messages.0"),
    ("role a list", request({"role": ["user"], "content": "Hi."}), "A10 messages.0"),
    ("one role in a row", request(HI, HI, YES, YES, HI), ""),
    ("assistant first", request(YES, HI), ""),
    ("assistant last", request(HI, YES), "A13 messages.1"),
    ("assistant last, in two messages", request(HI, YES, YES), "A13 messages.2"),
    ("assistant last and empty", request(HI, assistant()), "A13 messages.1"),
    ("only the assistant", request(YES), "A13 messages.0"),
    ("prefill", request(HI, YES, **HAIKU), ""),
    ("prefill, dated name", request(HI, YES, model="claude-sonnet-4-5-20250929"), ""),
    ("prefill, older model", request(HI, YES, model="claude-3-5-haiku-latest"), ""),
    ("no prefill on 4.6", request(HI, YES, **SONNET), "A13 messages.1"),
    ("prefill on an unknown model", request(HI, YES, model="m"), "? A03 model, ? A13 messages.1"),
    ("empty prefill", request(HI, said("assistant", ""), **HAIKU), ""),
    ("prefill with a space", request(HI, said("assistant", "Yes "), **HAIKU), "A14 messages.1"),
    (
        "prefill with a space, in blocks",
        request(HI, assistant(text("Yes"), text("or\n")), **HAIKU),
        "A14 messages.1",
    ),
    ("a space before more", request(HI, said("assistant", "Yes "), HI, **HAIKU), ""),
    (
        "prefill with thinking",
        request(HI, YES, max_tokens=2048, thinking=THINK, **HAIKU),
        "A15 messages.1",
    ),
    ("prefill, thinking disabled", request(HI, YES, thinking={"type": "disabled"}, **HAIKU), ""),
    ("system first", request(NOTE, HI), "A16 messages.0"),
    ("two system messages first", request(NOTE, NOTE, HI), "A16 messages.0"),
    ("system first, on an old model", request(NOTE, HI, **HAIKU), "A16 messages.0"),
    ("system only", request(NOTE), "A16 messages.0"),
)
def test_roles(body: Json, faults: str) -> None:
    assert found(body) == faults


@table(
    ("after a user turn, last", request(HI, NOTE), ""),
    ("after a user turn, before the assistant", request(HI, NOTE, YES, HI), ""),
    ("after results", request(TASK, ONE, user(result()), NOTE), ""),
    ("two in a row are one", request(HI, NOTE, NOTE), ""),
    ("after the assistant", request(HI, YES, NOTE), "A17 messages.2"),
    ("before the user", request(HI, NOTE, HI), "A17 messages.1"),
    (
        "between assistant and user: wrong on both sides",
        request(HI, YES, NOTE, HI),
        "A17 messages.2, A17 messages.2",
    ),
    (
        "after a server tool's result",
        request(HI, assistant(server_call(), server_result()), NOTE, **SEARCH),
        "",
    ),
    ("after a server tool's result and text", request(HI, SEARCHED, NOTE, **SEARCH), "A17 messages.2"),
    ("after a prefill-like ending", request(HI, NOTE, YES), "A13 messages.2"),
    ("on Opus 4.7", request(HI, NOTE, model="claude-opus-4-7"), "A17 messages.1"),
    ("on Sonnet 5, contested", request(HI, NOTE, model="claude-sonnet-5"), "warn A17 messages.1"),
    ("on an unknown model", request(HI, NOTE, model="m"), "? A03 model, ? A17 messages.1"),
    (
        "between call and result",
        request(TASK, ONE, NOTE, user(result())),
        "A18 messages.2",
    ),
    (
        "between two results",
        request(TASK, TWO, user(R1), NOTE, user(R2)),
        "A18 messages.3",
    ),
    (
        "after a call without a result",
        request(TASK, ONE, NOTE, HI),
        "A40 messages.2, A17 messages.2, A17 messages.2",
    ),
    ("after a call, last", request(TASK, ONE, NOTE), "A40 messages.2, A17 messages.2"),
    (
        "with an image",
        request(HI, {"role": "system", "content": [text("Look."), image()]}),
        "A19 messages.1.content.1",
    ),
    ("with an empty string", request(HI, said("system", "")), "A21 messages.1"),
    ("with a number", request(HI, {"role": "system", "content": 5}), "A20 messages.1"),
)  # fmt: skip
def test_system_messages(body: Json, faults: str) -> None:
    assert found(body) == faults


@table(
    ("content null", request({"role": "user", "content": None}), "A20 messages.0"),
    ("content absent", request({"role": "user"}), "A20 messages.0"),
    ("content an object", request({"role": "user", "content": text("Hi.")}), "A20 messages.0"),
    ("a string among the blocks", request(user("Hi.")), "A20 messages.0.content.0"),  # type: ignore[arg-type]
    ("a message that is a string", request("Hi."), "A20 messages.0"),  # type: ignore[arg-type]
    ("a block without a type", request(user({"text": "Hi."})), "A20 messages.0.content.0"),
    ("a block of the other dialect", request(user({"type": "image_url"})), "A20 messages.0.content.0"),
    ("a text block without text", request(user({"type": "text"})), "A20 messages.0.content.0"),
    ("an image without a source", request(user({"type": "image"})), "A20 messages.0.content.0"),
    (
        "an image of an unknown media type",
        request(user({"type": "image", "source": {"type": "base64", "media_type": "image/bmp", "data": "x"}})),
        "A20 messages.0.content.0",
    ),
    ("an empty string", request(said("user", "")), "A21 messages.0"),
    ("an empty list", request(user()), "A21 messages.0"),
    ("an empty message between others of its role", request(HI, user(), HI), "A21 messages.1"),
    ("an empty text block", request(user(text(""))), "A22 messages.0.content.0"),
    ("an empty text block beside an image", request(user(image(), text(""))), "A22 messages.0.content.1"),
    ("an empty text block in the last message", request(HI, assistant(text("")), **HAIKU), "A22 messages.1.content.0"),
    ("an empty block of the system prompt", request(HI, system=[text("")]), "A22 system.0"),
    ("an empty system prompt", request(HI, system=""), ""),
    ("a blank block of the system prompt", request(HI, system=[text("Hi."), text(" ")]), "A23 system.1"),
    ("a system prompt of no blocks", request(HI, system=[]), ""),
    ("an empty text block in a result", request(TASK, ONE, user(result(content=[text("")]))), "A22 messages.2.content.0.content.0"),
    ("a blank string", request(said("user", " \n")), "A23 messages.0"),
    ("a blank text block", request(user(text("\t"), text("Hi."))), "A23 messages.0.content.0"),
    ("a call from the user", request(user(call())), "A25 messages.0.content.0"),
    ("a server call from the user", request(user(server_call()), **SEARCH), "A25 messages.0.content.0"),
    ("a server tool's result from the user", request(HI, assistant(server_call()), user(server_result()), **SEARCH), "A25 messages.2.content.0"),
    ("thinking from the user", request(user(thinking())), "A25 messages.0.content.0"),
    ("a document from the assistant", request(HI, assistant(document()), HI), "A25 messages.1.content.0"),
    ("a result from the assistant", request(HI, assistant(result()), HI), "warn A25 messages.1.content.0"),
    ("an upload from the user", request(user({"type": "container_upload", "file_id": "file_1"})), ""),
    ("an upload from the assistant", request(HI, assistant({"type": "container_upload", "file_id": "file_1"}), HI), "warn A25 messages.1.content.0"),
    ("an image from the assistant", request(HI, assistant(image()), HI), "A25 messages.1.content.0"),
    (
        "citations on a user's text",
        request(user(text("Hi.", citations=[{"type": "web_search_result_location", "cited_text": "", "encrypted_index": "", "title": None, "url": ""}]))),
        "A25 messages.0.content.0",
    ),
    ("no citations on a user's text", request(user(text("Hi.", citations=[]))), ""),
)  # fmt: skip
def test_content(body: Json, faults: str) -> None:
    assert found(body) == faults


MARKED = text("Hi.", cache_control=MARK)
LATE = {**ADD, "name": "late", "defer_loading": True}
HOUR = {**MARK, "ttl": "1h"}


def hour(words: str) -> Json:
    """A text block with a mark that lasts an hour."""
    return text(words, cache_control=HOUR)


@table(
    ("4 marks", request(user(*[MARKED] * 4)), ""),
    ("5 marks", request(user(*[MARKED] * 5)), "A26 messages.0.content.4"),
    ("4 marks and the automatic one", request(user(*[MARKED] * 4), cache_control=MARK), "A26 cache_control"),
    (
        "counted over tools, system and messages",
        request(user(*[MARKED] * 3), system=[MARKED], tools=[{**ADD, "cache_control": MARK}]),
        "A26 messages.0.content.2",
    ),
    (
        "counted inside results",
        request(TASK, ONE, user(result(content=[MARKED] * 4, cache_control=MARK))),
        "A26 messages.2.content.0.content.3",
    ),
    ("null is no mark", request(user(*[text("Hi.", cache_control=None)] * 5)), ""),
    ("on a deferred tool", request(HI, tools=[ADD, {**LATE, "cache_control": MARK}]), "A27 tools.1"),
    ("on thinking", request(HI, assistant({**thinking(), "cache_control": MARK}, text("Yes.")), HI), "warn A27 messages.1.content.0"),
    ("an hour before 5 minutes", request(user(hour("Hi."), MARKED)), ""),
    ("an hour after 5 minutes", request(user(MARKED, hour("Hi."))), "A26 messages.0.content.1"),
    ("an hour in messages, 5 minutes in tools", request(user(hour("Hi.")), tools=[{**ADD, "cache_control": MARK}]), "A26 messages.0.content.0"),
    ("an hour in tools, 5 minutes in system", request(HI, system=[MARKED], tools=[{**ADD, "cache_control": HOUR}]), ""),
    (
        "on an empty text",
        request(user(text("Hi."), text("", cache_control=MARK))),
        "A22 messages.0.content.1, warn A27 messages.0.content.1",
    ),
)  # fmt: skip
def test_cache_marks(body: Json, faults: str) -> None:
    assert found(body) == faults


SCHEMA = {"type": "object", "properties": {}}


def tool(name: Any = "add", **more: Any) -> Json:
    return {"name": name, "input_schema": SCHEMA, **more}


def takes(schema: Any, name: str = "add") -> Json:
    """A tool whose parameter `a` has this schema."""
    return tool(name, input_schema={"type": "object", "properties": {"a": schema}})


@table(
    ("no tools", request(HI, tools=[]), ""),
    ("a name of 128", request(HI, tools=[tool("a" * 128)]), ""),
    ("a name of 129", request(HI, tools=[tool("a" * 129)]), "A30 tools.0"),
    ("an empty name", request(HI, tools=[tool("")]), "A30 tools.0"),
    ("a name with a dot", request(HI, tools=[tool("files.list")]), "A30 tools.0"),
    ("no name", request(HI, tools=[{"input_schema": SCHEMA}]), "A30 tools.0"),
    ("a server tool under another name", request(HI, tools=[{**WEB_SEARCH, "name": "find"}]), "A30 tools.0"),
    ("a call's name of 200, with dots", request(TASK, assistant(call(name="a." * 100)), user(result())), ""),
    ("a call's name of 201", request(TASK, assistant(call(name="a" * 201)), user(result())), "A30 messages.1.content.0"),
    ("a call without a name", request(TASK, assistant(call(name="")), user(result())), "A30 messages.1.content.0"),
    (
        "a reference's name of 65",
        request(TASK, ONE, user(result(content=[{"type": "tool_reference", "tool_name": "a" * 65}])), tools=[tool("a" * 65)]),
        "A30 messages.2.content.0.content.0",
    ),
    ("one name twice", request(HI, tools=[tool(), tool("b"), tool()]), "A31 tools.2"),
    ("one name twice, one of them a server tool", request(HI, tools=[WEB_SEARCH, tool("web_search")]), "A31 tools.1"),
    ("two toolsets without names", request(HI, tools=[{"type": "computer_toolset_20260801"}, {"type": "browser_toolset_20260801"}]), ""),
    ("no schema", request(HI, tools=[{"name": "add"}]), "A32 tools.0"),
    ("a schema without a type", request(HI, tools=[tool(input_schema={})]), "A32 tools.0"),
    ("a schema of an array", request(HI, tools=[tool(input_schema={"type": "array"})]), "A32 tools.0"),
    ("type custom", request(HI, tools=[tool(type="custom", description="Adds.")]), ""),
    ("type null", request(HI, tools=[tool(type=None)]), ""),
    ("input_examples, which are not judged", request(HI, tools=[tool(input_examples=[{}])]), "? A35 tools.0"),
    ("anyOf at the top", request(HI, tools=[tool(input_schema={**SCHEMA, "anyOf": []})]), "A34 tools.0"),
    ("anyOf inside", request(HI, tools=[takes({"anyOf": [{"type": "string"}]})]), ""),
    ("several types", request(HI, tools=[takes({"type": ["string", "null"]})]), ""),
    ("a parameter that may be anything", request(HI, tools=[takes(True), takes({}, "b")]), ""),
    ("a property of the name of a keyword", request(HI, tools=[tool(input_schema={"type": "object", "properties": {"type": {"type": "string"}, "required": {}}})]), ""),
    ("keywords that the draft does not know", request(HI, tools=[takes({"nullable": True, "x-order": 1, "type": "string"})]), ""),
    ("anything under const, enum and default", request(HI, tools=[takes({"const": {"type": 5}, "enum": [{"items": []}, None], "default": {"type": "x"}})]), ""),
    ("no names required", request(HI, tools=[tool(input_schema={"type": "object", "required": [], "additionalProperties": False})]), ""),
    ("another draft named, none of its keywords used", request(HI, tools=[tool(input_schema={**SCHEMA, "$schema": "http://json-schema.org/draft-07/schema#"})]), ""),
    ("all deferred", request(HI, tools=[LATE]), "A36 tools"),
    ("one not deferred", request(HI, tools=[LATE, ADD]), ""),
    (
        "a reference to a tool not declared",
        request(TASK, ONE, user(result(content=[{"type": "tool_reference", "tool_name": "gone"}])), tools=[ADD]),
        "A36 messages.2.content.0.content.0",
    ),
    (
        "a found tool not declared",
        request(
            HI,
            assistant(
                {**server_call(), "name": "tool_search_tool_regex"},
                {"type": "tool_search_tool_result", "tool_use_id": "srvtoolu_1",
                 "content": {"type": "tool_search_tool_search_result", "tool_references": [{"type": "tool_reference", "tool_name": "gone"}]}},
                text("No."),
            ),
            HI,
        ),
        "A36 messages.1.content.1",
    ),
    ("tool_choice without tools", request(HI, tool_choice={"type": "auto"}), "A37 tool_choice"),
    ("tool_choice none without tools", request(HI, tools=[], tool_choice={"type": "none"}), "A37 tool_choice"),
    ("tool_choice a string", request(HI, tools=[ADD], tool_choice="auto"), "A37 tool_choice"),
    ("tool_choice of an unknown type", request(HI, tools=[ADD], tool_choice={"type": "required"}), "A37 tool_choice"),
    ("tool_choice without its name", request(HI, tools=[ADD], tool_choice={"type": "tool"}), "A37 tool_choice"),
    ("tool_choice of an unknown tool", request(HI, tools=[ADD], tool_choice={"type": "tool", "name": "x"}), "warn A37 tool_choice"),
    ("a forced call", request(HI, tools=[ADD], tool_choice={"type": "tool", "name": "add"}), ""),
    (
        "a forced call with adaptive thinking",
        request(HI, tools=[ADD], tool_choice={"type": "any"}, thinking={"type": "adaptive"}),
        "",
    ),
    (
        "a forced call with manual thinking",
        request(HI, tools=[ADD], tool_choice={"type": "any"}, max_tokens=2048, thinking=THINK, **SONNET),
        "A38 tool_choice",
    ),
    ("a forced call on Sonnet 5.5", request(HI, tools=[ADD], tool_choice={"type": "any"}, model="claude-sonnet-5-5"), "A38 tool_choice"),
    ("not forced on Sonnet 5.5", request(HI, tools=[ADD], tool_choice={"type": "auto"}, model="claude-sonnet-5-5"), ""),
    ("a forced call on Haiku 5.5, unverified", request(HI, tools=[ADD], tool_choice={"type": "any"}, model="claude-haiku-5-5"), "warn A38 tool_choice"),
    ("a forced call on Fable 5, unverified", request(HI, tools=[ADD], tool_choice={"type": "any"}, model="claude-fable-5"), "warn A38 tool_choice"),
    ("a forced call on Mythos Preview", request(HI, tools=[ADD], tool_choice={"type": "any"}, model="claude-mythos-preview"), "A38 tool_choice"),
    ("a forced call on an unknown model", request(HI, tools=[ADD], tool_choice={"type": "any"}, model="m"), "? A03 model, ? A38 tool_choice"),
    ("no tools beside a history with calls", request(TASK, ONE, user(result())), ""),
)  # fmt: skip
def test_tools(body: Json, faults: str) -> None:
    assert found(body) == faults


@table(
    ("no answer", request(TASK, ONE, HI), "A40 messages.2"),
    ("two calls, no answer", request(TASK, TWO, HI), "A40 messages.2"),
    ("last, on a model without prefill", request(TASK, ONE), "A40 messages.1, A13 messages.1"),
    ("last, on a model with prefill", request(TASK, ONE, **HAIKU), "A40 messages.1"),
    ("last, in two messages", request(TASK, assistant(call("t1")), assistant(call("t2"))), "A40 messages.2, A13 messages.2"),
    ("the assistant goes on instead", request(TASK, ONE, YES, HI), "A48 messages.3, A40 messages.3"),
    ("answered two turns later", request(TASK, ONE, HI, YES, user(result())), "A40 messages.2, A50 messages.4.content.0"),
    ("one of two", request(TASK, TWO, user(R1)), "A41 messages.2"),
    ("one of two, then text", request(TASK, TWO, user(R1, text("And?"))), "A41 messages.2"),
    ("the other order", request(TASK, TWO, user(R2, R1)), ""),
    ("text first", request(TASK, ONE, user(text("Here:"), result())), "A43 messages.2"),
    ("text first, in a message of its own", request(TASK, ONE, HI, user(result())), "A43 messages.2"),
    ("an image first", request(TASK, TWO, user(image(), R1, R2)), "A43 messages.2"),
    ("text between", request(TASK, TWO, user(R1, text("And"), R2)), "A44 messages.2"),
    (
        "text between, in messages of their own",
        request(TASK, TWO, user(R1), HI, user(R2)),
        "A44 messages.2, warn A46 messages.4",
    ),
    ("text, image and document after", request(TASK, TWO, user(R1, R2, text("So?"), image(), document())), ""),
    ("text after, in a message of its own", request(TASK, ONE, user(result()), HI), ""),
    ("two user messages", request(TASK, TWO, user(R1), user(R2)), "warn A46 messages.3"),
    ("two assistant messages", request(TASK, assistant(call("t1")), assistant(call("t2")), user(R1, R2)), ""),
    ("text before the call", request(TASK, assistant(text("So:"), call()), user(result())), ""),
    ("text before the call, in its own message", request(TASK, YES, ONE, user(result())), ""),
    ("text after the call", request(TASK, assistant(call(), text("So:")), user(result())), "A48 messages.2"),
    ("text after the call, in its own message", request(TASK, ONE, YES, user(result())), "A48 messages.3"),
    ("text between two calls", request(TASK, assistant(call("t1"), text("And"), call("t2")), user(R1, R2)), "A48 messages.2"),
    ("thinking between two calls, as the model gave it", request(TASK, assistant(call("t1"), thinking(), call("t2")), user(R1, R2)), ""),
    ("a result of nothing", request(user(result())), "A49 messages.0.content.0"),
    ("a result of nothing after an answer", request(HI, YES, user(result())), "A49 messages.2.content.0"),
    ("another id", request(TASK, ONE, user(result("t9"))), "A49 messages.2.content.0, A40 messages.2"),
    ("an id of an older turn", request(TASK, ONE, user(result()), YES, user(result())), "A50 messages.4.content.0"),
    (
        "an id of an older turn beside the right one",
        request(TASK, assistant(call("t1")), user(R1), assistant(call("t2")), user(R2, R1)),
        "A50 messages.4.content.1",
    ),
    ("one id twice in a turn", request(TASK, assistant(call("t1"), call("t1")), user(R1)), "A51 messages.1.content.1"),
    ("one id twice in all", request(TASK, ONE, user(result()), ONE, user(result())), "A51 messages.3.content.0"),
    ("two results", request(TASK, ONE, user(result(), result())), "A52 messages.2.content.1"),
    (
        "two results, in two messages",
        request(TASK, ONE, user(result()), user(result())),
        "A52 messages.3.content.0",
    ),
    ("a result after text, the second for its call", request(TASK, ONE, user(result(), text("Or"), result())), "A52 messages.2.content.2"),
)  # fmt: skip
def test_pairing(body: Json, faults: str) -> None:
    assert found(body) == faults


@table(
    ("any letters", request(TASK, assistant(call("A-1_z")), user(result("A-1_z"))), ""),
    ("a dot", request(TASK, assistant(call("a.b")), user(result("a.b"))), "A53 messages.1.content.0, A53 messages.2.content.0"),
    ("a line break at the end", request(TASK, assistant(call("a\n"))), "A53 messages.1.content.0"),
    ("an empty id", request(TASK, assistant(call(""))), "A53 messages.1.content.0"),
    ("no id", request(TASK, assistant(without("id", call()))), "A53 messages.1.content.0"),
    ("input a string", request(TASK, assistant(call(input="{}")), user(result())), "A54 messages.1.content.0"),
    ("input null", request(TASK, assistant(call(input=None)), user(result())), "A54 messages.1.content.0"),
    ("input absent", request(TASK, assistant(without("input", call())), user(result())), "A54 messages.1.content.0"),
    ("input {}", request(TASK, assistant(call(input={})), user(result())), ""),
    ("a tool not declared", request(TASK, assistant(call(name="gone")), user(result()), tools=[ADD]), ""),
    ("content absent", request(TASK, ONE, user(without("content", result()))), ""),
    ('content ""', request(TASK, ONE, user(result(content=""))), ""),
    ("content []", request(TASK, ONE, user(result(content=[]))), "warn A56 messages.2.content.0"),
    ("content a number", request(TASK, ONE, user(result(content=5))), "warn A57 messages.2.content.0"),
    ("content an object", request(TASK, ONE, user(result(content={"sum": 5}))), "warn A57 messages.2.content.0"),
    ("content null", request(TASK, ONE, user(result(content=None))), "warn A57 messages.2.content.0"),
    ("content with an image", request(TASK, ONE, user(result(content=[text("5"), image()]))), ""),
    ("content with a document", request(TASK, ONE, user(result(content=[document()]))), ""),
    ("content with a string", request(TASK, ONE, user(result(content=["5"]))), "A57 messages.2.content.0"),
    ("content with a call", request(TASK, ONE, user(result(content=[call("t2")]))), "A57 messages.2.content.0"),
    ("an error", request(TASK, ONE, user(result(is_error=True))), ""),
    ("an error without content", request(TASK, ONE, user(without("content", result(is_error=True)))), "A58 messages.2.content.0"),
    ('an error of ""', request(TASK, ONE, user(result(content="", is_error=True))), "A58 messages.2.content.0"),
    ("an error of no blocks", request(TASK, ONE, user(result(content=[], is_error=True))), "A58 messages.2.content.0, warn A56 messages.2.content.0"),
    ("no error, without content", request(TASK, ONE, user(without("content", result(is_error=False)))), ""),
    ("an error with an image", request(TASK, ONE, user(result(content=[image()], is_error=True))), "A58 messages.2.content.0"),
    ("no error with an image", request(TASK, ONE, user(result(content=[image()], is_error=False))), ""),
    ("is_error a string", request(TASK, ONE, user(result(is_error="true"))), "A20 messages.2.content.0"),
    ("tool_use_id absent", request(TASK, ONE, user({"type": "tool_result", "content": "5"})), "A59 messages.2.content.0"),
    (
        "a refusal comes before a warning from an earlier place",
        request(TASK, ONE, user(result(content=None)), YES, user(result(tool_use_id=None))),
        "A59 messages.4.content.0, warn A57 messages.2.content.0",
    ),
    ("tool_use_id null", request(TASK, ONE, user(result(tool_use_id=None))), "A59 messages.2.content.0"),
)  # fmt: skip
def test_fields_of_calls_and_results(body: Json, faults: str) -> None:
    assert found(body) == faults


MANUAL = {"max_tokens": 2048, "thinking": THINK, **SONNET}
THOUGHT = assistant(thinking(), call())
ELSEWHERE = thinking("Hm.", sign(request(TASK), [], "Hm."))


@table(
    ("with its signature", request(TASK, THOUGHT, user(result())), ""),
    ("without text", request(TASK, assistant(thinking(""), call()), user(result())), ""),
    ("without its signature", request(TASK, assistant(without("signature", thinking()), call())), "A60 messages.1.content.0"),
    ("with an empty signature", request(TASK, assistant(thinking(signature=""), call())), "A60 messages.1.content.0"),
    ("manual, first", request(TASK, THOUGHT, user(result()), **MANUAL), ""),
    ("manual, redacted first", request(TASK, assistant({"type": "redacted_thinking", "data": "x"}, call()), user(result()), **MANUAL), ""),
    ("manual, missing", request(TASK, ONE, user(result()), **MANUAL), "A63 messages.1.content.0"),
    ("manual, text first", request(TASK, assistant(text("So:"), call()), user(result()), **MANUAL), "A63 messages.1.content.0"),
    ("manual, missing in the second round only", request(TASK, THOUGHT, user(result()), assistant(call("t2")), user(R2), **MANUAL), ""),
    ("manual, missing in both rounds", request(TASK, ONE, user(result()), assistant(call("t2")), user(R2), **MANUAL), "A63 messages.1.content.0"),
    ("manual, missing in an older turn", request(TASK, ONE, user(result()), YES, HI, **MANUAL), ""),
    ("adaptive, missing", request(TASK, ONE, user(result()), thinking={"type": "adaptive"}), ""),
    ("enabled on Opus 5", request(HI, max_tokens=2048, thinking=THINK), "A65 thinking"),
    ("adaptive on Haiku 4.5", request(HI, thinking={"type": "adaptive"}, **HAIKU), "A65 thinking"),
    ("disabled on Opus 5", request(HI, thinking={"type": "disabled"}), ""),
    ("disabled on Opus 5, high", request(HI, thinking={"type": "disabled"}, output_config={"effort": "high"}), ""),
    ("disabled on Opus 5, max", request(HI, thinking={"type": "disabled"}, output_config={"effort": "max"}), "A65 thinking"),
    ("disabled on Opus 5.5", request(HI, thinking={"type": "disabled"}, model="claude-opus-5-5"), "A65 thinking"),
    ("between_tools on Sonnet 5.5", request(HI, thinking={"type": "between_tools"}, model="claude-sonnet-5-5"), ""),
    ("between_tools on Sonnet 5.5, xhigh", request(HI, thinking={"type": "between_tools"}, output_config={"effort": "xhigh"}, model="claude-sonnet-5-5"), "A65 thinking"),
    ("between_tools elsewhere", request(HI, thinking={"type": "between_tools"}), "A65 thinking"),
    ("a budget of 1023", request(HI, max_tokens=2048, thinking={**THINK, "budget_tokens": 1023}, **SONNET), "A65 thinking"),
    ("a budget as large as max_tokens", request(HI, max_tokens=1024, thinking=THINK, **SONNET), "A65 thinking"),
    ("no budget", request(HI, thinking={"type": "enabled"}, **SONNET), "A65 thinking"),
    ("an unknown type", request(HI, thinking={"type": "auto"}), "A65 thinking"),
    ("thinking a string", request(HI, thinking="adaptive"), "A65 thinking"),
    ("real, on a model that checks what is before it", request(TASK, THOUGHT, user(result()), model="claude-fable-5-2"), ""),
    ("scripted, in another history", request(HI, assistant(ELSEWHERE), HI), ""),
    ("scripted, in another history, on Opus 5.5", request(HI, assistant(ELSEWHERE), HI, model="claude-opus-5-5"), "A66 messages.1.content.0"),
    ("scripted, in another history, on Fable 5.2", request(HI, assistant(ELSEWHERE), HI, model="claude-fable-5-2"), "A66 messages.1.content.0"),
    ("an unknown model", request(HI, thinking={"type": "adaptive"}, model="m"), "? A03 model, ? A65 thinking"),
)  # fmt: skip
def test_thinking(body: Json, faults: str) -> None:
    assert found(body) == faults


BOTH = assistant(server_call(), call())
EXECUTE = {**server_call(), "name": "bash_code_execution"}


@table(
    ("done", request(HI, SEARCHED, HI, **SEARCH), ""),
    ("done, before a call", request(TASK, assistant(server_call(), server_result(), call()), user(result()), **SEARCH), ""),
    ("done, its tool withdrawn", request(HI, SEARCHED, HI), ""),
    ("answered by the client", request(HI, SEARCHED, user(result("srvtoolu_1")), **SEARCH), "A71 messages.2.content.0"),
    ("paused", request(HI, assistant(text("Let me see."), server_call()), **SEARCH), ""),
    ("paused, a second call", request(HI, assistant(server_call(), server_result(), server_call("srvtoolu_2")), **SEARCH), ""),
    ("paused, its tool withdrawn", request(HI, assistant(server_call())), "A74 messages.1.content.0"),
    ("paused, then text of the assistant", request(HI, assistant(server_call(), text("Hm.")), **SEARCH), "A13 messages.1"),
    ("paused, then the user", request(HI, assistant(server_call()), HI, **SEARCH), "A73 messages.2"),
    ("paused beside a call without a result", request(HI, BOTH, **SEARCH), "A40 messages.1, A13 messages.1"),
    ("ends in a server result", request(HI, assistant(server_call(), server_result()), **SEARCH), "A13 messages.1"),
    ("waiting, results only", request(TASK, BOTH, user(result()), **SEARCH), ""),
    ("waiting, results in two messages", request(TASK, assistant(server_call(), call("t1"), call("t2")), user(R1), user(R2), **SEARCH), "warn A46 messages.3"),
    ("waiting, then text", request(TASK, BOTH, user(result(), text("Hurry.")), **SEARCH), "A73 messages.2.content.1"),
    ("waiting, then text in its own message", request(TASK, BOTH, user(result()), HI, **SEARCH), "A73 messages.3"),
    ("waiting, its tool withdrawn", request(TASK, BOTH, user(result()), tools=[ADD]), "A74 messages.1.content.0"),
    ("waiting, its result in the next turn", request(TASK, BOTH, user(result()), assistant(server_result(), text("At nine.")), HI, **SEARCH), ""),
    ("code run by the tool that runs all code", request(HI, assistant(EXECUTE), tools=[{"type": "code_execution_20260521", "name": "code_execution"}]), ""),
    ("code run by a newer web tool", request(HI, assistant(EXECUTE), tools=[WEB_SEARCH]), ""),
    ("code run by no tool", request(HI, assistant(EXECUTE), tools=[ADD]), "A74 messages.1.content.0"),
    ("a result without its call", request(HI, assistant(server_result(), text("At nine.")), HI, **SEARCH), "A75 messages.1.content.0"),
    ("a result before its call", request(HI, assistant(server_result(), server_call()), HI, **SEARCH), "A75 messages.1.content.0, A73 messages.2"),
    ("an id that the API did not give", request(HI, assistant(server_call("call_1"), server_result("call_1"), text("At nine.")), HI, **SEARCH), "A53 messages.1.content.0"),
    ("an id that begins as the API's own do", request(HI, assistant(server_call("srvtoolu_a-b"), server_result("srvtoolu_a-b"), text("At nine.")), HI, **SEARCH), "A53 messages.1.content.0"),
    ("an unknown server tool", request(HI, assistant({**server_call(), "name": "find"})), "A20 messages.1.content.0"),
    (
        "toolset_name repeated",
        request(TASK, assistant(call(toolset_name="computer")), user(result(toolset_name="computer"))),
        "",
    ),
    ("toolset_name forgotten", request(TASK, assistant(call(toolset_name="computer")), user(result())), "A76 messages.2.content.0"),
    ("compaction without its header", request(HI, assistant({"type": "compaction", "content": "x"}), HI), "A20 messages.1.content.0"),
)  # fmt: skip
def test_server_tools(body: Json, faults: str) -> None:
    assert found(body) == faults


COMPACTED = request(assistant({"type": "compaction", "content": "Summary."}, text("Yes?")), HI)
SUMMARY = {"type": "compaction", "content": "They said hello."}
SUMMED_UP = request(HI, assistant(SUMMARY))
THREAD = request(user(result()), thread={"type": "continue", "previous_message_id": "msg_1"})
CHANGE = {"type": "tool_removal", "tool": {"type": "tool_reference", "name": "add"}}
CHANGED = request(HI, {"role": "system", "content": [CHANGE]}, tools=[ADD])


@table(
    ("a beta key", request(HI, context_management={"edits": []}), "A05 context_management"),
    ("a compaction block", COMPACTED, "A20 messages.0.content.0"),
    ("a thread", THREAD, "A05 thread"),
    ("a change of tools", CHANGED, "A19 messages.1.content.0"),
    ("a beta tool", request(HI, tools=[ADD, {"type": "mcp_toolset", "mcp_server_name": "m"}]), "A05 tools.1"),
)  # fmt: skip
def test_beta_keys_need_a_header(body: Json, faults: str) -> None:
    assert found(body) == faults
    assert "A0" not in found(body, betas=["some-beta-2026-01-01"])


@table(
    ("an unknown key", request(HI, foo=1), "A05 foo"),
    ("an edit", request(HI, context_management={"edits": [{"type": "compact_20260112"}]}), ""),
    ("a compaction block", COMPACTED, "? A77 messages.0.content.0"),
    ("a compaction goes back last", SUMMED_UP, "? A77 messages.1.content.0"),
    ("words after it are a prefill", request(HI, assistant(SUMMARY, text("So"))), "A13 messages.1, ? A77 messages.1.content.0"),
    ("a continued thread", THREAD, "? A49 messages.0.content.0"),
    ("a change of a declared tool", CHANGED, ""),
    ("a change of another tool", {**CHANGED, "tools": []}, "A19 messages.1.content.0"),
    ("a system message without content", request(HI, {"role": "system", "output_config": {"effort": "low"}}), ""),
    ("a user message without content", request({"role": "user"}), "A20 messages.0"),
)  # fmt: skip
def test_under_a_beta_header(body: Json, faults: str) -> None:
    assert found(body, betas=["compact-2026-09-04"]) == faults


@table(
    ("alternating", request(HI, YES, HI), ""),
    ("two of a role", request(HI, HI), "A11 messages.1"),
    ("assistant first", request(YES, HI), "A12 messages.0"),
    ("assistant last", request(HI, YES, **HAIKU), "A13 messages.1"),
    ("results in two messages", request(TASK, TWO, user(R1), user(R2)), "A11 messages.3"),
    ("a system message is passed over", request(HI, NOTE, YES, HI), ""),
    ("the API's own rules still hold", request(TASK, ONE, HI), "A40 messages.2"),
)
def test_strict_alternation(body: Json, faults: str) -> None:
    assert found(body, strict_alternation=True) == faults


def test_strict_alternation_says_what_the_real_api_does() -> None:
    (fault,) = check(request(HI, HI), strict_alternation=True)
    assert "The real API merges them" in fault.sentence
    assert fault.certainty.startswith("stricter than the real API")
    assert check(request(HI, HI)) == ()


def test_what_needs_a_beta_header_is_said_to_need_one() -> None:
    (key,) = check(request(HI, context_management={"edits": []}))
    (block,) = check(COMPACTED)
    (other,) = check(request(HI, contextual_management={}))
    assert "beta header" in key.sentence
    assert "beta header" in block.sentence
    assert "beta header" not in other.sentence


def test_a_fault_says_how_sure_its_wording_is() -> None:
    """A check may be less sure than its rule."""
    (unknown,) = check(request(HI, foo=1))
    (wrong,) = check(request(HI, system=5))
    assert (unknown.rule, unknown.certainty) == ("A05", "seen in 4 reports")
    assert (wrong.rule, wrong.certainty) == ("A05", INFERRED)
    assert unknown.api == "foo: Extra inputs are not permitted"


@pytest.mark.parametrize(
    ("body", "api"),
    [
        (
            request(TASK, TWO, HI),
            "messages.2: `tool_use` ids were found without `tool_result` blocks immediately after:"
            " t1, t2",
        ),
        (
            request(TASK, ONE, user({"type": "tool_result"})),
            "messages.2.content.0.tool_result.tool_use_id: Field required",
        ),
        (
            request(TASK, assistant(call(input="{}"))),
            "messages.1.content.0.tool_use.input: Input should be a valid dictionary",
        ),
        (
            request(HI, max_tokens=64_001, **HAIKU),
            "max_tokens: 64001 > 64000, which is the maximum allowed number of output tokens for"
            " claude-haiku-4-5",
        ),
    ],
)
def test_the_apis_own_words_name_what_they_are_about(body: Json, api: str) -> None:
    assert check(body)[0].api == api


def test_a_budget_may_be_above_max_tokens_while_thinking_is_interleaved() -> None:
    body = request(HI, max_tokens=1024, thinking=THINK, **SONNET)
    assert found(body, betas=["compact-2026-09-04"]) == "A65 thinking"
    assert found(body, betas=["interleaved-thinking-2025-05-14"]) == ""


def test_an_unknown_dialect_is_an_error_that_lists_those_there_are() -> None:
    with pytest.raises(ValueError, match="anthropic, openai"):
        check(request(HI), "gemini")

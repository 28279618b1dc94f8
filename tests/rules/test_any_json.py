"""Whatever JSON comes, there is an answer, soon, and never a traceback."""

import copy
import json
import time
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.engine.rules import DIALECTS, check, dialect_of
from app.engine.rules.anthropic.rows.examples import (
    TASK,
    assistant,
    call,
    request,
    result,
    said,
    text,
    thinking,
    user,
)
from app.engine.rules.openai import examples as chat
from app.engine.steps import Fault
from tests.rules.chats import chats
from tests.rules.histories import histories

SECONDS = 10.0  # for what takes far less than one on a quiet machine

strange_texts = st.text(st.characters(codec=None)) | st.sampled_from(
    ("\ud800", "a\udfff", "\x00", "\u202e", "x" * 1000, "text", "tool_use", "user", "system")
)
numbers = st.integers() | st.floats() | st.sampled_from((10**400, -(10**400), 1e308))
json_values = st.recursive(
    st.none() | st.booleans() | numbers | strange_texts,
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(strange_texts, inner, max_size=4)
        | st.dictionaries(
            st.sampled_from(
                "role content type text id input name tool_use_id tools messages model thinking "
                "system cache_control source signature tool_calls function arguments "
                "tool_call_id".split()
            ),
            inner,
            max_size=6,
        )
    ),
    max_leaves=20,
)


def judge(body: Any) -> None:
    """All ways to judge a body; the faults are such that a page can show them."""
    dialect_of(body)
    for dialect in DIALECTS:
        for betas in ((), ("any",)):
            strict = bool(betas)
            faults = check(body, dialect, betas=betas, strict_alternation=strict)
            assert all(isinstance(fault, Fault) for fault in faults)
            for fault in faults:
                assert f"{fault.where} {fault.sentence} {fault.api}".isprintable()
                assert len(fault.where) + len(fault.api) < 2000


@settings(max_examples=300)
@given(json_values)
def test_any_json_is_answered(body: Any) -> None:
    judge(body)


@settings(max_examples=200)
@given(json_values)
def test_any_messages_are_answered(value: Any) -> None:
    judge({"model": "claude-opus-5", "max_tokens": 10, "messages": value})
    judge({"model": "claude-opus-5", "max_tokens": 10, "messages": [value, value]})


def places(value: Any) -> list[tuple[Any, Any]]:
    """All containers of a value with the keys in them."""
    found: list[tuple[Any, Any]] = []
    rest = [value]
    while rest:
        one = rest.pop()
        keys = one.keys() if isinstance(one, dict) else range(len(one))
        found += [(one, key) for key in keys]
        rest += [one[key] for key in keys if isinstance(one[key], dict | list)]
    return found


@settings(max_examples=300)
@given(st.one_of(histories(), chats()), st.data())
def test_a_history_with_anything_in_any_place_is_answered(
    body: dict[str, Any], data: st.DataObject
) -> None:
    broken = copy.deepcopy(body)
    for _ in range(data.draw(st.integers(1, 2))):
        holder, key = data.draw(st.sampled_from(places(broken)))
        if data.draw(st.booleans()):
            holder[key] = data.draw(json_values)
        elif isinstance(holder, dict):
            del holder[key]
    judge(broken)


def deep(levels: int = 200_000) -> Any:
    value: Any = []
    for _ in range(levels):
        value = [value]
    return value


def deep_object(levels: int = 200_000) -> Any:
    value: Any = {}
    for _ in range(levels):
        value = {"content": value}
    return value


SCRIPTED = "halqa.0123456789abcdef.0123456789abcdef"
DEEP: dict[str, Callable[[], Any]] = {
    "a list": deep,
    "an object": deep_object,
    "messages": lambda: request(deep()),
    "content": lambda: request({"role": "user", "content": deep()}),
    "an input": lambda: request(TASK, assistant(call(input={"a": deep()})), user(result())),
    "a result": lambda: request(TASK, assistant(call()), user(result(content=deep()))),
    "a schema": lambda: request(TASK, tools=[{"name": "a", "input_schema": deep_object()}]),
    "system": lambda: request(TASK, system=deep()),
    "an unknown key": lambda: request(TASK, x=deep()),
    "before scripted thinking": lambda: request(
        TASK,
        assistant(thinking("Hm.", SCRIPTED), call(input={"a": deep()})),
        user(result()),
        assistant(thinking("Hm.", SCRIPTED), text("5")),
        TASK,
        model="claude-fable-5-2",
    ),
    "a call of the other dialect": lambda: chat.request(chat.calling(chat.call(arguments=deep()))),
}


@pytest.mark.parametrize("make", DEEP.values(), ids=DEEP.keys())
def test_depth_is_no_danger(make: Callable[[], Any]) -> None:
    body = make()
    started = time.perf_counter()
    judge(body)
    assert time.perf_counter() - started < SECONDS


N = 20_000


def rounds() -> list[dict[str, Any]]:
    return [m for n in range(N) for m in (assistant(call(f"t{n}")), user(result(f"t{n}")))]


LARGE: dict[str, Callable[[], Any]] = {
    "rounds": lambda: request(TASK, *rounds()),
    "unanswered calls": lambda: request(*[assistant(call(f"t{n}")) for n in range(N)]),
    "calls in one turn": lambda: request(TASK, assistant(*[call(f"t{n}") for n in range(N)])),
    "one id": lambda: request(TASK, assistant(*[call()] * N), user(*[result()] * N)),
    "results of nothing": lambda: request(*[user(result(f"t{n}")) for n in range(N)]),
    "system and user": lambda: request(*[TASK, said("system", "Hm.")] * N, model="m"),
    "calls and system": lambda: request(*[assistant(call()), said("system", "Hm.")] * N),
    "thinking": lambda: request(TASK, assistant(*[thinking()] * N), TASK),
    "scripted thinking": lambda: request(TASK, assistant(*[thinking("a", SCRIPTED)] * N), TASK),
    "unknown keys": lambda: request({**TASK, **{f"k{n}": n for n in range(N)}}),
    "tools": lambda: request(TASK, tools=[{"name": f"t{n}", "input_schema": {}} for n in range(N)]),
    "chat: unanswered calls": lambda: chat.request(
        *[chat.calling(chat.call(f"c{n}")) for n in range(N)]
    ),
    "chat: one call, many users": lambda: chat.request(chat.calling(chat.call()), *[TASK] * N),
    "chat: calls and users": lambda: chat.request(*[chat.calling(chat.call()), TASK] * N),
    "chat: answers of nothing": lambda: chat.request(*[chat.tool(f"c{n}") for n in range(N)]),
}


@pytest.mark.parametrize("make", LARGE.values(), ids=LARGE.keys())
def test_size_is_no_danger(make: Callable[[], Any]) -> None:
    body = make()
    started = time.perf_counter()
    check(body)
    check(body, "openai")
    assert time.perf_counter() - started < SECONDS


def test_a_key_given_twice_counts_as_its_last_value() -> None:
    twice = '{"model": "claude-opus-5", "max_tokens": "1", "max_tokens": 1, "messages": [%s]}'
    assert check(json.loads(twice % json.dumps(TASK))) == ()


def test_text_of_the_request_is_quoted_short_and_printable() -> None:
    fault = check(request({"role": "\u202e\ud800" + "x" * 10_000, "content": "Hi."}))[-1]
    assert fault.api.isprintable()
    assert len(fault.api) < 300


def test_a_request_with_any_number_of_faults_gets_a_bounded_answer() -> None:
    message = {"role": "user", "content": "x", **{f"key{n}": 0 for n in range(100_000)}}
    faults = check({"model": "claude-opus-5", "max_tokens": 1, "messages": [message]})
    assert len(faults) == 20_000
    assert {fault.rule for fault in faults} == {"A05"}

"""The same history in both dialects: what becomes what, what is lost, and nothing is mended."""

import copy
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.engine.dialects import (
    WHY,
    Converted,
    reply_to_anthropic,
    reply_to_openai,
    to_anthropic,
    to_openai,
)
from app.engine.rules import RULES, check
from app.paths import SCENARIOS
from app.run import library, trace_of

Json = dict[str, Any]

TASK = {"role": "user", "content": "Where is it?"}
LOOK = {"type": "text", "text": "I look."}
USE = {"type": "tool_use", "id": "c1", "name": "look", "input": {"id": 7}}
CALL = {"id": "c1", "type": "function", "function": {"name": "look", "arguments": '{"id":7}'}}
RESULT = {"type": "tool_result", "tool_use_id": "c1", "content": "late"}
ANSWER = {"role": "tool", "tool_call_id": "c1", "content": "late"}


def said(role: str, content: Any, **more: Any) -> Json:
    return {"role": role, "content": content, **more}


# Histories that say the same in both, and come back as they were.
SAME = {
    "a question": ([TASK], [TASK]),
    "a call with its text": (
        [TASK, said("assistant", [LOOK, USE])],
        [TASK, said("assistant", "I look.", tool_calls=[CALL])],
    ),
    "a call alone has the content null": (
        [said("assistant", [USE])],
        [said("assistant", None, tool_calls=[CALL])],
    ),
    "a result": ([said("user", [RESULT])], [ANSWER]),
    "two results are one message, and two": (
        [said("user", [RESULT, {**RESULT, "tool_use_id": "c2"}])],
        [ANSWER, {**ANSWER, "tool_call_id": "c2"}],
    ),
    "a system message in between": ([TASK, said("system", "Be brief.")],) * 2,
    "an image": (
        [
            said(
                "user",
                [
                    {
                        "type": "image",
                        "source": {"type": "base64", "media_type": "image/png", "data": "AA=="},
                    }
                ],
            )
        ],
        [
            said(
                "user",
                [{"type": "image_url", "image_url": {"url": "data:image/png;base64,AA=="}}],
            )
        ],
    ),
    # and with a fault
    "a result under a wrong id": (
        [said("assistant", [USE]), said("user", [{**RESULT, "tool_use_id": "look"}])],
        [said("assistant", None, tool_calls=[CALL]), {**ANSWER, "tool_call_id": "look"}],
    ),
    "a result without its id": (
        [said("user", [{"type": "tool_result", "content": "late"}])],
        [said("tool", "late")],
    ),
    "a missing result": (
        [said("assistant", [USE]), TASK],
        [said("assistant", None, tool_calls=[CALL]), TASK],
    ),
    "a message between a call and its result": (
        [said("assistant", [USE]), TASK, said("user", [RESULT])],
        [said("assistant", None, tool_calls=[CALL]), TASK, ANSWER],
    ),
    "a call without an id": (
        [said("assistant", [{k: v for k, v in USE.items() if k != "id"}])],
        [said("assistant", None, tool_calls=[{k: v for k, v in CALL.items() if k != "id"}])],
    ),
    "no message at all": ([], []),
    "what is no message": ([TASK, "Hello"],) * 2,
}


@pytest.mark.parametrize(("messages", "chat"), SAME.values(), ids=SAME)
def test_a_history_says_the_same_in_both(messages: list[Any], chat: list[Any]) -> None:
    there, back = to_openai({"messages": messages}), to_anthropic({"messages": chat})
    assert (there.body["messages"], there.lost) == (chat, ())
    assert (back.body["messages"], back.lost) == (messages, ())


# What stands around the messages.
ENVELOPES = [
    ({"max_tokens": 64}, {"max_completion_tokens": 64}),
    ({"stop_sequences": ["END"]}, {"stop": ["END"]}),
    ({"temperature": 0.5, "stream": True}, {"temperature": 0.5, "stream": True}),
    (
        {"tools": [{"name": "look", "description": "Looks.", "input_schema": {"type": "object"}}]},
        {
            "tools": [
                {
                    "type": "function",
                    "function": {
                        "name": "look",
                        "description": "Looks.",
                        "parameters": {"type": "object"},
                    },
                }
            ]
        },
    ),
    ({"tool_choice": {"type": "any"}}, {"tool_choice": "required"}),
    (
        {"tool_choice": {"type": "tool", "name": "look"}},
        {"tool_choice": {"type": "function", "function": {"name": "look"}}},
    ),
    (
        {"tool_choice": {"type": "auto", "disable_parallel_tool_use": True}},
        {"tool_choice": "auto", "parallel_tool_calls": False},
    ),
]


@pytest.mark.parametrize(("messages", "chat"), ENVELOPES)
def test_an_envelope_says_the_same_in_both(messages: Json, chat: Json) -> None:
    assert to_openai({**messages, "messages": []}).body == {**chat, "messages": []}
    assert to_anthropic({**chat, "messages": []}).body == {**messages, "messages": []}


def test_system_is_a_key_here_and_the_first_message_there() -> None:
    chat = to_openai({"system": "Be brief.", "messages": [TASK]})
    assert chat.body["messages"] == [said("system", "Be brief."), TASK]
    back = to_anthropic(chat.body)
    assert back.body == {"system": "Be brief.", "messages": [TASK]}


def test_arguments_that_are_no_json_stay_text() -> None:
    broken = {**CALL, "function": {"name": "look", "arguments": '{"id": 4'}}
    made = to_anthropic({"messages": [said("assistant", None, tool_calls=[broken])]})
    assert made.body["messages"][0]["content"] == [{**USE, "input": '{"id": 4'}]


def test_functions_are_tools_in_the_older_form() -> None:
    function = {"name": "look", "description": "Look.", "parameters": {"type": "object"}}
    made = to_anthropic({"functions": [function], "messages": []})
    assert made.body["tools"] == [
        {"name": "look", "description": "Look.", "input_schema": {"type": "object"}}
    ]
    assert (made.lost, [tie.there for tie in made.ties]) == ((), [("tools", 0)])


# A part, where it stands, and why it has no counterpart.
LOST_HERE = [
    (
        [said("assistant", [{"type": "thinking", "thinking": "", "signature": "s"}, USE])],
        "thinking",
    ),
    ([said("user", [{**RESULT, "is_error": True}])], "is_error"),
    ([said("user", [{**LOOK, "cache_control": {"type": "ephemeral"}}])], "cache_control"),
    ([said("assistant", [LOOK, {"type": "server_tool_use", "id": "s1"}])], "server tool"),
    ([said("assistant", [USE, LOOK])], "order"),
    ([said("user", [RESULT]), said("user", [RESULT])], "split"),
    ([said("user", [{**RESULT, "content": [{"type": "image"}]}])], "image"),
    ([said("user", [{"type": "search_result"}])], "block"),
]
LOST_THERE = [
    ([said("assistant", None, refusal="I cannot.")], "refusal"),
    ([said("assistant", None, function_call={"name": "look", "arguments": "{}"})], "legacy"),
    (
        [said("assistant", None, tool_calls=[{"id": "c1", "type": "custom", "custom": {}}])],
        "custom",
    ),
    (
        [said("assistant", None, tool_calls=[{**CALL, "function": {"arguments": {"id": 7}}}])],
        "arguments",
    ),
    ([said("assistant", "Hi", tool_calls=[])], "empty"),
    ([said("user", [{"type": "input_audio"}])], "part"),
    ([said("user", "Hi", name="ada")], "key"),
]


@pytest.mark.parametrize(("messages", "why"), LOST_HERE, ids=[why for _, why in LOST_HERE])
def test_what_chat_completions_lack_is_named(messages: list[Json], why: str) -> None:
    assert [lost.why for lost in to_openai({"messages": messages}).lost] == [WHY[why]]


@pytest.mark.parametrize(("messages", "why"), LOST_THERE, ids=[why for _, why in LOST_THERE])
def test_what_messages_lack_is_named(messages: list[Json], why: str) -> None:
    assert [lost.why for lost in to_anthropic({"messages": messages}).lost] == [WHY[why]]


def test_a_message_of_which_nothing_is_left_is_left_out() -> None:
    messages = [TASK, said("assistant", [{"type": "redacted_thinking", "data": "x"}])]
    assert to_openai({"messages": messages}).body["messages"] == [TASK]


# Each reason to stop and what it is called there, then what that is called here.
REASONS = [
    ("end_turn", "stop", "end_turn"),
    ("tool_use", "tool_calls", "tool_use"),
    ("max_tokens", "length", "max_tokens"),
    ("model_context_window_exceeded", "length", "max_tokens"),
    ("stop_sequence", "stop", "end_turn"),
    ("refusal", "content_filter", "refusal"),
    ("pause_turn", "pause_turn", "pause_turn"),
    ("handed_over", "handed_over", "handed_over"),
]


@pytest.mark.parametrize(("here", "there", "back"), REASONS)
def test_reasons_to_stop_have_two_names(here: str, there: str, back: str) -> None:
    reply = {"stop_reason": here, "content": [LOOK], "usage": {}}
    made = reply_to_openai(reply).body
    assert made["choices"][0]["finish_reason"] == there
    assert reply_to_anthropic(made).body["stop_reason"] == back


def test_several_texts_of_a_reply_are_one_there() -> None:
    reply = {"stop_reason": "end_turn", "content": [LOOK, LOOK], "usage": {}}
    message = reply_to_openai(reply).body["choices"][0]["message"]
    assert message == said("assistant", "I look.I look.")


def test_a_refusal_in_the_message_is_a_refusal_though_it_ends_with_stop() -> None:
    message = {"role": "assistant", "content": None, "refusal": "I cannot."}
    reply = {"choices": [{"message": message, "finish_reason": "stop"}]}
    assert reply_to_anthropic(reply).body == {"stop_reason": "refusal", "content": []}


def test_a_reply_is_a_message_that_can_be_appended() -> None:
    reply = {
        "stop_reason": "tool_use",
        "content": [LOOK, USE],
        "usage": {"input_tokens": 9, "output_tokens": 4},
    }
    made = reply_to_openai(reply).body
    assert made["choices"][0]["message"] == said("assistant", "I look.", tool_calls=[CALL])
    assert made["usage"] == {"prompt_tokens": 9, "completion_tokens": 4, "total_tokens": 13}
    assert reply_to_anthropic(made).body == reply


# Whatever is converted.
EXAMPLES = {
    f"{rule.number} {side}": body
    for rule in RULES.values()
    for side, body in (("accepted", rule.accepted), ("refused", rule.refused))
    if body is not None
}


@pytest.mark.parametrize("name", EXAMPLES)
def test_ties_and_losses_name_real_places_and_the_source_stays_as_it_is(name: str) -> None:
    body = dict(EXAMPLES[name])
    before = copy.deepcopy(body)
    made = (to_openai if name.startswith("A") else to_anthropic)(body)
    assert body == before
    assert not unreached(body, made)


def unreached(body: Json, made: Converted) -> list[Any]:
    """The places named by a conversion that do not exist."""
    named = [(body, lost.where) for lost in made.lost]
    named += [(body, tie.here) for tie in made.ties]
    named += [(made.body, tie.there) for tie in made.ties]
    return [where for whole, where in named if not stands(whole, where)]


def stands(value: Any, where: tuple[str | int, ...]) -> bool:
    for part in where:
        try:
            value = value[part]
        except (KeyError, IndexError, TypeError):
            return False
    return True


def test_what_a_fault_of_order_is_here_is_one_there() -> None:
    rules = {"A40": "O02", "A49": "O07", "A59": "O06"}
    for here, there in rules.items():
        refused = RULES[here].refused
        assert refused is not None
        found = [fault.rule for fault in check(to_openai(dict(refused)).body, "openai")]
        assert there in found, (here, found)


def test_every_lane_of_every_lesson_comes_back_but_for_what_is_named() -> None:
    for lesson in library([SCENARIOS]).lessons():
        for lane in lesson.lanes:
            trace = trace_of(lesson, lane.name, lane.checked, "en")
            for ask in trace.asks:
                request = trace.request(ask)
                if "claude" not in str(request["model"]):
                    continue
                made = to_openai(request)
                assert not unreached(request, made)
                back = to_anthropic(made.body)
                # There, results in two messages are one row of tool messages, and one without
                # content is empty.
                alike = ("split_results", "swallows_failure")
                assert back.body == request or made.lost or lane.loop in alike


KEYS = "role content type id name input arguments function tool_calls tool_call_id text source url"
WORDS = (
    "user assistant tool system function text tool_use tool_result image document image_url file"
)
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.sampled_from(WORDS.split()),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from(KEYS.split()), inner, max_size=5)
    ),
    max_leaves=20,
)
BODIES = st.dictionaries(
    st.sampled_from(["messages", "system", "tools", "tool_choice", "stop", "choices", "content"]),
    JSON | st.lists(JSON, max_size=4),
)


@settings(max_examples=60, deadline=None)
@given(BODIES)
def test_any_object_is_converted_or_named_as_lost(body: Json) -> None:
    for convert in (to_openai, to_anthropic, reply_to_openai, reply_to_anthropic):
        before = copy.deepcopy(body)
        made = convert(body)
        assert body == before
        assert not unreached(body, made), convert

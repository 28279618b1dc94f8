"""A judged request: each fault at its place, however large and odd the request is."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.engine.rules import RULES
from app.views.checked import Answer, Options, answer_to, place_of
from app.views.marked import Line

BASE: dict[str, Any] = {"model": "claude-opus-5", "max_tokens": 9}


def said(role: str, content: Any, **more: Any) -> dict[str, Any]:
    return {"role": role, "content": content, **more}


def marks(answer: Answer) -> list[tuple[str, str]]:
    lines: list[Line] = [*answer.envelope]
    lines += [line for shown in answer.messages for line in shown.entry.lines]
    return [
        (run.mark, "".join(token.text for token in run.tokens))
        for line in lines
        for run in line.runs
        if run.mark
    ]


@pytest.mark.parametrize(
    ("number", "anchor", "marked"),
    [
        ("A01", "envelope", [("absent", "max_tokens")]),
        ("A08", "envelope", [("wrong", '"temperature": 0')]),
        ("A40", "m-2", [("absent", "tool_result")]),
        ("A41", "m-2", [("absent", "tool_result")]),
        ("A54", "m-1", [("wrong", '"input": "{}"')]),
        ("A59", "m-2", [("absent", "tool_use_id")]),
        ("A13", "m-1", []),
        ("O09", "m-1", [("wrong", '"tool_calls": []')]),
        ("O16", "envelope", [("wrong", '"tools": []')]),
    ],
)
def test_a_fault_stands_at_its_place(
    number: str, anchor: str, marked: list[tuple[str, str]]
) -> None:
    answer = answer_to(dict(RULES[number].refused or {}), Options())
    assert answer.refused
    assert answer.first.rule == number
    assert answer.findings[0].anchor == anchor
    assert marks(answer) == marked


@pytest.mark.parametrize(
    ("where", "path"),
    [
        ("", ()),
        ("max_tokens", ("max_tokens",)),
        ("messages.0", ("messages", 0)),
        ("messages.0.content.0.text", ("messages", 0, "content", 0, "text")),
        ("messages.0.content.0.text.text", ("messages", 0, "content", 0, "text", "text")),
        ("messages.0.content.1.tool_use.id", ("messages", 0, "content", 1, "id")),
        ("messages.0.content.9", ("messages", 0, "content", "9")),
        ("messages.7", ("messages", "7")),
        ("nothing.at.all", ("nothing",)),
    ],
)
def test_a_dotted_place_is_found(where: str, path: tuple[str | int, ...]) -> None:
    blocks = [{"type": "text", "text": {"text": 1}}, {"type": "tool_use", "id": "a"}]
    assert place_of(where, {"max_tokens": 1, "messages": [{"content": blocks}]}) == path


def test_messages_are_stepped_through_with_the_next_fault_known() -> None:
    messages = [
        said("user", "x"),
        said("user", "x", a=1),
        said("user", "x"),
        said("user", "x", b=1),
    ]
    answer = answer_to({**BASE, "messages": messages}, Options())
    assert answer.begin == "m-1"
    assert [shown.before for shown in answer.messages] == ["", "m-0", "m-1", "m-2"]
    assert [shown.after for shown in answer.messages] == ["m-1", "m-2", "m-3", ""]
    assert [shown.next_fault for shown in answer.messages] == ["m-1", "m-3", "m-3", ""]


def test_of_many_messages_those_about_a_fault_are_shown() -> None:
    messages = [said("user", "x") for _ in range(1_000)]
    messages[500]["name"] = "Sara"
    answer = answer_to({**BASE, "messages": messages}, Options())
    shown = [one.entry.index for one in answer.messages]
    assert len(shown) < 40
    assert {0, 499, 500, 501, 999} <= set(shown)
    assert sum(one.skipped for one in answer.messages) + len(shown) == 1_000


def test_many_faults_are_counted_and_some_shown() -> None:
    messages = [said("user", "x", name="Sara") for _ in range(500)]
    answer = answer_to({**BASE, "messages": messages}, Options())
    assert (len(answer.findings), answer.more, answer.refusals) == (60, 440, 500)
    assert len(answer.messages) <= 200


@pytest.mark.parametrize(
    ("options", "mild", "refused"),
    [(Options(), False, False), (Options(strict=True), True, True)],
)
def test_strict_alternation_says_where_the_real_api_would_accept(
    options: Options, mild: bool, refused: bool
) -> None:
    answer = answer_to({**BASE, "messages": [said("user", "x"), said("user", "y")]}, options)
    assert (answer.mild, answer.refused, answer.strict) == (mild, refused, options.strict)


def test_what_the_real_api_refuses_too_is_not_called_mild() -> None:
    request = {**BASE, "messages": [said("user", "x"), said("user", "")]}
    answer = answer_to(request, Options(strict=True))
    assert (answer.refused, answer.mild) == (True, False)


values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=9),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(
            st.sampled_from(["role", "content", "type", "tool_use", "id", "x"]), inner, max_size=4
        )
    ),
    max_leaves=25,
)


@given(
    st.dictionaries(st.sampled_from(["model", "messages", "tools", "max_tokens", "x"]), values),
    st.sampled_from(["", "anthropic", "openai"]),
    st.booleans(),
)
def test_any_object_is_laid_out(request: dict[str, Any], dialect: str, strict: bool) -> None:
    answer = answer_to(request, Options(dialect, strict=strict))
    assert answer.refused == (answer.refusals > 0)
    messages = request.get("messages")
    assert answer.count == (len(messages) if isinstance(messages, list) else 0)


def test_a_deep_and_a_long_value_are_cut() -> None:
    deep: Any = 1
    for _ in range(190):
        deep = [deep]
    request = {
        **BASE,
        "messages": [said("user", deep), said("user", "x" * 100_000)],
        "x": "y" * 9_000,
    }
    answer = answer_to(request, Options())
    text = json.dumps([[token.text for run in line.runs for token in run.tokens]
                       for shown in answer.messages for line in shown.entry.lines])  # fmt: skip
    assert len(text) < 5_000

"""JSON as lines: the text of the JSON itself, broken where a person would break it."""

import json
import re
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.views.tokens import Token, lines_of

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=30),
    lambda inner: (
        st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4)
    ),
    max_leaves=20,
)


def text_of(value: Any) -> list[str]:
    """The lines as a person reads them."""
    lines, more = lines_of(value)
    assert more == 0
    return [" " * line.indent + "".join(token.text for token in line.tokens) for line in lines]


@given(JSON)
def test_the_lines_are_the_json_itself(value: Any) -> None:
    assert json.loads("".join(text_of(value))) == value


def test_a_message_is_broken_where_a_person_would_break_it() -> None:
    message = {
        "role": "assistant",
        "content": [
            {"type": "text", "text": "I will look at the top folder first."},
            {"type": "tool_use", "id": "toolu_01", "name": "list_files", "input": {"path": "."}},
        ],
    }
    assert text_of(message) == [
        '{"role": "assistant",',
        ' "content": [',
        '   {"type": "text",',
        '    "text": "I will look at the top folder first."},',
        '   {"type": "tool_use", "id": "toolu_01",',
        '    "name": "list_files", "input": {"path": "."}}]}',
    ]


def looks(value: Any) -> list[tuple[str, str]]:
    return [(token.look, token.text) for line in lines_of(value)[0] for token in line.tokens]


@pytest.mark.parametrize(
    ("value", "look", "text"),
    [
        ({"role": "user"}, "user", '"user"'),
        ({"role": "assistant"}, "assistant", '"assistant"'),
        ({"role": "system"}, "s", '"system"'),
        ({"type": "tool_use"}, "call", '"tool_use"'),
        ({"type": "tool_result", "tool_use_id": "x"}, "result", '"tool_result"'),
        ({"id": "toolu_01"}, "id", '"toolu_01"'),
        ({"tool_use_id": "toolu_01"}, "id", '"toolu_01"'),
        ({"type": "tool_result", "content": "5"}, "absent", "tool_use_id"),
        ({"a": 5}, "n", "5"),
        ({"a": None}, "n", "null"),
        ({"a": "user"}, "s", '"user"'),
        ({"a": "\u202e"}, "s", r'"\u202e"'),
        ({"a": "\ud800"}, "s", r'"\ud800"'),
        ({"a": "سلام\nدنیا"}, "s", r'"سلام\nدنیا"'),
        ({"a": {1}}, "n", "{1}"),
    ],
)
def test_a_token_looks_like_what_it_is(value: Any, look: str, text: str) -> None:
    assert (look, text) in looks(value)


def test_a_long_string_is_cut_with_a_notice_to_unfold_and_its_quotes_stay() -> None:
    tokens = [token for line in lines_of({"a": "x" * 13_000})[0] for token in line.tokens]
    assert tokens[-4:] == [
        Token("s", '"' + "x" * 600),
        Token("more", "x" * 6_000, 12_400),
        Token("s", '"'),
        Token("p", "}"),
    ]


def test_many_lines_are_cut_with_their_number() -> None:
    lines, more = lines_of([{"key": n} for n in range(500)])
    assert len(lines) + more == 501
    assert more > 300


def test_what_is_nested_without_end_does_not_break_the_page() -> None:
    deep: Any = []
    for _ in range(50_000):
        deep = [deep]
    lines, _ = lines_of({"role": "user", "content": deep})
    shown = "".join(token.text for line in lines for token in line.tokens)
    assert re.fullmatch(r'\{"role": "user","content": \[+…\]+\}', shown)

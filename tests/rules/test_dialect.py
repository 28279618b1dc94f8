"""Which API a body was meant for is guessed from keys and blocks, then from the model's name."""

# ruff: noqa: E501  a row of a table is one line

from typing import Any

import pytest

from app.engine.rules import dialect_of
from tests.rules.test_cases import CASES, read

HI = [{"role": "user", "content": "Hi."}]
SYSTEM = [{"role": "system", "content": "Be brief."}, *HI]
CALL: list[Any] = [{"role": "assistant", "content": None, "tool_calls": []}]


@pytest.mark.parametrize(
    ("body", "dialect"),
    [
        ({"model": "claude-opus-5", "messages": HI}, "anthropic"),
        ({"model": "gpt-4.1", "messages": HI}, "openai"),
        ({"model": "o3", "messages": HI}, "openai"),
        ({"model": "mine", "messages": HI}, "anthropic"),
        ({"model": "mine", "messages": SYSTEM}, "openai"),
        ({"model": "mine", "max_completion_tokens": 5, "messages": HI}, "openai"),
        ({"model": "mine", "system": "Hm.", "messages": HI}, "anthropic"),
        ({"model": "claude-opus-5", "messages": CALL}, "openai"),
        ({"model": "gpt-4.1", "messages": [{"role": "user", "content": [{"type": "tool_result"}]}]}, "anthropic"),
        ({"model": "mine", "messages": HI, "tools": [{"name": "a", "input_schema": {}}]}, "anthropic"),
        ({"model": "mine", "messages": HI, "tools": [{"type": "function", "function": {}}]}, "openai"),
        ({}, "anthropic"),
        ([], "anthropic"),
        ("Hi.", "anthropic"),
    ],
)  # fmt: skip
def test_the_dialect_of(body: Any, dialect: str) -> None:
    assert dialect_of(body) == dialect


@pytest.mark.parametrize("path", CASES, ids=lambda path: path.stem)
def test_the_dialect_of_a_case(path: Any) -> None:
    case = read(path)
    assert dialect_of(case["request"]) == case["dialect"]

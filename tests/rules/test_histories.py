"""Valid histories are never refused, and the SDKs' own types take each of them."""

from typing import Any

from anthropic.types.message_create_params import (
    MessageCreateParamsNonStreaming,
    MessageCreateParamsStreaming,
)
from hypothesis import given, settings
from openai.types.chat.completion_create_params import CompletionCreateParamsNonStreaming

from app.engine.rules import check, dialect_of
from tests.rules.chats import chats
from tests.rules.histories import histories
from tests.rules.sdk import adapter

ANTHROPIC = adapter(MessageCreateParamsNonStreaming, MessageCreateParamsStreaming)
OPENAI = adapter(CompletionCreateParamsNonStreaming)


def refusals(request: Any, dialect: str) -> list[tuple[str, str]]:
    faults = check(request, dialect)
    return [(fault.rule, fault.where) for fault in faults if fault.effect == "refuse"]


@settings(max_examples=300)
@given(histories())
def test_a_valid_history_is_accepted(request: dict[str, Any]) -> None:
    assert refusals(request, "anthropic") == []


@settings(max_examples=300)
@given(chats())
def test_a_valid_chat_is_accepted(request: dict[str, Any]) -> None:
    assert refusals(request, "openai") == []


@settings(max_examples=100)
@given(histories())
def test_the_sdk_types_take_the_same_histories(request: dict[str, Any]) -> None:
    ANTHROPIC.validate_python(request)


@settings(max_examples=100)
@given(chats())
def test_the_sdk_types_take_the_same_chats(request: dict[str, Any]) -> None:
    OPENAI.validate_python(request)


@settings(max_examples=100)
@given(histories(), chats())
def test_the_dialect_is_guessed(request: dict[str, Any], chat: dict[str, Any]) -> None:
    assert dialect_of(request) == "anthropic"
    if chat["model"] != "my-own-model":
        assert dialect_of(chat) == "openai"

"""Our tables against the types of the installed SDKs: an upgrade says here what is new."""

from collections.abc import Iterator
from typing import Any, get_args

import pytest
import typing_extensions as te
from anthropic.types import StopReason
from anthropic.types import message_create_params as stable
from anthropic.types.beta import BetaStopReason
from anthropic.types.beta import message_create_params as beta
from openai.types.chat import chat_completion, completion_create_params
from openai.types.chat import chat_completion_message_param as openai_messages
from openai.types.chat import chat_completion_message_tool_call_union_param as openai_calls
from openai.types.chat import chat_completion_tool_union_param as openai_tools

from app.engine.rules.anthropic import betas, keys
from app.engine.rules.openai import keys as openai_keys
from app.engine.rules.shapes import ListOf, MapOf, Nullable, Or, Shape, Tagged, Words
from tests.rules import sdk


def lacking(theirs: Any, ours: Any, path: str) -> Iterator[str]:
    """What their type allows and our kind does not."""
    if ours is object or ours is dict:
        return
    for member in sdk.members(theirs):
        if te.is_typeddict(member):
            yield from lacking_keys(member, ours, path)
        elif sdk.is_list(member):
            yield from lacking_items(member, ours, path)
        elif te.get_origin(member) is te.Literal:
            yield from lacking_words(member, ours, path)
        else:
            yield from lacking_simple(member, ours, path)


def lacking_simple(theirs: Any, ours: Any, path: str) -> Iterator[str]:
    if te.get_origin(theirs) is dict:
        if not any(isinstance(kind, MapOf) or kind is dict for kind in alternatives(ours)):
            yield f"{path}: an object with any keys"
    elif theirs is type(None):
        if not isinstance(ours, Nullable):
            yield f"{path}: null"
    elif theirs not in alternatives(ours):
        yield f"{path}: {theirs}"


def alternatives(ours: Any) -> list[Any]:
    """The kinds that one of ours stands for."""
    if isinstance(ours, Nullable):
        return alternatives(ours.kind)
    if isinstance(ours, Or):
        return [*alternatives(ours.simple), *alternatives(ours.other)]
    if isinstance(ours, Tagged):
        return list(ours.shapes.values())
    return [ours]


def lacking_keys(theirs: Any, ours: Any, path: str) -> Iterator[str]:
    shape = shape_for(theirs, ours)
    if shape is None:
        yield f"{path}: {theirs.__name__}"
        return
    for key, kind in sdk.fields(theirs).items():
        if key in shape.kinds:
            yield from lacking(kind, shape.kinds[key], f"{path}.{key}")
        else:
            yield f"{path}.{key}"


def shape_for(theirs: Any, ours: Any) -> Shape | None:
    """The shape of ours that has the tag of one of their types."""
    tags = tags_of(theirs)
    shapes = [kind for kind in alternatives(ours) if isinstance(kind, Shape)]
    for shape in shapes:
        if tags & words_of(shape):
            return shape
    return next((shape for shape in shapes if not words_of(shape)), None)


def words_of(shape: Shape) -> frozenset[str]:
    """The tags of one of our shapes."""
    kinds = alternatives(shape.kinds.get("type"))
    return next((kind.words for kind in kinds if isinstance(kind, Words)), frozenset())


def tags_of(theirs: Any) -> set[str]:
    kinds = sdk.members(sdk.fields(theirs).get("type", str))
    literals = [kind for kind in kinds if te.get_origin(kind) is te.Literal]
    return {word for literal in literals for word in te.get_args(literal)}


def lacking_items(theirs: Any, ours: Any, path: str) -> Iterator[str]:
    lists = [kind for kind in alternatives(ours) if isinstance(kind, ListOf)]
    if not lists:
        yield f"{path}: a list"
        return
    yield from lacking(te.get_args(theirs)[0], lists[0].kind, f"{path}[]")


def lacking_words(theirs: Any, ours: Any, path: str) -> Iterator[str]:
    known: set[Any] = set()
    for kind in alternatives(ours):
        known |= getattr(kind, "words", set())
        if kind is bool:
            known |= {True, False}
        if kind is str:
            return
    for word in te.get_args(theirs):
        if word not in known:
            yield f"{path}: {word!r}"


STABLE_BODY = (stable.MessageCreateParamsNonStreaming, stable.MessageCreateParamsStreaming)
BETA_BODY = (beta.MessageCreateParamsNonStreaming, beta.MessageCreateParamsStreaming)


@pytest.mark.parametrize("theirs", STABLE_BODY, ids=lambda kind: kind.__name__)
def test_no_key_of_the_messages_api_is_missing(theirs: Any) -> None:
    assert list(lacking(theirs, keys.BODY, "body")) == []


@pytest.mark.parametrize("theirs", BETA_BODY, ids=lambda kind: kind.__name__)
def test_no_beta_key_is_missing(theirs: Any) -> None:
    found = [key for key in lacking(theirs, betas.BODY, "body") if key != "body.betas"]
    assert found == []  # `betas` becomes a header


@pytest.mark.parametrize(
    ("body", "known"), [(STABLE_BODY[0], betas.STABLE), (BETA_BODY[0], betas.BETA)]
)
def test_no_role_and_no_block_is_missing(body: Any, known: betas.Known) -> None:
    message = te.get_args(sdk.fields(body)["messages"])[0]
    for theirs in sdk.members(message):
        fields = sdk.fields(theirs)
        assert set(te.get_args(fields["role"])) <= keys.ROLES
        assert fields.keys() <= known.message.kinds.keys()
        blocks = [kind for kind in sdk.members(fields["content"]) if sdk.is_list(kind)]
        for block in blocks:
            ours = Tagged(known.blocks)
            found = list(lacking(te.get_args(block)[0], ours, "block"))
            assert found == []


def test_no_block_inside_a_result_is_missing() -> None:
    from anthropic.types import ToolResultBlockParam  # the content that A57 judges

    content = sdk.fields(ToolResultBlockParam)["content"]
    lists = [kind for kind in sdk.members(content) if sdk.is_list(kind)]
    assert [list(lacking(te.get_args(k)[0], keys.RESULT_BLOCKS, "in a result")) for k in lists] == [
        []
    ]


@pytest.mark.parametrize(
    ("theirs", "ours"),
    [
        (set(get_args(StopReason)), keys.STOP_REASONS),
        (set(get_args(BetaStopReason)), keys.STOP_REASONS | keys.BETA_STOP_REASONS),
        (
            set(get_args(chat_completion.Choice.model_fields["finish_reason"].annotation)),
            openai_keys.FINISH_REASONS,
        ),
        (
            {
                key
                for body in (
                    completion_create_params.CompletionCreateParamsNonStreaming,
                    completion_create_params.CompletionCreateParamsStreaming,
                )
                for key in sdk.fields(body)
            },
            openai_keys.BODY,
        ),
    ],
    ids=["stop reasons", "beta stop reasons", "finish reasons", "chat completion keys"],
)
def test_no_word_is_missing(theirs: set[str], ours: frozenset[str]) -> None:
    assert theirs - ours == set()


@pytest.mark.parametrize(
    "theirs", get_args(openai_messages.ChatCompletionMessageParam), ids=lambda kind: kind.__name__
)
def test_no_role_and_no_part_of_chat_completions_is_missing(theirs: Any) -> None:
    fields = sdk.fields(theirs)
    (role,) = te.get_args(fields["role"])
    assert fields.keys() <= openai_keys.ROLES[role]
    for kind in sdk.members(fields["content"]):
        if sdk.is_list(kind):
            parts = {tag for part in sdk.members(te.get_args(kind)[0]) for tag in tags_of(part)}
            assert parts <= openai_keys.PARTS[role]


def test_no_type_of_call_or_tool_of_chat_completions_is_missing() -> None:
    calls = sdk.members(openai_calls.ChatCompletionMessageToolCallUnionParam)
    tools = sdk.members(openai_tools.ChatCompletionToolUnionParam)
    for theirs in [*calls, *tools]:
        assert tags_of(theirs) <= openai_keys.CALLS.keys()


def test_a_new_key_would_be_noticed() -> None:
    known = dict(keys.BODY.kinds)
    known.pop("thinking")
    known["tools"] = ListOf(Tagged({"custom": keys.CUSTOM_TOOL}, default="custom"))
    found = list(lacking(STABLE_BODY[0], Shape({}, known), "body"))
    assert "body.thinking" in found
    assert "body.tools[]: ToolBash20250124Param" in found

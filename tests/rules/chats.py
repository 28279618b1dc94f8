"""Hypothesis strategies: valid histories of chat completions."""

from collections.abc import Callable
from typing import Any

from hypothesis import strategies as st

from app.engine.rules.openai.examples import ADD, Json, audio, image, text
from tests.rules.histories import names, words

Draw = Callable[..., Any]

MODELS = ("gpt-4.1", "gpt-4o-2024-08-06", "gpt-5", "o3-mini", "gpt-6-sol", "my-own-model")
user_parts = words.map(text) | st.builds(image) | st.builds(audio)
text_parts = st.lists(words.map(text), min_size=1, max_size=2)
arguments = st.sampled_from(("{}", '{"a": 2, "b": 3}', '{"a": 2,', "", "not JSON"))


@st.composite
def calls(draw: Draw, ident: str) -> Json:
    """A function call, or a call of a custom tool."""
    if draw(st.booleans()):
        function = {"name": draw(st.sampled_from(("add", "gone"))), "arguments": draw(arguments)}
        return {"id": ident, "type": "function", "function": function}
    return {"id": ident, "type": "custom", "custom": {"name": "add", "input": draw(words)}}


@st.composite
def chats(draw: Draw, *, rounds: int = 0, least: int = 1) -> Json:
    """A valid request. `rounds` is the least number of rounds, `least` of calls in each."""
    request: Json = {"model": draw(st.sampled_from(MODELS)), "messages": []}
    messages = request["messages"]
    if draw(st.booleans()):
        request["max_completion_tokens"] = draw(st.integers(1, 4096))
    if draw(st.booleans()):
        request["tools"] = [ADD, *({**ADD, "function": {"name": n}} for n in draw(_more))]
        request["parallel_tool_calls"] = draw(st.booleans())
        request["tool_choice"] = draw(st.sampled_from(("auto", "none", "required")))
    count = 0
    for _ in range(draw(st.integers(1, 3))):
        messages += draw(st.lists(talk(), min_size=1, max_size=3))
        for _ in range(draw(st.integers(rounds, 2))):
            idents = [f"call_{count + n}" for n in range(draw(st.integers(least, 3)))]
            count += len(idents)
            messages.append(draw(calling(idents)))
            messages += [draw(answers(ident)) for ident in draw(st.permutations(idents))]
    messages += draw(st.lists(talk(), max_size=2))
    return request


_more = st.lists(names, max_size=2)


def talk() -> st.SearchStrategy[Json]:
    """A message of a role that is free to stand anywhere."""
    said = st.builds(
        lambda role, content: {"role": role, "content": content},
        st.sampled_from(("system", "developer", "user", "assistant")),
        words | text_parts,
    )
    shown = st.lists(user_parts, min_size=1, max_size=3).map(
        lambda parts: {"role": "user", "content": parts}
    )
    refused = words.map(lambda t: {"role": "assistant", "content": None, "refusal": t})
    return said | shown | refused | st.just({"role": "assistant", "content": ""}) | _legacy


_legacy = words.map(lambda t: {"role": "function", "name": "add", "content": t})


@st.composite
def calling(draw: Draw, idents: list[str]) -> Json:
    """An assistant message with calls; its content may be text, "", null or absent."""
    message: Json = {"role": "assistant", "tool_calls": [draw(calls(i)) for i in idents]}
    content = draw(st.sampled_from(("absent", None, "", "I will add.")))
    return message if content == "absent" else {**message, "content": content}


def answers(ident: str) -> st.SearchStrategy[Json]:
    """The tool message for a call."""
    contents = st.just("") | words | text_parts
    return contents.map(lambda c: {"role": "tool", "tool_call_id": ident, "content": c})

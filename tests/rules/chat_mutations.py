"""One mutation per refusing rule of chat completions: one change that breaks a valid history."""

import copy
from collections.abc import Callable
from typing import Any

from hypothesis import strategies as st

from app.engine.rules.openai.examples import (
    ADD,
    Json,
    audio,
    image,
    said,
    text,
    tool,
)
from tests.rules.chats import chats

Draw = Callable[..., Any]
Change = Callable[[Draw, Json], None]

MUTATIONS: dict[str, st.SearchStrategy[Json]] = {}


def mutates(number: str, **base: Any) -> Callable[[Change], Change]:
    """Registers a change to a chat; `base` says what the chat must have."""

    def register(change: Change) -> Change:
        @st.composite
        def broken(draw: Draw) -> Json:
            chat: Json = copy.deepcopy(draw(chats(**base)))
            change(draw, chat)
            return chat

        MUTATIONS[number] = broken()
        return change

    return register


def of_role(chat: Json, role: str) -> list[int]:
    return [n for n, message in enumerate(chat["messages"]) if message["role"] == role]


def pick(draw: Draw, places: list[Any]) -> Any:
    return draw(st.sampled_from(places))


def with_calls(chat: Json, least: int = 1) -> list[int]:
    """Where messages with that many calls stand."""
    messages = chat["messages"]
    return [n for n, m in enumerate(messages) if len(m.get("tool_calls", ())) >= least]


def any_call(draw: Draw, chat: Json) -> Json:
    calls = [c for n in with_calls(chat) for c in chat["messages"][n]["tool_calls"]]
    chosen: Json = pick(draw, calls)
    return chosen


@mutates("O01")
def no_messages(draw: Draw, chat: Json) -> None:
    chat["messages"] = draw(st.sampled_from(([], None, {}, "Hello")))


@mutates("O02", rounds=1)
def no_tool_message(draw: Draw, chat: Json) -> None:
    del chat["messages"][pick(draw, of_role(chat, "tool"))]


@mutates("O03")
def stray_tool_message(draw: Draw, chat: Json) -> None:
    place = draw(st.sampled_from((0, len(chat["messages"]))))
    spoken = said("user", "Hello.")
    chat["messages"][place:place] = [spoken, tool(draw(st.sampled_from(("call_x", "call_0"))))]


@mutates("O04", rounds=1)
def message_between(draw: Draw, chat: Json) -> None:
    place = pick(draw, of_role(chat, "tool"))
    chat["messages"].insert(place, said(draw(st.sampled_from(("user", "system"))), "Quick."))


@mutates("O06", rounds=1)
def no_tool_call_id(draw: Draw, chat: Json) -> None:
    message = chat["messages"][pick(draw, of_role(chat, "tool"))]
    if draw(st.booleans()):
        del message["tool_call_id"]
    else:
        message["tool_call_id"] = draw(st.sampled_from((None, 5)))


@mutates("O07", rounds=1)
def unknown_id(draw: Draw, chat: Json) -> None:
    place = pick(draw, of_role(chat, "tool"))
    chat["messages"].insert(place, tool(draw(st.sampled_from(("call_x", "")))))


@mutates("O08")
def content_null(draw: Draw, chat: Json) -> None:
    role = draw(st.sampled_from(("assistant", "user", "system")))
    message: Json = {"role": role}
    content = draw(st.sampled_from(("absent", None, 5, {})))
    if content != "absent":
        message["content"] = content
    chat["messages"].append(message)


@mutates("O09")
def empty_calls(draw: Draw, chat: Json) -> None:
    calls = draw(st.sampled_from(([], {}, "call", [{"id": "call_x"}], [None])))
    chat["messages"].append({**said("assistant", "Hello!"), "tool_calls": calls})


@mutates("O10", rounds=1)
def arguments_of_another_kind(draw: Draw, chat: Json) -> None:
    asked = any_call(draw, chat)
    key = {"function": "arguments", "custom": "input"}[asked["type"]]
    asked[asked["type"]][key] = draw(st.sampled_from(({}, None, [], 5)))


@mutates("O12", rounds=1)
def no_function_name(draw: Draw, chat: Json) -> None:
    asked = any_call(draw, chat)
    asked[asked["type"]]["name"] = draw(st.sampled_from(("", None, 5)))


@mutates("O14")
def too_many_tools(draw: Draw, chat: Json) -> None:
    count = draw(st.integers(129, 131))
    chat["tools"] = [
        {"type": "function", "function": {**ADD["function"], "name": f"add_{n}"}}
        for n in range(count)
    ]


@mutates("O15")
def bad_tool_name(draw: Draw, chat: Json) -> None:
    name = draw(st.sampled_from(("", "a.b", "a b", "x" * 65, "é", "add\n", None)))
    chat["tools"] = [ADD, {"type": "function", "function": {"name": name}}]


@mutates("O16")
def empty_tools(draw: Draw, chat: Json) -> None:
    chat["tools"] = draw(st.sampled_from(([], {}, "add", [None], [{"type": "function"}])))


@mutates("O17")
def setting_without_tools(draw: Draw, chat: Json) -> None:
    for key in ("tools", "parallel_tool_calls", "tool_choice"):
        chat.pop(key, None)
    chat["parallel_tool_calls" if draw(st.booleans()) else "tool_choice"] = "auto"


@mutates("O18", rounds=1)
def image_elsewhere(draw: Draw, chat: Json) -> None:
    places = [n for role in ("tool", "assistant", "system") for n in of_role(chat, role)]
    chat["messages"][pick(draw, places)]["content"] = [text("5"), image()]


@mutates("O20")
def role_not_taken(draw: Draw, chat: Json) -> None:
    if draw(st.booleans()):
        chat["model"] = draw(st.sampled_from(("o1-mini", "o1-preview-2024-09-12")))
        chat["messages"].insert(0, said(draw(st.sampled_from(("system", "developer"))), "Hi."))
    else:
        role = draw(st.sampled_from(("model", "", None, ["user"], "Assistant")))
        chat["messages"].append({"role": role, "content": "Hello."})


@mutates("O22")
def old_cap(draw: Draw, chat: Json) -> None:
    chat["model"] = draw(st.sampled_from(("gpt-5", "gpt-5.4-mini", "o1", "o3-mini", "o4-mini")))
    chat["max_tokens"] = draw(st.integers(1, 512))


@mutates("O26", rounds=1)
def foreign_part(draw: Draw, chat: Json) -> None:
    bad = (audio(), {"type": "file", "file": {}}, {"type": "tool_result"}, "5", None)
    message = chat["messages"][pick(draw, of_role(chat, "tool"))]
    message["content"] = [text("5"), draw(st.sampled_from(bad))]


@mutates("O27", rounds=1)
def second_tool_message(draw: Draw, chat: Json) -> None:
    place = pick(draw, of_role(chat, "tool"))
    chat["messages"].insert(place, copy.deepcopy(chat["messages"][place]))

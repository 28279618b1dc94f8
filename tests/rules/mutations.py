"""One mutation per refusing rule of the Messages API: the one change that breaks a valid history.

`MUTATIONS[number]` draws a broken request. Each starts from a valid history, changes one thing, and
must be refused by its own rule first.
"""

import copy
from collections.abc import Callable, Iterator
from typing import Any

from hypothesis import strategies as st

from app.engine.rules.anthropic.models import MODELS
from app.engine.rules.anthropic.rows.examples import (
    ADD,
    MARK,
    Json,
    assistant,
    call,
    image,
    result,
    said,
    server_call,
    server_result,
    text,
    thinking,
    user,
)
from app.engine.rules.anthropic.signatures import sign
from tests.rules.histories import histories

Draw = Callable[..., Any]
Change = Callable[[Draw, Json], None]

MUTATIONS: dict[str, st.SearchStrategy[Json]] = {}
SLOW = ("A06", "A09")  # so large that one example is enough


def mutates(number: str, **base: Any) -> Callable[[Change], Change]:
    """Registers a change to a history; `base` says what the history must have."""

    def register(change: Change) -> Change:
        @st.composite
        def broken(draw: Draw) -> Json:
            request: Json = copy.deepcopy(draw(histories(**{"endings": ("user",), **base})))
            change(draw, request)
            return request

        MUTATIONS[number] = broken()
        return change

    return register


def models(fits: Callable[[Any], bool]) -> st.SearchStrategy[str]:
    return st.sampled_from(sorted(name for name, model in MODELS.items() if fits(model)))


TAKES_SYSTEM = models(lambda model: model.system == "yes")
PREFILLS = models(lambda model: model.prefill)
MANUAL = models(lambda model: "enabled" not in model.refused)


# Places in a history


def blocks(request: Json, kind: str) -> list[tuple[list[Json], int]]:
    """Where blocks of a kind stand: their list and their place in it."""
    return [
        (message["content"], n)
        for message in request["messages"]
        if isinstance(message["content"], list)
        for n, block in enumerate(message["content"])
        if block["type"] == kind
    ]


def pick(draw: Draw, places: list[Any]) -> Any:
    return draw(st.sampled_from(places))


def any_block(draw: Draw, request: Json, kind: str) -> Json:
    content, n = pick(draw, blocks(request, kind))
    block: Json = content[n]
    return block


def answering_turns(request: Json) -> Iterator[list[Json]]:
    """The user turns that answer calls, each as its messages."""
    turn: list[Json] = []
    role = ""
    for message in [*request["messages"], {"role": "", "content": ""}]:
        if message["role"] != role:
            if role == "user" and results_in(turn):
                yield turn
            turn, role = [], message["role"]
        turn.append(message)


def results_in(turn: list[Json]) -> list[tuple[list[Json], int]]:
    return blocks({"messages": turn}, "tool_result")


def lists(request: Json) -> list[list[Json]]:
    """The contents that are lists."""
    return [m["content"] for m in request["messages"] if isinstance(m["content"], list)]


# The body


@mutates("A01")
def no_max_tokens(draw: Draw, request: Json) -> None:
    if draw(st.booleans()):
        del request["max_tokens"]
    else:
        request["max_tokens"] = draw(st.sampled_from(("1024", None, 10.5, True, [], {})))


@mutates("A02", models=models(lambda model: model.cap is not None))
def max_tokens_out_of_range(draw: Draw, request: Json) -> None:
    cap = MODELS[request["model"]].cap or 0
    request["max_tokens"] = draw(st.sampled_from((cap + 1, -1, 10**30)))


@mutates("A03")
def no_model(draw: Draw, request: Json) -> None:
    if draw(st.booleans()):
        del request["model"]
    else:
        request["model"] = draw(st.sampled_from((None, 5, {})))


@mutates("A04")
def no_messages(draw: Draw, request: Json) -> None:
    if draw(st.booleans()):
        del request["messages"]
    else:
        request["messages"] = draw(st.sampled_from(([], None, {}, "Hello")))


@mutates("A05", rounds=1)
def unknown_key(draw: Draw, request: Json) -> None:
    holders: list[Json] = [request, request["tools"][0], *request["messages"]]
    holders += [block for content in lists(request) for block in content]
    key = draw(st.sampled_from(("index", "partial_json", "id_", "ünknown", "")))
    pick(draw, holders)[key] = draw(st.sampled_from((0, None, {}, "x")))


@mutates("A06")
def too_large(draw: Draw, request: Json) -> None:
    request["messages"].append(said("user", draw(st.just("five ")) * 7_000_000))


@mutates("A08")
def sampling(draw: Draw, request: Json) -> None:
    key = draw(st.sampled_from(("temperature", "top_p", "top_k")))
    request[key] = draw(st.sampled_from((0, 1, None)))


@mutates("A09")
def too_many_messages(draw: Draw, request: Json) -> None:
    request["messages"] = [said("user", draw(st.just("Hello.")))] * 100_001


# Roles


@mutates("A10")
def foreign_role(draw: Draw, request: Json) -> None:
    role = draw(st.sampled_from(("tool", "function", "developer", "", "User", None, ["user"])))
    pick(draw, request["messages"])["role"] = role


@mutates("A13", models=models(lambda model: not model.prefill))
def ends_with_the_assistant(draw: Draw, request: Json) -> None:
    content = draw(st.sampled_from(("The sum is", "", [])))
    request["messages"].append({"role": "assistant", "content": content})


@mutates("A14", models=PREFILLS)
def prefill_ends_in_whitespace(draw: Draw, request: Json) -> None:
    words = "The sum is" + draw(st.sampled_from((" ", "\n", "\t", "\u00a0")))
    request["messages"].append(draw(st.sampled_from((said("assistant", words), spoken(words)))))


def spoken(words: str) -> Json:
    return assistant(text(words))


@mutates("A15", models=PREFILLS)
def prefill_while_thinking(draw: Draw, request: Json) -> None:
    request["thinking"] = {"type": "enabled", "budget_tokens": 1024}
    request["messages"].append(said("assistant", draw(st.sampled_from(("The sum is", "5")))))


@mutates("A16")
def system_first(draw: Draw, request: Json) -> None:
    note = draw(st.sampled_from((said("system", "Look."), {**spoken("Look."), "role": "system"})))
    request["messages"].insert(0, note)


@mutates("A17", models=models(lambda model: model.system != "contested"))
def system_in_the_wrong_place(draw: Draw, request: Json) -> None:
    if MODELS[request["model"]].system == "yes":
        request["messages"].append(said("assistant", "Fine."))
    request["messages"].append(said("system", draw(st.sampled_from(("Look.", "Be brief.")))))


@mutates("A18", models=TAKES_SYSTEM, rounds=1)
def system_before_the_results(draw: Draw, request: Json) -> None:
    first = pick(draw, list(answering_turns(request)))[0]
    place = next(n for n, message in enumerate(request["messages"]) if message is first)
    request["messages"].insert(place, said("system", "Look."))


@mutates("A19")
def image_in_a_system_message(draw: Draw, request: Json) -> None:
    other = draw(st.sampled_from((image(), call("toolu_new"), {"type": "strange"}, "text")))
    request["messages"].append({"role": "system", "content": [text("Look."), other]})


# Content


@mutates("A20")
def content_of_another_kind(draw: Draw, request: Json) -> None:
    message = pick(draw, [m for m in request["messages"] if m["role"] != "system"])
    bad: Any = (None, 5, {"type": "text", "text": "x"}, ["x"], [{}], [{"type": "image"}])
    message["content"] = draw(st.sampled_from(bad))


@mutates("A21")
def empty_message(draw: Draw, request: Json) -> None:
    request["messages"].append({"role": "user", "content": draw(st.sampled_from(("", [])))})


@mutates("A22", rounds=1)
def empty_text(draw: Draw, request: Json) -> None:
    pick(draw, lists(request)).insert(0, text(""))


@mutates("A23", rounds=1)
def blank_text(draw: Draw, request: Json) -> None:
    pick(draw, lists(request)).insert(0, text(draw(st.sampled_from((" ", "\n", "\t\n ")))))


@mutates("A25", rounds=1)
def block_in_the_wrong_role(draw: Draw, request: Json) -> None:
    wrong = {
        "user": (call("toolu_new"), server_call("srvtoolu_new"), thinking()),
        "assistant": ({"type": "search_result", "source": "a", "title": "A", "content": []},),
    }
    messages = [
        message
        for message in request["messages"]
        if message["role"] in wrong and isinstance(message["content"], list)
    ]
    message = pick(draw, messages)
    message["content"].insert(0, pick(draw, list(wrong[message["role"]])))


@mutates("A26")
def five_marks(draw: Draw, request: Json) -> None:
    count = draw(st.integers(5, 7))
    request["system"] = [text(f"Note {n}.", cache_control=MARK) for n in range(count)]


@mutates("A27")
def mark_on_a_deferred_tool(draw: Draw, request: Json) -> None:
    tool = {**ADD, "name": "late", "defer_loading": True, "cache_control": MARK}
    request["tools"].insert(draw(st.integers(0, len(request["tools"]))), tool)


# Tools


@mutates("A30")
def bad_tool_name(draw: Draw, request: Json) -> None:
    names = ("", "files.list", "a b", "x" * 129, "naïve", "add\n", None)
    request["tools"].append({**ADD, "name": draw(st.sampled_from(names))})


@mutates("A31")
def same_name(draw: Draw, request: Json) -> None:
    request["tools"].append(copy.deepcopy(pick(draw, request["tools"])))
    request["tools"][-1].pop("cache_control", None)


@mutates("A32")
def no_object_schema(draw: Draw, request: Json) -> None:
    schemas: Any = ({}, {"type": "array"}, {"properties": {}}, None, [], "object", {"type": []})
    request["tools"].append({"name": "new", "input_schema": draw(st.sampled_from(schemas))})


@mutates("A34")
def alternatives_at_the_top(draw: Draw, request: Json) -> None:
    key = draw(st.sampled_from(("anyOf", "oneOf", "allOf")))
    schema = {"type": "object", key: [{"required": ["a"]}]}
    request["tools"].append({"name": "new", "input_schema": schema})


@mutates("A36")
def all_deferred(draw: Draw, request: Json) -> None:
    count = draw(st.integers(1, 2))
    tools = [{**ADD, "name": f"late{n}", "defer_loading": True} for n in range(count)]
    request["tools"] = tools


@mutates("A37")
def choice_without_tools(draw: Draw, request: Json) -> None:
    if draw(st.booleans()):
        del request["tools"]
    else:
        request["tools"] = []
    request["tool_choice"] = {"type": draw(st.sampled_from(("auto", "none")))}


@mutates("A38", models=models(lambda model: model.forced == "no"))
def forced_call(draw: Draw, request: Json) -> None:
    choices: tuple[Json, ...] = ({"type": "any"}, {"type": "tool", "name": "add"})
    request["tool_choice"] = draw(st.sampled_from(choices))


# Pairing


@mutates("A40", rounds=1)
def no_results(draw: Draw, request: Json) -> None:
    turn = pick(draw, list(answering_turns(request)))
    for message in turn:
        if isinstance(message["content"], list):
            kept = [block for block in message["content"] if block["type"] != "tool_result"]
            message["content"] = kept or [text("Never mind.")]


@mutates("A41", rounds=1, calls=2)
def one_result_missing(draw: Draw, request: Json) -> None:
    turns = [turn for turn in answering_turns(request) if len(results_in(turn)) > 1]
    content, n = pick(draw, results_in(pick(draw, turns)))
    del content[n]
    request["messages"] = [m for m in request["messages"] if m["content"] != []]


@mutates("A43", rounds=1)
def text_before_the_results(draw: Draw, request: Json) -> None:
    turn = pick(draw, list(answering_turns(request)))
    turn[0]["content"].insert(0, draw(st.sampled_from((text("It says:"), image()))))


@mutates("A44", rounds=1, calls=2)
def gap_between_results(draw: Draw, request: Json) -> None:
    turns = [turn for turn in answering_turns(request) if len(results_in(turn)) > 1]
    content, n = pick(draw, results_in(pick(draw, turns))[1:])
    content.insert(n, draw(st.sampled_from((text("And:"), image()))))


@mutates("A48", rounds=1)
def text_after_a_call(draw: Draw, request: Json) -> None:
    content, n = pick(draw, blocks(request, "tool_use"))
    content.insert(n + 1, text(draw(st.sampled_from(("Adding.", "\u2192")))))


@mutates("A49", rounds=1)
def unknown_id(draw: Draw, request: Json) -> None:
    turn = pick(draw, list(answering_turns(request)))
    turn[0]["content"].insert(0, result(draw(st.sampled_from(("toolu_new", "nobody")))))


@mutates("A50", rounds=1)
def late_result(draw: Draw, request: Json) -> None:
    old = any_block(draw, request, "tool_use")["id"]
    request["messages"] += [said("assistant", "5"), user(result(old))]


@mutates("A51", rounds=1)
def same_id(draw: Draw, request: Json) -> None:
    old = any_block(draw, request, "tool_use")["id"]
    request["messages"] += [assistant(call(old)), user(result(old))]


@mutates("A52", rounds=1)
def second_result(draw: Draw, request: Json) -> None:
    content, n = pick(draw, blocks(request, "tool_result"))
    again = copy.deepcopy(content[n])
    again.pop("cache_control", None)
    content.insert(n + 1, again)


@mutates("A53", rounds=1)
def foreign_id(draw: Draw, request: Json) -> None:
    bad = draw(st.sampled_from(("call_1|fc_1", "a.b", "a:b", "a b", "", "id\n", "é", None)))
    key = draw(st.sampled_from(("id", "tool_use_id"))) if bad is not None else "id"
    kind = "tool_use" if key == "id" else "tool_result"
    any_block(draw, request, kind)[key] = bad


@mutates("A54", rounds=1)
def input_of_another_kind(draw: Draw, request: Json) -> None:
    bad = draw(st.sampled_from(("{}", [], None, 5, '{"a": 2}', True)))
    any_block(draw, request, "tool_use")["input"] = bad


@mutates("A57", rounds=1)
def foreign_block_in_a_result(draw: Draw, request: Json) -> None:
    bad = (call("toolu_in"), "5", {"type": "image_url"}, {"type": "text"}, None, {"text": "5"})
    block = any_block(draw, request, "tool_result")
    block["content"] = [text("5"), draw(st.sampled_from(bad))]


@mutates("A58", rounds=1)
def image_in_an_error(draw: Draw, request: Json) -> None:
    block = any_block(draw, request, "tool_result")
    block["is_error"] = True
    block["content"] = [text("5"), draw(st.sampled_from((image(), image())))]


@mutates("A59", rounds=1)
def no_tool_use_id(draw: Draw, request: Json) -> None:
    block = any_block(draw, request, "tool_result")
    if draw(st.booleans()):
        del block["tool_use_id"]
    else:
        block["tool_use_id"] = draw(st.sampled_from((None, 5, ["toolu_1"])))


# Thinking


@mutates("A60")
def unsigned_thinking(draw: Draw, request: Json) -> None:
    block: Json = {"type": "thinking", "thinking": "Two and three."}
    signature = draw(st.sampled_from(("absent", None, 5, "")))
    if signature != "absent":
        block["signature"] = signature
    request["messages"] += [assistant(block, text("5")), said("user", "Thanks.")]


def thinks(request: Json) -> Json:
    """Adds a turn that begins with signed thinking; the thinking block."""
    block = thinking("Two and three.", sign(request, [], "Two and three."))
    request["messages"] += [assistant(block, text("5")), said("user", "Thanks.")]
    return block


@mutates("A62")
def edited_thinking(draw: Draw, request: Json) -> None:
    thinks(request)["thinking"] = draw(st.sampled_from(("Two and four.", "", "Two")))


@mutates("A63", models=MANUAL)
def no_thinking_first(draw: Draw, request: Json) -> None:
    request["thinking"] = {"type": "enabled", "budget_tokens": 1024}
    before = draw(st.sampled_from(([], [text("I will add.")])))
    request["messages"] += [
        said("assistant", "5"),
        said("user", "And 3 + 4?"),
        assistant(*before, call("toolu_new")),
        user(result("toolu_new")),
    ]


@mutates("A65")
def refused_thinking(draw: Draw, request: Json) -> None:
    kind = draw(st.sampled_from(sorted(MODELS[request["model"]].refused) or ["enabled"]))
    request["thinking"] = {"type": kind}
    if kind == "enabled":
        budgets = st.sampled_from((1023, request["max_tokens"]))
        request["thinking"]["budget_tokens"] = draw(budgets)


@mutates("A66", models=models(lambda model: model.prefix != "no"), signed=True)
def changed_prefix(draw: Draw, request: Json) -> None:
    thinks(request)
    change = draw(st.sampled_from(("system", "tools", "messages")))
    if change == "system":
        request["system"] = "Another prompt."
    elif change == "tools":
        request["tools"].append({**ADD, "name": "new"})
    else:
        request["messages"].insert(0, said("user", "An earlier message."))


# Server tools


@mutates("A71")
def result_for_a_server_call(draw: Draw, request: Json) -> None:
    name = draw(st.sampled_from(("srvtoolu_new", "srvtoolu_x")))
    found = assistant(server_call(name), server_result(name), text("At nine."))
    request["messages"] += [found, user(result(name), text("Thanks."))]


def waits(request: Json, *after: Json) -> None:
    """Adds a turn with a client call and a server call that waits, and its answer."""
    both = assistant(thinking(), server_call("srvtoolu_new"), call("toolu_new"))
    request["messages"] += [both, user(result("toolu_new"), *after)]


@mutates("A73")
def text_while_a_server_tool_waits(draw: Draw, request: Json) -> None:
    waits(request, draw(st.sampled_from((text("Hurry."), image()))))


@mutates("A74")
def waiting_tool_not_declared(draw: Draw, request: Json) -> None:
    waits(request)
    request["tools"] = draw(st.sampled_from(([ADD], [{**ADD, "name": "new"}])))


@mutates("A75")
def server_result_without_a_call(draw: Draw, request: Json) -> None:
    name = draw(st.sampled_from(("srvtoolu_new", "x")))
    request["messages"] += [assistant(server_result(name), text("At nine.")), said("user", "Oh.")]


@mutates("A76")
def no_toolset_name(draw: Draw, request: Json) -> None:
    asked = call("toolu_new", name="screenshot", toolset_name="computer", input={})
    given = draw(st.sampled_from(({}, {"toolset_name": None}, {"toolset_name": "browser"})))
    request["messages"] += [assistant(thinking(), asked), user(result("toolu_new", **given))]

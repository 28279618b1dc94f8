"""The scripted model answers the request and nothing else."""

import json
from typing import Any

import pytest

from app.engine.script import ScriptedCall, ScriptedReply, When, answer, choose
from app.engine.steps import Json, NoReply

READ_NOTES = ScriptedCall("notes", "read", {"path": "notes"})
READ_TODO = ScriptedCall("todo", "read", {"path": "todo"})
SCRIPT = (
    ScriptedReply("First the notes.", (READ_NOTES,)),
    ScriptedReply("Then the list.", (READ_TODO,), when=(When("notes", lacks="Omid"),)),
    ScriptedReply("It is in {todo}.", when=(When("todo", contains="Omid"),)),
    ScriptedReply("Not found.", when=(When("notes", lacks="Omid"),)),
)
PAIR = (
    ScriptedReply("", (READ_NOTES, READ_TODO)),
    ScriptedReply("notes", when=(When("notes", more_than="todo"),)),
    ScriptedReply("todo", when=(When("todo", more_than="notes"),)),
)


def use(id: str, path: str) -> Json:
    return {"type": "tool_use", "id": id, "name": "read", "input": {"path": path}}


def result(id: str | None, text: Any) -> Json:
    named = {} if id is None else {"tool_use_id": id}
    return {"type": "tool_result", **named, "content": text}


def request(*entries: list[Json] | str, tools: tuple[str, ...] = ("read",)) -> Json:
    """A request whose entries after the task are assistant and user by turns."""
    messages: list[Json] = [{"role": "user", "content": "Where is Omid?"}]
    for n, entry in enumerate(entries):
        messages.append({"role": "user" if n % 2 else "assistant", "content": entry})
    return {"messages": messages, "tools": [{"name": name} for name in tools]}


A = [use("a", "notes")]
B = [use("b", "todo")]


@pytest.mark.parametrize(
    ("sent", "next_reply"),
    [
        (request(), 0),
        (request(A, [result("a", "bread")]), 1),
        (request(A, [result("a", "Omid")]), None),  # no reply was written for that
        (request(A, [result("a", "bread")], B, [result("b", "Omid")]), 2),
        (request(A, [result("a", "bread")], B, [result("b", "milk")]), 3),
        (request(A, [result("a", "bread")], tools=()), 3),  # no tool offered, so it must answer
        # what is not in the request did not happen
        (request(A), 0),
        (request(A, [result("a", "")]), 0),
        (request(A, [result("a", [])]), 0),
        (request(A, [result(None, "bread")]), 0),
        (request(A, [result("z", "bread")]), 0),
        (request("First the notes.", [result("a", "bread")]), 0),
        # a result given as blocks, and a call that was made under another id
        (request(A, [result("a", [{"type": "text", "text": "bread"}])]), 1),
        (request([use("x9", "notes")], [result("x9", "bread")]), 1),
    ],
)
def test_the_next_reply_is_the_first_that_is_not_behind_us_and_fits(
    sent: Json, next_reply: int | None
) -> None:
    assert choose(SCRIPT, sent) == next_reply


def test_a_call_in_the_history_counts_once() -> None:
    twice = (ScriptedReply("", (READ_NOTES,)), ScriptedReply("", (READ_NOTES,)))
    assert choose(twice, request(A, [result("a", "bread")])) == 1
    again = request(A, [result("a", "bread")], [use("c", "notes")], [result("c", "bread")])
    assert choose(twice, again) is None


@pytest.mark.parametrize(
    ("notes", "todo", "said"), [("27", "13", "notes"), ("13", "27", "todo"), ("5", "5", None)]
)
def test_the_larger_of_two_results_decides(notes: str, todo: str, said: str | None) -> None:
    sent = request([use("a", "notes"), use("b", "todo")], [result("a", notes), result("b", todo)])
    number = choose(PAIR, sent)
    assert (None if number is None else PAIR[number].text) == said


def test_results_under_swapped_ids_are_believed() -> None:
    sent = request([use("a", "notes"), use("b", "todo")], [result("b", "27"), result("a", "13")])
    assert answer(PAIR, sent)["content"] == [{"type": "text", "text": "todo"}]


def test_a_text_names_results() -> None:
    sent = request(A, [result("a", "bread")], B, [result("b", "Omid")])
    assert answer(SCRIPT, sent)["content"] == [{"type": "text", "text": "It is in Omid."}]
    assert answer(SCRIPT, sent)["stop_reason"] == "end_turn"


def test_an_answer_that_was_said_is_behind_us() -> None:
    said = [{"type": "text", "text": "It is in Omid."}]
    sent = request(A, [result("a", "bread")], B, [result("b", "Omid")], said, "Sure?")
    assert choose(SCRIPT, sent) == 3


def test_ids_come_from_the_messages() -> None:
    def ids(sent: Json) -> list[str]:
        return [block["id"] for block in answer(PAIR, sent)["content"]]

    assert ids(request()) == ["toolu_01", "toolu_02"]
    assert ids(request([use("toolu_01", "notes")])) == ["toolu_02", "toolu_03"]
    assert ids(request("?", [result("toolu_02", "5")])) == ["toolu_01", "toolu_03"]


def test_the_same_request_gets_the_same_reply_and_stays_as_it_was() -> None:
    sent = request(A, [result("a", "bread")])
    before = json.dumps(sent)
    assert answer(SCRIPT, sent) == answer(SCRIPT, sent)
    assert json.dumps(sent) == before


def test_usage_is_an_estimate_from_bytes() -> None:
    usage = answer(SCRIPT, request())["usage"]
    assert usage["input_tokens"] == -(-len(json.dumps(request(), separators=(",", ":"))) // 4)


def test_where_no_reply_fits_the_script_says_so() -> None:
    with pytest.raises(NoReply, match="no reply"):
        answer(SCRIPT, request(A, [result("a", "Omid")]))


@pytest.mark.parametrize(
    "messages",
    [None, 5, "x", [None, 5], [{"role": "assistant", "content": {"a": 1}}], [{"content": [[]]}]],
)
def test_an_unchecked_server_may_be_sent_anything(messages: Any) -> None:
    assert choose(SCRIPT, {"messages": messages, "tools": [{"name": "read"}]}) == 0


CUT = (
    ScriptedReply(
        "", (READ_NOTES,), when=(When(max_tokens_under=2_000),), stop_reason="max_tokens"
    ),
    ScriptedReply("", (READ_TODO,)),
)


@pytest.mark.parametrize(
    ("max_tokens", "stop_reason", "path"),
    [(1_024, "max_tokens", "notes"), (2_000, "tool_use", "todo"), (None, "tool_use", "todo")],
)
def test_a_larger_max_tokens_meets_another_reply(
    max_tokens: int | None, stop_reason: str, path: str
) -> None:
    reply = answer(CUT, {**request(), "max_tokens": max_tokens})
    assert (reply["stop_reason"], reply["content"][0]["input"]) == (stop_reason, {"path": path})


@pytest.mark.parametrize(("tools", "next_reply"), [(("find",), 0), ((), None)])
def test_a_reply_may_need_a_tool_that_is_offered(
    tools: tuple[str, ...], next_reply: int | None
) -> None:
    script = (ScriptedReply("Found.", when=(When(offers="find"),)),)
    assert choose(script, request(tools=tools)) == next_reply


SEARCH = {"type": "server_tool_use", "id": "srvtoolu_01", "name": "web_search", "input": {}}
PAUSED = (
    ScriptedReply("Looking.", blocks=(SEARCH,), stop_reason="pause_turn"),
    ScriptedReply("Found.", more={"stop_sequence": "END"}, stop_reason="stop_sequence"),
)


def test_a_paused_reply_is_behind_us_when_its_blocks_stand_in_an_assistant_message() -> None:
    looking = {"type": "text", "text": "Looking."}
    assert choose(PAUSED, request()) == 0
    assert choose(PAUSED, request([looking])) == 0
    assert choose(PAUSED, request([looking, SEARCH])) == 1
    reply = answer(PAUSED, request([looking, SEARCH]))
    assert (reply["stop_reason"], reply["stop_sequence"]) == ("stop_sequence", "END")


THOUGHT = (
    ScriptedReply("", (READ_NOTES,), thinking="It may be in the notes."),
    ScriptedReply("There.", thinking=""),
)


def test_thinking_comes_first_and_is_signed_over_the_request() -> None:
    thought, call = answer(THOUGHT, request())["content"]
    assert (thought["type"], thought["thinking"]) == ("thinking", "It may be in the notes.")
    assert call["type"] == "tool_use"
    first = request()
    other = {**first, "system": "Be brief."}
    assert answer(THOUGHT, other)["content"][0]["signature"] != thought["signature"]
    then = request([thought, {**call, "id": "a"}], [result("a", "bread")])
    assert [block["type"] for block in answer(THOUGHT, then)["content"]] == ["thinking", "text"]


@pytest.mark.parametrize("messages", [None, ["?"], [{"role": 1, "content": [3]}], [{}]])
def test_thinking_is_signed_whatever_an_unchecked_server_is_sent(messages: Any) -> None:
    reply = answer(THOUGHT, {"messages": messages, "tools": [{"name": "read"}]})
    assert reply["content"][0]["type"] == "thinking"


@pytest.mark.parametrize(("may_be_empty", "next_reply"), [(False, 0), (True, 1)])
def test_an_empty_result_answers_a_call_that_may_have_one(
    may_be_empty: bool, next_reply: int
) -> None:
    call = ScriptedCall("notes", "read", {"path": "notes"}, may_be_empty)
    script = (ScriptedReply("", (call,)), ScriptedReply("Nothing there."))
    asked = use("toolu_01", "notes")
    assert choose(script, request([asked], [result("toolu_01", "")])) == next_reply
    assert choose(script, request([asked], [])) == 0  # no result at all answers nothing


def test_what_is_said_again_is_never_behind_us_as_long_as_its_conditions_hold() -> None:
    again = (
        ScriptedReply("Once more.", (READ_NOTES,), when=(When("notes", lacks="Omid"),), again=True),
        ScriptedReply("Look.", (READ_NOTES,)),
        ScriptedReply("Found.", when=(When("notes", contains="Omid"),)),
    )
    asked: list[list[Json] | str] = []
    chosen = []
    for n, text in enumerate(("bread", "bread", "Omid")):
        chosen.append(choose(again, request(*asked)))
        asked += [[use(f"toolu_{n}", "notes")], [result(f"toolu_{n}", text)]]
    assert [*chosen, choose(again, request(*asked))] == [1, 0, 0, 2]


def test_a_block_that_names_no_tool_takes_none_away() -> None:
    asked = request()
    asked["messages"].append({"role": "system", "content": [{"type": "tool_removal"}]})
    assert choose(SCRIPT, asked) == 0

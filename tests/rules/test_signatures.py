"""Scripted thinking is signed, so that a changed history shows in the request alone."""

import copy
from typing import Any

import pytest

from app.engine.rules import check
from app.engine.rules.anthropic.rows.examples import (
    ADD,
    MARK,
    Json,
    assistant,
    call,
    request,
    result,
    said,
    text,
    thinking,
    user,
)
from app.engine.rules.anthropic.signatures import PREFIX, sign

FABLE, OPUS_5_5, OPUS_5 = "claude-fable-5-2", "claude-opus-5-5", "claude-opus-5"
TASK = said("user", "What is 2 + 3, and 3 + 4?")


def played(model: str, count: int = 2) -> Json:
    """A run of two rounds, each reply beginning with signed thinking."""
    body = request(TASK, model=model, system="Be brief.", tools=[ADD])
    for n in range(2):
        reply: list[Json] = []
        for words in [f"Round {n}, thought {k}." for k in range(count)]:
            reply.append(thinking(words, sign(body, reply, words)))
        reply += [text("I will add."), call(f"t{n}")]
        body = {**body, "messages": [*body["messages"], assistant(*reply), user(result(f"t{n}"))]}
    return body


def refusals(body: Any) -> list[str]:
    return [f"{fault.rule} {fault.where}" for fault in check(body) if fault.effect == "refuse"]


@pytest.mark.parametrize("model", [FABLE, OPUS_5_5, OPUS_5])
def test_an_unchanged_run_is_accepted_without_a_word(model: str) -> None:
    assert check(played(model)) == ()


def latest(body: Json) -> list[Json]:
    content: list[Json] = body["messages"][3]["content"]
    return content


def edit(body: Json) -> None:
    latest(body)[1]["thinking"] = "Something else."


def take_out(body: Json) -> None:
    del latest(body)[0]


def swap(body: Json) -> None:
    blocks = latest(body)
    blocks[0], blocks[1] = blocks[1], blocks[0]


def cut_the_signature(body: Json) -> None:
    latest(body)[0]["signature"] = PREFIX


@pytest.mark.parametrize("change", [edit, take_out, swap, cut_the_signature])
@pytest.mark.parametrize("model", [FABLE, OPUS_5])
def test_changed_thinking_of_the_latest_turn_is_refused(model: str, change: Any) -> None:
    body = played(model)
    change(body)
    assert refusals(body)[0].startswith("A62 messages.3.content.")


def test_on_models_that_check_no_prefix_older_thinking_may_change_or_go() -> None:
    body = played(OPUS_5)
    body["messages"][1]["content"][0]["thinking"] = "Something else."
    assert refusals(body) == []
    del body["messages"][1]["content"][:2]
    assert refusals(body) == []


def other_system(body: Json) -> None:
    body["system"] = "Be long."


def no_system(body: Json) -> None:
    del body["system"]


def fewer_tools(body: Json) -> None:
    body["tools"] = []


def other_task(body: Json) -> None:
    body["messages"][0] = said("user", "What is 2 + 4?")


def other_result(body: Json) -> None:
    body["messages"][2]["content"][0]["content"] = "6"


def trimmed(body: Json) -> None:
    del body["messages"][:2]
    body["messages"][0] = said("user", "The earlier part was left out.")


@pytest.mark.parametrize(
    "change", [other_system, no_system, fewer_tools, other_task, other_result, trimmed]
)
def test_a_changed_prefix_is_refused_where_the_model_checks_it(change: Any) -> None:
    for model, refused in ((FABLE, True), (OPUS_5_5, True), (OPUS_5, False)):
        body = copy.deepcopy(played(model))
        change(body)
        assert [found.split()[0] for found in refusals(body)[:1]] == ["A66"] * refused


def marked(body: Json) -> None:
    body["tools"] = [{**ADD, "cache_control": MARK}]
    body["messages"][2]["content"][0]["cache_control"] = MARK
    body["system"] = [text("Be brief.", cache_control=MARK)]


def without_oldest_thinking(body: Json) -> None:
    del body["messages"][1]["content"][:2]


def other_effort(body: Json) -> None:
    body["output_config"] = {"effort": "low"}


def in_other_messages(body: Json) -> None:
    first, *rest = body["messages"][2]["content"]
    body["messages"][2:3] = [user(first), *[user(block) for block in rest]]
    body["messages"][0] = user(text(TASK["content"]))


@pytest.mark.parametrize(
    "change", [marked, without_oldest_thinking, other_effort, in_other_messages]
)
def test_what_may_change_before_thinking_is_accepted(change: Any) -> None:
    body = played(FABLE)
    change(body)
    assert refusals(body) == []


def test_blocks_that_do_not_fit_may_be_dropped_on_request() -> None:
    body = played(FABLE) | {"system": "Be long."}
    dropping = {"type": "adaptive", "block_binding": {"prefix_mismatch_behavior": "drop_block"}}
    assert refusals(body)[0].startswith("A66")
    faults = check({**body, "thinking": dropping}, betas=["thinking-binding-controls-2026-08-01"])
    assert faults == ()


def test_text_put_into_empty_thinking_is_ignored() -> None:
    body = request(TASK)
    empty = thinking("", sign(body, [], ""))
    second = thinking("Yes.", sign(body, [empty], "Yes."))
    body["messages"] += [assistant({**empty, "thinking": "Put in."}, second, text("5")), TASK]
    assert refusals(body) == []


def test_real_signatures_are_not_judged() -> None:
    body = request(TASK, assistant(thinking(), call()), user(result()), model=FABLE)
    found = [(fault.rule, fault.effect) for fault in check(body)]
    assert found == [("A61", "not judged"), ("A62", "not judged"), ("A66", "not judged")]


def test_a_signature_is_the_same_in_every_process() -> None:
    assert sign(request(TASK), [], "Hm.") == "halqa.75e85d163cb904d7.e75d0faeb06530e9"

"""One request in both dialects: what stands beside what, which numbers tie it, what is lost."""

from collections.abc import Iterator
from typing import Any

import pytest

from app.engine.steps import Ask, Reply, Start, Trace
from app.paths import SCENARIOS
from app.run import library, trace_of
from app.source import loops
from app.views.dialects import Both, Row, both_of
from app.views.marked import LOST, TIED, Line

LESSONS = {lesson.slug: lesson for lesson in library([SCENARIOS]).lessons()}
LATE = LESSONS["the-other-api"]


def both(lane: str, turn: int, slug: str = "the-other-api") -> Both:
    lesson = LESSONS[slug]
    trace = trace_of(lesson, lane, True, "en")
    shown = lesson.lane(lane)
    found = both_of(trace, turn, loops()[shown.loop].dialect, shown.betas)
    assert found
    return found


def lines(found: Both) -> Iterator[tuple[str, Line]]:
    for side, name in ((found.left, "left"), (found.right, "right")):
        for line in (*side.envelope, *side.reply):
            yield name, line
    for row in found.rows:
        for name, entries in (("left", row.left), ("right", row.right)):
            for entry in entries:
                for line in entry.lines:
                    yield name, line


def numbers(found: Both, side: str) -> set[str]:
    return {run.number for name, line in lines(found) if name == side for run in line.runs} - {""}


def struck(found: Both, side: str) -> str:
    """The text that is struck through on a side."""
    runs = [run for name, line in lines(found) if name == side for run in line.runs]
    return "".join(token.text for run in runs if run.mark == LOST for token in run.tokens)


def reasons(found: Both) -> list[str]:
    return [
        token.text
        for _, line in lines(found)
        for run in line.runs
        for token in run.tokens
        if token.look == "why"
    ]


def shape(rows: tuple[Row, ...]) -> list[tuple[list[int], list[int]]]:
    return [([e.index for e in row.left], [e.index for e in row.right]) for row in rows]


@pytest.mark.parametrize("lane", ["chat", "messages_api"])
def test_the_same_request_stands_side_by_side_whichever_the_loop_speaks(lane: str) -> None:
    found = both(lane, 2)
    assert shape(found.rows) == [([0], [0]), ([1], [1]), ([2], [2])]
    assert (found.left.dialect, found.right.dialect) == ("anthropic", "openai")
    assert (found.left.own, found.right.own) == (lane == "messages_api", lane == "chat")
    assert not found.left.faults
    assert not found.right.faults
    assert found.lost == 0
    assert numbers(found, "left") == numbers(found, "right") != set()


@pytest.mark.parametrize(
    ("lane", "here", "there"),
    [
        ("wrong_tool_call_id", ["A49", "A40"], ["O07", "O02"]),
        ("user_between", ["A43"], ["O04"]),
        ("toy_history", ["A59"], ["O06"]),
    ],
)
def test_a_fault_stays_a_fault(lane: str, here: list[str], there: list[str]) -> None:
    found = both(lane, 2)
    assert sorted({fault.rule for fault in found.left.faults}) == sorted(here)
    assert [fault.rule for fault in found.right.faults] == there
    assert not found.left.reply


def test_what_has_no_counterpart_is_struck_through_on_its_own_side_with_the_reason() -> None:
    found = both("correct", 2, "done-or-asking")
    assert "thinking" in struck(found, "left")
    assert struck(found, "right") == ""
    assert found.lost == len(reasons(found)) > 0
    assert "thinking" not in {run.mark for _, line in lines(found) for run in line.runs}


def test_results_that_share_a_message_stand_beside_one_message_each() -> None:
    found = both("correct", 2, "lose-the-thread")
    assert shape(found.rows)[-1] == ([2], [2, 3])


def test_a_split_that_cannot_be_seen_is_told_and_not_struck_through() -> None:
    found = both("split_results", 2, "lose-the-thread")
    assert struck(found, "left") == ""
    assert [reason.partition(" ")[0] for reason in reasons(found)] == ["Each"]


def test_system_stands_as_a_key_here_and_as_a_message_there() -> None:
    asked = {"model": "claude-opus-5", "max_tokens": 9, "system": "Be brief."}
    trace = one_turn(asked, [{"role": "user", "content": "Hi"}])
    found = both_of(trace, 1, "anthropic")
    assert found
    assert shape(found.rows) == [([], [0]), ([0], [1])]


def test_a_reply_is_shown_in_both_with_its_reason_to_stop_tied() -> None:
    found = both("cut_short", 3)
    sides = {
        name: [
            "".join(token.text for token in run.tokens)
            for line in side.reply
            for run in line.runs
            if run.mark == TIED
        ]
        for name, side in (("left", found.left), ("right", found.right))
    }
    assert any('"stop_reason": "max_tokens"' in text for text in sides["left"])
    assert any('"finish_reason": "length"' in text for text in sides["right"])


@pytest.mark.parametrize(("asked", "shown"), [(0, 1), (1, 1), (99, 2)])
def test_a_turn_that_is_not_there_is_the_nearest(asked: int, shown: int) -> None:
    assert both("wrong_tool_call_id", asked).turn == shown


def test_where_nothing_was_sent_there_is_nothing_to_show() -> None:
    assert both_of(Trace((Start(turn=0, lines=(0, 0), task="Hi"),), ((),)), 1, "anthropic") is None


def one_turn(envelope: dict[str, Any], messages: list[Any]) -> Trace:
    ask = Ask(turn=1, lines=(1, 1), length=len(messages), envelope=envelope)
    answer = {"stop_reason": "end_turn", "content": [{"type": "text", "text": "Hello"}]}
    reply = Reply(turn=1, lines=(1, 1), length=len(messages), reply=answer)
    return Trace((Start(turn=0, lines=(0, 0), task="Hi"), ask, reply), (tuple(messages),))


@pytest.mark.parametrize("lane", ["summed_up", "one_function"])
def test_what_is_beta_or_older_is_accepted_where_it_belongs(lane: str) -> None:
    slug = "not-finished-yet" if lane == "summed_up" else "the-other-api"
    found = both(lane, 3, slug)
    assert (found.left if lane == "summed_up" else found.right).faults == ()
    assert found.lost == len(reasons(found)) > 0


def test_what_is_offered_as_functions_stands_beside_the_tools() -> None:
    found = both("one_function", 1)
    assert "functions" not in struck(found, "right")
    assert numbers(found, "left") == numbers(found, "right") > {"1", "2"}

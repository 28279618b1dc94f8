"""Lanes side by side: aligned rows, named holes, and the first difference."""

from typing import Any

import pytest

from app.compare import Comparison, compare
from app.paths import SCENARIOS
from app.run import library, trace_of

SHELF = library([SCENARIOS])
FOUR = "how-many-python-files"
FIVE = "lose-the-thread"


def comparison(lesson: str, *lanes: str) -> Comparison:
    """Lanes such as `forgot_results:unchecked`, compared."""
    found = SHELF.find(lesson)
    traces = []
    for lane in lanes:
        name, _, server = lane.partition(":")
        checked = found.lane(name).checked if not server else server == "checked"
        traces.append(trace_of(found, name, checked, "en"))
    return compare(traces)


def rows(found: Comparison, turn: int) -> list[tuple[Any, ...]]:
    return [(row.kind, *row.steps) for row in found.rows if row.turn == turn]


def test_lesson_4_has_the_rows_of_its_longest_lane_and_the_ends_of_the_others() -> None:
    found = comparison(FOUR, "correct", "forgot_results", "missing_tool_use_id")
    assert [len(rows(found, turn)) for turn in range(7)] == [1, 5, 5, 5, 4, 4, 5]
    assert rows(found, 1) == [
        ("ask", 1, 1, 1),
        ("reply", 2, 2, 2),
        ("append", 3, 3, 3),
        ("tool", 4, 4, 4),
        ("append", 5, None, 5),
    ]
    assert rows(found, 2)[:2] == [("ask", 6, 5, 6), ("reply", 7, 6, 7)]
    assert rows(found, 3) == [
        ("ask", 11, 9, None),
        ("reply", 12, 10, None),
        ("append", 13, 11, None),
        ("end", 14, None, None),
        ("tool", None, 12, None),
    ]


def test_the_first_difference_of_lesson_4_is_the_lost_result_and_the_lost_id() -> None:
    found = comparison(FOUR, "correct", "forgot_results", "missing_tool_use_id")
    assert found.first_difference == 5
    row = found.rows[5]
    assert row.holes == (False, True, False)
    assert row.differs == (False, False, True)


@pytest.mark.parametrize(
    ("lesson", "lanes", "anew"),
    [
        (FOUR, ("correct", "forgot_results", "missing_tool_use_id"), (5, 7, 10)),
        (FOUR, ("correct", "forgot_results"), (5, 10)),
        (FOUR, ("correct", "missing_tool_use_id"), (5, 7)),
        (FOUR, ("correct",), ()),
    ],
)
def test_what_follows_from_a_difference_is_no_new_one(
    lesson: str, lanes: tuple[str, ...], anew: tuple[int, ...]
) -> None:
    assert comparison(lesson, *lanes).differences == anew


@pytest.mark.parametrize(
    ("other", "kind", "turn"),
    [
        ("swapped_ids", "append", 1),
        ("forgot_round", "append", 1),
        ("forgot_assistant", "append", 1),
        ("text_only", "append", 1),
        ("split_results", "append", 1),
    ],
)
def test_each_slip_of_lesson_5_differs_where_it_slips(other: str, kind: str, turn: int) -> None:
    found = comparison(FIVE, "correct", other)
    assert found.first_difference is not None
    row = found.rows[found.first_difference]
    assert (row.kind, row.turn) == (kind, turn)


def test_one_round_differs_where_its_second_request_offers_no_tools() -> None:
    found = comparison("which-note", "one_round", "correct")
    assert found.first_difference is not None
    row = found.rows[found.first_difference]
    assert (row.kind, row.turn, row.differs) == ("ask", 2, (False, True))


@pytest.mark.parametrize(
    ("lesson", "lanes", "row"),
    [
        ("not-finished-yet", ("every_stop_reason", "stops_at_a_pause"), (None, 4)),
        ("not-finished-yet", ("summed_up", "stops_at_a_summary"), (None, 9)),
        ("cut-off", ("correct", "runs_cut_call"), (4, None)),
    ],
)
def test_lanes_that_do_the_same_differ_where_one_ends_and_another_goes_on(
    lesson: str, lanes: tuple[str, str], row: tuple[int | None, ...]
) -> None:
    found = comparison(lesson, *lanes)
    assert found.first_difference is not None
    assert found.differences == (found.first_difference,)
    assert found.rows[found.first_difference].kind == "end"
    assert found.rows[found.first_difference].steps == row


def test_what_a_lane_declares_is_no_difference() -> None:
    same = comparison(FOUR, "correct:checked", "correct:unchecked")
    assert same.first_difference is None
    assert all(row.same for row in same.rows)


def test_ids_alone_make_no_difference() -> None:
    found = comparison(FOUR, "forgot_results:unchecked", "forgot_results:unchecked")
    assert found.first_difference is None


def test_a_refused_request_stands_in_the_row_of_the_reply() -> None:
    found = comparison(FOUR, "correct", "missing_tool_use_id")
    row = next(row for row in found.rows if row.turn == 2 and row.kind == "reply")
    assert row.steps == (7, 7)
    assert row.differs == (False, True)


def test_a_lane_that_has_ended_lacks_nothing() -> None:
    found = comparison(FOUR, "correct", "forgot_results")
    assert not any(row.holes[0] for row in found.rows)
    assert {row.turn for row in found.rows if row.holes[1]} == {1, 2}


def test_every_step_of_every_lane_stands_in_one_row() -> None:
    for lesson in SHELF.lessons():
        traces = [trace_of(lesson, lane.name, lane.checked, "en") for lane in lesson.lanes[:4]]
        found = compare(traces)
        for lane, trace in enumerate(traces):
            steps = [row.steps[lane] for row in found.rows if row.steps[lane] is not None]
            assert steps == list(range(len(trace.steps)))


def test_a_row_is_found_by_step_and_by_turn() -> None:
    found = comparison(FOUR, "correct", "forgot_results")
    assert found.row_of(1, 5) == 6
    assert (found.first_row_of_turn(2), found.first_row_of_turn(99)) == (6, 24)


def test_signatures_that_hold_other_tools_make_no_difference() -> None:
    found = comparison("the-long-menu", "four_tools", "delete_lies_there")
    assert found.first_difference is not None
    assert found.rows[found.first_difference].turn > 1

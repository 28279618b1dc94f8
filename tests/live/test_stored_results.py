"""What is stored of a result, and what comes back of it."""

import json

import pytest

from app.engine.steps import Attempt, Change, Check, Hook, Result
from app.live.results import read_result, stored_result

CHECKS = (Check("exists", True, "There is a tool of this name."),)
RESULTS = {
    "plain": Result("5", checks=CHECKS),
    "failed": Result("Error: no", True, CHECKS, failure="model"),
    "whole": Result(
        "Done: a.txt changed",
        checks=CHECKS,
        tries=(Attempt(0.0, 1.0, "down", True, True), Attempt(2.0, 0.0)),
        changes=(Change("a.txt", "changed", ("-a", "+b"), 3),),
        hooks=(Hook("run_tests", False, "Error: 1 of 2 tests failed"),),
        ends="the environment failed: down",
        watched=True,
    ),
}


def read(body: object) -> Result:
    return read_result(json.loads(json.dumps(body)))  # type: ignore[arg-type]


@pytest.mark.parametrize("result", RESULTS.values(), ids=RESULTS)
def test_a_stored_result_comes_back_as_it_was(result: Result) -> None:
    assert read(stored_result(result)) == result


@pytest.mark.parametrize("key", ["tries", "changes", "hooks", "ends", "watched"])
def test_what_is_not_there_is_not_stored(key: str) -> None:
    assert key not in stored_result(RESULTS["plain"])


@pytest.mark.parametrize(
    "wrong",
    [
        {"failure": "nobody"},
        {"tries": [{"started": "soon"}]},
        {"tries": "two"},
        {"changes": [{"how": "made"}]},
        {"hooks": [[]]},
        {"ends": 1},
        {"watched": "yes"},
        {"checks": "all"},
    ],
)
def test_a_stored_result_in_no_right_form_is_refused(wrong: dict[str, object]) -> None:
    with pytest.raises(ValueError, match="a stored result is in no right form"):
        read({**stored_result(RESULTS["plain"]), **wrong})

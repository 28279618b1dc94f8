"""The guard against the same call again and again, and a job whose state is worth asking for."""

import json
from itertools import count
from pathlib import Path
from typing import Any

import pytest

from app.engine.clock import Clock
from app.engine.steps import Result, Undecided
from app.harness import Guard, Harness
from app.harness.repeats import signature

NESTED = {"query": {"a": 1, "b": [{"x": 1, "y": 2}]}, "most": 5}
TURNED = {"most": 5, "query": {"b": [{"y": 2, "x": 1}], "a": 1}}


class Same:
    """Tools whose result never changes."""

    def run(self, call: Any, decision: str = "") -> Result | Undecided:
        return Result("nothing")


class Moving:
    """Tools whose results are never the same."""

    def __init__(self) -> None:
        self.made = count()

    def run(self, call: Any, decision: str = "") -> Result | Undecided:
        return Result(str(next(self.made)))


class Asking:
    """Tools that a person must approve."""

    def run(self, call: Any, decision: str = "") -> Result | Undecided:
        return Result("done") if decision else Undecided()


def what_came(guard: Guard, *calls: tuple[str, Any]) -> str:
    """`r` for a call that ran, `n` for one that ran with a nudge, `-` for one that did not run."""
    came = ""
    for name, given in calls:
        result = guard.run({"type": "tool_use", "id": "toolu_1", "name": name, "input": given})
        assert isinstance(result, Result)
        nudged = "nothing new came of it" in result.content
        came += "-" if result.is_error else "n" if nudged else "r"
    return came


THRICE = [("search", {"text": "x"})] * 3
OTHERS = [("read", {"path": f"{n}.txt"}) for n in "abc"]


@pytest.mark.parametrize(
    ("tools", "by", "calls", "came"),
    [
        (Same, "result", THRICE, "rn-"),
        (Same, "call", THRICE, "rn-"),
        (Same, "result", OTHERS, "rrr"),
        (Same, "call", OTHERS, "rrr"),
        (Same, "name", OTHERS, "rn-"),
        (Moving, "result", THRICE, "rrr"),
        (Moving, "call", THRICE, "rn-"),
        (Same, "call", [("s", NESTED), ("s", TURNED), ("s", NESTED)], "rn-"),
        (Same, "call", [("s", {"n": [1, 2]}), ("s", {"n": [2, 1]}), ("s", {"n": [1, 2]})], "rrn"),
        (Same, "call", [*THRICE[:2], *OTHERS[:1], *THRICE[:1]], "rnr-"),
    ],
)
def test_what_makes_two_calls_the_same(tools: Any, by: str, calls: Any, came: str) -> None:
    assert what_came(Guard(tools(), by), *calls) == came


HELD = {"where": {}}
HELD["where"]["again"] = HELD  # it holds itself
DEEP: Any = []
for _ in range(5_000):
    DEEP = [DEEP]


@pytest.mark.parametrize(
    ("given", "written"),
    [
        ({}, "{}"),
        (NESTED, '{"most":5,"query":{"a":1,"b":[{"x":1,"y":2}]}}'),
        (TURNED, '{"most":5,"query":{"a":1,"b":[{"x":1,"y":2}]}}'),
        ({"n": [2, 1]}, '{"n":[2,1]}'),
        ({"n": 1}, '{"n":1}'),
        ({"n": 1.0}, '{"n":1}'),
        ({"n": 1.5}, '{"n":1.5}'),
        ({"n": True}, '{"n":true}'),
        ({"n": "1"}, '{"n":"1"}'),
        ({"n": None}, '{"n":null}'),
        ({"n": float("nan")}, '{"n":NaN}'),
        ({"b": 1, 2: "a"}, '{"2":"a","b":1}'),
        ({"نام": "\n"}, '{"نام":"\\n"}'),
        ('{"cut', '"{\\"cut"'),
        (None, "null"),
        ({"n": {1}}, '{"n":"{1}"}'),
        (HELD, "…"),
        (DEEP, "…"),
        ({"n": 10**5_000}, "…"),
    ],
)
def test_a_signature_is_the_name_and_the_arguments_in_order(given: Any, written: str) -> None:
    assert signature("search", given) == f"search {written}"


def test_a_guard_tells_true_from_1_and_says_as_what_it_counted_a_call() -> None:
    calls = [("s", {"n": 1}), ("s", {"n": True}), ("s", {"n": 1.0}), ("s", {"n": 1})]
    guard = Guard(Same(), "call")
    assert what_came(guard, *calls) == "rrn-"
    result = guard.run({"name": "s", "input": {"n": 1}})
    assert isinstance(result, Result)
    assert [check.said for check in result.checks] == [
        'it was made 2 times before, counted as s {"n":1}'
    ]


def test_a_person_takes_over_only_after_the_third_call() -> None:
    guard = Guard(Same(), "result")
    what_came(guard, *THRICE[:2])
    assert guard.stuck == ""
    what_came(guard, *THRICE[:1])
    assert guard.stuck.startswith("search was asked for once more")


def test_how_often_a_call_may_be_made_can_be_said() -> None:
    assert what_came(Guard(Same(), "call", most=3), *THRICE, *THRICE) == "rrn---"


def test_a_call_that_waits_for_a_person_is_not_counted() -> None:
    guard, call = Guard(Asking(), "call"), {"name": "send", "input": {}}
    asked = [guard.run(call) for _ in range(4)]
    assert asked == [Undecided()] * 4
    assert guard.run(call, "approve") == Result("done")


@pytest.mark.parametrize(
    ("job", "passed", "said"),
    [
        ({"parts": 4, "result": "r"}, 100, "Done: job j is waiting, 0 of 4 parts are done"),
        ({"parts": 4, "seconds_a_part": 2, "result": "r"}, 5, "Done: job j is running, 2 of 4"),
        ({"parts": 4, "seconds_a_part": 2, "result": "r"}, 9, "Done: job j is finished\nr"),
        ({"parts": 0}, 9, 'Error: "j.job.json" does not describe a job'),
    ],
)
def test_a_job_gets_on_with_the_time_of_the_run(
    job: Any, passed: float, said: str, tmp_path: Path
) -> None:
    (tmp_path / "j.job.json").write_text(json.dumps(job), encoding="utf-8")
    clock = Clock()
    clock.sleep(passed)
    harness = Harness(tmp_path, ["job_status"], clock=clock)
    result = harness.run({"type": "tool_use", "name": "job_status", "input": {"job": "j"}})
    assert isinstance(result, Result)
    assert result.content.startswith(said)


@pytest.mark.parametrize(
    ("where", "said"),
    [
        ({}, "Done: 2 jobs are like that\na\nb"),
        ({"job": "b", "state": "finished"}, "Done: 1 job is like that\nb"),
        ({"state": "finished", "job": "a"}, "Done: 0 jobs are like that"),
        ({"day": "Monday"}, 'Error: a job has no "day"; give job or state'),
    ],
)
def test_jobs_are_found_by_all_facts_given(where: Any, said: str, tmp_path: Path) -> None:
    for name, more in (("a", {}), ("b", {"seconds_a_part": 1})):
        job = {"parts": 1, "result": "r", **more}
        (tmp_path / f"{name}.job.json").write_text(json.dumps(job), encoding="utf-8")
    (tmp_path / "notes.txt").write_text("no job", encoding="utf-8")
    clock = Clock()
    clock.sleep(5)
    harness = Harness(tmp_path, ["find_jobs"], clock=clock)
    result = harness.run({"type": "tool_use", "name": "find_jobs", "input": {"where": where}})
    assert isinstance(result, Result)
    assert result.content == said

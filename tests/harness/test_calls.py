"""Whose failure it is, what is tried again, and what the model is told of it."""

import pytest

from app.engine.clock import Clock
from app.engine.steps import APPROVE, DENY, Attempt, Hook, Undecided
from app.harness import Harness
from app.harness.calls import ALWAYS, ASK, NEVER, SAFE, Handling
from app.harness.schemas import Tool
from app.harness.tools import TOOLS
from app.harness.trouble import Trouble
from app.harness.workspace import Workspace

DOWN = "the folder cannot be reached"
OUTAGE = Trouble("append_line", "outage", until=2, seconds=1, said=DOWN)
LOST = Trouble("append_line", "answer_lost", until=1, seconds=10, said="no answer in 10 seconds")
GIVEN = {
    "append_line": {"path": "log.txt", "line": "paid 5"},
    "write_file": {"path": "log.txt", "text": "paid 5\n"},
    "add_entry": {"path": "log.txt", "key": "k-1", "entry": "paid 5"},
}


def run(folder, tool, trouble, retry=SAFE, stops=False):
    trouble = Trouble(tool, **{k: v for k, v in vars(trouble).items() if k != "tool"})
    handling = Handling(retry=retry, stops=stops, troubles=(trouble,))
    clock = Clock()
    harness = Harness(folder, [*TOOLS], handling=handling, clock=clock)
    return harness.run({"name": tool, "input": GIVEN[tool]}), clock.now


# (tool, what goes wrong, which calls are repeated) -> tries, lines in the file, error, seconds
REPEATED = [
    ("write_file", OUTAGE, SAFE, 2, 1, False, 2),
    ("add_entry", OUTAGE, SAFE, 2, 1, False, 2),
    ("append_line", OUTAGE, SAFE, 1, 0, True, 1),
    ("append_line", OUTAGE, ALWAYS, 2, 1, False, 2),
    ("write_file", LOST, SAFE, 2, 1, False, 11),
    ("add_entry", LOST, SAFE, 2, 1, False, 11),
    ("append_line", LOST, SAFE, 1, 1, True, 10),
    ("append_line", LOST, ALWAYS, 2, 2, False, 11),
    ("write_file", OUTAGE, NEVER, 1, 0, True, 1),
]


@pytest.mark.parametrize(
    ("tool", "trouble", "retry", "tries", "lines", "is_error", "seconds"), REPEATED
)
def test_only_a_repeat_that_does_no_harm_is_made(
    tmp_path, tool, trouble, retry, tries, lines, is_error, seconds
):
    result, now = run(tmp_path, tool, trouble, retry)
    log = tmp_path / "log.txt"
    assert len(result.tries) == tries
    assert (log.read_text(encoding="utf-8").count("\n") if log.exists() else 0) == lines
    assert (result.is_error, result.failure) == (is_error, "environment" if is_error else "")
    assert now == seconds


def test_a_retry_that_succeeded_is_in_the_trace_and_no_news_to_the_model(tmp_path):
    result, _ = run(tmp_path, "write_file", OUTAGE)
    assert result.content == "Done: log.txt made, 1 line"
    assert result.tries == (
        Attempt(0, 1, DOWN, simulated=True),
        Attempt(2, 0),
    )


# whatever stays wrong is told: whose failure it is, how often it was tried, what may have happened
TOLD = [
    (
        Trouble("write_file", "outage", said=DOWN),
        SAFE,
        f"write_file could not be carried out: {DOWN} (3 tries). The environment failed, not your"
        " call; nothing was done.",
    ),
    (
        OUTAGE,
        SAFE,
        f"append_line could not be carried out: {DOWN} (1 try). The environment failed, not your"
        " call; nothing was done. It was not tried again: twice could do harm.",
    ),
    (
        LOST,
        SAFE,
        "append_line could not be carried out: no answer in 10 seconds (1 try). The environment"
        " failed, not your call; append_line may have taken effect or not: look before you call it"
        " again. It was not tried again: twice could do harm.",
    ),
    (OUTAGE, NEVER, DOWN),
]


@pytest.mark.parametrize(("trouble", "retry", "said"), TOLD)
def test_a_failure_that_stays_is_told_with_whose_it_is(tmp_path, trouble, retry, said):
    result, _ = run(tmp_path, trouble.tool, trouble, retry)
    assert result.content == f"Error: {said}"


def test_the_run_may_stop_where_the_environment_fails_for_good(tmp_path):
    result, _ = run(tmp_path, "append_line", OUTAGE, stops=True)
    assert result.ends == f"the environment failed: {DOWN}"


# (what goes wrong, what the person says) -> tries, lines in the file, error
@pytest.mark.parametrize(
    ("trouble", "decision", "tries", "lines", "is_error"),
    [
        (LOST, APPROVE, 2, 2, False),
        (LOST, DENY, 1, 1, True),
        (OUTAGE, APPROVE, 3, 1, False),  # the person agrees at second 1, the folder is back at 2
        (OUTAGE, DENY, 1, 0, True),
    ],
)
def test_a_person_may_agree_to_a_repeat_that_could_do_harm(
    tmp_path, trouble, decision, tries, lines, is_error
):
    handling = Handling(retry=ASK, troubles=(trouble,))
    harness = Harness(tmp_path, [*TOOLS], handling=handling, clock=Clock())
    call = {"name": "append_line", "input": GIVEN["append_line"]}
    asked = harness.run(call)
    assert isinstance(asked, Undecided)
    assert len(asked.tries) == 1
    result = harness.run(call, decision)
    log = tmp_path / "log.txt"
    assert (log.read_text(encoding="utf-8").count("\n") if log.exists() else 0) == lines
    assert (len(result.tries), result.is_error) == (tries, is_error)
    assert [check.name for check in result.checks] == [check.name for check in asked.checks]
    assert is_error == result.content.endswith("A person was asked, and it was not tried again.")


# (what the person says) -> tries, lines in the file
@pytest.mark.parametrize(("decision", "tries", "lines"), [(APPROVE, 2, 1), (DENY, 1, 0)])
def test_another_harness_goes_on_with_what_one_tried(tmp_path, decision, tries, lines):
    before = (Attempt(0, 2.5, "no answer came", lost=True),)
    harness = Harness(tmp_path, [*TOOLS], handling=Handling(retry=ASK), clock=Clock())
    call = {"name": "append_line", "input": GIVEN["append_line"]}
    result = harness.run_again(call, decision, before)
    log = tmp_path / "log.txt"
    assert (log.read_text(encoding="utf-8").count("\n") if log.exists() else 0) == lines
    assert (len(result.tries), result.tries[0], result.watched) == (tries, before[0], False)
    assert [check.name for check in result.checks] == [one.name for one in harness.checks(call)]


def test_a_try_that_a_person_agreed_to_is_not_said_to_be_left_out(tmp_path):
    handling = Handling(retry=ASK, troubles=(Trouble("append_line", "outage", said=DOWN),))
    harness = Harness(tmp_path, [*TOOLS], handling=handling, clock=Clock())
    call = {"name": "append_line", "input": GIVEN["append_line"]}
    harness.run(call)
    assert harness.run(call, APPROVE).content == (
        f"Error: append_line could not be carried out: {DOWN} (4 tries). The environment failed,"
        " not your call; nothing was done."
    )


def test_the_checks_of_a_call_run_nothing(tmp_path):
    harness = Harness(tmp_path, [*TOOLS])
    call = {"name": "append_line", "input": {"path": "../log.txt", "line": "x"}}
    assert [(one.name, one.passed) for one in harness.checks(call)][-1] == ("inside", False)
    assert list(tmp_path.iterdir()) == []


def test_a_fault_that_no_try_mends_asks_nobody(tmp_path, monkeypatch):
    monkeypatch.setattr(Workspace, "write", lambda *_: 1 / 0)
    harness = Harness(tmp_path, [*TOOLS], handling=Handling(retry=ASK), clock=Clock())
    result = harness.run({"name": "append_line", "input": GIVEN["append_line"]})
    assert result.content == "Error: append_line failed: ZeroDivisionError: division by zero"


def test_a_person_is_not_asked_where_a_repeat_does_no_harm(tmp_path):
    result, _ = run(tmp_path, "write_file", OUTAGE, ASK)
    assert (len(result.tries), result.is_error) == (2, False)


def test_latency_takes_time_and_changes_no_answer(tmp_path):
    slow = Trouble("write_file", "latency", seconds=30)
    result, now = run(tmp_path, "write_file", slow)
    assert (result.content, now) == ("Done: log.txt made, 1 line", 30)
    assert result.tries == (Attempt(0, 30, simulated=True),)


def unreachable() -> str:
    """Reach for something."""
    raise ConnectionError("no route")


def broken() -> str:
    """Divide by nothing."""
    return str(1 / 0)


@pytest.mark.parametrize(
    ("function", "tries", "said"),
    [
        (unreachable, 3, "carried out: ConnectionError: no route (3 tries)"),
        (broken, 1, "broken failed: ZeroDivisionError: division by zero"),
    ],
)
def test_what_a_tool_raises_is_not_the_models_failure(tmp_path, function, tries, said):
    tool = Tool.of(function)
    harness = Harness(tmp_path, (tool.name,), {tool.name: tool}, clock=Clock())
    result = harness.run({"name": tool.name, "input": {}})
    assert said in result.content
    assert (result.failure, len(result.tries)) == ("environment", tries)


def test_a_wrong_call_is_the_models_failure_and_is_never_repeated(tmp_path):
    harness = Harness(tmp_path, ("read_file",), clock=Clock())
    for given, failure in (
        ({"path": "no.txt"}, "model"),
        ({}, "model"),
        ({"path": ".."}, "refusal"),
    ):
        result = harness.run({"name": "read_file", "input": given})
        assert (result.failure, result.tries) == (failure, ())


def run_tests(workspace) -> str:
    """Run the tests."""
    return "Done: 2 tests passed"


def test_a_hook_runs_after_a_call_that_was_done_and_its_outcome_joins_the_result(tmp_path):
    registry = {**TOOLS, "run_tests": Tool.of(run_tests)}
    handling = Handling(hooks={"write_file": ("run_tests",)})
    harness = Harness(tmp_path, ("write_file",), registry, handling=handling, clock=Clock())
    done = harness.run({"name": "write_file", "input": GIVEN["write_file"]})
    assert done.hooks == (Hook("run_tests", True, "Done: 2 tests passed"),)
    assert done.content.endswith("\n\nAfter it the harness ran run_tests. Done: 2 tests passed")
    failed = harness.run({"name": "write_file", "input": {"path": ".", "text": ""}})
    assert (failed.is_error, failed.hooks) == (True, ())

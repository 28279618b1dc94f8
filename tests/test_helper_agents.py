"""A helper agent: its steps stand between the call that asked it and that call's result."""

from pathlib import Path

import pytest
from fastapi.testclient import TestClient

from app.cli import report
from app.engine.steps import Ask, Helped, Helper, Step, Tool, Trace
from app.harness import TOOLS, Handling, Harness
from app.main import create_app
from app.paths import SCENARIOS
from app.run import library, trace_of

LESSON = library([SCENARIOS]).find("not-here")


@pytest.fixture(scope="module")
def trace() -> Trace:
    return trace_of(LESSON, "asks_a_helper", True, "en")


def kinds(steps: tuple[Step, ...]) -> list[str]:
    return [step.kind for step in steps]


def test_the_whole_run_of_the_helper_is_spliced_in_before_its_result(trace: Trace) -> None:
    inner = [step for step in trace.steps if isinstance(step, Helper)]
    first, last = trace.steps.index(inner[0]), trace.steps.index(inner[-1])
    assert last - first == len(inner) - 1
    assert trace.steps[first - 1].kind == "append"
    asked = trace.steps[last + 1]
    assert isinstance(asked, Tool)
    assert (asked.call["name"], asked.result.helped) == ("ask_helper", None)
    assert kinds(tuple(step.inner for step in inner)) == kinds(inner[0].run.steps)
    assert {step.depth for step in inner} == {1}


def test_the_list_of_the_agent_that_asked_does_not_change_meanwhile(trace: Trace) -> None:
    inner = [step for step in trace.steps if isinstance(step, Helper)]
    assert {(step.version, step.length, step.turn) for step in inner} == {(0, 2, 1)}
    assert trace.messages_sent == [1, 3, 5]
    assert inner[0].run.messages_sent == [1, 3, 5, 7]


def test_the_helper_sees_the_task_alone_and_has_its_own_rights(trace: Trace) -> None:
    run = next(step.run for step in trace.steps if isinstance(step, Helper))
    asks = [step for step in run.steps if isinstance(step, Ask)]
    assert [m["content"] for m in run.messages(asks[0])] == [
        "Write the total of May into report.txt."
    ]
    refused = [step.result.failure for step in run.steps if isinstance(step, Tool)]
    assert refused == ["", "refusal", "refusal", "refusal"]


def test_an_agent_without_a_helper_is_told_so(tmp_path: Path) -> None:
    call = {"name": "ask_helper", "input": {"task": "Look."}}
    result = Harness(tmp_path, [*TOOLS]).run(call)
    assert result.content == "Error: there is no helper here; do it yourself"


def test_a_helper_that_gives_no_answer_is_a_failed_call(tmp_path: Path) -> None:
    waits = trace_of(LESSON, "asks", True, "en")
    handling = Handling(helper=lambda task: Helped("correct", waits))
    harness = Harness(tmp_path, ["ask_helper"], handling=handling)
    result = harness.run({"name": "ask_helper", "input": {"task": "Look."}})
    assert result.is_error
    assert result.content.startswith("Error: the helper gave no answer (waits")
    assert result.helped == Helped("correct", waits)


def test_the_terminal_tells_whose_call_it_was(trace: Trace) -> None:
    lines = report(trace).splitlines()
    assert [line.split()[2] for line in lines[:6]] == [*["helper:"] * 4, "ask_helper", "write_file"]


def test_pages_and_programs_show_each_step_of_the_helper() -> None:
    with TestClient(create_app()) as client:
        page = client.get("/lessons/not-here?lanes=asks_a_helper&step=8&predict=off").text
        both = client.get("/lessons/not-here?lanes=asks_a_helper,read_only&step=8&predict=off").text
        run = client.get("/api/runs/not-here/asks_a_helper").json()
    assert "The helper agent:" in page
    assert "The helper’s own list: 2 messages. Ours stays as it is." in page
    assert "no helper works here" in both
    inner = [step for step in run["steps"] if step["kind"] == "helper"]
    assert inner[0]["inner"]["kind"] == "start"
    assert not any("run" in step for step in inner)
    held = [message for step in inner for message in step["inner"]["joined"]]
    assert [message["role"] for message in held[:3]] == ["user", "assistant", "user"]
    assert len(held) == 8

"""The failures of tools over many runs: what counts as the same, whose it is, what to change."""

import gettext

from app.engine.steps import Check, End, Ending, Helper, Result, Start, Tool, Trace
from app.paths import SCENARIOS
from app.run import library, trace_of
from app.views.failures import Failure, Run, failures
from app.views.texts import Words

WORDS = Words(gettext.NullTranslations())


def run(task: str, *results: tuple[str, Result]) -> Run:
    steps = [Start(turn=0, lines=(0, 0), task=task)]
    tools = [
        Tool(turn=1, lines=(0, 0), call={"name": name, "input": {}}, result=result)
        for name, result in results
    ]
    end = End(turn=1, lines=(0, 0), ending=Ending("answer", ""))
    return Run(
        task, task.title(), "correct", f"/{task}/{{}}".format, Trace((*steps, *tools, end), ((),))
    )


def failed(said: str, check: str = "", failure: str = "") -> Result:
    checks = (Check(check, False, said),) if check else ()
    return Result(f"Error: {said}", True, checks, failure)


def found(*runs: Run) -> list[Failure]:
    return list(failures(runs, WORDS))


def test_a_run_without_a_failed_call_adds_nothing() -> None:
    assert found(run("a", ("read_file", Result("Done")))) == []


def test_the_same_failure_of_a_tool_in_several_tasks_is_one_and_comes_first() -> None:
    first, second = found(
        run("a", ("add", failed("a must be an integer", "parameters"))),
        run(
            "b",
            ("read_file", failed("there is no 'x.txt'")),
            ("read_file", failed("there is no 'y.txt'")),
        ),
        run("c", ("read_file", failed("there is no 'docs/z'"))),
    )
    assert (first.tool, first.calls, first.tasks, first.again) == ("read_file", 3, 2, True)
    assert [(seen.title, seen.page) for seen in first.seen] == [("B", "/b/1"), ("C", "/c/1")]
    assert (second.tool, second.calls, second.tasks, second.again) == ("add", 1, 1, False)


def test_another_failure_of_the_same_tool_stands_apart() -> None:
    rows = found(
        run("a", ("read_file", failed("there is no 'x'")), ("read_file", failed("it is a folder")))
    )
    assert [row.said for row in rows] == ["Error: it is a folder", "Error: there is no 'x'"]


def test_whose_it_is_decides_what_to_change() -> None:
    cases = {
        ("model", "exists"): "Give the tool the name",
        ("model", "parameters"): "Make the parameter optional",
        ("refusal", "allowed"): "Say in its description",
        ("environment", ""): "Nothing for the model to mend",
        ("tool", ""): "The function itself is broken",
        ("model", ""): "Take what the model sends",
    }
    for (whose, check), change in cases.items():
        (row,) = found(run("a", ("add", failed("no", check, whose))))
        assert (row.whose, str(row.change).startswith(change)) == (whose, True), (whose, check)


def test_a_failure_inside_a_helper_counts_at_the_step_that_shows_it() -> None:
    trace = trace_of(library([SCENARIOS]).find("not-here"), "asks_a_helper", True, "en")
    rows = found(Run("18", "Not here", "asks_a_helper", "/18/{}".format, trace))
    assert [(row.tool, row.whose, row.calls) for row in rows] == [
        ("read_file", "refusal", 2),
        ("write_file", "refusal", 1),
    ]
    for row in rows:
        step = trace.steps[int(row.seen[0].page.removeprefix("/18/"))]
        assert isinstance(step, Helper)
        assert isinstance(step.inner, Tool)
        assert step.inner.call["name"] == row.tool


def test_lesson_25_shows_one_failure_in_two_tasks_and_three_of_its_lanes() -> None:
    lesson = library([SCENARIOS]).find("whose-fault")
    (row,) = found(
        *(
            Run(lane.task("en"), "", lane.name, str, trace_of(lesson, lane.name, True, "en"))
            for lane in lesson.lanes
        )
    )
    assert (row.tool, row.tasks, row.calls) == ("get_page", 2, 10)
    assert [seen.lane for seen in row.seen] == ["as_it_is", "other_task", "prompt_mended"]

"""`halqa …` in a terminal."""

import csv
import io
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from app.cli import main
from app.paths import SCENARIOS
from app.run import library
from app.views.runs import RunJson

SLUGS = [lesson.slug for lesson in library([SCENARIOS]).lessons()]


def halqa(*words: str) -> Result:
    return CliRunner().invoke(main, words)


def test_lesson_1_prints_exactly_this() -> None:
    done = halqa("run", "1")
    assert done.exit_code == 0
    assert done.stdout == (
        'turn 1: add {"a": 2, "b": 3} -> 5\nresult: 2 + 3 is 5.\nmessages sent each turn: 1, 3\n'
    )


@pytest.mark.parametrize(
    ("words", "result", "sent"),
    [
        (("2",), "result: I could not find Omid.", "1, 3"),
        (("which-note", "--lane", "correct"), "result: todo.txt mentions Omid.", "1, 3, 5"),
        (("4",), "result: 3 Python files.", "1, 3, 5"),
        (
            ("4", "--lane", "forgot_results"),
            "result: stopped: no answer after 6 turns",
            "1, 2, 3, 4, 5, 6",
        ),
        (("4", "--lane", "forgot_results", "--checked"), "result: bad request: A40 ", "1, 2"),
        (("4", "--lane", "missing_tool_use_id"), "result: bad request: A59 ", "1, 3"),
        (
            ("4", "--lane", "missing_tool_use_id", "--unchecked"),
            "result: stopped: no answer after 6 turns",
            "1, 3, 5, 7, 9, 11",
        ),
        (
            ("5", "--lane", "swapped_ids"),
            "result: todo.txt is longer: 27 words against 13.",
            "1, 3",
        ),
    ],
)
def test_a_run_ends_as_its_lane_does(words: tuple[str, ...], result: str, sent: str) -> None:
    done = halqa("run", *words)
    assert done.exit_code == 0
    *_, last, messages = done.stdout.splitlines()
    assert last.startswith(result)
    assert messages == f"messages sent each turn: {sent}"


def test_a_line_break_in_a_result_is_written_out() -> None:
    first = halqa("run", "4").stdout.splitlines()[0]
    assert first == (
        'turn 1: list_files {"path": "."} -> Done: 3 entries\\nREADME.md\\napp/\\nhello.py'
    )


def test_json_is_the_whole_trace() -> None:
    done = halqa("run", "4", "--lane", "missing_tool_use_id", "--format", "json")
    assert done.exit_code == 0
    run = RunJson.model_validate_json(done.stdout)
    assert list(json.loads(done.stdout)) == [
        "lesson",
        "lane",
        "checked",
        "steps",
        "ending",
        "messages_sent",
    ]
    assert (run.lesson, run.lane, run.checked) == (
        "how-many-python-files",
        "missing_tool_use_id",
        True,
    )
    assert (run.ending.kind, run.ending.rules, run.ending.status) == ("refused", ["A59"], 400)
    assert run.messages_sent == [1, 3]
    assert [step.kind for step in run.steps] == (
        "start ask reply append tool append ask end".split()
    )


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("run", "nope"), f"There is no lesson 'nope'. The lessons: {', '.join(SLUGS)}."),
        (
            ("run", "4", "--lane", "x"),
            "Lesson how-many-python-files has no lane 'x'. "
            "Its lanes: correct, forgot_results, missing_tool_use_id.",
        ),
        (("serve", "--lessons", "nowhere"), "nowhere is no folder"),
        (
            (*("serve", "--host", "0.0.0.0", "--port", "0"), "--workspace", ".", "--allow-bash"),
            "set HALQA_LIVE_PASSWORD first",
        ),
    ],
)
def test_a_wrong_name_gets_a_sentence_that_lists_what_exists(
    words: tuple[str, ...], said: str
) -> None:
    done = halqa(*words)
    assert done.exit_code == 2
    assert said in done.stderr
    assert not done.stdout


def test_lessons_are_listed() -> None:
    listed = halqa("lessons").stdout
    assert all(slug in listed for slug in SLUGS)


def test_a_lesson_folder_can_be_checked(tmp_path: Path) -> None:
    assert halqa("lessons", "check", str(SCENARIOS / SLUGS[0])).exit_code == 0
    (tmp_path / "lesson.yaml").write_text("titel: x", encoding="utf-8")
    done = halqa("lessons", "check", str(tmp_path))
    assert done.exit_code == 1
    assert "line 1" in done.stderr


def test_a_lesson_of_ones_own_runs(tmp_path: Path) -> None:
    folder = tmp_path / "mine"
    folder.mkdir()
    (folder / "lesson.yaml").write_text(
        "title: Mine\ntask: Hi.\nlanes: [{loop: correct}]\nscript: [{text: Hello.}]",
        encoding="utf-8",
    )
    done = halqa("run", "mine", "--lessons", str(tmp_path))
    assert done.stdout == "result: Hello.\nmessages sent each turn: 1\n"


# --- the same bytes everywhere


def whole_run(folder: Path, lesson: str, lane: str, **environment: str) -> bytes:
    """The JSON of a run, made in a folder by a process of its own."""
    done = subprocess.run(
        [sys.executable, "-m", "app.cli", "run", lesson, "--lane", lane, "--format", "json"],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(SCENARIOS.parent), **environment},
        capture_output=True,
        check=True,
    )
    return done.stdout


@pytest.mark.parametrize(
    ("lesson", "lane"), [("4", "forgot_results"), ("5", "swapped_ids"), ("3", "correct")]
)
def test_a_run_is_the_same_bytes_in_any_folder_time_zone_and_hash_seed(
    tmp_path: Path, lesson: str, lane: str
) -> None:
    one = whole_run(tmp_path, lesson, lane, TZ="Asia/Tehran", PYTHONHASHSEED="1")
    other = whole_run(Path("/"), lesson, lane, TZ="America/Lima", PYTHONHASHSEED="2", LC_ALL="C")
    assert one == other
    assert len(one) > 1000


# --- a trace


def test_a_trace_is_a_line_for_each_call_and_one_for_all() -> None:
    done = halqa("trace", "14")
    assert done.exit_code == 0, done.stderr
    name, columns, *rows = done.stdout.splitlines()
    assert name == "lane correct"
    assert columns.split()[:5] == ["#", "turn", "tool", "arguments", "result"]
    assert [row.split()[:3] for row in rows] == [
        ["1", "1", "get_order_status"],
        ["2", "2", "get_refund_policy"],
        ["all", "in", "3"],
    ]
    assert "Done: order 48213" in rows[0]
    assert "0.12 s" in rows[0]


def test_a_trace_is_written_in_every_form() -> None:
    def printed(form: str) -> str:
        done = halqa("trace", "14", "--lane", "correct,one_round:unchecked", "--format", form)
        assert done.exit_code == 0, done.stderr
        return done.stdout

    assert {json.loads(line)["lane"] for line in printed("jsonl").splitlines()} == {
        "correct",
        "one_round",
    }
    rows = [*csv.DictReader(io.StringIO(printed("csv"), newline=""))]
    assert [(row["lane"], row["server"]) for row in rows] == [
        ("correct", "checked"),
        ("correct", "checked"),
        ("one_round", "unchecked"),
    ]
    spans = json.loads(printed("otlp"))["resourceSpans"][0]["scopeSpans"][0]["spans"]
    assert len({span["traceId"] for span in spans}) == 2


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("trace", "none"), "There is no lesson"),
        (("trace", "14", "--lane", "none"), "has no lane 'none'"),
        (("trace", "14", "--lane", "correct:often"), "has no option"),
        (("trace", "14", "--lang", "xx"), "There is no language"),
    ],
)
def test_a_trace_that_cannot_be_printed_is_told_in_a_sentence(
    words: tuple[str, ...], said: str
) -> None:
    done = halqa(*words)
    assert (done.exit_code, said in done.stderr, "Traceback" in done.stderr) == (2, True, False)

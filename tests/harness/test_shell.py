"""The tool that runs commands: what comes back, its limits, and what it can see."""

import os
import time

import pytest

from app.engine.steps import APPROVE, DENY, Undecided
from app.harness import LIVE_TOOLS, TOOLS, Harness, shell


@pytest.fixture
def run(tmp_path):
    (tmp_path / "notes.txt").write_text("buy bread\n", encoding="utf-8")
    harness = Harness(tmp_path, ("bash",), LIVE_TOOLS)

    def call(command, decision=APPROVE):
        return harness.run({"name": "bash", "input": {"command": command}}, decision)

    return call


def test_no_lesson_may_name_it():
    assert "bash" not in TOOLS
    assert LIVE_TOOLS["bash"].approval


@pytest.mark.parametrize(
    ("command", "content", "failed"),
    [
        ("cat notes.txt", "Done: exit code 0, 1 line\nbuy bread", False),
        ("true", "Done: exit code 0, no output", False),
        ("echo out; echo err >&2", "Done: exit code 0, 2 lines\nout\nerr", False),
        ("cat", "Done: exit code 0, no output", False),
        (r"printf 'a\033[31mb'", "Done: exit code 0, 1 line\na\\x1b[31mb", False),
        ("echo no; exit 3", "Error: exit code 3, 1 line\nno", True),
    ],
)
def test_a_command_says_how_it_ended_and_what_it_printed(run, command, content, failed):
    result = run(command)
    assert (result.content, result.is_error) == (content, failed)


def test_nothing_runs_before_a_person_decides(run, tmp_path):
    assert isinstance(run("touch made", ""), Undecided)
    assert run("touch made", DENY).content.startswith("Error: a person denied this call of bash")
    assert not (tmp_path / "made").exists()
    made = run("touch made")
    assert [(change.path, change.how) for change in made.changes] == [("made", "made")]


def test_a_system_without_bash_is_no_fault_of_the_models(run, monkeypatch):
    monkeypatch.setenv("PATH", "/nowhere")
    result = run("true")
    assert result.failure == "environment"
    assert result.content == "Error: bash failed: FileNotFoundError: No such file or directory"


def test_its_environment_holds_no_secret(run, monkeypatch):
    monkeypatch.setenv("ANTHROPIC_API_KEY", "sk-planted")
    monkeypatch.setenv("HALQA_LIVE_PASSWORD", "planted too")
    said = run("env; set").content
    assert "planted" not in said
    assert f"PATH={os.environ['PATH']}" in said


def test_a_command_that_takes_too_long_is_ended_with_all_that_it_started(
    run, monkeypatch, tmp_path
):
    monkeypatch.setattr(shell, "SECONDS", 0.2)
    began = time.monotonic()
    result = run("(sleep 0.6; touch late) & echo begun; sleep 60")
    assert time.monotonic() - began < 5
    assert result.is_error
    assert result.content.startswith("Error: the command was ended after 0 seconds, 1 line\nbegun")
    time.sleep(0.7)
    assert not (tmp_path / "late").exists()


def test_a_command_that_prints_without_end_is_ended(run):
    result = run("yes")
    assert result.is_error
    assert "the command was ended after 100,000 bytes of output" in result.content
    assert len(result.content) <= 2_700

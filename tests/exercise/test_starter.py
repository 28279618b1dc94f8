"""The starter: what is written, that it runs with Python alone, and what it prints."""

import filecmp
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

from app.cli import main
from app.exercise.scripts import CASES
from app.exercise.starter import CannotWrite, write_starter
from app.paths import EXERCISE, PACKAGE
from tests.exercise.loops import PLAIN, RIGHT, WRONG

LANGUAGES = ("en", "ar", "fa", "ru")
PYTHONS = sorted(
    {
        path
        for version in ("3.11", "3.12", "3.13")
        if (path := shutil.which(f"python{version}"))
        and not subprocess.run([path, "-c", ""], capture_output=True).returncode
    }
    | {sys.executable}
)
# No site-packages, no environment; and the run must not have opened a door to the network.
ALONE = """
import runpy, sys
sys.path.insert(0, '.')
sys.argv = ['exercise.py', *sys.argv[1:]]
runpy.run_path('exercise.py', run_name='__main__')
assert 'socket' not in sys.modules
"""


def play(folder: Path, *words: str, python: str = sys.executable, code: int = 0) -> list[str]:
    command = [python, "-S", "-E", "-s", "-B", "-c", ALONE, *words]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, env={})
    assert done.returncode == code, done.stderr
    return done.stdout.splitlines()


@pytest.fixture
def starter(tmp_path: Path) -> Path:
    folder = tmp_path / "mine"
    write_starter(folder)
    return folder


def fill_in(folder: Path, loop: str) -> None:
    (folder / "exercise.py").write_text(
        "import json\nfrom app.exercise.play import play\n" + loop + "\nplay(run_agent)\n",
        encoding="utf-8",
    )


def test_the_starter_holds_the_engine_as_it_is(starter: Path) -> None:
    same = filecmp.dircmp(PACKAGE / "engine", starter / "app" / "engine", ignore=["__pycache__"])
    assert (same.left_only, same.right_only, same.diff_files) == ([], [], [])
    assert {entry.name for entry in starter.iterdir()} == {
        *("app", "exercise.py"),
        *(f"README.{lang}.md" for lang in LANGUAGES),
    }
    assert not list(starter.rglob("__pycache__"))


@pytest.mark.parametrize("python", PYTHONS)
def test_a_right_loop_prints_the_lines_of_the_instructions(starter: Path, python: str) -> None:
    fill_in(starter, RIGHT["plain"])
    assert play(starter, python=python) == [
        'turn 1: add {"a": 2, "b": 3} -> 5',
        "result: 2 + 3 is 5.",
        "messages sent each turn: 1, 3",
    ]


def test_the_starter_runs_before_anything_is_written(starter: Path) -> None:
    assert play(starter) == ["result: None", "messages sent each turn: none"]


def test_each_script_can_be_played(starter: Path) -> None:
    fill_in(starter, RIGHT["plain"])
    results = {case.name: play(starter, case.name)[-2:] for case in CASES}
    assert results == {
        "one_call": ["result: 2 + 3 is 5.", "messages sent each turn: 1, 3"],
        "two_calls": [
            "result: There are 4 words, and the sum is 42.",
            "messages sent each turn: 1, 3",
        ],
        "three_turns": ["result: First 3, then 7.", "messages sent each turn: 1, 3, 5"],
        "thinking": ["result: It has 4 words.", "messages sent each turn: 1, 3"],
        "at_once": ["result: Hello, world.", "messages sent each turn: 1"],
        "cut_off": ["result: stopped: max_tokens", "messages sent each turn: 1"],
        "refusal": ["result: stopped: refusal", "messages sent each turn: 1"],
        "unknown_reason": ["result: stopped: power_nap", "messages sent each turn: 1"],
        "never_stops": [
            "result: stopped: no answer after 4 turns",
            "messages sent each turn: 1, 3, 5, 7",
        ],
        "last_turn": ["result: It is 15.", "messages sent each turn: 1, 3"],
        "failing_tool": ["result: 2 + three is 5.", "messages sent each turn: 1, 3, 5"],
        "empty_result": [
            "result: Two empty texts make an empty text.",
            "messages sent each turn: 1, 3",
        ],
    }


def test_a_wrong_request_ends_the_run_with_its_rule(starter: Path) -> None:
    fill_in(starter, RIGHT["plain"].replace('"tool_use_id": block["id"], ', ""))
    lines = play(starter)
    assert re.match(r"bad request: A59 messages\.2\.content\.0\S*: ", lines[-2])
    assert lines[-1] == "messages sent each turn: 1, 3"


def test_an_unknown_script_lists_those_there_are(starter: Path) -> None:
    lines = play(starter, "nonsense", code=2)
    assert [line.split()[0] for line in lines[1:]] == [case.name for case in CASES]


@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_instructions_hold_the_same_facts_in_each_language(lang: str) -> None:
    text = (EXERCISE / f"README.{lang}.md").read_text(encoding="utf-8")
    code = re.compile(r"`[^`\n]+`|^turn 1:.*|^result:.*|^messages sent.*", re.MULTILINE)
    english = (EXERCISE / "README.en.md").read_text(encoding="utf-8")
    wanted = set(code.findall(english))
    assert wanted <= set(code.findall(text))
    assert len(re.findall(r"^#+ ", text, re.MULTILINE)) == len(re.findall(r"^#+ ", english, re.M))


def test_the_command_writes_it_and_says_what_to_do(tmp_path: Path) -> None:
    done = CliRunner().invoke(main, ["exercise", str(tmp_path / "a" / "new")])
    assert done.exit_code == 0
    assert "fill in run_agent in exercise.py" in done.stdout
    assert (tmp_path / "a" / "new" / "exercise.py").is_file()
    persian = CliRunner().invoke(main, ["exercise", str(tmp_path / "fa"), "--lang", "fa"])
    assert "فایل README.fa.md را بخوانید" in persian.stdout


def test_nothing_is_overwritten(tmp_path: Path) -> None:
    kept = tmp_path / "notes.txt"
    kept.write_text("mine")
    done = CliRunner().invoke(main, ["exercise", str(tmp_path)])
    assert done.exit_code == 2
    assert done.stderr == f"{tmp_path} is not empty; name a new folder, or an empty one.\n"
    assert [entry.name for entry in tmp_path.iterdir()] == ["notes.txt"]
    with pytest.raises(CannotWrite, match="is a file"):
        write_starter(kept)
    assert kept.read_text() == "mine"


def test_the_loops_of_these_tests_are_loops() -> None:
    assert PLAIN.count("run_tool(block)") == 1
    assert len(RIGHT) >= 5
    assert len(WRONG) >= 20

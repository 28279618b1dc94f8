"""Tests and builds: what is said first, what of a long output, and that no code is run."""

import json

import pytest

from app.harness import Form, Handling, Harness

TESTS = [
    {"test": "the total is right", "file": "bill.txt", "has": "total 50"},
    {"test": "no draft is left", "file": "bill.txt", "lacks": "TODO"},
]
LOG = "".join(f"[{n}/400] part{n}.c\n" for n in range(1, 401))
BROKEN = LOG.replace("[77/400] part77.c\n", "part77.c:12: error: no such name: totl\n") + "exit 2\n"


def run(folder, name, form=None):
    harness = Harness(folder, (name,), handling=Handling(form=form or Form()))
    return harness.run({"name": name, "input": {}})


@pytest.mark.parametrize(
    ("bill", "content", "is_error"),
    [
        ("total 50", "Done: 2 tests passed", False),
        (
            "total 48 TODO",
            "Error: 2 of 2 tests failed\nFAILED the total is right: bill.txt must hold: total 50\n"
            "FAILED no draft is left: bill.txt must not hold: TODO",
            True,
        ),
    ],
)
def test_tests_say_first_how_many_failed_and_then_why(tmp_path, bill, content, is_error):
    (tmp_path / "bill.txt").write_text(bill, encoding="utf-8")
    (tmp_path / "tests.json").write_text(json.dumps(TESTS), encoding="utf-8")
    result = run(tmp_path, "run_tests")
    assert (result.content, result.is_error) == (content, is_error)


@pytest.mark.parametrize(
    ("tests", "said"),
    [
        ("{}", "tests.json must be a list of tests, each with test, file and has"),
        ('[{"test": "a", "file": "../x"}]', "1 of 1 tests failed\nFAILED a: "),
        (None, 'there is no "tests.json"; the workspace is empty'),
    ],
)
def test_tests_that_cannot_be_run_say_why(tmp_path, tests, said):
    if tests is not None:
        (tmp_path / "tests.json").write_text(tests, encoding="utf-8")
    result = run(tmp_path, "run_tests")
    assert result.is_error
    assert result.content.startswith(f"Error: {said}")


MATTERS = "part77.c:12: error: no such name: totl"
OUTPUT = BROKEN.removesuffix("\nexit 2\n")


@pytest.mark.parametrize(
    ("form", "content"),
    [
        (
            Form(),
            f"Error: the build failed with exit code 2\n{MATTERS}\n"
            "… 399 lines that matter less left out",
        ),
        (Form(look="raw", ceiling=100_000), OUTPUT),
        (Form(look="raw", lines=2, announced=False), "[1/400] part1.c\n[2/400] part2.c"),
        (
            Form(look="raw", lines=2),
            f"[1/400] part1.c\n[2/400] part2.c\n… {len(OUTPUT) - 31:,} characters left out",
        ),
    ],
)
def test_of_a_long_output_the_lines_that_matter_are_told(tmp_path, form, content):
    (tmp_path / "build.log").write_text(BROKEN, encoding="utf-8")
    result = run(tmp_path, "run_build", form)
    assert (result.content, result.is_error) == (content, True)


def test_a_build_without_output_says_that_it_is_finished(tmp_path):
    (tmp_path / "build.log").write_text("exit 0\n", encoding="utf-8")
    assert run(tmp_path, "run_build").content == "Done: the build is finished"
    assert run(tmp_path, "run_build", Form(look="raw")).content == ""
    said = run(tmp_path, "run_build", Form(look="json")).content
    assert json.loads(said)["ok"] is True

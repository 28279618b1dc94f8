"""The checks before a call: which one fails, and what the model is told."""

from concurrent.futures import ThreadPoolExecutor
from typing import Annotated

import pytest
from pydantic import Field

from app.engine.steps import Check
from app.harness import TOOLS, Harness
from app.harness.checks import EXISTS, GIVEN, INSIDE, PARAMETERS
from app.harness.schemas import Tool

OFFER = "this agent has list_files, read_file"
READ_TAKES = (
    "read_file takes path (string), start_line (integer, 1 if left out), "
    "end_line (integer, null if left out)."
)
ADD_TAKES = "add takes a (integer), b (integer)."
LIST_TAKES = 'list_files takes path (string, "." if left out).'

NO_TOOL = [
    ({"name": "read_fil", "input": {}}, f'there is no tool "read_fil"; {OFFER}'),
    ({"name": "", "input": {}}, f'there is no tool ""; {OFFER}'),
    ({"name": "read\nfile", "input": {}}, f'there is no tool "read\\nfile"; {OFFER}'),
    ({"name": None, "input": {}}, f"the call names no tool; {OFFER}"),
    ({"name": ["add"], "input": {}}, f"the call names no tool; {OFFER}"),
    ({"input": {}}, f"the call names no tool; {OFFER}"),
    ({}, f"the call names no tool; {OFFER}"),
    ("read_file", f"the call names no tool; {OFFER}"),
    (None, f"the call names no tool; {OFFER}"),
]

WRONG_PARAMETERS = [
    ("read_file", {}, f"path is missing. {READ_TAKES}"),
    ("read_file", {"path": 5}, f"path must be a string, not a number. {READ_TAKES}"),
    ("read_file", {"path": None}, f"path must be a string, not null. {READ_TAKES}"),
    ("read_file", {"path": ["a"]}, f"path must be a string, not an array. {READ_TAKES}"),
    ("read_file", {"path": {"a": 1}}, f"path must be a string, not an object. {READ_TAKES}"),
    (
        "read_file",
        {"pth": "notes.txt"},
        f'path is missing; "pth" is not a parameter of read_file. {READ_TAKES}',
    ),
    (
        "list_files",
        {"workspace": "/"},
        f'"workspace" is not a parameter of list_files. {LIST_TAKES}',
    ),
    ("read_file", [], f"input must be an object, not an array. {READ_TAKES}"),
    ("read_file", "{}", f'input must be an object, not the string "{{}}". {READ_TAKES}'),
    ("read_file", None, f"input must be an object, not null. {READ_TAKES}"),
    # A tool that was not given has its parameters checked first all the same.
    ("add", {"a": 2, "b": "3"}, f'b must be an integer, not the string "3". {ADD_TAKES}'),
    ("add", {"a": 2, "b": 3.5}, f"b must be an integer, not the number 3.5. {ADD_TAKES}"),
    ("add", {"a": 2, "b": True}, f"b must be an integer, not true. {ADD_TAKES}"),
    ("add", {"a": 2, "b": 3, "c": 4}, f'"c" is not a parameter of add. {ADD_TAKES}'),
    ("add", {}, f"a is missing; b is missing. {ADD_TAKES}"),
    (
        "search_text",
        {"text": ""},
        '"text": String should have at least 1 character. '
        'search_text takes text (string), path (string, "." if left out).',
    ),
]

NOT_GIVEN = [
    ("add", {"a": 2, "b": 3}, f"add was not given to this agent; {OFFER}"),
    ("word_count", {"path": "../x"}, f"word_count was not given to this agent; {OFFER}"),
]

OUTSIDE = [
    *[
        ("read_file", {"path": path}, f'"{path}" leads out of the workspace; give a path inside it')
        for path in ("..", "../secret.txt", "app/../../secret.txt", "out.txt", "out/secret.txt")
    ],
    ("list_files", {"path": "out"}, '"out" leads out of the workspace; give a path inside it'),
    *[
        (
            "read_file",
            {"path": path},
            f'"{path}" is an absolute path; give one inside the workspace',
        )
        for path in ("/", "/etc/passwd", "//notes.txt")
    ],
    ("read_file", {"path": "a\0b"}, '"a\\x00b" is not a usable path'),
]


@pytest.fixture
def harness(workspace):
    return Harness(workspace, ("list_files", "read_file"))


def outcome(result):
    return [(check.name, check.passed) for check in result.checks]


@pytest.mark.parametrize(("call", "said"), NO_TOOL)
def test_a_tool_that_does_not_exist_is_answered_with_those_that_do(harness, call, said):
    result = harness.run(call)
    assert (result.content, result.is_error) == (f"Error: {said}", True)
    assert result.checks == (Check("exists", False, said),)


@pytest.mark.parametrize(("name", "given", "said"), WRONG_PARAMETERS)
def test_wrong_parameters_are_named_with_what_would_be_right(harness, name, given, said):
    result = harness.run({"name": name, "input": given})
    assert (result.content, result.is_error) == (f"Error: {said}", True)
    assert result.checks == (Check("exists", True, EXISTS), Check("parameters", False, said))


def test_a_call_without_input_is_told_what_the_tool_takes(harness):
    result = harness.run({"name": "list_files"})
    assert result.content == f"Error: the call has no input. {LIST_TAKES}"
    assert outcome(result) == [("exists", True), ("parameters", False)]


@pytest.mark.parametrize(("name", "given", "said"), NOT_GIVEN)
def test_a_tool_that_was_not_given_is_refused_with_those_that_were(harness, name, given, said):
    result = harness.run({"name": name, "input": given})
    assert (result.content, result.is_error) == (f"Error: {said}", True)
    assert result.checks == (
        Check("exists", True, EXISTS),
        Check("parameters", True, PARAMETERS),
        Check("given", False, said),
    )


@pytest.mark.parametrize(("name", "given", "said"), OUTSIDE)
def test_a_path_that_leads_out_is_refused_with_the_reason(harness, name, given, said):
    result = harness.run({"name": name, "input": given})
    assert (result.content, result.is_error) == (f"Error: {said}", True)
    assert result.checks == (
        Check("exists", True, EXISTS),
        Check("parameters", True, PARAMETERS),
        Check("given", True, GIVEN),
        Check("inside", False, said),
    )


@pytest.mark.parametrize("path", ["loop/../out.txt", "x/../loop/../out.txt", "loop/../out/x"])
def test_a_loop_of_symlinks_hides_no_way_out(harness, path):
    # Some versions of Python stop resolving at the loop and leave the link behind it in the path.
    result = harness.run({"name": "read_file", "input": {"path": path}})
    assert outcome(result)[-2:] == [("given", True), ("inside", False)]
    assert result.content.startswith(f'Error: "{path}" ')


def test_checks_that_pass_say_what_was_checked(run):
    assert [check.said for check in run("add", a=2, b=3).checks] == [EXISTS, PARAMETERS, GIVEN]
    assert [check.said for check in run("list_files").checks[2:]] == [GIVEN, INSIDE]


def test_an_agent_without_tools_is_told_so(workspace):
    result = Harness(workspace, ()).run({"name": "ad", "input": {}})
    assert result.content == 'Error: there is no tool "ad"; this agent has no tools'


def test_offering_an_unknown_tool_is_an_error_that_lists_the_known_ones(workspace):
    with pytest.raises(
        ValueError, match='no tool "fly"; there are list_files, read_file, search_t'
    ):
        Harness(workspace, ("add", "fly"))


def test_a_workspace_that_is_a_symlink_itself_is_fine(workspace, tmp_path):
    (tmp_path / "link").symlink_to(workspace)
    harness = Harness(tmp_path / "link", ("read_file",))
    read = harness.run({"name": "read_file", "input": {"path": "README.md"}})
    assert read.content == "Done: README.md, 1 line\n# Notes"
    outside = harness.run({"name": "read_file", "input": {"path": "../secret.txt"}})
    assert outcome(outside)[-1] == ("inside", False)


def test_of_many_wrong_parameters_the_first_are_named(run):
    result = run("add", a=1, b=2, **{f"p{n}": 0 for n in range(1_000)})
    assert '"p4" is not a parameter of add; 995 more are wrong. add takes' in result.content
    assert '"p5"' not in result.content


@pytest.mark.parametrize(
    ("problem", "said"),
    [
        (KeyError("price"), "Error: broken failed: KeyError: 'price'"),
        (ValueError("a\nb"), "Error: broken failed: ValueError: a\\nb"),
        (RuntimeError(), "Error: broken failed: RuntimeError"),
        (PermissionError(13, "Permission denied", "/srv/x"), "Error: broken failed: "
         "PermissionError: Permission denied"),
        (ValueError("x" * 1_000), f"Error: broken failed: ValueError: {'x' * 188}… "
         "(812 more characters)"),
    ],
)  # fmt: skip
def test_an_exception_in_a_tool_becomes_an_error_of_one_line(workspace, problem, said):
    def broken(cause: Annotated[str, Field(description="Nothing.")] = "") -> str:
        """Fail."""
        raise problem

    harness = Harness(workspace, ("broken",), {"broken": Tool.of(broken)})
    result = harness.run({"name": "broken", "input": {}})
    assert (result.content, result.is_error) == (said, True)
    assert all(check.passed for check in result.checks)


def test_a_sum_too_long_to_write_is_an_error_not_a_crash(run):
    result = run("add", a=10**5_000, b=1)
    assert result.is_error
    assert result.content.startswith("Error: add failed: ValueError: ")


def test_a_harness_is_shared_by_runs_at_the_same_time(run):
    with ThreadPoolExecutor(8) as threads:
        sums = list(threads.map(lambda n: run("add", a=n, b=1).content, range(200)))
    assert sums == [str(n + 1) for n in range(200)]


def test_a_changed_copy_of_the_schemas_changes_nothing(harness):
    harness.schemas[0]["input_schema"]["properties"].clear()
    assert harness.schemas[0] == TOOLS["list_files"].schema
    assert "path" in harness.schemas[0]["input_schema"]["properties"]

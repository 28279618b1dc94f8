"""The rules of one agent, each against its absence: what runs, and what the model is told."""

from typing import Annotated

import pytest
from pydantic import Field

from app.engine.steps import APPROVE, DENY, Undecided
from app.harness import TOOLS, Harness, Offer, Policy
from app.harness.schemas import IN_WORKSPACE, Tool
from app.harness.workspace import Workspace

GIVEN = ("list_files", "read_file", "note")


def note(
    workspace: Workspace,
    path: Annotated[str, IN_WORKSPACE, Field(description="A file.")],
    text: Annotated[str, Field(description="What to write.")] = "",
) -> str:
    """Write a text."""
    return f"wrote {workspace.place(path).name}"


REGISTRY = {**TOOLS, "note": Tool.of(note, writes=True)}


@pytest.fixture
def agent(workspace):
    def made(**rules):
        return Harness(workspace, GIVEN, REGISTRY, policy=Policy(**rules))

    return made


def call(tool, **given):
    return {"type": "tool_use", "id": "toolu_1", "name": tool, "input": given}


def without(check):
    return {"unchecked": frozenset([check])}


def test_a_call_that_writes_passes_every_check(agent):
    result = agent().run(call("note", path="a.txt"))
    assert result.content == "wrote a.txt"
    assert [(one.name, one.passed, one.made) for one in result.checks] == [
        (name, True, True) for name in ("exists", "parameters", "given", "writes", "inside")
    ]


def test_without_the_check_an_unknown_tool_breaks_the_loop(agent):
    with pytest.raises(KeyError, match="find_text"):
        agent(**without("exists")).run(call("find_text", text="a"))


@pytest.mark.parametrize(
    ("given", "content"),
    [
        ({"a": "2", "b": "3"}, "23"),
        ({"a": 2}, "Error: add failed: TypeError: add() missing 1 required positional argument"),
        ({"a": 2, "b": 3, "c": 4}, "Error: add failed: TypeError: add() got an unexpected keyword"),
    ],
)
def test_unchecked_parameters_reach_the_function_as_they_are(workspace, given, content):
    harness = Harness(workspace, ("add",), policy=Policy(**without("parameters")))
    result = harness.run(call("add", **given))
    assert result.content.startswith(content)
    assert [one.made for one in result.checks] == [True, False, True]


def test_unchecked_parameters_cannot_name_another_workspace(agent):
    result = agent(**without("parameters")).run(call("list_files", workspace="/", path="app/empty"))
    assert result.content == "Done: 0 entries (the folder is empty)"


@pytest.mark.parametrize("path", ["../secret.txt", "out.txt", "/etc/passwd", 5, None])
def test_unchecked_parameters_do_not_open_the_workspace(agent, path):
    result = agent(**without("parameters")).run(call("read_file", path=path))
    assert result.content.startswith("Error: ")
    assert "secret outside" not in result.content


def test_without_the_check_a_tool_that_was_not_given_runs(agent):
    sum_ = call("add", a=2, b=3)
    assert agent().run(sum_).content.startswith("Error: add was not given to this agent; ")
    assert agent(**without("given")).run(sum_).content == "5"


def test_a_read_only_agent_is_told_what_it_may_call(agent):
    result = agent(read_only=True).run(call("note", path="a.txt"))
    assert result.content == (
        "Error: note writes, and this agent may only read; this agent has list_files, read_file"
    )
    assert [(one.name, one.passed) for one in result.checks][-1] == ("writes", False)


@pytest.mark.parametrize(
    ("rules", "path", "content"),
    [
        ({}, "main.py", "Done: main.py, 1 line\nprint('bread')"),
        ({}, "../notes.txt", 'Error: "../notes.txt" leads out of the workspace; give a path'),
        (without("inside"), "../README.md", "Done: ../README.md, 1 line\n# Notes"),
        # What surrounds the whole workspace is out of reach, whatever a lesson switches off.
        (without("inside"), "../../secret.txt", 'Error: "../../secret.txt" leads out of the'),
        (without("inside"), "../out.txt", 'Error: "../out.txt" leads out of the workspace'),
        (without("inside"), "/etc/passwd", 'Error: "/etc/passwd" is an absolute path'),
    ],
)
def test_an_agent_stays_in_its_own_folder(agent, rules, path, content):
    result = agent(folder="app", **rules).run(call("read_file", path=path))
    assert result.content.startswith(content)


def test_a_person_is_asked_after_all_other_checks(agent):
    harness = agent(approve=("note",))
    waits = harness.run(call("note", path="a.txt"))
    assert isinstance(waits, Undecided)
    assert [one.name for one in waits.checks][-1] == "inside"
    assert harness.run(call("note", path="../a.txt")).is_error
    assert harness.run(call("read_file", path="README.md")).content.startswith("Done: ")


def test_what_a_person_decides_is_the_last_check(agent):
    harness = agent(approve=("note",))
    approved = harness.run(call("note", path="a.txt"), APPROVE)
    denied = harness.run(call("note", path="a.txt"), DENY)
    assert (approved.content, approved.checks[-1].passed) == ("wrote a.txt", True)
    assert denied.content == (
        "Error: a person denied this call of note, and it was not run; without asking, this agent "
        "may call list_files, read_file"
    )
    assert (denied.checks[-1].name, denied.checks[-1].passed) == ("approved", False)


def test_a_tool_may_ask_by_itself(workspace):
    registry = {"note": Tool.of(note, writes=True, approval=True)}
    harness = Harness(workspace, ("note",), registry)
    assert isinstance(harness.run(call("note", path="a.txt")), Undecided)
    denied = harness.run(call("note", path="a.txt"), DENY)
    assert denied.content.endswith("and it was not run; ask the person")


ASKED = {"role": "user", "content": "Go."}
CALLED = {"role": "assistant", "content": [call("read_file", path="README.md")]}
ANSWERED = {
    "role": "user",
    "content": [{"type": "tool_result", "tool_use_id": "toolu_1", "content": "# Notes"}],
}


@pytest.mark.parametrize(
    ("rules", "messages", "offered"),
    [
        ({}, [ASKED], GIVEN),
        ({"after": {"note": "read_file"}}, [ASKED], ("list_files", "read_file")),
        ({"after": {"note": "read_file"}}, [ASKED, CALLED], ("list_files", "read_file")),
        ({"after": {"note": "read_file"}}, [ASKED, CALLED, ANSWERED], GIVEN),
        ({"until": {"list_files": "read_file"}}, [ASKED], GIVEN),
        ({"until": {"list_files": "read_file"}}, [ASKED, CALLED, ANSWERED], ("read_file", "note")),
        ({"after": {"note": "read_file"}}, "no list", ("list_files", "read_file")),
        ({"after": {"note": "read_file"}}, [5, {"content": [None]}], ("list_files", "read_file")),
    ],
)
def test_what_is_offered_depends_on_the_messages(agent, rules, messages, offered):
    assert agent(**rules).offered(messages) == offered


GONE = {"until": {"list_files": "read_file"}}
SAID = {"role": "system", "content": "From here on, list_files may not be called."}


@pytest.mark.parametrize(
    ("narrows", "listed", "notes"),
    [
        ("list", ("read_file", "note"), []),
        ("calls", GIVEN, []),
        ("message", GIVEN, [SAID]),
        (
            "removal",
            GIVEN,
            [
                {
                    "role": "system",
                    "content": [
                        {
                            "type": "tool_removal",
                            "tool": {"type": "tool_reference", "name": "list_files"},
                        }
                    ],
                }
            ],
        ),
    ],
)
def test_the_model_learns_once_and_in_one_way_of_a_tool_that_is_taken_away(
    agent, narrows, listed, notes
):
    harness = agent(**GONE, narrows=narrows)
    assert harness.notes([ASKED]) == []
    history = [ASKED, CALLED, ANSWERED]
    assert (harness.listed(history), harness.notes(history)) == (listed, notes)
    assert harness.notes([*history, *notes]) == []
    assert harness.offered(history) == ("read_file", "note")
    refused = harness.run(call("list_files"), offered=harness.offered(history))
    assert refused.content.endswith("now; this agent has read_file, note")


def test_what_is_not_offered_now_does_not_run(agent):
    offer = Offer(agent(after={"note": "read_file"}))
    assert [schema["name"] for schema in offer.schemas([ASKED])] == ["list_files", "read_file"]
    early = offer.run(call("note", path="a.txt"))
    assert early.content == ("Error: note is not offered now; this agent has list_files, read_file")
    offer.schemas([ASKED, CALLED, ANSWERED])
    assert offer.run(call("note", path="a.txt")).content == "wrote a.txt"

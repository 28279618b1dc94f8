"""What the model is told about the tools: the form that the Messages API takes."""

import re
from typing import Annotated

import pytest
from pydantic import Field

from app.harness import TOOLS, Harness
from app.harness.schemas import IN_WORKSPACE, Tool
from app.harness.workspace import Workspace

NAMES = (
    *("list_files", "read_file", "search_text", "add", "word_count"),
    *("get_order_status", "get_refund_policy", "today", "get_page", "open_page"),
    "job_status",
    "find_jobs",
    *("find_file", "look_up", "search", "search_files"),
    *("run_tests", "run_build"),
)
WRITING = {  # whether a repeated call does no more, and by which key
    "write_file": (True, ""),
    "append_line": (False, ""),
    "add_entry": (False, "key"),
    "replace_text": (False, ""),
    "delete_file": (False, ""),
    "charge": (False, ""),
    "charge_account": (False, ""),
    "post_charge": (False, ""),
    "ship_order": (False, ""),
}


def test_there_are_tools_that_read_and_tools_that_write():
    assert tuple(TOOLS) == (*NAMES, *WRITING, "ask_helper")
    assert [name for name, tool in TOOLS.items() if tool.writes] == [*WRITING]
    assert {name: (TOOLS[name].idempotent, TOOLS[name].key) for name in WRITING} == WRITING


@pytest.mark.parametrize("name", [*NAMES, *WRITING])
def test_a_schema_is_what_the_api_takes(name):
    schema = TOOLS[name].schema
    assert list(schema) == ["name", "description", "input_schema"]
    assert re.fullmatch(r"[a-zA-Z0-9_-]{1,128}", schema["name"])
    assert schema["description"].endswith(".")
    assert "\n" not in schema["description"]
    form = schema["input_schema"]
    assert list(form) == ["type", "properties", "required", "additionalProperties"]
    assert form["type"] == "object"
    assert form["additionalProperties"] is False
    for field in form["properties"].values():
        assert field["type"] in ("string", "integer", "boolean", "object")
        assert field["description"].endswith(".")
        assert "title" not in field
    assert form["required"] == [n for n, f in form["properties"].items() if "default" not in f]


def test_a_schema_comes_from_the_function():
    def greet(
        workspace: Workspace,
        title: Annotated[str, Field(description="Mr or Ms.")],
        file: Annotated[str, IN_WORKSPACE, Field(description="A file.")] = "a.txt",
    ) -> str:
        """Greet somebody,
        politely."""
        return title

    tool = Tool.of(greet)
    assert tool.schema == {
        "name": "greet",
        "description": "Greet somebody, politely.",
        "input_schema": {
            "type": "object",
            "properties": {
                "title": {"type": "string", "description": "Mr or Ms."},
                "file": {"type": "string", "description": "A file.", "default": "a.txt"},
            },
            "required": ["title"],
            "additionalProperties": False,
        },
    }
    assert (tool.name, tool.paths, tool.needs_workspace) == ("greet", ("file",), True)
    assert tool.usage == 'greet takes title (string), file (string, "a.txt" if left out)'


def test_a_function_without_parameters_is_a_tool_too(tmp_path):
    def today() -> str:
        """Tell the day."""
        return "Monday"

    harness = Harness(tmp_path, ("today",), {"today": Tool.of(today)})
    assert harness.schemas[0]["input_schema"] == {
        "type": "object",
        "properties": {},
        "required": [],
        "additionalProperties": False,
    }
    assert harness.run({"name": "today", "input": {}}).content == "Monday"
    wrong = harness.run({"name": "today", "input": {"zone": "UTC"}})
    assert wrong.content == (
        'Error: "zone" is not a parameter of today. today takes no parameters.'
    )


def test_only_the_offered_tools_are_shown_in_their_order(tmp_path):
    harness = Harness(tmp_path, ("word_count", "add"))
    assert [schema["name"] for schema in harness.schemas] == ["word_count", "add"]


def append(line: str, once: str = "") -> str:
    """Append a line."""
    return line


@pytest.mark.parametrize(
    ("declared", "writes", "idempotent", "repeatable"),
    [
        ({}, False, True, True),
        ({"writes": True}, True, False, False),
        ({"writes": True, "idempotent": True}, True, True, True),
        ({"writes": True, "key": "once"}, True, False, True),
        ({"idempotent": False}, False, False, False),
    ],
)
def test_a_tool_declares_what_a_repeated_call_does(declared, writes, idempotent, repeatable):
    tool = Tool.of(append, **declared)
    assert (tool.writes, tool.idempotent, tool.repeatable) == (writes, idempotent, repeatable)


def test_a_tool_declares_that_a_person_must_approve():
    assert Tool.of(append, approval=True).approval
    assert not any(tool.approval for tool in TOOLS.values())


def test_a_key_is_a_parameter():
    with pytest.raises(ValueError, match="append has no parameter 'token' to be its key"):
        Tool.of(append, writes=True, key="token")

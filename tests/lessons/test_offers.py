"""Which tools are offered may change each turn, and what a model that signs its thinking says."""

from pathlib import Path

import pytest

from app.run import library, trace_of

LESSON = """\
title: Offered as needed
task: Write 5 into notes.txt.
model: claude-fable-5-2
tools: [read_file, write_file]
request: {thinking: {type: adaptive}}
max_tokens: 4000
lanes:
  - {loop: correct, name: all}
  - {loop: correct, name: after, harness: {after: {write_file: read_file}}}
  - {loop: correct, name: until, harness: {until: {read_file: read_file}}}
  - {loop: correct, name: early, harness: {after: {write_file: list_files}}}
script:
  - thinking: First I read.
    calls: [{as: notes, tool: read_file, input: {path: notes.txt}}]
  - calls: [{as: wrote, tool: write_file, input: {path: notes.txt, text: "5"}, unoffered: true}]
  - text: It is over.
"""


@pytest.fixture(scope="module")
def lesson(tmp_path_factory: pytest.TempPathFactory):
    top: Path = tmp_path_factory.mktemp("lessons")
    (top / "offers" / "workspace").mkdir(parents=True)
    (top / "offers" / "lesson.yaml").write_text(LESSON, encoding="utf-8")
    (top / "offers" / "workspace" / "notes.txt").write_text("3\n", encoding="utf-8")
    return library([top]).find("offers")


@pytest.mark.parametrize(
    ("lane", "checked", "offered", "rules"),
    [
        ("all", True, ["read_file write_file"] * 3, []),
        # A tool that comes, or one that goes, changes what the thinking was signed over.
        ("after", True, ["read_file", "read_file write_file"], ["A66"]),
        ("until", True, ["read_file write_file", "write_file"], ["A66"]),
        ("after", False, ["read_file", "read_file write_file", "read_file write_file"], []),
        ("until", False, ["read_file write_file", "write_file", "write_file"], []),
    ],
)
def test_each_request_offers_what_its_messages_call_for(lesson, lane, checked, offered, rules):
    trace = trace_of(lesson, lane, checked, "en")
    names = [" ".join(tool["name"] for tool in ask.envelope["tools"]) for ask in trace.asks]
    assert (names, trace.ending.rules) == (offered, rules)


def test_a_tool_that_is_not_offered_now_does_not_run(lesson):
    trace = trace_of(lesson, "early", False, "en")
    (early,) = [s for s in trace.steps if s.kind == "tool" and s.call["name"] == "write_file"]
    assert early.result.content == (
        "Error: write_file is not offered now; this agent has read_file"
    )
    assert early.result.failure == "refusal"

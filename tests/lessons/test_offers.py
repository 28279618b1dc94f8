"""Which tools are offered may change each turn, and what a model that signs its thinking says."""

import gettext
from pathlib import Path

import pytest

from app.engine.dialects.parts import tools_of
from app.run import library, trace_of
from app.source import loops
from app.views.fates import fates_of
from app.views.sentences import sentence
from app.views.texts import Words

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


IN_ALL_FORMS = """\
title: Offered as needed
task: What do the notes say?
tools: [list_files, read_file, today]
harness: {after: {read_file: list_files}, until: {today: list_files}}
lanes:
  - {loop: correct, name: messages}
  - {loop: chat, name: tools}
  - {loop: one_function, name: functions, functions: true}
script:
  - calls: [{as: files, tool: list_files}]
  - calls: [{as: notes, tool: read_file, input: {path: notes.txt}}]
  - text: They say 3.
"""


@pytest.mark.parametrize("lane", ["messages", "tools", "functions"])
def test_tools_come_and_go_in_every_form_and_the_page_says_so(lane: str, tmp_path: Path) -> None:
    (tmp_path / "forms" / "workspace").mkdir(parents=True)
    (tmp_path / "forms" / "lesson.yaml").write_text(IN_ALL_FORMS, encoding="utf-8")
    (tmp_path / "forms" / "workspace" / "notes.txt").write_text("3\n", encoding="utf-8")
    lesson = library([tmp_path]).find("forms")
    trace = trace_of(lesson, lane, True, "en")
    offered = [" ".join(tool["name"] for tool in tools_of(ask.envelope)) for ask in trace.asks]
    assert offered == ["list_files today", *["list_files read_file"] * 2]
    assert trace.ending.text == "They say 3."
    second = next(n for n, step in enumerate(trace.steps) if step.turn == 2)
    words = Words(gettext.NullTranslations())
    said = sentence(trace, second, loops()[lesson.lane(lane).loop], fates_of(trace), words).why
    come, gone = "<code>read_file</code>", "<code>today</code>"
    assert f"From now on it offers {come}. It offers {gone} no longer." in said

"""What every loop does with every lesson: messages sent each turn, and how it ends.

A row holds a loop: first on a server that checks requests, then on one that does not. "1 3" are
the messages of each request; "n", "2n-1" and "1..." stand for as many turns as the cap allows.
"""

import importlib.util
import json
import re
from dataclasses import replace
from pathlib import Path
from types import ModuleType

import pytest
from ruamel.yaml import YAML

from app import loops as package
from app import run
from app.compare import compare
from app.engine import record as recorder
from app.engine.dialects.parts import read_reply
from app.engine.steps import Ask, Reply, Tool
from app.lessons import Lesson
from app.lessons.spec import Condition, SaidReply
from app.loops import names
from app.paths import SCENARIOS
from app.run import library, run_lane, trace_of, workspace_of
from app.source import loops

LESSONS = {lesson.slug: lesson for lesson in library([SCENARIOS]).lessons()}

# What no server refuses is the same on both, and what is never answered ends at the cap.
COMMON = {
    "forgot_results": ("1 2: refused A40 A13", "n: no_answer"),
    "forgot_round": ("1...: no_answer", "1...: no_answer"),
    "forgot_assistant": ("1 2: refused A49", "n: no_answer"),
    "missing_tool_use_id": ("1 3: refused A59", "2n-1: no_answer"),
    "text_only": ("1 3: refused A49", "2n-1: no_answer"),
}


UNCAPPED = ("while_true",)  # Halqa's own limit ends them


def both(row: str) -> tuple[str, str]:
    return row, row


TABLE = {
    "two-and-three": {
        **COMMON,
        "correct": both("1 3: answer"),
        "every_stop_reason": both("1 3: answer"),
        "one_round": both("1 3: answer"),
        "split_results": both("1 3: answer"),
        "swapped_ids": both("1 3: answer"),  # there is only one call to answer
        "text_only": ("1 3: refused A21", "2n-1: no_answer"),  # the reply has no text to keep
    },
    "which-note": {
        **COMMON,
        "correct": both("1 3 5: answer"),
        "every_stop_reason": both("1 3 5: answer"),
        "one_round": both("1 3: wrong"),
        "three_rounds": both("1 3 5: answer"),
        "split_results": both("1 3 5: answer"),
        "swapped_ids": both("1 3 5: answer"),
    },
    "look-then-read": {
        **COMMON,
        "correct": both("1 3 5: answer"),
        "every_stop_reason": both("1 3 5: answer"),
        "one_round": both("1 3: cut"),  # no reply is written for an agent without tools
        "split_results": both("1 3 5: answer"),
        "swapped_ids": both("1 3 5: answer"),
    },
    "how-many-python-files": {
        **COMMON,
        "correct": both("1 3 5: answer"),
        "every_stop_reason": both("1 3 5: answer"),
        "one_round": both("1 3: cut"),
        "split_results": both("1 3 5: answer"),
        "swapped_ids": both("1 3 5: answer"),
    },
    "lose-the-thread": {
        **COMMON,
        "correct": both("1 3: answer"),
        "every_stop_reason": both("1 3: answer"),
        "one_round": both("1 3: answer"),
        "split_results": both("1 4: answer"),
        "swapped_ids": both("1 3: wrong"),
        "forgot_assistant": ("1 2: refused A49 A49", "n: no_answer"),
        "missing_tool_use_id": ("1 3: refused A59 A59", "2n-1: no_answer"),
        "text_only": ("1 3: refused A49 A49", "2n-1: no_answer"),
    },
    "done-or-asking": {
        "correct": both("1 3: answer"),
        "reads_first_block": both("1 3: error"),
        "drops_thinking": both("1 3: answer"),
        "edits_thinking": ("1 3: refused A62", "1 3: answer"),
        "one_round": both("1 3: answer"),  # on another model its narrower tools are refused: below
    },
    "cut-off": {
        "correct": both("1: stopped"),
        "runs_cut_call": both("1 3: wrong"),
        "retries_larger": both("1 1 3: answer"),
        "writes_on": ("1 3: refused A40", "2n-1: no_answer"),
    },
    "refused": {
        "correct": both("1: stopped"),
        "runs_cut_call": ("1 3 5: refused A21 A21", "2n-1: no_answer"),
        "sends_again": both("1...: no_answer"),
        "chat": both("1: stopped"),
    },
    "stopped-by-a-sequence": {
        "every_stop_reason": both("1 3: answer"),
        "correct": both("1 3: stopped"),
        "writes_on": both("1 3 5: wrong"),
    },
    "for-ever": {
        "correct": both("2n-1: no_answer"),
        "while_true": both("2n-1: cut"),
        "silent_cap": both("2n-1: wrong"),
        "hands_over": both("2n-1: no_answer"),
    },
    "again-and-again": {
        "correct": both("2n-1: no_answer"),
        "asks_when_stuck": both("2n-1: no_answer"),  # nobody guards the first lane
    },
    "budgets": {
        "while_true": both("1 3 5 7 9 11 13 15 17 19 21: answer"),
        "correct": both("1 3 5 7 9 11 13 15 17 19 21: answer"),
        "by_time": both("1 3 5 7: stopped"),
        "by_money": both("1 3 5 7 9 11 13 15: stopped"),
    },
    "not-finished-yet": {
        "every_stop_reason": both("1 2: answer"),
        "correct": both("1: stopped"),
        "until_no_tool_use": both("1: wrong"),
        "inverted_exit": ("1 3: refused A21", "2n-1: no_answer"),
    },
    "why-is-it-late": {
        **COMMON,
        "correct": both("1 3 5: answer"),
        "every_stop_reason": both("1 3 5: answer"),
        "one_round": both("1 3: wrong"),
        "split_results": both("1 3 5: answer"),
        "swapped_ids": both("1 3 5: answer"),
        "prints_each_call": both("1 3 5: answer"),
    },
    "whose-fault": {"correct": both("1 3 5 7: answer")},  # with the tool as it is
    "the-long-menu": {"correct": both("1 3 5 7: answer")},  # with four tools
    "what-was-cut": {"correct": both("1 3: wrong")},  # with a silent cut
    "the-network-is-down": {  # with a retry of what is not idempotent
        "correct": both("1 3: wrong"),
        "swallows_failure": both("1 3: wrong"),
    },
    "tests-always-run": {"correct": both("1 3 5 7: wrong")},  # with tests as a tool
    "the-tool-that-lies": {"correct": both("1 3 5: wrong")},  # with the tool that lies
    "no-such-tool": {"correct": both("1 3 5: answer")},  # with a list of what there is
    "wrong-parameters": {"correct": both("1 3 5 7 9: answer")},  # with the parameters checked
    "not-here": {"correct": both("1 3 5 7: answer")},  # inside its folder
    "what-day-is-it": {"correct": both("1 3 5: answer")},  # with a tool for the date
    "the-other-api": {
        "chat": both("1 3 5: answer"),
        "correct": both("1 3 5: answer"),
        "wrong_tool_call_id": ("1 3: refused O07 O02", "2n-1: no_answer"),
        "arguments_unparsed": both("1 3: wrong"),
        "user_between": ("1 4: refused O04", "1 4 7: answer"),
        "ignores_finish_reason": both("1 3 5: answer"),  # cut short it is wrong: below
        "toy_history": ("1 3: refused O06", "2n-1: no_answer"),
        "one_function": both("1: stopped"),  # it wants the older form: below
    },
}
ROWS = [
    (lesson, loop, checked, row[not checked])
    for lesson, rows in TABLE.items()
    for loop, row in rows.items()
    for checked in (True, False)
]


@pytest.mark.parametrize("slug", LESSONS)
def test_every_lane_of_a_lesson_has_its_row(slug: str) -> None:
    plain = {
        lane.loop for lane in LESSONS[slug].lanes if lane.tools == LESSONS[slug].lanes[0].tools
    }
    assert plain <= set(TABLE[slug]) <= set(names())


@pytest.mark.parametrize(("slug", "loop", "checked", "row"), ROWS)
def test_what_is_sent_and_how_it_ends(slug: str, loop: str, checked: bool, row: str) -> None:
    lesson = LESSONS[slug]
    trace = run_lane(lesson, replace(lesson.lanes[0], loop=loop), checked, "en")
    sent, _, ending = row.partition(": ")
    turns = range(1, len(trace.asks) + 1 if loop in UNCAPPED else (lesson.lanes[0].cap or 40) + 1)
    patterns = {"n": [*turns], "2n-1": [2 * n - 1 for n in turns], "1...": [1 for _ in turns]}
    assert trace.messages_sent == (patterns.get(sent) or [int(n) for n in sent.split()])
    assert " ".join([trace.ending.kind, *trace.ending.rules]) == ending


# --- the script knows no loop


def anonymous(loop: str, tmp_path: Path) -> ModuleType:
    """The same loop under another name: nothing tells which one it is."""
    file = tmp_path / "agent.py"
    source = Path(package.__file__).with_name(f"{loop}.py").read_text(encoding="utf-8")
    file.write_text(source.partition("\n\n\n")[0] + "\n", encoding="utf-8")
    spec = importlib.util.spec_from_file_location("agent", file)
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize("loop", names())
@pytest.mark.parametrize("slug", LESSONS)
def test_a_script_answers_a_loop_whose_name_is_withheld_alike(
    slug: str, loop: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    lesson = LESSONS[slug]
    withheld = replace(loops()[loop], run=anonymous(loop, tmp_path).run_agent)
    monkeypatch.setitem(loops(), "agent", withheld)
    monkeypatch.setattr(recorder, "MOST_STEPS", 200)  # a loop without an end takes seconds
    for checked in (True, False):
        named, other = (replace(lesson.lanes[0], loop=name) for name in (loop, "agent"))
        assert run_lane(lesson, other, checked, "en") == run_lane(lesson, named, checked, "en")


@pytest.mark.parametrize("lesson", LESSONS.values(), ids=LESSONS)
def test_no_script_names_a_lane_a_loop_or_a_position(lesson: Lesson) -> None:
    read = YAML(typ="safe").load((lesson.folder / "lesson.yaml").read_text(encoding="utf-8"))
    script = json.dumps(read["script"])
    lanes = {*names(), *(lane.name for lane in lesson.lanes)} - {"correct"}
    assert not [name for name in lanes if re.search(rf"\b{name}\b", script)]
    keys = {key for reply in read["script"] for key in reply}
    conditions = {key for reply in read["script"] for when in reply.get("when", []) for key in when}
    assert keys <= {*SaidReply.model_fields}
    assert conditions <= {*Condition.model_fields}


def test_a_warning_of_split_results_is_seen_and_refuses_nothing() -> None:
    trace = trace_of(LESSONS["lose-the-thread"], "split_results", True, "en")
    faults = [[(f.rule, f.effect) for f in ask.faults] for ask in trace.asks]
    assert faults == [[], [("A46", "warn")]]


def test_a_date_in_system_saves_the_turn_that_a_tool_costs() -> None:
    sent = {
        lane: trace_of(LESSONS["what-day-is-it"], lane, True, "en").messages_sent
        for lane in ("asks_a_tool", "told_in_system")
    }
    assert sent == {"asks_a_tool": [1, 3, 5], "told_in_system": [1, 3]}


def test_a_mended_tool_saves_more_than_a_mended_prompt() -> None:
    lanes = ("as_it_is", "other_task", "prompt_mended", "tool_mended", "other_task_mended")
    traces = [trace_of(LESSONS["whose-fault"], lane, True, "en") for lane in lanes]
    failed = [sum(s.kind == "tool" and s.result.is_error for s in t.steps) for t in traces]
    assert failed == [4, 4, 2, 0, 0]
    assert [len(trace.asks) for trace in traces] == [4, 4, 3, 2, 2]


def test_a_lane_with_a_task_of_its_own_is_asked_that_first() -> None:
    traces = [
        trace_of(LESSONS["whose-fault"], lane, True, "en") for lane in ("as_it_is", "other_task")
    ]
    asked = [trace.request(trace.asks[0])["messages"][0]["content"] for trace in traces]
    assert ["loans" in asked[0], "renewals" in asked[1]] == [True, True]
    assert compare(traces).first_difference == 0


def test_a_long_menu_is_sent_again_with_every_request() -> None:
    four, thirty = (
        [json.dumps(ask.envelope["tools"]) for ask in trace.asks]
        for trace in (
            trace_of(LESSONS["the-long-menu"], lane, True, "en")
            for lane in ("four_tools", "thirty_tools")
        )
    )
    assert len(set(four)) == len(set(thirty)) == 1
    assert len(json.loads(thirty[0])) == 30
    assert len(thirty[0]) > 3 * len(four[0])


def test_what_narrows_without_a_change_of_the_list_is_not_refused() -> None:
    lanes = ("refused_instead", "told_in_a_message", "removed_by_a_block")
    traces = {lane: trace_of(LESSONS["the-long-menu"], lane, True, "en") for lane in lanes}
    for trace in traces.values():
        assert len({json.dumps(ask.envelope["tools"]) for ask in trace.asks}) == 1
    notes = {
        lane: [
            message["content"]
            for message in trace.request(trace.asks[-1])["messages"]
            if message["role"] == "system"
        ]
        for lane, trace in traces.items()
    }
    removal = {"type": "tool_removal", "tool": {"type": "tool_reference", "name": "delete_file"}}
    assert notes == {
        "refused_instead": [],
        "told_in_a_message": ["From here on, delete_file may not be called."],
        "removed_by_a_block": [[removal]],
    }
    refused = [s.result for s in traces["refused_instead"].steps if s.kind == "tool"][2]
    assert (refused.failure, refused.changes) == ("refusal", ())


def test_a_block_that_takes_a_tool_away_is_refused_without_its_beta_header() -> None:
    lesson = LESSONS["the-long-menu"]
    bare = replace(lesson.lane("removed_by_a_block"), betas=())
    assert run_lane(lesson, bare, True, "en").ending.rules == ["A19"]


def test_a_lie_reads_like_a_success_and_the_run_is_built_on_it() -> None:
    trace = trace_of(LESSONS["the-tool-that-lies"], "says_done", True, "en")
    results = [step.result for step in trace.steps if step.kind == "tool"]
    assert all(result.content.startswith("Done: ") for result in results)
    assert [[change.path for change in result.changes] for result in results] == [
        ["ledger.csv"],
        [],
        ["receipts.csv"],
        ["shipped.csv"],
        ["shipped.csv"],
    ]


@pytest.mark.parametrize("few", [100, 600])
def test_a_lane_that_is_not_run_to_its_end_ends_alike(
    few: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(run, "FEW_STEPS", few)
    run.ending_of.cache_clear()
    for lesson in LESSONS.values():
        for lane in lesson.lanes:
            whole = trace_of(lesson, lane.name, lane.checked, lesson.language).ending
            ending = run.ending_of(lesson, lane.name)
            assert (lane.name, ending.kind) == (lane.name, whole.kind)
    run.ending_of.cache_clear()


def test_one_round_offers_no_tools_in_its_second_request() -> None:
    trace = trace_of(LESSONS["which-note"], "one_round", True, "en")
    first, second = trace.asks
    assert isinstance(second, Ask)
    assert [tool["name"] for tool in first.envelope["tools"]] == ["read_file"]
    assert (second.envelope["tools"], second.changed) == ([], ("tools",))


@pytest.mark.parametrize(
    ("slug", "lane", "checked", "unchecked"),
    [
        ("which-note", "three_rounds", "wrong", "wrong"),
        ("which-note", "correct_long", "answer", "answer"),
        ("for-ever", "cap_too_small", "no_answer", "no_answer"),
        ("for-ever", "cap_enough", "answer", "answer"),
        ("again-and-again", "guard", "stopped", "stopped"),
        ("again-and-again", "by_name", "stopped", "stopped"),
        ("again-and-again", "ignores_results", "stopped", "stopped"),
        ("again-and-again", "progress", "answer", "answer"),
        ("again-and-again", "keys_turned", "stopped", "stopped"),
        ("budgets", "by_turns", "no_answer", "no_answer"),
        ("done-or-asking", "drops_thinking_manual", "refused A63", "answer"),
        ("done-or-asking", "narrows_tools", "refused A66", "answer"),
        ("done-or-asking", "manual_thinking", "refused A65", "answer"),
        ("not-finished-yet", "inverted_exit", "wrong", "wrong"),
        ("not-finished-yet", "summed_up", "answer", "answer"),
        ("not-finished-yet", "stops_at_a_summary", "stopped", "stopped"),
        ("not-finished-yet", "window_full", "stopped", "stopped"),
        ("not-finished-yet", "new_reason", "stopped", "stopped"),
        ("the-other-api", "cut_short", "stopped", "stopped"),
        ("the-other-api", "ignores_finish_reason", "wrong", "wrong"),
        ("the-other-api", "one_function", "answer", "answer"),
        ("the-other-api", "chat_given_functions", "stopped", "stopped"),
        ("what-day-is-it", "told_in_system", "answer", "answer"),
        ("whose-fault", "prompt_mended", "answer", "answer"),
        ("whose-fault", "tool_mended", "answer", "answer"),
        ("whose-fault", "other_task", "answer", "answer"),
        ("whose-fault", "other_task_mended", "answer", "answer"),
        ("what-day-is-it", "not_told", "wrong", "wrong"),
        ("the-long-menu", "thirty_tools", "answer", "answer"),
        ("the-long-menu", "three_searches", "wrong", "wrong"),
        ("the-long-menu", "one_search", "answer", "answer"),
        ("the-long-menu", "eight_parameters", "answer", "answer"),
        ("the-long-menu", "vague_description", "wrong", "wrong"),
        ("the-long-menu", "delete_lies_there", "wrong", "wrong"),
        ("the-long-menu", "write_before_read", "wrong", "wrong"),
        ("the-long-menu", "write_after_read", "answer", "answer"),
        ("the-long-menu", "narrowed_later", "refused A66", "answer"),
        ("the-long-menu", "refused_instead", "answer", "answer"),
        ("the-long-menu", "told_in_a_message", "answer", "answer"),
        ("the-long-menu", "removed_by_a_block", "answer", "answer"),
        ("not-here", "asks_a_helper", "answer", "answer"),
        ("what-was-cut", "cut_announced", "answer", "answer"),
        ("what-was-cut", "empty_result", "wrong", "wrong"),
        ("what-was-cut", "says_it_is_empty", "answer", "answer"),
        ("what-was-cut", "whole_output", "answer", "answer"),
        ("what-was-cut", "what_matters", "answer", "answer"),
        ("what-was-cut", "as_json", "answer", "answer"),
        ("what-was-cut", "own_words", "wrong", "wrong"),
        ("what-was-cut", "one_form", "answer", "answer"),
        ("the-network-is-down", "looks_first", "answer", "answer"),
        ("the-network-is-down", "asks_a_person", "answer", "answer"),
        ("the-network-is-down", "idempotent", "answer", "answer"),
        ("the-network-is-down", "keyed", "answer", "answer"),
        ("the-network-is-down", "swallows_failure", "wrong", "wrong"),
        ("the-network-is-down", "blames_the_tool", "wrong", "wrong"),
        ("the-network-is-down", "knows_whose", "answer", "answer"),
        ("the-network-is-down", "run_stops", "stopped", "stopped"),
        ("the-network-is-down", "three_failures", "answer", "answer"),
        ("the-tool-that-lies", "tool_says_so", "answer", "answer"),
        ("the-tool-that-lies", "rule_in_harness", "answer", "answer"),
        ("tests-always-run", "has_a_hook", "answer", "answer"),
        ("tests-always-run", "has_neither", "wrong", "wrong"),
    ],
)
def test_a_lane_ends_by_its_model_and_its_tools(
    slug: str, lane: str, checked: str, unchecked: str
) -> None:
    endings = [trace_of(LESSONS[slug], lane, on, "en").ending for on in (True, False)]
    assert [" ".join([e.kind, *e.rules]) for e in endings] == [checked, unchecked]


@pytest.mark.parametrize("loop", ["correct", "every_stop_reason", "chat"])
@pytest.mark.parametrize("lesson", LESSONS.values(), ids=LESSONS)
def test_a_sound_loop_runs_no_call_of_a_reply_that_stopped_for_another_reason(
    lesson: Lesson, loop: str
) -> None:
    for lane in lesson.lanes:
        steps = run_lane(lesson, replace(lane, loop=loop), True, "en").steps
        replies = [read_reply(step.reply) for step in steps if isinstance(step, Reply)]
        reasons = [reply["stop_reason"] for reply in replies]
        ran = {step.turn for step in steps if step.kind == "tool"}
        assert {reasons[turn - 1] for turn in ran} <= {"tool_use"}


def test_the_workspace_shows_how_often_a_call_took_effect() -> None:
    lesson = LESSONS["the-network-is-down"]
    written = {
        lane.name: sum(
            line.endswith("Leila,5") and line.startswith("+")
            for step in trace_of(lesson, lane.name, True, "en").steps
            if isinstance(step, Tool)
            for change in step.result.changes
            for line in change.lines
        )
        for lane in lesson.lanes
    }
    nothing = dict.fromkeys(("swallows_failure", "blames_the_tool", "knows_whose", "run_stops"), 0)
    once = ("looks_first", "asks_a_person", "idempotent", "keyed", "three_failures")
    assert written == {"repeats_blindly": 2, **dict.fromkeys(once, 1), **nothing}


def test_each_of_the_three_failures_is_seen_and_the_models_own_two_are_told() -> None:
    steps = trace_of(LESSONS["the-network-is-down"], "three_failures", True, "en").steps
    results = [step.result for step in steps if isinstance(step, Tool)]
    assert [result.failure for result in results] == ["model", "refusal", ""]
    assert [attempt.said for attempt in results[2].tries] == ["the folder cannot be reached", ""]
    assert "cannot be reached" not in "".join(result.content for result in results)


def test_the_same_answer_costs_less_where_only_what_matters_comes_back() -> None:
    def size(lane: str) -> int:
        trace = trace_of(LESSONS["what-was-cut"], lane, True, "en")
        return len(json.dumps(trace.request(trace.asks[-1])))

    assert size("what_matters") < size("as_json") < size("whole_output") / 8


def test_lesson_21_counts_the_bytes_of_words_and_of_json_rightly() -> None:
    lesson = LESSONS["what-was-cut"]
    sizes = []
    for lane in ("what_matters", "as_json"):
        steps = trace_of(lesson, lane, True, "en").steps
        sizes += [len(s.result.content.encode()) for s in steps if isinstance(s, Tool)]
    words, as_json = sizes
    said = lesson.lane("as_json").truth("en", True)
    assert f"{as_json} bytes in place of {words}," in said


@pytest.mark.parametrize(
    ("slug", "lane", "ending"),
    [
        ("no-such-tool", "crashes", "error"),
        ("no-such-tool", "not_given", "answer"),
        ("no-such-tool", "runs_all_the_same", "answer"),
        ("wrong-parameters", "handed_on", "wrong"),
        ("not-here", "gets_out", "wrong"),
        ("not-here", "read_only", "answer"),
        ("not-here", "asks", "waits"),
        ("not-here", "a_person_denies", "answer"),
    ],
)
def test_a_check_before_a_call_is_shown_against_its_absence(
    slug: str, lane: str, ending: str
) -> None:
    for checked in (True, False):
        assert trace_of(LESSONS[slug], lane, checked, "en").ending.kind == ending


def test_nothing_leads_out_of_the_copy_that_a_lesson_works_on() -> None:
    lesson = LESSONS["not-here"]
    lane = lesson.lane("gets_out")
    links = {"totals.csv": "../../../../../../../../etc/hostname"}
    trace = run_lane(lesson, replace(lane, policy=replace(lane.policy, links=links)), True, "en")
    tools = [step for step in trace.steps if step.kind == "tool"]
    assert tools[2].result.content == (
        'Error: "totals.csv" leads out of the workspace; give a path inside it'
    )


def test_a_link_is_made_in_the_copy_where_the_whole_workspace_is_the_agents_own() -> None:
    lesson = LESSONS["not-here"]
    lane = lesson.lane("gets_out")
    policy = replace(lane.policy, folder="", links={"halqa-made-link": "accounts.csv"})
    with workspace_of(lesson, replace(lane, policy=policy), "en") as workspace:
        assert (workspace / "halqa-made-link").is_symlink()
    assert not Path("/halqa-made-link").is_symlink()


def test_a_call_that_breaks_on_what_the_model_wrote_is_the_models_failure() -> None:
    steps = trace_of(LESSONS["wrong-parameters"], "handed_on", True, "en").steps
    broken = [s.result for s in steps if s.kind == "tool" and "TypeError" in s.result.content]
    assert [(result.failure, result.tries) for result in broken] == [("model", ())] * 2

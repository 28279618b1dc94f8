"""What a loop deserves: every shipped loop, good loops of other shapes, and bad ones."""

import sys
from pathlib import Path

import pytest

from app.exercise.grading import Limits, Ungradable, run_file
from app.exercise.judge import judge
from app.exercise.report import Graded, explained, grade, printed
from app.exercise.scripts import CASES, case_named
from app.loops import names
from app.paths import PACKAGE
from app.source import loops
from tests.exercise.forked import Forked
from tests.exercise.loops import RIGHT, UNGRADABLE, WRONG

PATIENT = Limits(seconds=120)  # a busy machine is slow
CALLS = "one_call two_calls three_turns thinking never_stops last_turn failing_tool empty_result"
REASONS = "cut_off refusal unknown_reason"

# Each shipped loop: which scripts it fails, the feedback, the rules by which the API refuses the
# request that shows it ("" where it is no matter of a request, "accepts" where the API accepts it).
SHIPPED: dict[str, list[tuple[str, str, str]]] = {
    "correct": [],
    "every_stop_reason": [],
    "prints_each_call": [],
    "forgot_results": [(CALLS, "forgot_results", "A40 A13")],
    "forgot_assistant": [(CALLS, "forgot_assistant", "A49")],
    "forgot_round": [(CALLS, "forgot_round", "accepts")],
    "missing_tool_use_id": [(CALLS, "missing_id", "A59")],
    "text_only": [
        ("two_calls three_turns", "part_of_reply", "A49"),
        (
            "one_call thinking never_stops last_turn failing_tool empty_result",
            "part_of_reply",
            "A21",
        ),
    ],
    "split_results": [("two_calls", "split_results", "accepts")],
    "swapped_ids": [("two_calls", "swapped_ids", "accepts")],
    "one_round": [(CALLS, "changed_request", "")],
    "three_rounds": [(REASONS, "wrong_text", ""), ("never_stops", "not_run", "")],
    "asks_when_stuck": [],
    "passes_notes_on": [],
    "while_true": [("never_stops", "over_cap", "")],
    "silent_cap": [("never_stops", "wrong_text", "")],
    "hands_over": [("never_stops", "wrong_text", "")],
    "drops_thinking": [("thinking", "part_of_reply", "accepts")],
    "edits_thinking": [
        ("thinking", "part_of_reply", "A62"),
        (f"{CALLS} at_once {REASONS}".replace(" thinking", ""), "error", ""),
    ],
    "reads_first_block": [("thinking", "error", ""), ("at_once", "wrong_text", "")],
    "runs_cut_call": [(REASONS, "ran_anyway", "")],
    "until_no_tool_use": [(REASONS, "ran_anyway", "")],
    "inverted_exit": [
        (CALLS, "gave_up", ""),
        ("at_once", "went_on", ""),
        (REASONS, "wrong_text", ""),
    ],
    "retries_larger": [("cut_off", "went_on", "")],
    "swallows_failure": [("failing_tool", "changed_result", "accepts")],
    "sends_again": [("refusal", "went_on", "")],
    "writes_on": [(REASONS, "went_on", "")],
    "chat": [(f"{CALLS} at_once {REASONS}", "error", "")],
}
# Those that speak chat completions all break at the first reply of the Messages API, as chat does.
SPEAK_CHAT = {name for name, loop in loops().items() if loop.dialect == "openai"}

OWN_BUDGET = ("by_time", "by_money")


def told(graded: Graded) -> tuple[str, str]:
    feedback = graded.feedback
    assert feedback is not None
    rules = " ".join(dict.fromkeys(fault.rule for fault in feedback.api))
    return feedback.kind, (rules or "accepts") if feedback.sent else ""


def write(folder: Path, text: str) -> Path:
    file = folder / "mine.py"
    file.write_text(text, encoding="utf-8")
    return file


def test_every_shipped_loop_has_a_row() -> None:
    assert set(SHIPPED) | SPEAK_CHAT | set(OWN_BUDGET) == set(names())


@pytest.mark.parametrize("loop", OWN_BUDGET)
def test_a_loop_that_counts_no_turns_is_told_what_it_must_take(loop: str) -> None:
    with pytest.raises(Ungradable, match="run_agent must take task, model and max_turns"):
        run_file(PACKAGE / "loops" / f"{loop}.py", CASES[0], PATIENT)


@pytest.fixture
def forked(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each script is run in a process that starts at once."""
    monkeypatch.setattr("app.exercise.grading.subprocess.Popen", Forked)


@pytest.mark.usefixtures("forked")
@pytest.mark.parametrize("loop", SHIPPED)
def test_a_shipped_loop_gets_the_feedback_it_deserves(loop: str) -> None:
    found = {
        one.run.case.name: told(one)
        for one in grade(PACKAGE / "loops" / f"{loop}.py", PATIENT)
        if not one.right
    }
    assert found == {
        case: (kind, rules) for cases, kind, rules in SHIPPED[loop] for case in cases.split()
    }


@pytest.mark.usefixtures("forked")
@pytest.mark.parametrize("name", RIGHT)
def test_a_right_loop_passes_whatever_its_shape(name: str, tmp_path: Path) -> None:
    wrong = {
        one.run.case.name: one.feedback
        for one in grade(write(tmp_path, RIGHT[name]), PATIENT)
        if one.feedback
    }
    assert wrong == {}


@pytest.mark.parametrize("name", WRONG)
def test_a_wrong_loop_gets_its_sentence(name: str, tmp_path: Path) -> None:
    text, case_name, kind, piece = WRONG[name]
    if name.endswith((" GB", " MB")) and sys.platform != "linux":
        pytest.skip("memory is limited on Linux alone")
    case = case_named(case_name)
    assert case is not None
    run = run_file(write(tmp_path, text), case, PATIENT)
    feedback = judge(run)
    assert feedback is not None
    assert (feedback.kind, piece in feedback.said) == (kind, True), feedback


def test_a_loop_that_cannot_be_stopped_from_inside_is_killed(tmp_path: Path) -> None:
    text = "def run_agent(task, model, max_turns):\n    sum(iter(int, 1))\n"
    run = run_file(write(tmp_path, text), CASES[0], Limits(seconds=120, work=1))
    feedback = judge(run)
    assert feedback is not None
    assert (feedback.kind, feedback.said) == (
        "time",
        "It had to be stopped: it took too long.",
    )


def test_a_loop_that_swallows_a_refusal_is_told(tmp_path: Path) -> None:
    text = WRONG["a bare except that swallows the refusal"][0]
    feedback = judge(run_file(write(tmp_path, text), CASES[0], PATIENT))
    assert feedback is not None
    assert "The loop caught the refusal" in "\n".join(explained(feedback, text.splitlines()))


@pytest.mark.parametrize("name", UNGRADABLE)
def test_a_file_without_a_loop_gets_one_sentence(name: str, tmp_path: Path) -> None:
    text, piece = UNGRADABLE[name]
    with pytest.raises(Ungradable) as found:
        run_file(write(tmp_path, text), CASES[0], PATIENT)
    assert piece in str(found.value)
    assert "\n" not in str(found.value)


def test_a_file_in_another_encoding_is_told_so(tmp_path: Path) -> None:
    file = tmp_path / "mine.py"
    file.write_bytes("# é\n".encode("latin-1") + RIGHT["plain"].encode())
    with pytest.raises(Ungradable, match=r"mine.py is not UTF-8 text; save it as UTF-8"):
        run_file(file, CASES[0], PATIENT)


def test_feedback_names_the_request_the_api_and_the_line(tmp_path: Path) -> None:
    file = PACKAGE / "loops" / "split_results.py"
    one = next(one for one in grade(file, PATIENT) if one.feedback)
    assert one.feedback is not None
    assert list(explained(one.feedback, file.read_text(encoding="utf-8").splitlines())) == [
        "Request 2 holds 2 user messages after the reply; all results go into one.",
        "It sent: user | assistant: text, tool_use toolu_01, tool_use toolu_02"
        " | user: tool_result toolu_01 | user: tool_result toolu_02",
        "Refused here: A11 at messages.3: Strict alternation is on: two messages of one role stand"
        " in a row. The real API merges them into one turn.",
        "Here the server is stricter than the API, which accepts this request.",
        'Look at line 20: messages.append({"role": "user",',
    ]
    assert list(printed(one.run))[:2] == [
        'turn 1: word_count {"text": "one loop, many turns"} -> 4',
        'turn 1: add {"a": 20, "b": 22} -> 42',
    ]
    assert list(printed(one.run))[-1] == "messages sent each turn: 1, 4"

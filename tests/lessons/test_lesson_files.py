"""A lesson's folder: what is read, and the one sentence that each mistake gets."""

import shutil
from pathlib import Path

import pytest

from app.engine.steps import Tool
from app.lessons import LessonFault, UnknownLane, UnknownLesson, read_lesson
from app.paths import SCENARIOS
from app.run import library, run_lane, trace_of

GOOD = """\
title: Greetings
task: Say hello.
tools: [add]
lanes:
  - loop: correct
script:
  - calls:
      - {as: sum, tool: add, input: {a: 1, b: 2}}
  - text: "Hello, {sum}."
"""
ASKED = (
    GOOD
    + """\
predictions:
  - lane: correct
    turn: 2
    kind: ask
    ask: How many messages does it hold?
    options:
      - {text: One., reason: It is not the first request.}
      - {text: Three., reason: "The task, the call and its result.", right: true}
recap:
  - {question: Who runs a tool?, answer: The loop.}
  - {question: Who asks for it?, answer: The model.}
  - {question: What ends a run?, answer: An answer.}
myth: {myth: The model runs tools., truth: The loop does.}
"""
)


def write(top: Path, text: str = GOOD, name: str = "greetings") -> Path:
    folder = top / name
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "lesson.yaml").write_text(text, encoding="utf-8")
    return folder


def fault_of(top: Path) -> str:
    shelf = library([top])
    assert not shelf.lessons()
    (fault,) = shelf.faults()
    return str(fault)


def test_a_lesson_in_one_language_serves_every_language(tmp_path: Path) -> None:
    write(tmp_path)
    (lesson,) = library([tmp_path]).lessons()
    assert (lesson.slug, lesson.number, lesson.languages) == ("greetings", 1, ("en",))
    assert lesson.title("fa") == "Greetings"
    assert trace_of(lesson, "correct", True, "fa").ending.text == "Hello, 3."


def test_a_text_may_come_in_several_languages(tmp_path: Path) -> None:
    write(tmp_path, GOOD.replace("Say hello.", "{en: Say hello., fa: سلام کن.}"))
    (lesson,) = library([tmp_path]).lessons()
    assert (lesson.task("fa"), lesson.task("ru")) == ("سلام کن.", "Say hello.")
    assert lesson.languages == ("en", "fa")


def test_a_language_may_have_a_workspace_of_its_own(tmp_path: Path) -> None:
    folder = write(tmp_path)
    for name in ("workspace", "workspace.fa"):
        (folder / name).mkdir()
    (lesson,) = library([tmp_path]).lessons()
    assert [lesson.workspace(lang).name for lang in ("en", "fa")] == ["workspace", "workspace.fa"]


@pytest.mark.parametrize(
    ("good", "bad", "line", "said"),
    [
        ("title: Greetings", "titel: Greetings", 1, "did you mean title?"),
        ("task: Say hello.\n", "", 1, "task is missing"),
        (
            "task: Say hello.",
            "task: [Say, hello]",
            2,
            "task must be a text, or one for each language",
        ),
        ("loop: correct", "loop: correct\n    task: 7", 6, "task must be a text, or one for each"),
        (
            "loop: correct",
            "loop: correct\n    task: {fa: سلام}",
            6,
            "no text in the lesson's language, en",
        ),
        ("loop: correct", "loop: correct\n    task: ''", 6, "task holds no text"),
        ("tools: [add]", "tools: [add, fly]", 3, "no tool 'fly'; choose from add,"),
        (
            "loop: correct",
            "loop: perfect",
            5,
            "no loop 'perfect'; choose from arguments_unparsed,",
        ),
        ("loop: correct", "loop: correct\n    colour: red", 6, "not a key"),
        ("loop: correct", "loop: chat\n    system: Be brief.", 5, "leave system out"),
        (
            "loop: correct",
            "loop: chat\n    request: {temperature: 1, top_k: 5}",
            6,
            "has no top_k; leave it out",
        ),
        (
            "loop: correct\nscript:\n  - calls:\n",
            "loop: chat\n    functions: true\nscript:\n  - calls:\n      - {tool: add}\n",
            8,
            "a reply of the older form makes one call",
        ),
        ("loop: correct", "loop: chat\n    betas: [b]", 6, "has no betas; leave it out"),
        (
            "loop: correct",
            "loop: correct\n    functions: true",
            6,
            "has no functions; leave it out",
        ),
        ("loop: correct", "loop: correct\n    betas: ['$(id)']", 6, "betas.0 is not right: string"),
        ("loop: correct", "loop: correct\n  - loop: correct", 6, "two lanes are named 'correct'"),
        ("tool: add", "tool: word_count", 8, "'word_count', which no lane offers"),
        ("as: sum", "as: Sum!", 8, "as"),
        ("{sum}", "{total}", 9, "'total' names no call of the script; choose from sum"),
        (
            'text: "Hello',
            'when: [{result: total}]\n    text: "Hello',
            9,
            "'total' names no call of the script",
        ),
        (
            'text: "Hello',
            'when: [{result: sum, contains: "9"}]\n    text: "Hello',
            9,
            "no loop can reach this reply",
        ),
        ("title:", "right: '('\ntitle:", 1, "not a regular expression"),
        ("title:", "workspace: ../..\ntitle:", 1, "inside the lesson's folder"),
        ("title:", "workspace: nowhere\ntitle:", 1, "there is no folder nowhere"),
        ("title:", "cap: 0\ntitle:", 1, "cap"),
        ("title:", "shown: [fast]\ntitle:", 1, "no lane 'fast'; choose from correct"),
        (
            "title:",
            "harness: {limits: {fly: {a: 5}}}\ntitle:",
            1,
            "no tool 'fly'; choose from",
        ),
        (
            "title:",
            "harness: {limits: {add: {c: 5}}}\ntitle:",
            1,
            "add has no parameter 'c'; choose from a, b",
        ),
        ("title:", "handling: {retry: often}\ntitle:", 1, "retry"),
        ("title:", "handling: {hooks: {add: [fly]}}\ntitle:", 1, "no tool 'fly'; choose from"),
        (
            "title:",
            "handling: {hooks: {add: [add]}}\ntitle:",
            1,
            "has no parameters to give to add",
        ),
        (
            "loop: correct",
            "loop: correct\n    handling: {troubles: [{tool: fly, kind: outage}]}",
            6,
            "no tool 'fly'; choose from",
        ),
        ("title: Greetings", "title: 'Greetings", 1, "not YAML"),
    ],
)
def test_each_mistake_gets_a_sentence_with_file_and_line(
    tmp_path: Path, good: str, bad: str, line: int, said: str
) -> None:
    assert good in GOOD
    write(tmp_path, GOOD.replace(good, bad))
    fault = fault_of(tmp_path)
    if said != "not YAML":  # where YAML itself breaks, its own parser says where it noticed
        assert fault.startswith(f"greetings/lesson.yaml, line {line}: ")
    assert said in fault
    assert "\n" not in fault


@pytest.mark.parametrize(
    ("good", "bad", "line", "said"),
    [
        (
            "turn: 2",
            "turn: 3",
            12,
            "lane correct has no ask in turn 3 on a server that checks; it ends in turn 2",
        ),
        (
            "kind: ask",
            "kind: tool",
            13,
            "lane correct has no tool in turn 2 on a server that checks;"
            " its steps there: ask, reply, append, end",
        ),
        ("kind: ask", "kind: tool\n    checked: false", 13, "that does not check; its steps there"),
        ("kind: ask", "kind: aks", 13, "'wait', 'helper', 'tool' or 'end'"),
        ("lane: correct", "lane: fast", 11, "no lane 'fast'; choose from correct"),
        (", right: true", "", 15, "exactly one option is right"),
        ("request.}", "request., right: true}", 15, "exactly one option is right"),
        ("  - {question: Who asks for it?, answer: The model.}\n", "", 18, "at least 3 items"),
        ("answer: The loop.", "reply: The loop.", 19, "not a key"),
        (", truth: The loop does.", "", 22, "myth.truth is missing"),
    ],
)
def test_what_a_lesson_asks_is_asked_of_steps_that_are_there(
    tmp_path: Path, good: str, bad: str, line: int, said: str
) -> None:
    assert ASKED.count(good) == 1
    write(tmp_path, ASKED)
    assert not library([tmp_path]).faults()
    write(tmp_path, ASKED.replace(good, bad))
    fault = fault_of(tmp_path)
    assert fault.startswith(f"greetings/lesson.yaml, line {line}: ")
    assert said in fault


@pytest.mark.parametrize("text", ["", "- a list", "just a text", "\x00", "a: &a [*a]", "[" * 600])
def test_a_file_that_is_no_lesson_gets_a_sentence(tmp_path: Path, text: str) -> None:
    write(tmp_path, text)
    assert fault_of(tmp_path).startswith("greetings/lesson.yaml, line ")


def test_a_lesson_of_halqa_s_own_reads_alike_anywhere(tmp_path: Path) -> None:
    for folder in SCENARIOS.iterdir():
        shutil.copytree(folder, tmp_path / folder.name)
        assert read_lesson(folder).spec == read_lesson(tmp_path / folder.name).spec


def test_a_folder_without_a_lesson_file_gets_a_sentence(tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    assert fault_of(tmp_path) == "empty/lesson.yaml, line 1: there is no lesson.yaml in this folder"


@pytest.mark.parametrize("target", ["../../../secret", "/", "link", "../lesson.yaml"])
def test_a_link_is_refused_wherever_it_leads(tmp_path: Path, target: str) -> None:
    folder = write(tmp_path / "lessons")
    (tmp_path / "secret").write_text("s", encoding="utf-8")
    (folder / "workspace").mkdir()
    (folder / "workspace" / "link").symlink_to(target)
    assert "workspace/link is a link; a lesson holds plain files" in fault_of(tmp_path / "lessons")


def test_a_faulty_lesson_does_not_hide_the_others(tmp_path: Path) -> None:
    write(tmp_path, name="good")
    write(tmp_path, "titel: x", name="bad")
    shelf = library([tmp_path])
    assert [lesson.slug for lesson in shelf.lessons()] == ["good"]
    assert [fault.file.parent.name for fault in shelf.faults()] == ["bad"]


def test_an_edit_shows_without_a_new_start(tmp_path: Path) -> None:
    write(tmp_path)
    shelf = library([tmp_path])
    before = shelf.find("greetings")
    assert shelf.find("greetings") is before
    write(tmp_path, GOOD.replace("Greetings", "Good morning"))
    after = shelf.find("greetings")
    assert after.title("en") == "Good morning"
    assert after.digest != before.digest


def test_the_lesson_that_follows_is_the_next_by_number_that_is_there(tmp_path: Path) -> None:
    for number, name in ((2, "first"), (5, "next"), (9, "last")):
        write(tmp_path, f"number: {number}\n{GOOD}", name)
    shelf = library([tmp_path])

    def after(name: str) -> str | None:
        found = shelf.following(shelf.find(name))
        return found and f"{found.slug}: {found.title('en')}"

    assert [after(name) for name in ("first", "next", "last")] == [
        "next: Greetings",
        "last: Greetings",
        None,
    ]
    write(tmp_path, f"number: 5\n{GOOD.replace('Greetings', 'Good morning')}", "next")
    assert after("first") == "next: Good morning"
    shutil.rmtree(tmp_path / "next")
    assert after("first") == "last: Greetings"
    write(tmp_path, "titel: x", "last")
    assert after("first") is None


def test_two_folders_cannot_hold_the_same_lesson(tmp_path: Path) -> None:
    write(tmp_path / "a")
    write(tmp_path / "b")
    shelf = library([tmp_path / "a", tmp_path / "b"])
    assert len(shelf.lessons()) == 1
    assert [str(fault).partition(": ")[2] for fault in shelf.faults()] == [
        "a lesson named greetings exists already"
    ]


def test_unknown_names_list_what_exists(tmp_path: Path) -> None:
    write(tmp_path)
    shelf = library([tmp_path])
    with pytest.raises(UnknownLesson, match="The lessons: greetings"):
        shelf.find("nope")
    with pytest.raises(UnknownLane, match="Its lanes: correct"):
        shelf.find("1").lane("nope")


def test_a_fault_is_an_exception_with_its_place(tmp_path: Path) -> None:
    write(tmp_path, GOOD.replace("[add]", "[fly]"))
    (fault,) = library([tmp_path]).faults()
    assert isinstance(fault, LessonFault)
    assert (fault.file.name, fault.line) == ("lesson.yaml", 3)


WRITING = """\
title: The log
task: Write it down.
tools: [append_line]
lanes:
  - loop: correct
  - loop: correct
    name: repeats
    handling: {retry: always}
handling:
  troubles: [{tool: append_line, kind: answer_lost, until: 4, seconds: 10, said: no answer came}]
script:
  - calls: [{as: line, tool: append_line, input: {path: log.txt, line: paid 5}, seconds: 1}]
  - text: "{line}"
    when: [{result: line}]
"""


def test_tools_write_in_a_copy_and_what_goes_wrong_takes_no_time(tmp_path: Path) -> None:
    folder = write(tmp_path, WRITING)
    (folder / "workspace").mkdir()
    (folder / "workspace" / "log.txt").write_text("old\n", encoding="utf-8")
    (lesson,) = library([tmp_path]).lessons()
    lines = {}
    for lane in ("correct", "repeats"):
        for _ in range(2):  # a second run begins with the same workspace
            trace = run_lane(lesson, lesson.lane(lane), True, "en")
            (step,) = [step for step in trace.steps if isinstance(step, Tool)]
            (change,) = step.result.changes
            lines[lane] = (change.lines, len(step.result.tries), step.seconds)
    assert lines == {
        "correct": ((" old", "+paid 5"), 1, 11),
        "repeats": ((" old", "+paid 5", "+paid 5"), 2, 12),
    }
    assert (folder / "workspace" / "log.txt").read_text(encoding="utf-8") == "old\n"

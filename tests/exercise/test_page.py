"""`halqa grade` as a command, and the page that it writes beside the file."""

import re
import time
from pathlib import Path
from textwrap import dedent

import pytest
from playwright.sync_api import Browser
from typer.testing import CliRunner, Result

from app.cli import main
from app.cli.common import languages_of_the_system
from app.exercise import grading, report
from app.exercise.scripts import CASES
from app.exercise.starter import write_starter
from app.paths import PACKAGE
from tests.exercise.loops import (
    HEAD,
    PLAIN,
    RESULTS,
    RIGHT,
    START,
    UNGRADABLE,
    file_of,
    with_change,
)
from tests.test_docs import README
from tests.web.browsing import EVERY_SIZE
from tests.web.test_errors_in_languages import english
from tests.web.test_export import Parts

LOOP = with_change(RESULTS, "")
CLOSING = "</script></style></template><!-- <script>alert(1)</script> --> {{ 7*7 }} %s \u202e"


@pytest.fixture(autouse=True)
def _patient(monkeypatch: pytest.MonkeyPatch) -> None:
    patient = grading.Limits(seconds=120)
    monkeypatch.setattr("app.exercise.report.grade.__defaults__", (patient,))


def graded(folder: Path, text: str) -> tuple[Result, Path]:
    file = folder / "mine.py"
    file.write_text(text, encoding="utf-8")
    return CliRunner().invoke(main, ["grade", str(file)]), file.with_suffix(".html")


def test_a_right_loop_ends_with_0(tmp_path: Path) -> None:
    done, page = graded(tmp_path, RIGHT["plain"])
    assert (done.exit_code, done.stderr) == (0, "")
    *scripts, total, written = done.stdout.splitlines()
    assert scripts == [f"right  {case.name}: {case.about}" for case in CASES]
    assert total == f"{len(CASES)} of {len(CASES)} scripts right"
    assert written == "mine.html shows three_turns step by step, beside a correct run"
    assert "Nothing to correct" in page.read_text(encoding="utf-8")


def test_a_wrong_loop_ends_with_1_and_says_what_to_look_at(tmp_path: Path) -> None:
    done, page = graded(tmp_path, LOOP)
    assert done.exit_code == 1
    assert done.stdout.splitlines()[:8] == [
        "wrong  one_call: one call, then the answer",
        "       Request 2 lacks the results: the tools ran, and no user message followed.",
        "       It sent: user | assistant: tool_use toolu_01",
        "       The API would answer 400: A40 at messages.1: Every tool_use must be answered by a"
        " tool_result in the very next user turn. (and A13)",
        "       Look at line 18: result = run_tool(block)",
        '     | turn 1: add {"a": 2, "b": 3} -> 5',
        "     | bad request: A13 messages.1: Strict alternation is on: the last message must be the"
        " user's. The real API goes on from an assistant message on Claude 4.5 and older, and after"
        " pause_turn.",
        "     | messages sent each turn: 1, 2",
    ]
    assert "4 of 12 scripts right" in done.stdout
    assert "The API would answer 400: <code>A40</code>" in page.read_text(encoding="utf-8")


FEEDBACK = {
    "ar": ("خطأ ", "الطلب 2", "انظر إلى السطر 18:", "النصوص الصحيحة: 4 من 12"),
    "fa": ("نادرست", "درخواست ۲", "به خط ۱۸ نگاه کنید:", "متن‌های درست: ۴ از ۱۲"),
    "ru": ("неверно", "В запросе 2", "Посмотрите на строку 18:", "верных сценариев: 4 из 12"),
}


def test_the_feedback_and_its_page_come_in_the_language_asked_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "mine.py"
    file.write_text(LOOP, encoding="utf-8")
    once = report.grade(file)
    monkeypatch.setattr(report, "grade", lambda file: once)
    monkeypatch.delenv("LANGUAGE")
    for language, (verdict, *pieces) in FEEDBACK.items():
        asked = CliRunner().invoke(main, ["grade", str(file), "--lang", language])
        monkeypatch.setenv("LC_ALL", f"{language}_XX.UTF-8")
        assert CliRunner().invoke(main, ["grade", str(file)]).output == asked.output
        assert asked.stdout.startswith(f"{verdict}  one_call: ")
        assert [piece for piece in pieces if piece not in asked.stdout] == []
        assert '     | turn 1: add {"a": 2, "b": 3} -> 5' in asked.stdout
        html = file.with_suffix(".html").read_text(encoding="utf-8")
        assert f'<html lang="{language}" dir="{"ltr" if language == "ru" else "rtl"}"' in html
        feedback = html.partition('<section class="feedback"')[2].partition("</section>")[0]
        assert pieces[0] in feedback
        assert english(feedback) == []
    unknown = CliRunner().invoke(main, ["grade", str(file), "--lang", "xx"])
    assert unknown.exit_code == 2
    assert unknown.stderr == "There is no language 'xx'; there is en, ar, fa, ru.\n"


@pytest.mark.parametrize(
    ("variables", "languages"),
    [
        ({"LANG": "fa_IR.UTF-8"}, ["fa"]),
        ({"LANG": "fa_IR.UTF-8", "LC_ALL": "ru_RU"}, ["ru"]),
        ({"LC_ALL": "ru_RU", "LANGUAGE": "de:ar"}, ["de", "ar"]),
        ({"LANG": "C"}, ["c"]),
        ({}, [""]),
    ],
)
def test_the_language_of_the_system_is_read_as_gettext_does(
    monkeypatch: pytest.MonkeyPatch, variables: dict[str, str], languages: list[str]
) -> None:
    for name in ("LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG"):
        monkeypatch.delenv(name, raising=False)
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    assert languages_of_the_system() == languages


def test_a_missing_file_and_one_without_a_loop_end_with_2(tmp_path: Path) -> None:
    missing = CliRunner().invoke(main, ["grade", str(tmp_path / "none.py")])
    assert missing.exit_code == 2
    assert missing.stderr.startswith("There is no file ")
    for text, piece in UNGRADABLE.values():
        done, page = graded(tmp_path, text)
        assert (done.exit_code, done.stdout, piece in done.stderr) == (2, "", True)
        assert done.stderr.count("\n") == 1
        assert not page.exists()


def test_the_example_of_the_readme_is_what_is_printed(tmp_path: Path) -> None:
    write_starter(tmp_path / "my-loop")
    file = tmp_path / "my-loop" / "exercise.py"
    loop = PLAIN.replace("results.append(\n", "results = [\n").replace(
        "\n                    )", "]"
    )
    body = dedent(loop).partition("max_turns):\n")[2]
    body = body.replace("= [\n" + " " * 20 + "{", "= [{").replace("}\n" + " " * 16 + "]", "}]")
    started = file.read_text(encoding="utf-8")
    file.write_text(started.replace("    # Your loop goes here.\n", body), encoding="utf-8")
    done = CliRunner().invoke(main, ["grade", str(file)])
    (example,) = re.findall(r"```\n(wrong .*?)```", README, re.DOTALL)
    assert example in done.stdout


def test_what_a_loop_started_is_ended_with_it(tmp_path: Path) -> None:
    text = with_change(
        START,
        "        import subprocess\n"
        "        child = subprocess.Popen(['sleep', '300'])\n"
        "        open('pid', 'w').write(str(child.pid))\n" + START,
    )
    grading.run_file(_written(tmp_path, text), CASES[0], grading.Limits(seconds=120))
    pid = int((tmp_path / "pid").read_text())
    stat = Path("/proc", str(pid), "stat")
    for _ in range(100):
        if not stat.exists() or stat.read_text().split()[2] == "Z":
            return
        time.sleep(0.1)
    pytest.fail("it still runs")


def test_a_file_of_any_name_is_graded(tmp_path: Path) -> None:
    file = tmp_path / "my loop.txt"
    file.write_text(RIGHT["plain"], encoding="utf-8")
    assert CliRunner().invoke(main, ["grade", str(file)]).exit_code == 0
    assert (tmp_path / "my loop.html").is_file()


def test_a_page_of_the_learner_s_own_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "mine.html").write_text("my own page")
    done, page = graded(tmp_path, LOOP)
    assert (done.exit_code, done.stderr) == (
        1,
        "mine.html is a file of yours, so no page was written.\n",
    )
    assert page.read_text() == "my own page"


def test_an_earlier_page_is_written_anew(tmp_path: Path) -> None:
    graded(tmp_path, LOOP)
    _, page = graded(tmp_path, RIGHT["plain"])
    assert "Nothing to correct" in page.read_text(encoding="utf-8")


def test_the_key_of_whoever_grades_stays_out_of_sight(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ANTHROPIC_API_KEY", "a-key-of-mine")
    text = (
        "def run_agent(task, model, max_turns):\n    import os\n    return str(dict(os.environ))\n"
    )
    run = grading.run_file(_written(tmp_path, text), CASES[0], grading.Limits(seconds=120))
    assert "PATH" in run.trace.ending.text
    assert "a-key-of-mine" not in run.trace.ending.text


def _written(folder: Path, text: str) -> Path:
    file = folder / "mine.py"
    file.write_text(text, encoding="utf-8")
    return file


HOSTILE = {
    "in the code": HEAD + f"WORDS = {CLOSING!r}  # {CLOSING}\n" + LOOP.removeprefix(HEAD),
    "in what is returned": with_change(
        'return f"stopped: no answer after {max_turns} turns"',
        f"return {CLOSING!r}",
        "for turn in range(1, max_turns + 1)",
        "for turn in []",
    ),
    "in what is raised": with_change(RESULTS, f"            raise ValueError({CLOSING!r})\n"),
    "in messages": with_change('"content": task}', f'"content": {CLOSING!r}}}'),
    "in results": with_change('"tool_use_id": block["id"]', f'"tool_use_id": {CLOSING!r}'),
    "in what is printed": with_change(
        RESULTS, RESULTS + f"            print('turn ' + {CLOSING!r})\n"
    ),
    "messages of no shape": with_change('[{"role": "user", "content": task}]', "[7, None, [[]]]"),
    "content of no shape": with_change('"content": reply["content"]})', '"content": {1: (2,)}})'),
    "lone surrogates": with_change('"content": task}', '"content": "\\ud800"}'),
    "a very long line": file_of(PLAIN) + "X = [" + "1, " * 20_000 + "]\n",
    "a very long file": file_of(PLAIN).replace(RESULTS.strip(), "pass") + "# more\n" * 5_000,
}


@pytest.mark.parametrize("name", HOSTILE)
def test_what_a_learner_writes_is_shown_and_never_obeyed(name: str, tmp_path: Path) -> None:
    done, page = graded(tmp_path, HOSTILE[name])
    assert done.exit_code in (0, 1), done.exception
    assert "\u202e" not in done.stdout
    html = page.read_text(encoding="utf-8")
    parts = Parts(html)
    assert [tag for tag, _, _ in parts.inside] == ["style", "script", "script"]
    assert "alert(1)</script>" not in html
    assert "\u202e" not in html
    assert not [
        value
        for _, attrs in parts.tags
        for key, value in attrs.items()
        if key in ("src", "href", "action", "style") and not (value or "").startswith("#")
    ]


def test_the_page_steps_through_both_runs_with_the_learner_s_lines(
    tmp_path: Path, browser: Browser
) -> None:
    _, file = graded(tmp_path, LOOP)
    context = browser.new_context(offline=True, viewport={"width": 1280, "height": 720})
    page = context.new_page()
    said: list[str] = []
    page.on("console", lambda message: said.append(message.text))
    page.on("pageerror", lambda error: said.append(str(error)))
    page.goto(file.as_uri())
    lit = []
    for _ in range(30):
        lines = page.locator(".band .lit")
        if lines.count():
            found = re.search(r"\br(\d+)\b", lines.first.get_attribute("class") or "")
            assert found
            lit.append(int(found[1]))
        if page.locator("#step").get_attribute("aria-disabled"):
            break
        page.keyboard.press("ArrowRight")
    source = LOOP.splitlines()
    assert [source[n - 1].strip() for n in dict.fromkeys(lit)] == [
        "reply = model.create(messages)",
        'messages.append({"role": "assistant", "content": reply["content"]})',
        "result = run_tool(block)",
    ]
    rows = page.locator("#rows > *")
    assert rows.count() == 10
    assert "Nothing appended" in page.locator("#rows .first").inner_text()
    assert page.locator(".head h2").all_inner_texts() == ["correct", "yours"]
    assert said == []
    context.close()


def test_a_shipped_loop_can_be_graded_where_it_stands(tmp_path: Path) -> None:
    text = (PACKAGE / "loops" / "correct.py").read_text(encoding="utf-8")
    done, _ = graded(tmp_path, text)
    assert done.exit_code == 0


def test_axe_finds_no_fault_and_nothing_scrolls_sideways(
    tmp_path: Path, browser: Browser, axe: str
) -> None:
    _, file = graded(tmp_path, LOOP)
    context = browser.new_context(offline=True, viewport={"width": 1280, "height": 720})
    page = context.new_page()
    page.goto(f"{file.as_uri()}#step-5")
    page.evaluate(f"() => {{ {axe} }}")
    for width, height in EVERY_SIZE:
        page.set_viewport_size({"width": width, "height": height})
        assert page.evaluate("() => document.documentElement.scrollWidth") <= width
        for scheme in ("light", "dark"):
            page.emulate_media(color_scheme=scheme)
            found = page.evaluate("() => axe.run({ resultTypes: ['violations'] })")
            said = [
                (fault["id"], [node["html"][:200] for node in fault["nodes"]])
                for fault in found["violations"]
            ]
            assert said == [], (width, scheme)
    context.close()


def test_without_scripts_the_page_is_a_text_to_read(tmp_path: Path, browser: Browser) -> None:
    _, file = graded(tmp_path, LOOP)
    context = browser.new_context(offline=True, java_script_enabled=False)
    page = context.new_page()
    page.goto(file.as_uri())
    assert page.locator(".feedback p").first.is_visible()
    assert page.get_by_text("for turn in range(1, max_turns + 1):").is_visible()
    assert page.locator("#steps .said-of").count() == 10
    context.close()


def test_after_a_loop_that_never_ends_no_other_script_is_played(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    quick = grading.Limits(seconds=120, work=1)
    monkeypatch.setattr("app.exercise.report.grade.__defaults__", (quick,))
    done, page = graded(tmp_path, "def run_agent(task, model, max_turns):\n    sum(iter(int, 1))\n")
    assert done.exit_code == 1
    assert done.stdout.splitlines()[:2] == [
        "wrong  one_call: one call, then the answer",
        "       It had to be stopped: it took too long.",
    ]
    assert "The other scripts were not played: this one took too long." in done.stdout
    assert "0 of 12 scripts right" in done.stdout
    assert page.is_file()

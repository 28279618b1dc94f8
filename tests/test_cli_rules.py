"""`halqa check` and `halqa rules` in a terminal."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from app.cli import main
from app.engine.rules import RULES

CASES = sorted((Path(__file__).parent / "cases").glob("*.json"))


def halqa(*words: str, given: str | bytes | None = None) -> Result:
    return CliRunner().invoke(main, words, input=given)


def written(folder: Path, name: str, body: object) -> str:
    """The path of a file in a folder with a JSON body."""
    file = folder / name
    file.write_text(json.dumps(body), encoding="utf-8")
    return str(file)


def example(number: str, accepted: bool = False) -> Any:
    rule = RULES[number]
    return rule.accepted if accepted else rule.refused


# --- check


def test_an_accepted_request_is_one_line(tmp_path: Path) -> None:
    file = written(tmp_path, "a.json", example("A40", accepted=True))
    done = halqa("check", file)
    assert (done.exit_code, done.stdout, done.stderr) == (0, f"{file}: accepted\n", "")


def test_a_refused_request_is_a_line_for_each_fault_with_its_place_and_rule(tmp_path: Path) -> None:
    file = written(tmp_path, "a.json", example("A59"))
    done = halqa("check", file)
    assert done.exit_code == 1
    assert done.stdout == f"{file}: messages.2.content.0: A59 {RULES['A59'].checks[0].sentence}\n"


def test_a_warning_and_what_is_not_judged_are_marked_and_refuse_nothing(tmp_path: Path) -> None:
    warned = written(tmp_path, "a.json", example("A46", accepted=True))
    unknown = written(tmp_path, "b.json", {**example("A46", accepted=True), "model": "nobody-1"})
    done = halqa("check", warned, unknown)
    assert done.exit_code == 0
    lines = done.stdout.splitlines()
    assert f"{warned}: accepted" in lines
    assert any(line.startswith(f"{warned}: warning: messages.3: A46 ") for line in lines)
    assert any(line.startswith(f"{unknown}: not judged: model: A03 ") for line in lines)


@pytest.mark.parametrize("path", CASES, ids=lambda path: path.stem)
def test_a_case_of_the_real_world_gets_the_real_apis_verdict(tmp_path: Path, path: Path) -> None:
    case = json.loads(path.read_text(encoding="utf-8"))
    file = written(tmp_path, "request.json", case["request"])
    done = halqa("check", file, "--format", "json")
    (found,) = json.loads(done.stdout)
    assert found["verdict"] == case["expect"]["verdict"]
    assert done.exit_code == (0 if found["verdict"] == "accepted" else 1)


def test_json_is_a_list_with_these_keys_and_no_others(tmp_path: Path) -> None:
    refused = written(tmp_path, "a.json", example("A40"))
    bad = tmp_path / "b.json"
    bad.write_text('{"a": 1', encoding="utf-8")
    done = halqa("check", refused, str(bad), "--format", "json")
    assert done.exit_code == 2
    one, other = json.loads(done.stdout)
    assert list(one) == ["file", "verdict", "faults"]
    assert (one["file"], one["verdict"]) == (refused, "rejected")
    (fault,) = one["faults"]
    assert list(fault) == ["rule", "where", "effect", "sentence", "api", "certainty"]
    assert (fault["rule"], fault["where"], fault["effect"]) == ("A40", "messages.2", "refuse")
    assert fault["api"].startswith("messages.2: `tool_use` ids were found")
    assert other["verdict"] == "unreadable"
    assert other["faults"][0]["where"] == "line 1, column 8"
    assert other["faults"][0]["sentence"].startswith("This is not JSON, at line 1, column 8")


@pytest.mark.parametrize(
    ("verdicts", "code"),
    [("a", 0), ("r", 1), ("u", 2), ("aa", 0), ("ar", 1), ("ra", 1), ("ur", 2), ("rua", 2)],
)
def test_the_exit_code_tells_the_worst(tmp_path: Path, verdicts: str, code: int) -> None:
    bodies = {"a": example("A40", accepted=True), "r": example("A40"), "u": [1]}
    files = [written(tmp_path, f"{n}.json", bodies[v]) for n, v in enumerate(verdicts)]
    assert halqa("check", *files).exit_code == code


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"", "There is nothing here"),
        (b"{", "This is not JSON, at line 1, column 2"),
        (b'{"a": NaN}', "NaN is no JSON value"),
        (b"[]", "This is JSON, but a list"),
        (b"[" * 100_000, "more than 200 levels deep"),
        (b'{"a": ' + b"1" * 100_000 + b"}", "more than 4000 digits"),
        (b"\xff\xfe{\x00}\x00", "UTF-16"),
        (b"\xff", "not UTF-8"),
    ],
)
def test_what_is_no_request_is_one_sentence_and_no_traceback(data: bytes, said: str) -> None:
    done = halqa("check", "-", given=data)
    assert done.exit_code == 2
    assert done.stdout == ""
    (line,) = done.stderr.splitlines()
    assert line.startswith("-: ")
    assert said in line


def test_a_file_that_is_not_there_or_is_a_folder_is_one_sentence(tmp_path: Path) -> None:
    for name in (str(tmp_path), str(tmp_path / "none.json"), "\0"):
        done = halqa("check", name)
        assert done.exit_code == 2
        assert "This file cannot be read: " in done.stderr


@pytest.mark.parametrize(
    "body",
    [
        {},
        {"messages": None},
        {"messages": [None, 1, "x", [], {"role": [], "content": {}}]},
        {"messages": [{"role": "\ud800", "content": "\udfff"}], "\ud800": "\u202e"},
        {"model": 1, "max_tokens": 10**3_000, "messages": [{}]},
        {"model": "claude-opus-5", "max_tokens": 1e400, "messages": {}},
    ],
)
@pytest.mark.parametrize("form", ["text", "json"])
def test_any_object_gets_a_verdict(body: Any, form: str) -> None:
    given = json.dumps(body).replace("Infinity", "1e400")
    done = halqa("check", "-", "--format", form, given=given)
    assert done.exit_code == 1
    assert "\u202e" not in done.stdout


def test_a_key_that_stands_twice_is_said_beside_the_verdict() -> None:
    given = '{"model": "claude-opus-5", "max_tokens": 9, "messages": [{"role": "assistant", "role":'
    given += ' "user", "content": "Hi."}]}'
    done = halqa("check", "-", given=given)
    assert (done.exit_code, done.stdout) == (0, "-: accepted\n")
    assert '"role" stands twice' in done.stderr


def test_the_dialect_is_guessed_and_can_be_chosen(tmp_path: Path) -> None:
    file = written(tmp_path, "a.json", example("O27"))
    assert "O27" in halqa("check", file).stdout
    assert "O27" not in halqa("check", file, "--dialect", "anthropic").stdout
    assert halqa("check", file, "--dialect", "gemini").exit_code == 2


def test_another_model_can_be_put_in(tmp_path: Path) -> None:
    file = written(tmp_path, "a.json", example("A13"))
    assert "A13" in halqa("check", file).stdout
    assert halqa("check", file, "--model", "claude-haiku-4-5").stdout == f"{file}: accepted\n"


def test_beta_keys_are_known_under_a_beta_header_only(tmp_path: Path) -> None:
    body = {**example("A40", accepted=True), "context_management": {"edits": []}}
    file = written(tmp_path, "a.json", body)
    assert "A05" in halqa("check", file).stdout
    assert halqa("check", file, "--beta", "context-management-2025-06-27").exit_code == 0


@pytest.mark.parametrize(
    ("roles", "rules"),
    [
        ("u", []),
        ("uau", []),
        ("uu", ["A11"]),
        ("au", ["A12"]),
        ("ua", ["A13"]),
        ("a", ["A12", "A13"]),
        ("aau", ["A12", "A11"]),
    ],
)
def test_strict_alternation_is_stricter_and_says_where_the_real_api_is_milder(
    roles: str, rules: list[str]
) -> None:
    names = {"u": "user", "a": "assistant"}
    messages = [{"role": names[role], "content": "Hi."} for role in roles]
    given = json.dumps({"model": "claude-haiku-4-5", "max_tokens": 9, "messages": messages})
    assert halqa("check", "-", given=given).exit_code == 0
    done = halqa("check", "-", "--strict-alternation", given=given)
    assert done.exit_code == bool(rules)
    lines = [line for line in done.stdout.splitlines() if not line.endswith(": accepted")]
    assert [line.split(": ")[2][:3] for line in lines] == rules
    assert all("Strict alternation is on" in line and "The real API" in line for line in lines)


def test_strict_alternation_is_said_to_change_nothing_for_the_other_api(tmp_path: Path) -> None:
    file = written(tmp_path, "a.json", example("O19", accepted=True))
    done = halqa("check", file, "--strict-alternation")
    assert done.exit_code == 0
    assert "it changes nothing" in done.stderr


@pytest.mark.skipif(sys.platform == "win32", reason="there are no pseudo-terminals")
@pytest.mark.parametrize(
    ("files", "terminal", "bar"), [(3, True, True), (1, True, False), (3, False, False)]
)
def test_many_files_have_a_progress_bar_on_a_terminal_only(
    tmp_path: Path, files: int, terminal: bool, bar: bool
) -> None:
    names = [written(tmp_path, f"{n}.json", example("A40", accepted=True)) for n in range(files)]
    reader, writer = os.openpty() if terminal else os.pipe()
    done = subprocess.run(
        [sys.executable, "-m", "app.cli", "check", *names],
        stdout=subprocess.PIPE,
        stderr=writer,
        cwd=Path(__file__).parents[1],
        check=True,
    )
    os.write(writer, b".")
    assert (b"Checking" in os.read(reader, 100_000)) == bar
    os.close(reader)
    os.close(writer)
    assert done.stdout.decode().splitlines() == [f"{name}: accepted" for name in names]


# --- rules


def test_the_table_has_a_line_for_each_rule() -> None:
    lines = halqa("rules").stdout.splitlines()
    assert [line.split("  ")[0] for line in lines] == list(RULES)
    assert all(RULES[line[:3]].title in line for line in lines)
    assert [row["rule"] for row in json.loads(halqa("rules", "--format", "json").stdout)] == [
        *RULES
    ]


@pytest.mark.parametrize("number", RULES)
def test_one_rule_is_printed_whole(number: str) -> None:
    rule = RULES[number]
    done = halqa("rules", number)
    assert done.exit_code == 0
    for part in (rule.title, rule.certainty, *rule.sources, *(c.sentence for c in rule.checks)):
        assert part in done.stdout
    assert ("\nrefused:\n" in done.stdout) == (rule.refused is not None)
    found = json.loads(halqa("rules", number.lower(), "--format", "json").stdout)
    assert (found["rule"], found["effect"]) == (number, rule.effect)


def test_an_unknown_rule_is_a_sentence_that_lists_what_there_is() -> None:
    done = halqa("rules", "A99")
    assert (done.exit_code, done.stdout) == (2, "")
    assert done.stderr.startswith("There is no rule 'A99'. The rules: A01")
    assert done.stderr.rstrip().endswith("O27.")


@pytest.mark.parametrize("locale", ["fa_IR.UTF-8", "ar_EG.UTF-8", "ru_RU.UTF-8", "C"])
def test_check_says_the_same_words_in_every_locale(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, locale: str
) -> None:
    files = [
        written(tmp_path, "refused.json", example("A40")),
        written(tmp_path, "warned.json", example("A46", accepted=True)),
        written(tmp_path, "unknown.json", {**example("A46", accepted=True), "model": "nobody-1"}),
        written(tmp_path, "list.json", []),
        str(tmp_path / "none.json"),
    ]
    monkeypatch.setenv("LANGUAGE", "en")
    english = [halqa("check", *form, *files).output for form in ([], ["--format", "json"])]
    for name in ("LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG"):
        monkeypatch.setenv(name, locale)
    assert [halqa("check", *form, *files).output for form in ([], ["--format", "json"])] == english
    for word in ("accepted", "warning: ", "not judged: ", "This file cannot be read: "):
        assert word in english[0]
    for word in ('"rejected"', '"accepted"', '"unreadable"', '"refuse"', '"warn"', '"not judged"'):
        assert word in english[1]

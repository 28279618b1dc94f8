"""`halqa agent` and `halqa settings`."""

import subprocess
import threading
import urllib.request
from pathlib import Path

import pytest
from typer.testing import CliRunner

from app.cli import main
from app.settings import Settings
from tests.live.conftest import KEY
from tests.live.messages import Played, call, error, gated, text
from tests.serving import HALQA, serving
from tests.web.conftest import sentence


@pytest.fixture
def closed(monkeypatch: pytest.MonkeyPatch) -> list[bool]:
    """Whether the command closed its environment; the tests' own stays open."""
    done: list[bool] = []
    monkeypatch.setattr("app.harness.closed.close_environment", lambda: done.append(True))
    return done


@pytest.fixture
def terminal(api: Played, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A terminal in a folder with two Python files."""
    folder = tmp_path / "work"
    folder.mkdir()
    for name in ("a.py", "b.py"):
        (folder / name).write_text("# TODO\n", encoding="utf-8")
    monkeypatch.chdir(folder)
    monkeypatch.setenv("ANTHROPIC_API_KEY", KEY)
    monkeypatch.setenv("ANTHROPIC_BASE_URL", api.address)
    monkeypatch.setenv("HALQA_DATA", str(tmp_path / "data"))
    return folder


def test_each_call_is_printed_as_it_happens_with_the_address_of_the_page(
    terminal: Path, api: Played
) -> None:
    gate = threading.Event()
    api.plans = [call("list_files", {"path": "."}), gated(text("There are 2."), gate)]
    with serving() as server:
        command = [HALQA, "agent", "count the .py files here", "--server", server]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as agent:
            assert agent.stdout is not None
            address = agent.stdout.readline().strip()
            assert agent.stdout.readline() == '[1] list_files {"path": "."}\n'
            assert agent.poll() is None, "it printed the call only at its end"
            gate.set()
            assert agent.stdout.read() == "There are 2.\n"
        assert agent.returncode == 0
        assert "a.py" in str(api.sent[1])
        assert address.startswith(f"{server}/runs/")
        kinds = []
        for step in range(9):
            with urllib.request.urlopen(f"{address}?step={step}") as answer:
                kinds.append(sentence(answer.read().decode()).split()[0])
    assert kinds == "start ask reply append tool append ask reply append".split()


def test_a_failed_call_ends_the_command_with_its_sentence(terminal: Path, api: Played) -> None:
    api.plans = [error(529, "overloaded_error", "busy")]
    done = CliRunner().invoke(main, ["agent", "count"])
    assert done.exit_code == 1
    assert done.stderr.strip() == "The API is overloaded."


def test_without_a_key_it_says_what_to_set(monkeypatch: pytest.MonkeyPatch) -> None:
    done = CliRunner().invoke(main, ["agent", "count"])
    assert done.exit_code == 2
    assert "set ANTHROPIC_API_KEY" in done.stderr


def test_settings_are_shown_without_a_secrets_value(
    terminal: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HALQA_LIVE_PASSWORD", "planted-password")
    monkeypatch.setenv("HALQA_DATABASE_URL", "postgresql://u:planted-too@h/d")
    done = CliRunner().invoke(main, ["settings"])
    assert done.exit_code == 0
    for field in Settings.model_fields.values():
        assert str(field.validation_alias) in done.stdout
    for secret in (KEY, "planted-password", "planted-too"):
        assert secret not in done.output


def test_the_readme_names_every_setting() -> None:
    readme = (Path(__file__).resolve().parents[2] / "README.md").read_text(encoding="utf-8")
    for field in Settings.model_fields.values():
        assert f"| `{field.validation_alias}` | {field.description} |" in readme


def test_a_setting_in_the_wrong_form_gets_a_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HALQA_LIVE_TURNS", "many")
    for command in (["settings"], ["agent", "x"]):
        done = CliRunner().invoke(main, command)
        assert done.exit_code == 2
        assert done.stderr.startswith("HALQA_LIVE_TURNS: ")


@pytest.mark.parametrize(
    ("typed", "made", "told"),
    [("y\n", True, "Done: exit code 0"), ("n\n", False, "Error: a person denied this call")],
)
def test_each_command_is_asked_about_before_it_runs(
    terminal: Path, api: Played, closed: list[bool], typed: str, made: bool, told: str
) -> None:
    api.plans = [call("bash", {"command": "touch made"}), text("It is over.")]
    done = CliRunner().invoke(main, ["agent", "make a file", "--allow-bash"], input=typed)
    assert done.exit_code == 0, done.output
    assert 'May this run? bash {"command": "touch made"} [y/N]' in done.output
    assert (terminal / "made").exists() is made
    assert told in str(api.sent[1])
    assert "bash" in str(api.sent[0]["tools"])
    assert closed == [True]


def test_without_the_option_no_command_is_offered(
    terminal: Path, api: Played, closed: list[bool]
) -> None:
    api.plans = [call("bash", {"command": "touch made"}), text("It is over.")]
    done = CliRunner().invoke(main, ["agent", "make a file"])
    assert "May this run?" not in done.output
    assert "bash was not given to this agent" in str(api.sent[1])
    assert not (terminal / "made").exists()
    assert closed == []


@pytest.mark.parametrize("helper", [True, False])
def test_a_helper_is_given_where_it_is_asked_for(terminal: Path, api: Played, helper: bool) -> None:
    asks = call("ask_helper", {"task": "Count."})
    helped = [call("list_files", {}, id="toolu_h"), text("Two.")] if helper else []
    api.plans = [asks, *helped, text("There are 2.")]
    done = CliRunner().invoke(main, ["agent", "count", *(["--helper"] if helper else [])])
    assert done.exit_code == 0, done.output
    assert ("[1] helper [1] list_files {}" in done.output) is helper
    assert ("ask_helper" in str(api.sent[0]["tools"])) is helper

"""What README.md and CONTRIBUTING.md claim is true."""

import re
import shlex
from pathlib import Path

import pytest
from typer.testing import CliRunner

from app.cli import lessons as lessons_app
from app.cli import main
from app.paths import SCENARIOS
from app.run import library

TOP = Path(__file__).resolve().parents[1]
README = (TOP / "README.md").read_text(encoding="utf-8")
CONTRIBUTING = (TOP / "CONTRIBUTING.md").read_text(encoding="utf-8")
CONSOLE = re.findall(r"```console\n\$ (.*?)\n(.*?)```", README, re.DOTALL)


def run(command: str) -> str:
    program, *words = shlex.split(command)
    assert program == "halqa"
    done = CliRunner().invoke(main, words)
    assert done.exit_code == 0
    return done.stdout


def test_there_are_examples() -> None:
    assert len(CONSOLE) >= 2


@pytest.mark.parametrize(("command", "output"), CONSOLE)
def test_an_example_prints_what_it_says(command: str, output: str) -> None:
    pattern = "".join(".*" if part == "…" else re.escape(part) for part in re.split("(…)", output))
    assert re.fullmatch(pattern, run(command))


def test_the_lesson_of_the_readme_is_a_lesson_of_15_lines(tmp_path: Path) -> None:
    (block,) = re.findall(r"```yaml\n(.*?)```", README, re.DOTALL)
    assert len(block.splitlines()) == 15
    place = block.splitlines()[0].removeprefix("# ")
    file = tmp_path / place
    file.parent.mkdir(parents=True)
    file.write_text(block, encoding="utf-8")
    assert "no faults" in run(f"halqa lessons check {file.parent}")
    folder = file.parent.parent
    printed = run(f"halqa run {file.parent.name} --lessons {folder}")
    assert "result: The sum is 42." in printed


def test_the_table_of_lessons_is_what_ships() -> None:
    listed = re.findall(r"^\| (\d+) \| `([\w-]+)` \| (.*) \|$", README, re.MULTILINE)
    shipped = [
        (str(lesson.number), lesson.slug, ", ".join(f"`{lane.name}`" for lane in lesson.lanes))
        for lesson in library([SCENARIOS]).lessons()
    ]
    assert listed == shipped


def test_the_table_of_commands_is_what_there_is() -> None:
    listed = set(re.findall(r"^\| `halqa ([\w -]+)` \|", README, re.MULTILINE))

    def name(command: object) -> str:
        return command.name or command.callback.__name__  # type: ignore[attr-defined]

    shipped = {name(command) for command in main.registered_commands} | {"lessons"}
    shipped |= {f"lessons {name(command)}" for command in lessons_app.registered_commands}
    assert listed == shipped


@pytest.mark.parametrize("text", [README, CONTRIBUTING], ids=["README", "CONTRIBUTING"])
def test_every_link_to_a_file_leads_somewhere(text: str) -> None:
    links = [link for link in re.findall(r"\]\(([^)]+)\)", text) if "://" not in link]
    assert [link for link in links if not (TOP / link).exists()] == []


@pytest.mark.parametrize("text", [README, CONTRIBUTING], ids=["README", "CONTRIBUTING"])
def test_every_file_that_is_named_exists(text: str) -> None:
    named = re.findall(r"`((?:app|tests|scenarios|locales|static)/[\w./-]*)`", text)
    assert [name for name in named if not (TOP / name).exists()] == []


def test_the_first_commands_are_the_makefiles() -> None:
    makefile = (TOP / "Makefile").read_text(encoding="utf-8")
    for command in re.findall(r"(?:^|`)make (\w+)", README + CONTRIBUTING, re.MULTILINE):
        assert re.search(rf"^{command}:", makefile, re.MULTILINE), command

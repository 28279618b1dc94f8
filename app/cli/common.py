"""What the commands share."""

from enum import StrEnum
from pathlib import Path
from typing import Annotated, NoReturn

import typer

from app.lessons import Lesson, Library, UnknownLesson
from app.paths import SCENARIOS

AllowWrite = Annotated[
    bool,
    typer.Option("--allow-write", help="Let live runs of a task of your own write in the folder."),
]
AllowBash = Annotated[
    bool,
    typer.Option(
        "--allow-bash",
        help="Let them run commands there, each once you have approved it. Nothing fences a "
        "command in: it may do what you may do.",
    ),
]
OwnLessons = Annotated[
    list[Path] | None,
    typer.Option("--lessons", help="A folder with lessons of your own.", metavar="DIR"),
]


class Format(StrEnum):
    """How a command prints what it found."""

    text = "text"
    json = "json"


def fail(said: str, code: int = 2) -> NoReturn:
    """End the command with one sentence."""
    typer.echo(said, err=True)
    raise typer.Exit(code)


def folders(own: list[Path] | None) -> list[Path]:
    """The folders that hold lessons. Ends the command where one is none."""
    for folder in own or []:
        if not folder.is_dir():
            fail(f"{folder} is no folder; --lessons takes a folder that holds lessons.")
    return [SCENARIOS, *(own or [])]


def granted(allow_write: bool, allow_bash: bool) -> tuple[str, ...]:
    """The tools that two options grant."""
    return (*["write_file"] * allow_write, *["bash"] * allow_bash)


def lesson_of(shelf: Library, name: str) -> Lesson:
    """A lesson by name or number. Ends the command where there is none."""
    try:
        return shelf.find(name)
    except UnknownLesson as unknown:
        fail(str(unknown))

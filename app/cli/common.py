"""What the commands share."""

import os
import re
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NoReturn

import typer

from app.lessons import Lesson, Library, UnknownLesson
from app.paths import LOCALES, SCENARIOS, TEMPLATES

if TYPE_CHECKING:
    from app.web.languages import Language

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
Lang = Annotated[
    str | None,
    typer.Option("--lang", help="The language, such as fa; that of your system where left out."),
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


def language_of(lang: str | None) -> "Language":
    """The language that is asked for, else that of the system, else English. Ends the command where
    there is no such language."""
    from app.views.addresses import listed
    from app.web.languages import SOURCE, read_languages

    languages = read_languages(LOCALES, TEMPLATES)
    if lang is not None and lang not in languages:
        fail(f"There is no language {lang!r:.20}; there is {listed([*languages])}.")
    wanted = [lang] if lang is not None else languages_of_the_system()
    return languages[next((code for code in wanted if code in languages), SOURCE)]


def languages_of_the_system() -> list[str]:
    """The languages that the environment names, as gettext reads it: the first variable that is set
    decides, `fa_IR.UTF-8` is `fa`."""
    names = ("LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG")
    value = next((os.environ[name] for name in names if os.environ.get(name)), "")
    return [re.split("[_.@]", tag)[0].lower() for tag in value.split(":")]


def folders(own: list[Path] | None) -> list[Path]:
    """The folders that hold lessons. Ends the command where one is none."""
    for folder in own or []:
        if not folder.is_dir():
            fail(f"{folder} is no folder; --lessons takes a folder that holds lessons.")
    return [SCENARIOS, *(own or [])]


def granted(allow_write: bool, allow_bash: bool) -> tuple[str, ...]:
    """The tools that two options grant. Where commands may run, they do not see the environment of
    this process, as far as the system can keep it from them."""
    if allow_bash:
        from app.harness.closed import close_environment

        close_environment()
    return (*["write_file"] * allow_write, *["bash"] * allow_bash)


def lesson_of(shelf: Library, name: str) -> Lesson:
    """A lesson by name or number. Ends the command where there is none."""
    try:
        return shelf.find(name)
    except UnknownLesson as unknown:
        fail(str(unknown))

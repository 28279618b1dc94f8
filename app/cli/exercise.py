"""`halqa exercise` writes the starter of the exercise."""

from pathlib import Path
from typing import Annotated

import typer

from app.cli.common import Lang, fail, language_of


def write_exercise(
    folder: Annotated[Path, typer.Argument(help="A new or empty folder.", metavar="DIR")],
    lang: Lang = None,
) -> None:
    """Write the exercise: a fake model, and a loop for you to fill in."""
    from app.exercise.starter import FILE, INSTRUCTIONS, CannotWrite, write_starter
    from app.said import Said

    language = language_of(lang)
    say = language.words.plain
    try:
        names = write_starter(folder)
    except CannotWrite as cannot:
        fail(say(cannot.args[0]))
    typer.echo(f"{folder}: {', '.join(names)}")
    own = INSTRUCTIONS % language.code
    steps = Said(
        "Read %(instructions)s, fill in %(function)s in %(file)s, then: %(command)s",
        instructions=own if own in names else INSTRUCTIONS % "en",
        function="run_agent",
        file=FILE,
        command=f"python {folder / FILE}",
    )
    typer.echo(say(steps))
    typer.echo(say(Said("When it works: %(command)s", command=f"halqa grade {folder / FILE}")))

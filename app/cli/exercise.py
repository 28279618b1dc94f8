"""`halqa exercise` writes the starter of the exercise."""

from pathlib import Path
from typing import Annotated

import typer

from app.cli.common import fail


def write_exercise(
    folder: Annotated[Path, typer.Argument(help="A new or empty folder.", metavar="DIR")],
) -> None:
    """Write the exercise: a fake model, and a loop for you to fill in."""
    from app.exercise.starter import FILE, CannotWrite, write_starter

    try:
        names = write_starter(folder)
    except CannotWrite as cannot:
        fail(str(cannot))
    typer.echo(f"{folder}: {', '.join(names)}")
    typer.echo(f"Read README.en.md, fill in run_agent in {FILE}, then: python {folder / FILE}")
    typer.echo(f"When it works: halqa grade {folder / FILE}")

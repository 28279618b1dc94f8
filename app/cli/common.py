"""What the commands share."""

from enum import StrEnum
from typing import NoReturn

import typer


class Format(StrEnum):
    """How a command prints what it found."""

    text = "text"
    json = "json"


def fail(said: str, code: int = 2) -> NoReturn:
    """End the command with one sentence."""
    typer.echo(said, err=True)
    raise typer.Exit(code)

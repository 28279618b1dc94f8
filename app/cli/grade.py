"""`halqa grade` runs a learner's loop on the exercise's scripts and says what to look at."""

from pathlib import Path
from typing import Annotated

import typer

from app.cli.common import fail

WRONG = 1  # the exit code where something is not right


def grade_file(
    file: Annotated[Path, typer.Argument(help="The file with your run_agent.", metavar="FILE")],
) -> None:
    """Grade a loop by the history it sends. It runs your code, with limits, on this machine."""
    from app.exercise.grading import Ungradable
    from app.exercise.report import explained, grade, printed
    from app.views.texts import visible

    if not file.is_file():
        fail(f"There is no file {file}; halqa grade takes the file with your run_agent.")
    file = file.resolve()
    try:
        graded = grade(file)
    except Ungradable as cannot:
        fail(visible(str(cannot)))
    source = file.read_text(encoding="utf-8", errors="replace").splitlines()
    known: dict[object, str] = {}  # feedback, and the script that it was told for
    for one in graded:
        verdict = "right" if one.right else "wrong"
        typer.echo(f"{verdict}  {one.run.case.name}: {one.run.case.about}")
        if one.feedback is None:
            continue
        told = (one.feedback.line, one.feedback.kind if one.feedback.request else one.feedback.said)
        if told in known:
            typer.echo(f"       the same as in {known[told]}")
            continue
        known[told] = one.run.case.name
        for line in explained(one.feedback, source):
            typer.echo(f"       {visible(line)}")
        for line in printed(one.run):
            typer.echo(f"     | {visible(line)}")
    right = sum(one.right for one in graded)
    typer.echo(f"{right} of {len(graded)} scripts right")
    if right < len(graded):
        raise typer.Exit(WRONG)

"""`halqa grade` runs a learner's loop on the exercise's scripts and says what to look at."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from app.cli.common import fail

if TYPE_CHECKING:
    from app.exercise.report import Graded

OURS = b' graded">'  # in a page that was written here
WRONG = 1  # the exit code where something is not right


def grade_file(
    file: Annotated[Path, typer.Argument(help="The file with your run_agent.", metavar="FILE")],
) -> None:
    """Grade a loop by the history it sends. It runs your code, with limits, on this machine."""
    from app.exercise.grading import Ungradable
    from app.exercise.report import explained, grade, printed
    from app.exercise.scripts import CASES
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
        told = (one.feedback.line, one.feedback.kind if one.feedback.sent else one.feedback.said)
        if told in known:
            typer.echo(f"       the same as in {known[told]}")
            continue
        known[told] = one.run.case.name
        for line in explained(one.feedback, source):
            typer.echo(f"       {visible(line)}")
        for line in printed(one.run):
            typer.echo(f"     | {visible(line)}")
    if len(graded) < len(CASES):
        typer.echo("The other scripts were not played: this one took too long.")
    right = sum(one.right for one in graded)
    typer.echo(f"{right} of {len(CASES)} scripts right")
    _write_page(file, "\n".join(source), graded)
    if right < len(CASES):
        raise typer.Exit(WRONG)


def _write_page(file: Path, source: str, graded: "list[Graded]") -> None:
    """Write the run to look at as a page beside the file, and say which one it is."""
    from app.exercise.grading import correct_run
    from app.exercise.report import explained, shown_run
    from app.paths import LOCALES, TEMPLATES
    from app.views.graded import Grading, Verdict
    from app.web.graded import graded_page
    from app.web.languages import SOURCE, read_languages

    one = shown_run(graded)
    case = one.run.case
    grading = Grading(
        file=file.name,
        source=source,
        case=case.name,
        about=case.about,
        task=case.task,
        yours=one.run.trace,
        correct=correct_run(case),
        said=list(explained(one.feedback, source.split("\n"))) if one.feedback else [],
        verdicts=[Verdict(each.run.case.name, each.run.case.about, each.right) for each in graded],
    )
    html = graded_page(grading, read_languages(LOCALES, TEMPLATES)[SOURCE])
    page = file.with_suffix(".html")
    try:
        if page.exists() and OURS not in page.read_bytes():
            typer.echo(f"{page.name} is a file of yours, so no page was written.", err=True)
            return
        page.write_bytes(html.encode("utf-8", "backslashreplace"))
    except OSError as error:
        typer.echo(f"{page.name} cannot be written: {error.strerror}.", err=True)
        return
    typer.echo(f"{page.name} shows {case.name} step by step, beside a correct run")

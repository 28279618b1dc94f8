"""`halqa grade` runs a learner's loop on the exercise's scripts and says what to look at."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from app.cli.common import Lang, fail, language_of
from app.said import Said

if TYPE_CHECKING:
    from app.exercise.report import Graded
    from app.web.languages import Language

OURS = b' graded">'  # in a page that was written here
WRONG = 1  # the exit code where something is not right


def grade_file(
    file: Annotated[Path, typer.Argument(help="The file with your run_agent.", metavar="FILE")],
    lang: Lang = None,
) -> None:
    """Grade a loop by the history it sends. It runs your code, with limits, on this machine."""
    from app.exercise.grading import Ungradable
    from app.exercise.report import explained, grade, printed
    from app.exercise.scripts import CASES
    from app.views.texts import visible

    language = language_of(lang)
    say = language.words.plain
    if not file.is_file():
        said = Said(
            "There is no file %(file)s; %(command)s takes the file with your %(function)s.",
            file=str(file),
            command="halqa grade",
            function="run_agent",
        )
        fail(say(said))
    file = file.resolve()
    try:
        graded = grade(file)
    except Ungradable as cannot:
        fail(say(cannot.args[0]))
    source = file.read_text(encoding="utf-8", errors="replace").splitlines()
    known: dict[object, str] = {}  # feedback, and the script that it was told for
    verdicts = {True: say(Said("right")), False: say(Said("wrong"))}
    width = max(map(len, verdicts.values()))
    under = " " * (width + 2)
    for one in graded:
        about = say(Said(one.run.case.about))
        typer.echo(f"{verdicts[one.right]:<{width}}  {one.run.case.name}: {about}")
        if one.feedback is None:
            continue
        told = (one.feedback.line, one.feedback.kind if one.feedback.sent else one.feedback.said)
        if told in known:
            typer.echo(under + say(Said("the same as in %(script)s", script=known[told])))
            continue
        known[told] = one.run.case.name
        for line in explained(one.feedback, source):
            typer.echo(under + say(line))
        for printed_line in printed(one.run):
            typer.echo(f"     | {visible(printed_line)}")
    if len(graded) < len(CASES):
        typer.echo(say(Said("The other scripts were not played: this one took too long.")))
    right = sum(one.right for one in graded)
    typer.echo(say(Said("%(right)s of %(all)s scripts right", right=right, all=len(CASES))))
    _write_page(file, "\n".join(source), graded, language)
    if right < len(CASES):
        raise typer.Exit(WRONG)


def _write_page(file: Path, source: str, graded: "list[Graded]", language: "Language") -> None:
    """Write the run to look at as a page beside the file, and say which one it is."""
    from app.exercise.grading import correct_run
    from app.exercise.report import explained, shown_run
    from app.views.graded import POINT, Grading, Verdict
    from app.web.graded import graded_page

    say = language.words.plain
    one = shown_run(graded)
    case = one.run.case
    grading = Grading(
        file=file.name,
        source=source,
        case=case.name,
        about=say(Said(case.about)),
        point=say(POINT),
        language=language.code,
        task=case.task,
        yours=one.run.trace,
        correct=correct_run(case),
        said=list(explained(one.feedback, source.split("\n"))) if one.feedback else [],
        verdicts=[
            Verdict(each.run.case.name, say(Said(each.run.case.about)), each.right)
            for each in graded
        ],
    )
    page = file.with_suffix(".html")
    try:
        if page.exists() and OURS not in page.read_bytes():
            said = Said("%(file)s is a file of yours, so no page was written.", file=page.name)
            typer.echo(say(said), err=True)
            return
        html = graded_page(grading, language)
        page.write_bytes(html.encode("utf-8", "backslashreplace"))
    except OSError as error:
        said = Said("%(file)s cannot be written: %(why)s.", file=page.name, why=error.strerror)
        typer.echo(say(said), err=True)
        return
    said = Said(
        "%(file)s shows %(script)s step by step, beside a correct run",
        file=page.name,
        script=case.name,
    )
    typer.echo(say(said))

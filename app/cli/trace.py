"""`halqa trace` prints the calls of a run: what was asked, what came back, how long it took."""

from enum import StrEnum
from typing import Annotated

import typer

from app.cli.common import OwnLessons, fail, folders, lesson_of
from app.lessons import UnknownLane


class TraceFormat(StrEnum):
    """How a trace is printed; `jsonl` is a JSON object a line, one for each step."""

    table = "table"
    jsonl = "jsonl"
    csv = "csv"
    otlp = "otlp"


def print_trace(
    lesson: Annotated[str, typer.Argument(help="A lesson, by name or number.")],
    lanes: Annotated[
        str | None,
        typer.Option(
            "--lane",
            "--lanes",
            help="One to four lanes with commas between them, such as "
            "correct,forgot_results:unchecked; the first where left out.",
        ),
    ] = None,
    form: Annotated[
        TraceFormat, typer.Option("--format", help="How to print it.")
    ] = TraceFormat.table,
    lang: Annotated[str, typer.Option(help="The language of the lesson's texts.")] = "en",
    own: OwnLessons = None,
) -> None:
    """Print the calls of a run: as a table, JSON Lines, CSV or OpenTelemetry spans."""
    more = folders(own)[1:]

    from app.views.addresses import BadAddress, Choice, Place, View, listed, read_choices
    from app.views.runs import run_lines
    from app.web.site import read_site, reading_of
    from app.web.trace import lesson_csv, lesson_otlp, lesson_tables

    site = read_site(more)
    found = lesson_of(site.library, lesson)
    if lang not in site.languages:
        fail(f"There is no language {lang!r:.20}; there is {listed([*site.languages])}.")
    language = site.languages[lang]
    first = found.lanes[0]
    try:
        choices = read_choices(lanes, found) if lanes else (Choice(first.name, first.checked),)
    except (BadAddress, UnknownLane) as wrong:
        fail(str(wrong))
    place = Place(found, choices, 0, View(), "", lang)
    match form:
        case TraceFormat.csv:
            typer.echo(lesson_csv(place, language), nl=False)
        case TraceFormat.otlp:
            typer.echo(lesson_otlp(place, language), nl=False)
        case TraceFormat.jsonl:
            for choice in choices:
                for line in run_lines(reading_of(found, choice, language), choice.checked):
                    typer.echo(line)
        case TraceFormat.table:
            from app.views.calls.text import table_text

            tables = lesson_tables(place, language)
            typer.echo("\n\n".join(table_text(name, table) for name, table in tables))

"""`halqa export` writes a run, or several lanes side by side, as one HTML file."""

from pathlib import Path
from typing import Annotated

import typer

from app.cli.common import Lang, OwnLessons, fail, folders, language_of, lesson_of
from app.lessons import UnknownLane

OUTPUT = "-"  # as a file, the standard output


def export_run(
    lesson: Annotated[str, typer.Argument(help="A lesson, by name or number.")],
    lanes: Annotated[
        str | None,
        typer.Option(
            help="One to four lanes with commas between them, such as "
            "correct,forgot_results:checked; those shown first where left out.",
        ),
    ] = None,
    output: Annotated[
        str | None,
        typer.Option(
            "--output",
            "-o",
            help="The file to write, - for the output; the lesson's name where left out.",
            metavar="FILE",
        ),
    ] = None,
    lang: Lang = None,
    own: OwnLessons = None,
) -> None:
    """Write a run as one HTML file that opens from a disk and steps without a server."""
    more = folders(own)[1:]

    from app.views.addresses import BadAddress, Place, View, read_choices
    from app.web.export import exported
    from app.web.site import read_site

    site = read_site(more)
    found = lesson_of(site.library, lesson)
    language = site.languages[language_of(lang).code]
    try:
        choices = read_choices(lanes, found)
    except (BadAddress, UnknownLane) as wrong:
        fail(str(wrong))
    html = exported(Place(found, choices, 0, View(), "", language.code), language)
    data = html.encode("utf-8", "backslashreplace")
    if output == OUTPUT:
        typer.get_binary_stream("stdout").write(data)
        return
    file = Path(output or f"{found.slug}.html")
    try:
        file.write_bytes(data)
    except OSError as error:
        fail(f"{file} cannot be written: {error.strerror}.", code=1)
    typer.echo(f"{file}: {len(data) / 1000:,.0f} kB")

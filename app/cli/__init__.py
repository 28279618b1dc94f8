"""`halqa …`: the command line. Each command imports what it needs, so that `--help` is instant."""

import gettext
import json
import socket
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from app.cli.agent import run_agent, show_settings
from app.cli.common import (
    AllowBash,
    AllowWrite,
    Format,
    OwnLessons,
    fail,
    folders,
    granted,
    lesson_of,
)
from app.cli.exercise import write_exercise
from app.cli.export import export_run
from app.cli.grade import grade_file
from app.cli.rules import check_files, print_rules
from app.cli.trace import print_trace
from app.engine.steps import Helper, Tool, Trace, Wait
from app.lessons import LessonFault, UnknownLane, read_lesson
from app.paths import MissingAsset, require_assets
from app.run import library, misfit, trace_of
from app.views.addresses import BadAddress, read_decisions

KEEP_ALIVE = 75  # seconds: a class thinks longer between two presses than uvicorn's default of 5

main = typer.Typer(
    name="halqa",
    help="See the loop that makes a language model an agent, one step at a time.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)
lessons = typer.Typer(help="List the lessons, or check one of your own.", rich_markup_mode=None)
main.add_typer(lessons, name="lessons")
main.command("check")(check_files)
main.command("rules")(print_rules)
main.command("trace")(print_trace)
main.command("export")(export_run)
main.command("exercise")(write_exercise)
main.command("grade")(grade_file)
main.command("agent")(run_agent)
main.command("settings")(show_settings)


UNGUARDED = (
    "Whoever reaches this address can make calls with your key, as no password is set:"
    " see HALQA_LIVE_PASSWORD in `halqa settings`."
)


class RunFormat(StrEnum):
    """How a run is printed; `jsonl` is a JSON object a line, one for each step."""

    text = "text"
    json = "json"
    jsonl = "jsonl"


@main.command()
def serve(
    host: Annotated[str, typer.Option(help="The address to listen on.")] = "127.0.0.1",
    port: Annotated[
        int, typer.Option(help="The port; 0 takes a free one.", min=0, max=65535)
    ] = 8000,
    own: OwnLessons = None,
    workspace: Annotated[
        Path | None,
        typer.Option(
            help="The folder that live runs of a task of your own may read.", metavar="DIR"
        ),
    ] = None,
    allow_write: AllowWrite = False,
    allow_bash: AllowBash = False,
) -> None:
    """Start the server and print its address."""
    folders(own)
    if workspace is not None and not workspace.is_dir():
        fail(f"{workspace} is no folder; --workspace takes the folder that tools may read.")
    if (allow_write or allow_bash) and workspace is None:
        fail("--allow-write and --allow-bash are for a folder: name it with --workspace.")
    if allow_write or allow_bash:
        _guarded(host)
    try:
        require_assets()
    except MissingAsset as missing:
        fail(str(missing), code=1)
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    # Where the protocol is named, asyncio sends at once what else waits 40 ms for the reader's ACK.
    sock = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    sock.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        sock.bind((host, port))
    except OSError as error:
        fail(f"Halqa cannot listen on {host}:{port}: {error.strerror}. Choose another --port.")

    import uvicorn

    from app.main import create_app
    from app.settings import BadSettings
    from app.web.hosts import OWN

    try:
        application = create_app(
            own or [], host, workspace=workspace, granted=granted(allow_write, allow_bash)
        )
    except BadSettings as bad:
        fail(str(bad))

    shown = f"[{host}]" if ":" in host else host
    typer.echo(f"Halqa is at http://{shown}:{sock.getsockname()[1]} (Ctrl+C ends it)")
    settings = application.state.live.settings
    if host not in OWN and settings.live and settings.live_password is None:
        typer.echo(UNGUARDED, err=True)
    config = uvicorn.Config(
        application,
        log_level="warning",
        access_log=False,
        server_header=False,
        timeout_keep_alive=KEEP_ALIVE,
    )
    uvicorn.Server(config).run(sockets=[sock])


def _guarded(host: str) -> None:
    """Ends the command where others reach the address, and no password keeps them from a person's
    folder."""
    from app.settings import BadSettings, read_settings
    from app.web.hosts import OWN

    try:
        guarded = read_settings().live_password is not None
    except BadSettings as bad:
        fail(str(bad))
    if host not in (*OWN, "::1") and not guarded:
        fail("--allow-write and --allow-bash on such a --host: set HALQA_LIVE_PASSWORD first.")


@main.command()
def run(
    lesson: Annotated[str, typer.Argument(help="A lesson, by name or number.")],
    lane: Annotated[str | None, typer.Option(help="The lane; the first where left out.")] = None,
    checked: Annotated[
        bool | None,
        typer.Option(
            "--checked/--unchecked",
            help="Whether the server checks requests as the real API does; "
            "the lane's own setting where left out.",
        ),
    ] = None,
    decide: Annotated[
        str,
        typer.Option(
            help="What a person decides, in the order in which they are asked, such as "
            "approve,deny; the lane's own decisions where left out.",
        ),
    ] = "",
    form: Annotated[RunFormat, typer.Option("--format", help="How to print it.")] = RunFormat.text,
    own: OwnLessons = None,
) -> None:
    """Run one lane of a lesson and print what happened."""
    found = lesson_of(library(folders(own)), lesson)
    try:
        chosen = found.lane(lane) if lane else found.lanes[0]
    except UnknownLane as unknown:
        fail(str(unknown))
    checks = chosen.checked if checked is None else checked
    try:
        decisions = read_decisions(decide)
    except BadAddress as bad:
        fail(str(bad))
    trace = trace_of(found, chosen.name, checks, found.language, decisions)
    if form is RunFormat.text:
        typer.echo(report(trace))
        return

    from app.views.reading import Reading
    from app.views.runs import json_text, run_json, run_lines
    from app.views.texts import Words

    words = Words(gettext.NullTranslations())
    reading = Reading(found, chosen, trace, words, found.language)
    if form is RunFormat.json:
        typer.echo(json_text(run_json(reading, checks), indent=2))
    else:
        for line in run_lines(reading, checks):
            typer.echo(line)


def report(trace: Trace) -> str:
    """A run as text: a line for each call, the result, and the messages sent each turn."""
    ran = [
        (step.turn, "helper: " * step.depth, step.inner if isinstance(step, Helper) else step)
        for step in trace.steps
    ]
    lines = [
        f"turn {turn}: {whose}{step.call.get('name')} "
        f"{json.dumps(step.call.get('input'), sort_keys=True)} -> {_one_line(step.result.content)}"
        for turn, whose, step in ran
        if isinstance(step, Tool)
    ]
    ending, last = trace.ending, trace.steps[-1]
    lead = {"refused": "bad request: ", "error": f"error: {ending.error}: ", "cut": "cut: "}
    if isinstance(last, Wait):
        named = f"{last.call.get('name')} {json.dumps(last.call.get('input'), sort_keys=True)}"
        lines.append(f"waits: a person must decide about {named}; add approve or deny to --decide")
    else:
        lines.append(f"result: {lead.get(ending.kind, '')}{_one_line(ending.text)}")
    lines.append(f"messages sent each turn: {', '.join(map(str, trace.messages_sent))}")
    return "\n".join(lines)


@lessons.callback(invoke_without_command=True)
def list_lessons(
    context: typer.Context,
    form: Annotated[Format, typer.Option("--format", help="How to print them.")] = Format.text,
    own: OwnLessons = None,
) -> None:
    """List the lessons, or check one of your own."""
    if context.invoked_subcommand:
        return
    shelf = library(folders(own))
    if form is Format.json:
        from app.views.runs import json_text, lessons_json

        typer.echo(json_text(lessons_json(shelf.lessons(), shelf.faults(), ""), indent=2))
        return
    for lesson in shelf.lessons():
        typer.echo(f"{lesson.number:>3}  {lesson.slug}  {lesson.title(lesson.language)}")
        typer.echo(f"     {', '.join(lane.name for lane in lesson.lanes)}")
    for fault in shelf.faults():
        typer.echo(fault, err=True)


@lessons.command()
def check(path: Annotated[Path, typer.Argument(help="A lesson's folder.")]) -> None:
    """Check a lesson's folder: its file, its script, its workspace."""
    try:
        lesson = read_lesson(path.resolve())
        if fault := misfit(lesson):
            raise fault
    except LessonFault as fault:
        fail(str(fault), code=1)
    typer.echo(f"{lesson.slug}: no faults, {len(lesson.lanes)} lanes")


def _one_line(text: str) -> str:
    return text.replace("\n", "\\n")

"""`halqa check` judges requests by the rules of the real API; `halqa rules` prints the rules."""

import json
import sys
from collections.abc import Collection
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any

import typer

from app.cli.common import Format, fail
from app.engine.rules import RULES, Rule, check, dialect_of
from app.engine.steps import Fault
from app.requests import MOST_BYTES, NotARequest, read_request
from app.views.rules import UnknownRule, rule_named, wording
from app.views.texts import visible

REFUSED, UNREADABLE = 1, 2  # exit codes
FAULT_KEYS = ("rule", "where", "effect", "sentence", "api", "certainty")
MARKS = {"refuse": "", "warn": "warning: ", "not judged": "not judged: "}


class Dialect(StrEnum):
    """Which API a request is meant for."""

    anthropic = "anthropic"
    openai = "openai"


@dataclass(frozen=True)
class Options:
    """How requests are judged; an empty dialect is guessed, an empty model is the request's own."""

    dialect: str = ""
    model: str = ""
    betas: Collection[str] = ()
    strict: bool = False


@dataclass(frozen=True)
class Judged:
    """What became of one file: `unread` says why it is no request; `notes` are asides."""

    file: str
    faults: tuple[Fault, ...] = ()
    unread: NotARequest | None = None
    notes: tuple[str, ...] = ()

    @property
    def verdict(self) -> str:
        if self.unread:
            return "unreadable"
        refused = any(fault.effect == "refuse" for fault in self.faults)
        return "rejected" if refused else "accepted"


def check_files(
    files: Annotated[
        list[str],
        typer.Argument(help="Files with one request body each, as JSON; - is the input."),
    ],
    dialect: Annotated[
        Dialect | None, typer.Option(help="The API that it is meant for; guessed where left out.")
    ] = None,
    model: Annotated[
        str, typer.Option(help="Judge as if the request named this model.", metavar="NAME")
    ] = "",
    form: Annotated[Format, typer.Option("--format", help="How to print it.")] = Format.text,
    beta: Annotated[
        list[str] | None,
        typer.Option(help="A beta header that is sent with the request.", metavar="NAME"),
    ] = None,
    strict_alternation: Annotated[
        bool,
        typer.Option(
            "--strict-alternation",
            help="A classroom option, stricter than the real API: roles must alternate, "
            "first and last from the user.",
        ),
    ] = False,
) -> None:
    """Judge request bodies by the rules of the real API.

    Ends with 0 where all are accepted, 1 where one is refused, 2 where a file is no request.
    """
    options = Options(dialect or "", model, beta or (), strict_alternation)
    shown = len(files) > 1 and sys.stderr.isatty()
    with typer.progressbar(files, label="Checking", file=sys.stderr, hidden=not shown) as bar:
        judged = [judge(file, options) for file in bar]
    for one in judged:
        for note in one.notes:
            typer.echo(f"{visible(one.file)}: note: {note}", err=True)
    if form is Format.json:
        typer.echo(json.dumps([as_json(one) for one in judged], indent=2))
    else:
        for one in judged:
            typer.echo(as_text(one), err=one.unread is not None)
    verdicts = {one.verdict for one in judged}
    if verdicts != {"accepted"}:
        raise typer.Exit(UNREADABLE if "unreadable" in verdicts else REFUSED)


def judge(file: str, options: Options) -> Judged:
    """Read and judge one file."""
    try:
        read = read_request(_bytes_of(file))
    except NotARequest as error:
        return Judged(file, unread=error)
    request = {**read.request, "model": options.model} if options.model else read.request
    dialect = options.dialect or dialect_of(request)
    faults = check(request, dialect, betas=options.betas, strict_alternation=options.strict)
    notes = [
        f'the key "{visible(key[:80])}" stands twice in one object; the last one counts'
        for key in read.twice[:10]
    ]
    if options.strict and dialect == Dialect.openai:
        notes.append("strict alternation is an option for the Messages API; it changes nothing")
    return Judged(file, faults, notes=tuple(notes))


def _bytes_of(file: str) -> bytes:
    """A little more than may be read, so that what is too large is seen. Raises NotARequest."""
    try:
        if file == "-":
            return sys.stdin.buffer.read(MOST_BYTES + 1)
        with Path(file).open("rb") as opened:
            return opened.read(MOST_BYTES + 1)
    except (OSError, ValueError) as error:
        why = error.strerror if isinstance(error, OSError) else error
        raise NotARequest("This file cannot be read: %(why)s.", why=str(why)) from None


def as_json(one: Judged) -> dict[str, Any]:
    """What became of a file, as JSON types."""
    if one.unread:
        faults = [Fault("", "unreadable", one.unread.where, str(one.unread))]
    else:
        faults = list(one.faults)
    return {
        "file": one.file,
        "verdict": one.verdict,
        "faults": [{key: getattr(fault, key) for key in FAULT_KEYS} for fault in faults],
    }


def as_text(one: Judged) -> str:
    """What became of a file: the verdict where it is accepted, and a line for each fault."""
    file = visible(one.file)
    if one.unread:
        return f"{file}: {visible(str(one.unread))}"
    lines = [f"{file}: accepted"] if one.verdict == "accepted" else []
    for fault in one.faults:
        where = f"{visible(fault.where)}: " if fault.where else ""
        lines.append(f"{file}: {MARKS[fault.effect]}{where}{fault.rule} {fault.sentence}")
    return "\n".join(lines)


def print_rules(
    rule: Annotated[
        str | None, typer.Argument(help="The number of a rule, such as A40; all where left out.")
    ] = None,
    form: Annotated[Format, typer.Option("--format", help="How to print it.")] = Format.text,
) -> None:
    """Print the rules of the real APIs: number, effect, what is checked; or one of them whole."""
    if rule is None:
        if form is Format.json:
            from app.views.runs import json_text, rules_json

            typer.echo(json_text(rules_json(), indent=2))
        else:
            for row in RULES.values():
                typer.echo(f"{row.number}  {row.effect:<10}  {row.title}")
        return
    try:
        found = rule_named(rule.upper())
    except UnknownRule as unknown:
        fail(str(unknown))
    if form is Format.json:
        from app.views.runs import json_text, rule_json

        typer.echo(json_text(rule_json(found), indent=2))
    else:
        typer.echo(whole(found))


def whole(rule: Rule) -> str:
    """A rule with its checks, sources and examples, as text."""
    lines = [f"{rule.number}  {rule.title}", ""]
    for one in rule.checks:
        lines.append(f"{one.effect}: {one.sentence}")
        if one.effect != "accept":
            api = wording(rule, one)
            lines.append(f"  {one.status} {one.error}{': ' + api if api else ''}")
            if one.certainty:
                lines.append(f"  ({one.certainty})")
    lines += ["", f"how sure: {rule.certainty}", f"sources: {', '.join(rule.sources)}"]
    if rule.believed:
        lines.append(f"others refuse too much: {rule.believed}")
    if rule.looser:
        lines.append(f"others refuse too little: {rule.looser}")
    for name, example in (("accepted", rule.accepted), ("refused", rule.refused)):
        if example is not None:
            lines += ["", f"{name}:", json.dumps(example, indent=2)]
    return "\n".join(lines)

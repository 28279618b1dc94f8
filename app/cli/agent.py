"""`halqa agent`, a task of one's own in the terminal; `halqa settings`, what is set."""

import json
from pathlib import Path
from typing import Annotated

import typer

from app.cli.common import fail

ADDRESS = "http://127.0.0.1:8000"  # where `halqa serve` shows a run


def run_agent(
    task: Annotated[str, typer.Argument(help='What to do, such as "count the .py files here".')],
    workspace: Annotated[
        Path, typer.Option(help="The folder that its tools may read.", metavar="DIR")
    ] = Path(),
    model: Annotated[str, typer.Option(help="The model.")] = "claude-opus-5",
    loop: Annotated[str, typer.Option(help="The loop, by name.")] = "every_stop_reason",
    max_tokens: Annotated[int, typer.Option(help="The most tokens of a reply.")] = 2_048,
    turns: Annotated[int, typer.Option(help="The most turns.")] = 20,
    system: Annotated[str, typer.Option(help="The system text.")] = "",
    server: Annotated[str, typer.Option(help="The address of your halqa serve.")] = ADDRESS,
) -> None:
    """Let a real model do a task with tools that only read, and print each call as it happens."""
    from app.engine.steps import End, Tool
    from app.live import FOLDER_TOOLS, BadOrder, CannotGoOn, Live, NotNow, Order
    from app.paths import SCENARIOS
    from app.run import library
    from app.settings import BadSettings, read_settings
    from app.store import NoStore
    from app.views.texts import visible

    try:
        settings = read_settings()
    except BadSettings as bad:
        fail(str(bad))
    if not settings.live:
        fail("A real model needs a key: set ANTHROPIC_API_KEY.")
    if not workspace.is_dir():
        fail(f"{workspace} is no folder; --workspace takes the folder that tools may read.")
    live = Live(settings, library([SCENARIOS]), workspace)
    order = Order(None, loop, task, model, max_tokens, system, FOLDER_TOOLS, turns)
    try:
        run = live.start(order, "")
        typer.echo(f"{server.rstrip('/')}/runs/{run.id}")
        state, shown = live.state(run.id), 0
        while True:
            for step in state.replayed.trace.steps[shown:]:
                if isinstance(step, Tool):
                    name, given = step.call.get("name"), step.call.get("input")
                    line = f"[{step.turn}] {name} {json.dumps(given, ensure_ascii=False)}"
                    typer.echo(visible(line))
                if isinstance(step, End):
                    _ended(step.ending.kind, visible(step.ending.text))
            if state.waiting is None or state.replayed.failed is not None:
                return
            shown = len(state.replayed.trace.steps)
            state = live.advance(state)
    except (BadOrder, CannotGoOn, NotNow, NoStore) as refusal:
        fail(str(refusal), code=1)


def _ended(kind: str, text: str) -> None:
    """Print how the run ended. Ends the command with 1 where it gave no answer."""
    if kind == "answer":
        typer.echo(text)
        return
    fail(text, code=1)


def show_settings() -> None:
    """Show what the environment sets, without a secret's value."""
    from app.settings import BadSettings, read_settings, rows

    try:
        found = list(rows(read_settings()))
    except BadSettings as bad:
        fail(str(bad))
    width = max(len(row.variable) for row in found)
    for row in found:
        typer.echo(f"{row.variable:<{width}}  {row.value or '-'}")
        typer.echo(f"{'':<{width}}  {row.said}")

"""`halqa agent`, a task of one's own in the terminal; `halqa settings`, what is set."""

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from app.cli.common import AllowBash, AllowWrite, fail, granted

if TYPE_CHECKING:
    from app.engine.steps import Json, Step
    from app.live import Live, State

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
    stops: Annotated[
        bool, typer.Option("--stops", help="End the run where the environment of a tool fails.")
    ] = False,
    helper: Annotated[
        bool,
        typer.Option(
            "--helper", help="Give it a helper agent to ask, whose calls are paid for too."
        ),
    ] = False,
    allow_write: AllowWrite = False,
    allow_bash: AllowBash = False,
) -> None:
    """Let a real model do a task, and print each call as it happens. Its tools only read, where you
    allow no more; you are asked before each command."""
    from app.live import ASK_HELPER, BadOrder, CannotGoOn, Live, NotNow, Order
    from app.paths import SCENARIOS
    from app.run import library
    from app.settings import BadSettings, read_settings
    from app.store import NoStore

    try:
        settings = read_settings()
    except BadSettings as bad:
        fail(str(bad))
    if not settings.live:
        fail("A real model needs a key: set ANTHROPIC_API_KEY.")
    if not workspace.is_dir():
        fail(f"{workspace} is no folder; --workspace takes the folder that tools may read.")
    live = Live(settings, library([SCENARIOS]), workspace, granted(allow_write, allow_bash))
    tools = tuple(name for name in live.folder_tools if helper or name != ASK_HELPER)
    order = Order(None, loop, task, model, max_tokens, system, tools, turns, stops=stops)
    try:
        run = live.start(order, "")
        typer.echo(f"{server.rstrip('/')}/runs/{run.id}")
        state, shown = live.state(run.id), 0
        while True:
            for step in state.replayed.trace.steps[shown:]:
                _told(step)
            if state.waiting is None or state.replayed.failed is not None:
                return
            shown = len(state.replayed.trace.steps)
            state = _decided(live, state) if state.waiting.asks else live.advance(state)
    except (BadOrder, CannotGoOn, NotNow, NoStore) as refusal:
        fail(str(refusal), code=1)


def _told(step: "Step") -> None:
    """Print a call, or how the run ended."""
    from app.engine.steps import End, Helper, Tool
    from app.views.texts import visible

    if isinstance(step, Helper) and isinstance(step.inner, Tool):
        typer.echo(visible(f"[{step.turn}] helper [{step.inner.turn}] {_call(step.inner.call)}"))
    if isinstance(step, Tool):
        typer.echo(visible(f"[{step.turn}] {_call(step.call)}"))
    if isinstance(step, End):
        _ended(step.ending.kind, visible(step.ending.text))


def _decided(live: "Live", state: "State") -> "State":
    """Ask about the call that a run waits with, and go on with it."""
    from app.engine.steps import APPROVE, DENY
    from app.views.texts import visible

    waiting = state.waiting
    assert waiting is not None
    asks = "May this run?"
    if waiting.tries:
        asks = f"It failed ({waiting.tries[-1].said}), and may have happened all the same. Again?"
    may = typer.confirm(visible(f"{asks} {_call(waiting.body)}"))
    live.decide(state.run.id, waiting.effect, waiting.attempt, APPROVE if may else DENY)
    return live.awaited(state.run.id)


def _call(call: "Json") -> str:
    return f"{call.get('name')} {json.dumps(call.get('input'), ensure_ascii=False)}"


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

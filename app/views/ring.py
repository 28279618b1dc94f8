"""The ring: ask, reply, tool, append; where the loop is on it, and which arc it left open."""

from collections.abc import Mapping
from dataclasses import dataclass

from app.engine.steps import Trace
from app.views.fates import LOST, Fate

ARCS = ("ask", "reply", "tool", "append")


@dataclass(frozen=True)
class Arc:
    """`look` is `now`, `done` (in this turn), `next`, or `open`: what the turn before left out."""

    name: str
    look: str


def ring(trace: Trace, number: int, fates: Mapping[int, Fate]) -> tuple[Arc, ...]:
    """The arcs after a step. An append that was left out stays open through the next turn."""
    now = trace.steps[number]
    done = set()
    for step in reversed(trace.steps[:number]):
        if step.turn != now.turn:
            break
        done.add(step.kind)
    left_out = any(
        fate.how == LOST and trace.steps[at].turn == now.turn - 1
        for at, fate in fates.items()
        if at < number
    )
    kind = "tool" if now.kind == "helper" else now.kind  # a tool is under way
    return tuple(Arc(name, _look(name, kind, done, left_out)) for name in ARCS)


def _look(name: str, kind: str, done: set[str], left_out: bool) -> str:
    if name == kind:
        return "now"
    if name == "append" and left_out:
        return "open"
    return "done" if name in done else "next"

"""What a lesson lets go wrong with its tools, by the clock of the run. All of it is simulated."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import inf

KINDS = ("outage", "latency", "answer_lost")


@dataclass(frozen=True)
class Trouble:
    """One thing that goes wrong with a tool, from `since` seconds of the run until `until`.

    `outage`: it cannot be reached. `latency`: it answers late. `answer_lost`: it does what it was
    asked, and its answer never arrives. A try in it takes `seconds`; `said` is what the harness
    hears of it.
    """

    tool: str
    kind: str
    since: float = 0.0
    until: float = inf
    seconds: float = 1.0
    said: str = ""


def trouble_at(troubles: Sequence[Trouble], tool: str, now: float) -> Trouble | None:
    """The first trouble that a call of a tool meets now."""
    for trouble in troubles:
        if trouble.tool == tool and trouble.since <= now < trouble.until:
            return trouble
    return None

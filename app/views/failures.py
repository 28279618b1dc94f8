"""The failures of tools over many runs: whose each one is, where it came up, and what to change.

A failure of one tool that comes back in the runs of different tasks is hardly the model's: the tool
is called in another way than its author thought.
"""

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from markupsafe import Markup

from app.engine.steps import Helper, Result, Step, Tool, Trace
from app.views.texts import Words

SAID = 200  # characters of an example
PLACES = 6  # runs that a failure lists
MODELS = ("", "exists", "parameters")  # checks that fail by the model's fault; "" where none did
_OWN = re.compile(
    r"'[^']*'|\"[^\"]*\"|\S*[/.]\S+|\d[\d,]*"
)  # what differs from one call to another


@dataclass(frozen=True)
class Run:
    """A run to look at: its task, its title, its lane, the address of each of its steps."""

    task: str
    title: str
    lane: str
    page: Callable[[int], str]
    trace: Trace


@dataclass(frozen=True)
class Seen:
    """The first step of a run that shows a failure."""

    title: str
    lane: str
    page: str


@dataclass(frozen=True)
class Failure:
    """One failure of one tool. `whose` is one of FAILURES, `said` an example of its first line,
    `again` whether it came up in more than one task."""

    tool: str
    whose: str
    said: str
    calls: int
    tasks: int
    seen: tuple[Seen, ...]
    more: int
    change: Markup

    @property
    def again(self) -> bool:
        return self.tasks > 1


def failures(runs: Iterable[Run], words: Words) -> tuple[Failure, ...]:
    """The failures of all runs, those of their helper agents included; what came up in the most
    tasks first, then by calls."""
    found: dict[tuple[str, str, str], list[tuple[Run, int, str]]] = {}
    for run in runs:
        for number in range(len(run.trace.steps)):
            step = _step(run, number)
            if isinstance(step, Tool) and step.result.is_error:
                said = step.result.content.partition("\n")[0]
                # A failed check is one failure, whatever was said of it.
                whose, check = _kind(step.result)
                key = (
                    str(step.call.get("name", "")),
                    whose,
                    check or _OWN.sub("…", said.partition(";")[0]),
                )
                found.setdefault(key, []).append((run, number, said))
    shown = [_failure(tool, kind, places, words) for (tool, kind, _), places in found.items()]
    return tuple(sorted(shown, key=lambda one: (-one.tasks, -one.calls, one.tool, one.said)))


def _step(run: Run, number: int) -> Step:
    """A step of a run; where a helper works, the helper's own."""
    step = run.trace.steps[number]
    return step.inner if isinstance(step, Helper) else step


def _kind(result: Result) -> tuple[str, str]:
    """Whose failure it is, and the check that did not pass."""
    failed = next((check.name for check in result.checks if not check.passed), "")
    return result.failure or ("model" if failed in MODELS else "refusal"), failed


def _failure(tool: str, whose: str, places: list[tuple[Run, int, str]], words: Words) -> Failure:
    first = {(run.task, run.lane): (run, number) for run, number, _ in reversed(places)}
    seen = [Seen(run.title, run.lane, run.page(number)) for run, number in first.values()]
    run, number, said = places[0]
    step = _step(run, number)
    assert isinstance(step, Tool)
    return Failure(
        tool=tool,
        whose=whose,
        said=said[:SAID] + "…" * (len(said) > SAID),
        calls=len(places),
        tasks=len({run.task for run, _, _ in places}),
        seen=tuple(reversed(seen))[:PLACES],
        more=max(0, len(seen) - PLACES),
        change=_change(whose, _kind(step.result)[1], words),
    )


def _change(whose: str, check: str, words: Words) -> Markup:
    """What to change in the tool, rather than in the prompt."""
    _ = words.gettext
    if whose == "environment":
        return _("Nothing for the model to mend: try again by itself, where that is safe.")
    if whose == "tool":
        return _("The function itself is broken: mend it, and let it say what has happened.")
    if check == "exists":
        return _("Give the tool the name that is expected, or offer it.")
    if check == "parameters":
        return _("Make the parameter optional, take both forms, or rename it.")
    if whose == "refusal":
        return _("Say in its description what is allowed, or do not offer it here.")
    return _("Take what the model sends, or let the error say what to send instead.")

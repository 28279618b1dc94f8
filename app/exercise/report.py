"""All scripts of the exercise against one file: what came of each, and how to say it."""

import os
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from app.engine.steps import Fault
from app.exercise.grading import LIMITS, Limits, Run, run_file
from app.exercise.judge import Feedback, judge
from app.exercise.play import bad_request
from app.exercise.scripts import CASES
from app.said import Said

AT_ONCE = min(4, os.cpu_count() or 1)  # processes side by side
MOST_SHOWN = 12  # lines that a loop printed
WIDEST = 200  # characters of such a line
MILDER = Said("Here the server is stricter than the API, which accepts this request.")
SWALLOWED = Said(
    "The loop caught the refusal and went on: an %(keyword)s without a type hides what is wrong.",
    keyword="except",
)


@dataclass(frozen=True)
class Graded:
    """A run with its feedback, None where it is right."""

    run: Run
    feedback: Feedback | None

    @property
    def right(self) -> bool:
        """Whether nothing is wrong with the run."""
        return self.feedback is None


def grade(file: Path, limits: Limits = LIMITS) -> list[Graded]:
    """Run a file on every script and judge each run; where the first run takes too long, on that
    alone. Raises Ungradable."""
    first = run_file(file, CASES[0], limits)
    rest = () if first.killed == "time" else CASES[1:]
    with ThreadPoolExecutor(AT_ONCE) as pool:
        runs = [first, *pool.map(lambda case: run_file(file, case, limits), rest)]
    return [Graded(run, judge(run)) for run in runs]


def shown_run(graded: list[Graded]) -> Graded:
    """The run to look at step by step: the first that is wrong, else the longest to an answer."""
    wrong = [one for one in graded if not one.right]
    answered = [one for one in graded if one.run.trace.ending.kind == "answer"]
    return wrong[0] if wrong else max(answered, key=lambda one: len(one.run.trace.steps))


def printed(run: Run) -> Iterator[str]:
    """What a run printed, and the lines about its end."""
    lines = run.printed.splitlines()
    for line in lines[:MOST_SHOWN]:
        yield line if len(line) <= WIDEST else line[:WIDEST] + "…"
    if len(lines) > MOST_SHOWN:
        yield f"… {len(lines) - MOST_SHOWN:,} lines more"
    ending = run.trace.ending
    if ending.kind == "refused":
        yield bad_request(ending.faults[0])
    elif ending.kind in ("error", "cut"):
        yield f"result: none ({ending.error or ending.text})"
    else:
        yield f"result: {ending.text}"
    sent = ", ".join(map(str, run.trace.messages_sent)) or "none"
    yield f"messages sent each turn: {sent}"


def explained(feedback: Feedback, source: list[str]) -> Iterator[Said]:
    """Feedback as sentences: what was sent, what the API answers, which line to look at."""
    yield feedback.said
    if feedback.sent:
        yield Said("It sent: %(messages)s", messages=feedback.sent)
        yield from _answered(feedback)
    if feedback.swallowed:
        yield SWALLOWED
    if 0 < feedback.line <= len(source):
        line = source[feedback.line - 1].strip()
        yield Said("Look at line %(line)s: %(code)s", line=feedback.line, code=line)


def _answered(feedback: Feedback) -> Iterator[Said]:
    if feedback.api:
        fault, *others = feedback.api
        said = Said("The API would answer 400: %(fault)s", fault=_sentence(fault))
        if others:
            said = Said("%(said)s (and %(rule)s)", said=said, rule=others[0].rule)
        yield said
    elif feedback.faults:
        yield Said("Refused here: %(fault)s", fault=_sentence(feedback.faults[0]))
        yield MILDER
    else:
        yield Said(
            "The API would accept this request: it cannot know what you left out or changed."
        )


def _sentence(fault: Fault) -> Said:
    return Said(
        "%(rule)s at %(place)s: %(sentence)s",
        rule=fault.rule,
        place=fault.where or Said("the request"),
        sentence=Said(fault.sentence),
    )

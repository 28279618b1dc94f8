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

AT_ONCE = min(4, os.cpu_count() or 1)  # processes side by side
MOST_SHOWN = 12  # lines that a loop printed
MILDER = "Here the server is stricter than the API, which accepts this request."
SWALLOWED = "The loop caught the refusal and went on: an except without a type hides what is wrong."


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
    yield from lines[:MOST_SHOWN]
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


def explained(feedback: Feedback, source: list[str]) -> Iterator[str]:
    """Feedback as sentences: what was sent, what the API answers, which line to look at."""
    yield feedback.said
    if feedback.sent:
        yield f"It sent: {feedback.sent}"
        yield from _answered(feedback)
    if feedback.swallowed:
        yield SWALLOWED
    if 0 < feedback.line <= len(source):
        yield f"Look at line {feedback.line}: {source[feedback.line - 1].strip()}"


def _answered(feedback: Feedback) -> Iterator[str]:
    if feedback.api:
        also = "".join(f" (and {fault.rule})" for fault in feedback.api[1:2])
        yield f"The API would answer 400: {_sentence(feedback.api[0])}{also}"
    elif feedback.faults:
        yield f"Refused here: {_sentence(feedback.faults[0])}"
        yield MILDER
    else:
        yield "The API would accept this request: it cannot know what you left out or changed."


def _sentence(fault: Fault) -> str:
    return f"{fault.rule} at {fault.where or 'the request'}: {fault.sentence}"

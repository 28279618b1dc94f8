"""Runs a learner's file on the scripts, each in a process with limits.

The limits keep a loop that went wrong from taking the machine with it. They are no sandbox: the
file runs with the rights of whoever grades it.
"""

import json
import os
import signal
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pydantic import TypeAdapter, ValidationError

from app.engine.record import record
from app.engine.steps import (
    Append,
    Ask,
    Edit,
    End,
    Ending,
    Reply,
    Start,
    Step,
    Tool,
    Trace,
)
from app.exercise.child import OUT_OF_MEMORY
from app.exercise.runner import Practice
from app.exercise.scripts import Case
from app.paths import PACKAGE
from app.said import Said
from app.source import loops

ROOT = PACKAGE.parent  # the folder that `app` is imported from
KEPT = ("PATH", "SYSTEMROOT", "TEMP", "TMP", "HOME", "LANG")  # of the environment: no key of yours
START = "import sys; sys.path.insert(0, sys.argv[1]); from app.exercise.child import main; "
START += "sys.path.append(sys.argv[2]); main(*sys.argv[3:])"
KINDS: Mapping[str, TypeAdapter[Any]] = {
    kind.kind: TypeAdapter(kind) for kind in (Start, Ask, Reply, Append, Tool, Edit, End)
}


@dataclass(frozen=True)
class Limits:
    """What one run may take: seconds by the clock, and where the system can limit them seconds of
    work, and bytes of memory."""

    seconds: int = 30
    work: int = 5
    memory: int = 768 * 1024**2


LIMITS = Limits()
OUT_OF_WORK = (-24, -9)  # SIGXCPU, and SIGKILL where its soft and hard limits are one


class Ungradable(Exception):
    """A file without a loop that could be run; the message is one sentence."""


@dataclass(frozen=True)
class Run:
    """What a learner's loop did on one script: its trace, and what it printed.

    `killed` is "time" where it took too long, "memory" where what it holds could not be written
    down, "died" where it ended the whole process; "" else.
    """

    case: Case
    trace: Trace
    printed: str
    killed: str = ""


def run_file(file: Path, case: Case, limits: Limits = LIMITS) -> Run:
    """Run the `run_agent` of a file on one script. Raises Ungradable."""
    with tempfile.TemporaryDirectory(prefix="halqa-") as folder:
        report = Path(folder, "report.json")
        command = [sys.executable, "-I", "-B", "-c", START, str(ROOT), str(file.parent)]
        command += [str(file), case.name, str(report), str(limits.memory), str(limits.work)]
        with subprocess.Popen(
            command,
            cwd=file.parent,
            env={key: os.environ[key] for key in KEPT if key in os.environ},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        ) as process:
            try:
                code = process.wait(limits.seconds)
                killed = "time" if code in OUT_OF_WORK else ""
                killed = "memory" if code == OUT_OF_MEMORY else killed
            except subprocess.TimeoutExpired:
                killed = "time"
            finally:
                _end(process)
        told = _read(report)
    state = told.get("state")
    if state == "absent":
        raise Ungradable(
            Said(
                "%(file)s has no function %(function)s.",
                file=file.name,
                function="run_agent(task, model, max_turns)",
            )
        )
    if state == "no function":
        raise Ungradable(
            Said(
                "%(function)s in %(file)s must be a plain function, without %(words)s.",
                file=file.name,
                function="run_agent",
                words="async, yield",
            )
        )
    if state == "undecoded":
        raise Ungradable(Said("%(file)s is not UTF-8 text; save it as UTF-8.", file=file.name))
    if state == "unread":
        raise Ungradable(
            Said("%(file)s cannot be run: %(why)s.", file=file.name, why=str(told["said"]))
        )
    if state == "loading":
        words = {"file": file.name, "place": "__main__"}
        said = Said(
            "%(file)s ends Python when it is loaded; what is no function belongs under %(place)s.",
            **words,
        )
        if killed:
            said = Said(
                "%(file)s takes too long to load; what is no function belongs under %(place)s.",
                **words,
            )
        raise Ungradable(said)
    if state != "ended":
        killed = killed or "died"
    return Run(case, _trace(told, case, killed, limits), str(told.get("printed", "")), killed)


def _end(process: subprocess.Popen[bytes]) -> None:
    """End a process, and where the system has groups of them all that it started."""
    if not hasattr(os, "killpg"):  # Windows
        process.kill()
        return
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGKILL)


def _read(report: Path) -> dict[str, Any]:
    try:
        told = json.loads(report.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        told = {}
    return told if isinstance(told, dict) else {}


def _trace(told: Mapping[str, Any], case: Case, killed: str, limits: Limits) -> Trace:
    """The trace of a report; one that the process could not finish gets its end here."""
    steps: list[Step] = []
    lists: list[tuple[Any, ...]] = []
    try:
        for step in told.get("steps", ()):
            kind = KINDS[step.pop("kind")]
            steps.append(kind.validate_python(step))
        lists = [tuple(kept) for kept in told.get("lists", ())]
    except (KeyError, TypeError, AttributeError, ValidationError) as error:
        said = Said("The report of the run cannot be read: %(why)s.", why=str(error))
        raise Ungradable(said) from error
    if not steps:
        steps, lists = [Start(turn=0, lines=(0, 0), task=case.task)], [()]
    if killed and not isinstance(steps[-1], End):
        ending = {
            "time": Ending("cut", "it took too long"),
            "memory": Ending("error", "", error="MemoryError"),
            "died": Ending("cut", "it ended the whole process"),
        }[killed]
        last = steps[-1]
        steps.append(
            End(
                turn=last.turn,
                lines=last.lines,
                version=last.version,
                length=last.length,
                ending=ending,
            )
        )
    return Trace(tuple(steps), tuple(lists))


def correct_run(case: Case) -> Trace:
    """What the correct loop does on a script."""
    loop = loops()["correct"].run
    return record(loop, case.task, case.server, Practice(), max_turns=case.max_turns)

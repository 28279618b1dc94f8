"""Runs a learner's `run_agent` on one script, in a process of its own, and writes down the run.

What is known is written to a file at each step: a loop that ends the whole process, or has to be
killed, leaves all that it did until then.
"""

import inspect
import json
import os
import re
import sys
import traceback
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import asdict
from functools import partial
from importlib.machinery import SourceFileLoader
from pathlib import Path
from types import CodeType, ModuleType
from typing import Any, NoReturn

from app.engine.record import Recorder
from app.engine.statements import statements_of
from app.engine.steps import End, Ending, Halt, Json, Step
from app.exercise import tools as practice
from app.exercise.runner import PRACTISED, Practice
from app.exercise.scripts import Case, case_named

MOST_PRINTED = 100_000  # characters
PRINTED = re.compile(r"^turn \S+: ", re.M)  # the line of a call, as far as it may be wrong
MOST_SAID = 300  # characters of an error
MOST_MORE = 3  # turns beyond the cap that are still looked at
OUT_OF_MEMORY = 12  # an exit code
MOST_HALTS = 20  # times that a loop may catch what is to end it


def main(file: str, case: str, report: str, memory: str, seconds: str) -> None:
    """Run `file` on a case and write what happened to `report`.

    `memory` (bytes) and `seconds` (of work, without waiting) are limits where the system has them.
    """
    named = case_named(case)
    if named is None:
        raise SystemExit(f"no case {case}")
    _limit(int(memory), int(seconds))
    _Child(Path(file), named, Path(report)).run()


class _Child:
    def __init__(self, file: Path, case: Case, report: Path) -> None:
        self.file, self.case, self.report = file, case, report
        self.printed = Printed(self)
        self.recorder: _Kept | None = None
        self.halts = 0

    def run(self) -> NoReturn:
        sys.stdout = sys.stderr = self.printed
        self.save("loading")
        try:
            loop = self.load()
        except SystemExit:
            os._exit(0)
        except BaseException as error:
            self.leave("unread", said=_told(error, self.file))
        self.save("running")
        self.recorder = _Kept(loop, self)
        loop.recorder = self.recorder
        try:
            self.recorder.run(self.case.task, self.case.max_turns, lambda answer: True)
        except BaseException as error:  # such as KeyboardInterrupt
            name = type(error).__name__
            self.recorder.ended(Ending("error", str(error), error=name))
        self.leave("ended")

    def load(self) -> "_Loop":
        """The learner's function. Raises what its file raises, and LookupError without one."""
        loader = SourceFileLoader("learner", str(self.file))  # whatever the file's name ends in
        module = ModuleType("learner")
        module.__file__ = str(self.file)
        sys.modules["learner"] = module
        try:
            loader.get_source("learner")
        except (ImportError, SyntaxError):  # here both say that the text cannot be decoded
            self.leave("undecoded")
        held = _Held()
        practice.run_tool = held.run_tool
        exec(loader.get_code("learner"), module.__dict__)  # type: ignore[arg-type]  # noqa: S102
        function = getattr(module, "run_agent", None)
        if not callable(function):
            self.leave("absent")
        if code_of(function) is None:
            self.leave("no function")
        module.run_tool = held.run_tool  # type: ignore[attr-defined]
        return _Loop(function, held, self.printed)

    def halt(self, said: str) -> NoReturn:
        """End the run, also where the loop catches what ends it."""
        self.halts += 1
        ending = Ending("cut", said)
        if self.halts > MOST_HALTS and self.recorder is not None:
            self.recorder.ended(ending)
            self.leave("ended")
        raise Halt(ending)

    def save(self, state: str, said: str = "") -> None:
        trace = self.recorder.trace() if self.recorder else None
        told = {
            "state": state,
            "said": said,
            "printed": self.printed.text,
            "lists": trace.lists if trace else [],
            "steps": [{"kind": step.kind, **asdict(step)} for step in trace.steps] if trace else [],
        }
        # What JSON cannot hold is shown as Python writes it.
        text = json.dumps(told, default=repr, skipkeys=True)
        fresh = self.report.with_suffix(".new")
        fresh.write_text(text, encoding="utf-8")
        fresh.replace(self.report)

    def leave(self, state: str, said: str = "") -> NoReturn:
        """Write the last report and end the process, whatever threads still run."""
        try:
            self.save(state, said)
        except MemoryError:  # what the loop holds or returns is too large to be written
            os._exit(OUT_OF_MEMORY)
        os._exit(0)


class Printed:
    """What the learner's file prints; it stands in the place of stdout and stderr.

    Lines that are printed for a loop are `lent`: they go where it prints such lines itself.
    """

    encoding = "utf-8"

    def __init__(self, child: _Child) -> None:
        self.child = child
        self.own = ""
        self.all = ""

    @property
    def text(self) -> str:
        return self.own if PRINTED.search(self.own) else self.all

    def write(self, text: str, lent: bool = False) -> int:
        kept = text[: MOST_PRINTED - len(self.all)]
        self.all += kept
        self.own += "" if lent else kept
        if len(self.all) >= MOST_PRINTED:
            self.child.halt(f"it printed more than {MOST_PRINTED:,} characters")
        return len(text)

    def flush(self) -> None:
        """There is nothing to flush."""

    def isatty(self) -> bool:
        return False


class _Held:
    """The `run_tool` that a learner's file is given: it leads to the recorder once there is one."""

    def __init__(self) -> None:
        self.tools: Any = None

    def run_tool(self, block: Mapping[str, Any]) -> Json:
        """Run one tool call, as `run_tool` of the starter does."""
        return PRACTISED(block) if self.tools is None else self.tools.run(block)


class _Loop:
    """A learner's function as the recorder calls a loop: arguments go by name, and `tools` only
    where it asks for them. One that asks for them may print nothing itself: this prints for it."""

    def __init__(self, function: Callable[..., Any], held: _Held, printed: Printed) -> None:
        self.__code__ = code_of(function)
        statements_of(self)  # is there a source?
        self.function, self.held, self.printed = function, held, printed
        self.recorder: _Kept | None = None
        parameters = inspect.signature(function).parameters
        self.takes_tools = "tools" in parameters
        names = ["task", "model", "max_turns", *(["tools"] if self.takes_tools else [])]
        try:
            inspect.signature(function).bind(**dict.fromkeys(names))
        except TypeError as error:
            takes = "run_agent must take task, model and max_turns, by these names"
            raise TypeError(f"{takes} ({error})") from error

    def __call__(self, task: str, model: Any, tools: Any, max_turns: int) -> Any:
        self.held.tools = tools
        more = {"tools": _Printing(tools, self, self.printed)} if self.takes_tools else {}
        return self.function(task=task, model=model, max_turns=max_turns, **more)


def code_of(function: Callable[..., Any]) -> CodeType | None:
    """The code of a plain function, of one that is wrapped, or of an object that can be called;
    None where there is none, or where calling it gives a coroutine or a generator back."""
    plain = inspect.unwrap(function)
    while isinstance(plain, partial):
        plain = plain.func
    code = getattr(plain, "__code__", None) or getattr(type(plain).__call__, "__code__", None)
    later = inspect.CO_COROUTINE | inspect.CO_GENERATOR | inspect.CO_ASYNC_GENERATOR
    return code if isinstance(code, CodeType) and not code.co_flags & later else None


class _Printing:
    """Tools that print the line of each call."""

    stuck = ""  # nobody guards them

    def __init__(self, tools: Any, loop: _Loop, printed: Printed) -> None:
        self._tools, self._loop, self._printed = tools, loop, printed

    def notes(self, messages: Any) -> list[Any]:
        """No harness has anything to say here."""
        return []

    def run(self, call: Mapping[str, Any]) -> Any:
        """Run one tool call."""
        result = self._tools.run(call)
        turn = self._loop.recorder.turn if self._loop.recorder else 0
        self._printed.write(line_of(turn, call, result["content"]) + "\n", lent=True)
        return result


def line_of(turn: int, call: Mapping[str, Any], content: object) -> str:
    """The prescribed line of a call."""
    given = json.dumps(call.get("input"), sort_keys=True)
    return f"turn {turn}: {call.get('name')} {given} -> {content}"


class _Kept(Recorder):
    """A recorder that writes down each step, and ends a run that goes on past its cap."""

    def __init__(self, loop: _Loop, child: _Child) -> None:
        super().__init__(loop, child.case.server, Practice())
        self.child = child

    def create(self, messages: Any, changes: Json) -> Json:
        most = self.child.case.max_turns
        if self.turn >= most + MOST_MORE:
            self.child.halt(f"it asked more than {most} times, the most turns it was given")
        return super().create(messages, changes)

    def emit(self, kind: type[Step], **facts: Any) -> None:
        super().emit(kind, **facts)
        self.child.save("running")

    def ended(self, ending: Ending) -> None:
        """Write down an end from outside."""
        self.steps.append(self.step(End, ending=ending))


def _told(error: BaseException, file: Path) -> str:
    """Why a file could not be read: the error, and the line of the file it came from."""
    said = f"{type(error).__name__}: {error}"
    lines = [
        frame.lineno
        for frame in traceback.extract_tb(error.__traceback__)
        if Path(frame.filename) == file
    ]
    line = error.lineno if isinstance(error, SyntaxError) else next(reversed(lines), None)
    if isinstance(error, SyntaxError):
        said = f"{type(error).__name__}: {error.msg}"
    said = " ".join(said.split())[:MOST_SAID]
    return f"line {line}: {said}" if line else said


def _limit(memory: int, seconds: int) -> None:
    """Limit the memory and the work of this process where the system can."""
    try:
        import resource
    except ImportError:  # Windows
        return
    for what, most in ((resource.RLIMIT_AS, memory), (resource.RLIMIT_CPU, seconds)):
        with suppress(ValueError, OSError):  # macOS knows the first limit and does not take it
            resource.setrlimit(what, (most, most))

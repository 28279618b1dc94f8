"""The process that runs a learner's file, as the fork of one that has read Halqa before."""

import os
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Self

from tests.serving import forked


class Forked:
    """In place of `subprocess.Popen` where many loops are graded: the same child does the same."""

    def __init__(
        self, command: Sequence[str], *, cwd: Path, env: Mapping[str, str], **_: Any
    ) -> None:
        *_, folder, file, case, report, memory, seconds = command
        self._process = forked(_child, cwd, env, folder, file, case, report, memory, seconds)
        self.pid = self._process.pid

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._process.join()

    def wait(self, timeout: float) -> int:
        self._process.join(timeout)
        if self._process.exitcode is None:
            raise subprocess.TimeoutExpired("a fork", timeout)
        return self._process.exitcode


def _child(cwd: Path, env: Mapping[str, str], folder: str, *words: str) -> None:
    os.setsid()
    os.chdir(cwd)
    os.environ.clear()
    os.environ.update(env)
    for stream in (1, 2):
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream)
    sys.path.append(folder)
    from app.exercise.child import main

    main(*words)

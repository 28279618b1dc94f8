"""The real `halqa serve`, in a process of its own, for as long as a test needs it."""

import multiprocessing
import os
import socket
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import chdir, contextmanager
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import Any

CHECKOUT = Path(__file__).resolve().parents[1]
HALQA = Path(sys.executable).with_name("halqa")  # the command of the environment under test
PATIENCE = 60.0  # seconds until the first answer; a busy machine is slow, and the first reads all

_forks = multiprocessing.get_context("forkserver")
_forks.set_forkserver_preload(["tests.warm"])


Ended = Callable[[], int | None]  # the exit code of a process, None while it runs


@contextmanager
def serving(
    *options: str,
    command: Path | None = None,
    before: Callable[[], None] | None = None,
    cwd: Path | None = None,
    env: Mapping[str, str] | None = None,
    log: Path | None = None,
) -> Iterator[str]:
    """Start `halqa serve` on a free port with `options` and yield its address, without a slash.

    It is a child of a process that has imported Halqa already, so that it starts at once; with
    `command` that very command is run. `before` is called in it first: a function that can be
    pickled. `cwd` is the folder it is started from (a new empty one by default), `env` is added to
    the environment, `log` gets what it prints. The process is ended afterwards. Raises
    `AssertionError` with what it printed when it ends by itself or does not answer.
    """
    with tempfile.TemporaryDirectory() as folder:
        log = log or Path(folder, "log")
        away = Path(folder, "away")
        away.mkdir()
        port = free_port()
        address = f"http://127.0.0.1:{port}"
        words = ["--host", "127.0.0.1", "--port", str(port), *options]
        environment = {**os.environ, **(env or {})}
        started = (
            _forked(words, cwd or away, environment, log, before)
            if command is None
            else _run([command, "serve", *words], cwd or away, environment, log)
        )
        with started as ended:
            _wait_for_answer(address, ended, log)
            yield address


def forked(target: Callable[..., None], *words: Any) -> BaseProcess:
    """A function that runs in a child of the process that has imported `tests.warm`."""
    process = _forks.Process(target=target, args=words, daemon=True)
    with chdir(CHECKOUT):  # the first one starts that process, which must find it
        process.start()
    return process


@contextmanager
def _forked(
    words: list[str],
    cwd: Path,
    env: Mapping[str, str],
    log: Path,
    before: Callable[[], None] | None,
) -> Iterator[Ended]:
    process = forked(_serve, words, cwd, env, log, before)
    try:
        yield lambda: process.exitcode
    finally:
        process.terminate()
        process.join(10)
        if process.exitcode is None:
            process.kill()
            process.join()


def _serve(
    words: list[str],
    cwd: Path,
    env: Mapping[str, str],
    log: Path,
    before: Callable[[], None] | None,
) -> None:
    """The whole life of a forked server."""
    with log.open("wb") as output:
        os.dup2(output.fileno(), 1)
        os.dup2(output.fileno(), 2)
    os.chdir(cwd)
    os.environ.clear()
    os.environ.update(env)
    sys.argv = ["halqa", "serve", *words]
    if before is not None:
        before()
    from app.cli import main

    main()


@contextmanager
def _run(
    command: Sequence[str | Path], cwd: Path, env: Mapping[str, str], log: Path
) -> Iterator[Ended]:
    with log.open("wb") as output:
        process = subprocess.Popen(
            command,
            cwd=cwd,
            env=env,
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
        )
    try:
        yield process.poll
    finally:
        process.terminate()
        try:
            process.wait(timeout=10)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def free_port() -> int:
    """A port of 127.0.0.1 that nobody listened on a moment ago."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def _wait_for_answer(address: str, ended: Ended, log: Path) -> None:
    give_up = time.monotonic() + PATIENCE
    while time.monotonic() < give_up:
        code = ended()
        assert code is None, f"halqa serve ended with {code}:\n{log.read_text(errors='replace')}"
        try:
            # A page that no lesson has to be run for.
            urllib.request.urlopen(f"{address}/help", timeout=5).close()
        except urllib.error.HTTPError as answer:
            answer.close()  # an error page is an answer too; the tests look at what it says
            return
        except OSError:
            time.sleep(0.02)
        else:
            return
    raise AssertionError(
        f"halqa serve gave no answer in {PATIENCE:.0f} s:\n{log.read_text(errors='replace')}"
    )

"""The real `halqa serve`, in a process of its own, for as long as a test needs it."""

import os
import socket
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

HALQA = Path(sys.executable).with_name("halqa")  # the command of the environment under test
PATIENCE = 30.0  # seconds until the first answer; a busy machine is slow


@contextmanager
def serving(
    *options: str,
    command: Path = HALQA,
    cwd: Path | None = None,
    env: Mapping[str, str] | None = None,
    log: Path | None = None,
) -> Iterator[str]:
    """Start `halqa serve` on a free port with `options` and yield its address, without a slash.

    `cwd` is the folder it is started from (a new empty one by default), `env` is added to the
    environment, `log` gets what it prints. The process is ended afterwards. Raises
    `AssertionError` with what it printed when it ends by itself or does not answer.
    """
    with tempfile.TemporaryDirectory() as folder:
        log = log or Path(folder, "log")
        away = Path(folder, "away")
        away.mkdir()
        port = free_port()
        address = f"http://127.0.0.1:{port}"
        with log.open("wb") as output:
            process = subprocess.Popen(
                [command, "serve", "--host", "127.0.0.1", "--port", str(port), *options],
                cwd=cwd or away,
                env={**os.environ, **(env or {})},
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=subprocess.STDOUT,
            )
        try:
            _wait_for_answer(address, process, log)
            yield address
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


def _wait_for_answer(address: str, process: subprocess.Popen[bytes], log: Path) -> None:
    give_up = time.monotonic() + PATIENCE
    while time.monotonic() < give_up:
        ended = process.poll()
        assert ended is None, f"halqa serve ended with {ended}:\n{log.read_text(errors='replace')}"
        try:
            # A page that no lesson has to be run for.
            urllib.request.urlopen(f"{address}/help", timeout=5).close()
        except urllib.error.HTTPError as answer:
            answer.close()  # an error page is an answer too; the tests look at what it says
            return
        except OSError:
            time.sleep(0.05)
        else:
            return
    raise AssertionError(
        f"halqa serve gave no answer in {PATIENCE:.0f} s:\n{log.read_text(errors='replace')}"
    )

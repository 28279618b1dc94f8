"""The product's server and the floors', each a process of its own on a free port of 127.0.0.1."""

import os
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from tests.serving import HALQA, PATIENCE, free_port

CHECKOUT = Path(__file__).resolve().parents[2]


@dataclass(frozen=True)
class Server:
    """A running server; `started` is the seconds from its spawn to its first answer."""

    address: str
    port: int
    pid: int
    started: float

    def get(self, path: str) -> str:
        """What stands at a path. Raises HTTPError where there is nothing."""
        with urllib.request.urlopen(self.address + path, timeout=30) as answer:
            body: bytes = answer.read()
            return body.decode()


@contextmanager
def product(lessons: Path | None = None) -> Iterator[Server]:
    """`halqa serve`, with the lessons of one more folder."""
    own = ["--lessons", str(lessons)] if lessons else []
    port = free_port()
    with _running([str(HALQA), "serve", "--port", str(port), *own], port) as server:
        yield server


@contextmanager
def floor(kind: str, *options: str) -> Iterator[Server]:
    """One of the servers in floors.py."""
    port = free_port()
    command = [sys.executable, "-m", "tests.bench.floors", kind, str(port), *options]
    with _running(command, port) as server:
        yield server


@contextmanager
def one_core(*servers: Server) -> Iterator[None]:
    """Keep the servers on one core and this process on the others, where the system can do that."""
    if not hasattr(os, "sched_setaffinity") or len(all_cores := os.sched_getaffinity(0)) < 2:
        yield
        return
    theirs = max(all_cores)
    for server in servers:
        os.sched_setaffinity(server.pid, {theirs})
    os.sched_setaffinity(0, all_cores - {theirs})
    try:
        yield
    finally:
        os.sched_setaffinity(0, all_cores)


@contextmanager
def _running(command: Sequence[str], port: int) -> Iterator[Server]:
    with tempfile.TemporaryFile() as log:
        spawned = time.perf_counter()
        process = subprocess.Popen(
            command, cwd=CHECKOUT, stdin=subprocess.DEVNULL, stdout=log, stderr=log
        )
        try:
            address = f"http://127.0.0.1:{port}"
            while not _answers(address):
                took = time.perf_counter() - spawned
                if process.poll() is not None or took > PATIENCE:
                    log.seek(0)
                    raise RuntimeError(f"{command} gave no answer:\n{log.read().decode()}")
                time.sleep(0.005)
            yield Server(address, port, process.pid, time.perf_counter() - spawned)
        finally:
            process.terminate()
            try:
                process.wait(timeout=10)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()


def _answers(address: str) -> bool:
    try:
        urllib.request.urlopen(address, timeout=PATIENCE).close()
    except urllib.error.HTTPError:
        raise
    except OSError:
        return False
    return True

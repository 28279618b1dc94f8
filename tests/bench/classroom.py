"""A class: many sessions on one worker, each with a press now and then."""

import asyncio
import os
import random
import time
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.bench.load import Connection, Failed
from tests.bench.measure import count, figure
from tests.bench.servers import Server, one_core, product
from tests.bench.table import Row
from tests.bench.walks import ONE, THREE, page, write_lessons
from tests.steps import walk

SESSIONS = 600
PAUSE = 2.0  # seconds between two presses of a session, ± 20 %
LESSONS = (
    "/lessons/two-and-three?lanes=correct",
    "/lessons/which-note?lanes=one_round,correct",
    "/lessons/how-many-python-files?lanes=correct,forgot_results,missing_tool_use_id",
    "/lessons/lose-the-thread?lanes=correct,swapped_ids",
    page(40, ONE),
    page(40, THREE),
)


def rows(quick: bool) -> list[Row]:
    """All sessions press for some seconds; a press is one request."""
    with TemporaryDirectory() as folder:
        write_lessons(Path(folder))
        with product(Path(folder)) as halqa:
            walks = [[a for a, _ in islice(walk(halqa.get, start), 120)] for start in LESSONS]
            with one_core(halqa):
                seen = asyncio.run(_Class(halqa, walks, 4 if quick else 12).run())
    return seen


class _Class:
    def __init__(self, halqa: Server, walks: list[list[str]], seconds: float) -> None:
        self.halqa, self.walks, self.seconds = halqa, walks, seconds
        self.times: list[float] = []
        self.failed = 0
        self.chance = random.Random(1)

    async def run(self) -> list[Row]:
        """The rows: how long answers took, failures, memory, the core."""
        opened = [await Connection.open(self.halqa.port) for _ in range(SESSIONS)]
        sessions = [asyncio.create_task(self.session(connection)) for connection in opened]
        await asyncio.sleep(PAUSE)  # everybody has pressed once
        self.times.clear()
        memory, cpu, began = self.memory(), self.cpu(), time.perf_counter()
        await asyncio.sleep(self.seconds)
        busy = (self.cpu() - cpu) / (time.perf_counter() - began) * 100
        grown = self.memory() / memory if memory else 1.0
        for session in sessions:
            session.cancel()
        await asyncio.gather(*sessions, return_exceptions=True)
        for connection in opened:
            connection.close()
        took = figure(self.times)
        spread = took.p95 / took.median
        return [
            Row(f"class of {SESSIONS}: p95 over p50", took, "ms", ratio=spread, most=3),
            Row("class: failed answers", count(self.failed), "", most=0),
            Row("class: memory, end over start", count(grown), "×", most=1.05),
            Row("class: busy core", count(busy), "%", most=70),
        ]

    async def session(self, connection: Connection) -> None:
        """One person: presses Step, reads, presses again; starts anew at the end."""
        steps = self.chance.choice(self.walks)
        at = self.chance.randrange(len(steps))
        await asyncio.sleep(self.chance.uniform(0, PAUSE))
        while True:
            began = time.perf_counter()
            try:
                await connection.get(steps[at % len(steps)])
            except (Failed, OSError, asyncio.IncompleteReadError):
                self.failed += 1
                return
            took = time.perf_counter() - began
            self.times.append(took * 1000)
            at += 1
            await asyncio.sleep(max(0, PAUSE * self.chance.uniform(0.8, 1.2) - took))

    def cpu(self) -> float:
        """Seconds of processor time of the server; 0 where the system does not tell."""
        stat = Path(f"/proc/{self.halqa.pid}/stat")
        if not stat.is_file():
            return 0
        fields = stat.read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def memory(self) -> int:
        """Kilobytes that the server holds; 0 where the system does not tell."""
        status = Path(f"/proc/{self.halqa.pid}/status")
        if not status.is_file():
            return 0
        return int(status.read_text().partition("VmRSS:")[2].split()[0])

"""The time that calls take: a script's own, or that of the world."""

import time
from typing import Protocol


class Clock(Protocol):
    """What a run's calls take their time from."""

    @property
    def now(self) -> float:
        """Seconds since some beginning."""

    def sleep(self, seconds: float) -> None:
        """Let time pass."""


class RealClock:
    """The time of the world, for live runs."""

    @property
    def now(self) -> float:
        return time.monotonic()

    def sleep(self, seconds: float) -> None:
        time.sleep(seconds)

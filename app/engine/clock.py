"""The time of a scripted run: it passes by what the script and the lesson say, and nobody waits."""


class Clock:
    """Seconds since a run began. Two runs never share one."""

    def __init__(self) -> None:
        self.now = 0.0

    def sleep(self, seconds: float) -> None:
        """Let time pass. Raises ValueError for less than none."""
        if seconds < 0:
            raise ValueError("time does not run backwards")
        self.now = round(self.now + seconds, 3)

"""The frame that runs a loop, watched statement by statement by a line tracer."""

import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from types import FrameType
from typing import Any

from app.engine.statements import statements_of
from app.engine.steps import NO_LINES, Lines, Values

MOST_LINES = 400_000
TOO_MANY_LINES = f"the loop ran {MOST_LINES:,} lines and did not end"
MOST_SEEN = 100  # statements of one step whose variables are kept
LARGEST = 10**9  # a number that is kept


class Cut(BaseException):
    """Ends a loop that does not end by itself; no `except Exception` of a loop may keep it."""


class Frame:
    """The frame of one run of a loop. `now` is the statement being run.

    After each statement `same` tells whether nothing has changed, and `changed` is called where
    something has; with `watch` the loop's own variables are kept. Raises Cut in a loop that runs
    too many lines.
    """

    def __init__(
        self,
        loop: Callable[..., Any],
        same: Callable[[], bool],
        changed: Callable[[], None],
        watch: bool,
    ) -> None:
        self.code = loop.__code__
        self.given = self.code.co_varnames[: self.code.co_argcount]
        self.statements = statements_of(loop)
        self.same, self.changed, self.watch = same, changed, watch
        self.frame: FrameType | None = None
        self.now: Lines = NO_LINES
        self.since: list[Lines] = []  # the statements run since the last step
        self.seen: list[Values] = []  # the loop's variables before each of them
        self.events = 0

    def taken(self) -> tuple[tuple[Lines, ...], tuple[Values, ...]]:
        """The statements run since this was last asked, and the variables before them."""
        ran, seen = tuple(self.since) or (self.now,), tuple(self.seen)
        self.since, self.seen = [], []
        return ran, seen

    def watched(self) -> AbstractContextManager[None]:
        """The loop that is run inside is watched."""
        return _tracing(self._enter)

    def unwatched(self) -> AbstractContextManager[None]:
        """Our own work inside a call costs no trace events."""
        return _tracing(None)

    def _enter(self, frame: FrameType, event: str, arg: Any) -> Any:
        """Bind to the first frame that runs the loop: to a frame, as a loop may call itself."""
        if self.frame is None and frame.f_code is self.code:
            self.frame = frame
            return self._line
        return None

    def _line(self, frame: FrameType, event: str, arg: Any) -> Any:
        if event == "line":
            self.events += 1
            if self.events > MOST_LINES:
                raise Cut(TOO_MANY_LINES)
            if not self.same():
                self.changed()
            now = self.now = self.statements.get(frame.f_lineno, NO_LINES)
            if not self.since or self.since[-1] != now:
                self.since.append(now)
                if self.watch and len(self.seen) < MOST_SEEN:
                    self.seen.append(self._values(frame.f_locals))
        elif event == "return":
            self.changed()
        return self._line

    def _values(self, variables: Mapping[str, Any]) -> Values:
        """The numbers and the lengths of lists among the loop's own variables."""
        kept: list[tuple[str, int]] = []
        for name, value in variables.items():
            if name in self.given:
                continue
            if type(value) is list:
                kept.append((f"{name}[]", len(value)))
            elif type(value) is int and -LARGEST < value < LARGEST:
                kept.append((name, value))
        return tuple(kept)


@contextmanager
def _tracing(tracer: Callable[[FrameType, str, Any], Any] | None) -> Iterator[None]:
    """Another tracer, or none, in place of the one that is set."""
    before = sys.gettrace()
    sys.settrace(tracer)
    try:
        yield
    finally:
        sys.settrace(before)

"""Tools that take as long as a script says."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Protocol

from app.engine.clock import Clock
from app.engine.script import ScriptedReply
from app.engine.steps import Json, Result, Undecided

SECONDS = 0.25  # of a call that no script makes


class Runner(Protocol):
    """Runs the calls that a model asks for."""

    def run(self, call: Mapping[str, Any], decision: str = "") -> Result | Undecided:
        """One call with the checks before it; a failure is a result too. Where a person must decide
        first, it is asked again with their decision. Raises Halt."""


class TimedRunner:
    """A runner whose calls move the clock on by what a script says, or by a little."""

    def __init__(self, tools: Runner, script: Sequence[ScriptedReply], clock: Clock) -> None:
        self._tools, self._clock = tools, clock
        self._calls = [call for reply in script for call in reply.calls]

    def run(self, call: Mapping[str, Any], decision: str = "") -> Result | Undecided:
        """One call; the time it takes has passed when it has run. Raises Halt."""
        result = self._tools.run(call, decision)
        if isinstance(result, Undecided):
            return result
        made = (call.get("name"), call.get("input"))
        taken = (known.seconds for known in self._calls if (known.tool, known.input) == made)
        self._clock.sleep(next(taken, SECONDS))
        return result

    def notes(self, messages: Any) -> list[Json]:
        """What the runner wants the model to be told after these messages."""
        noted: Callable[[Any], list[Json]] | None = getattr(self._tools, "notes", None)
        return noted(messages) if noted else []

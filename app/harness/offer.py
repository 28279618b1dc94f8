"""Which tools one run is offered, turn by turn."""

from collections.abc import Mapping
from typing import Any

from app.engine.steps import Json, Result, Undecided
from app.harness.harness import Harness


class Offer:
    """A harness in one run: it remembers what the last request offered, as only that may run."""

    def __init__(self, harness: Harness) -> None:
        self._harness = harness
        self._now = harness.offered([])

    def schemas(self, messages: Any) -> list[Json]:
        """What the `tools` of the next request hold."""
        self._now = self._harness.offered(messages)
        return self._harness.schemas_of(self._harness.listed(messages))

    def notes(self, messages: Any) -> list[Json]:
        """The system messages that tell the model which tools it may not call any more."""
        return self._harness.notes(messages)

    def run(self, call: Mapping[str, Any], decision: str = "") -> Result | Undecided:
        """One call with the checks before it."""
        return self._harness.run(call, decision, self._now)

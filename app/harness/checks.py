"""The checks of a call as they are written down, and what each says where it passes."""

from collections.abc import Iterator
from contextlib import contextmanager

from app.engine.steps import Check
from app.harness.results import ToolError

EXISTS = "There is a tool of this name."
PARAMETERS = "The parameters fit the tool’s schema."
GIVEN = "This agent was given the tool."
WRITES = "This agent may write."
INSIDE = "The path stays inside the workspace."
LIMITS = "The call stays within this agent’s limits."
APPROVED = "A person approved this call."
UNCHECKED = {  # what follows where a check is switched off
    "exists": "Not checked: a name that is not there is looked up all the same.",
    "parameters": "Not checked: the function gets what the model wrote.",
    "given": "Not checked: any tool there is runs, offered or not.",
    "inside": "Not checked: the path may lead out of the agent’s folder.",
}
MODELS = ("exists", "parameters")  # the checks that fail by a fault of the model's


class Checks:
    """The checks of one call, written down as they are made."""

    def __init__(self) -> None:
        self.made: list[Check] = []

    @contextmanager
    def of(self, name: str, passed: str) -> Iterator[None]:
        """A check: it fails with what is raised inside, else it has passed."""
        try:
            yield
        except ToolError as refusal:
            self.made.append(Check(name, False, str(refusal)))
            raise
        self.made.append(Check(name, True, passed))

    def left_out(self, name: str) -> None:
        """A check that is switched off."""
        self.made.append(Check(name, True, UNCHECKED[name], made=False))

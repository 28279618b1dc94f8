"""The checks before a call, and the call."""

import copy
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from app.engine.steps import Check, Json, Result
from app.harness.calls import PLAINLY, Handling, carry_out
from app.harness.clock import Clock, RealClock
from app.harness.results import ToolError, error, listed, quoted
from app.harness.schemas import Tool, described
from app.harness.tools import TOOLS
from app.harness.workspace import Workspace

CHECKS = ("exists", "parameters", "allowed")  # in this order; the first that fails ends the call
EXISTS = "There is a tool of this name."
PARAMETERS = "The parameters fit the tool's schema."
ALLOWED = "This agent was given the tool."
ALLOWED_INSIDE = "This agent was given the tool, and the path stays inside the workspace."


class Harness:
    """Runs the calls of one agent. It keeps nothing between calls, so many runs may share it.

    `workspace` is the folder that file tools see, `allowed` the names of the tools offered to the
    model, `registry` all tools there are; `handling` is how calls are carried out and `clock` the
    time that they take, a real one where none is given. Raises ValueError where `allowed` names no
    known tool.
    """

    def __init__(
        self,
        workspace: Path,
        allowed: Sequence[str],
        registry: Mapping[str, Tool] = TOOLS,
        handling: Handling = PLAINLY,
        clock: Clock | None = None,
    ) -> None:
        unknown = [name for name in allowed if name not in registry]
        if unknown:
            raise ValueError(
                f"there is no tool {quoted(unknown[0])}; there are {listed([*registry])}"
            )
        self._workspace = Workspace(workspace.resolve())
        self._allowed = tuple(allowed)
        self._registry = registry
        edits = any(registry[name].writes for name in allowed)
        self._handling = replace(handling, form=replace(handling.form, edits=edits))
        self._clock = clock or RealClock()

    @property
    def schemas(self) -> list[Json]:
        """What a request's `tools` holds: the offered tools, in their order."""
        return [copy.deepcopy(self._registry[name].schema) for name in self._allowed]

    def run(self, call: object) -> Result:
        """Answers a `tool_use` block: checks it, runs the tool, puts the answer in its form.

        Whatever is wrong, with the call or inside the tool, becomes an error result.
        """
        checks: list[Check] = []
        try:
            tool = self._find(call)
            checks.append(Check("exists", True, EXISTS))
            values = self._parameters(tool, call)
            checks.append(Check("parameters", True, PARAMETERS))
            checks.append(Check("allowed", True, self._permission(tool, values)))
        except ToolError as refusal:
            checks.append(Check(CHECKS[len(checks)], False, str(refusal)))
            failure = "refusal" if checks[-1].name == "allowed" else "model"
            said = error(str(refusal), self._handling.form)
            return Result(said, is_error=True, checks=tuple(checks), failure=failure)
        result = carry_out(
            tool, values, self._workspace, self._handling, self._clock, self._registry
        )
        return replace(result, checks=tuple(checks))

    def _find(self, call: object) -> Tool:
        """The tool that a call names. Raises ToolError, listing what there is for this agent."""
        name = call.get("name") if isinstance(call, Mapping) else None
        if not isinstance(name, str):
            raise ToolError(f"the call names no tool; {self._offer}")
        if name not in self._registry:
            raise ToolError(f"there is no tool {quoted(name)}; {self._offer}")
        return self._registry[name]

    def _parameters(self, tool: Tool, call: Any) -> Json:
        """The checked input of a call. Raises ToolError, saying what would be right."""
        if "input" not in call:
            raise ToolError(f"the call has no input. {tool.usage}.")
        given = call["input"]
        if not isinstance(given, Mapping):
            raise ToolError(f"input must be an object, not {described(given)}. {tool.usage}.")
        return tool.values(given)

    def _permission(self, tool: Tool, values: Json) -> str:
        """Why the call is allowed. Raises ToolError, saying why not."""
        if tool.name not in self._allowed:
            raise ToolError(f"{tool.name} was not given to this agent; {self._offer}")
        for name in tool.paths:
            self._workspace.place(values[name])
        return ALLOWED_INSIDE if tool.paths else ALLOWED

    @property
    def _offer(self) -> str:
        return f"this agent has {listed(self._allowed) or 'no tools'}"

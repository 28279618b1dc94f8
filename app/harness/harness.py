"""The checks before a call, and the call."""

import copy
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from app.engine.steps import APPROVE, Attempt, Check, Json, Result, Undecided
from app.harness.calls import ENVIRONMENT, PLAINLY, Call, Handling
from app.harness.checks import (
    APPROVED,
    EXISTS,
    GIVEN,
    INSIDE,
    LIMITS,
    MODELS,
    PARAMETERS,
    WRITES,
    Checks,
)
from app.harness.clock import Clock, RealClock
from app.harness.policy import LIST, STRICT, Policy, answered_tools
from app.harness.results import ToolError, error, listed, quoted
from app.harness.schemas import Tool, described
from app.harness.tools import TOOLS
from app.harness.workspace import Workspace


class Harness:
    """Runs the calls of one agent. Between calls it keeps nothing but one that waits for a person.

    `workspace` is the folder that file tools see, `allowed` the names of the tools given to the
    agent, `registry` all tools there are; `handling` is how calls are carried out, `clock` the time
    that they take, a real one where none is given, and `policy` the rules. Raises ValueError where
    `allowed` names no known tool.
    """

    def __init__(
        self,
        workspace: Path,
        allowed: Sequence[str],
        registry: Mapping[str, Tool] = TOOLS,
        handling: Handling = PLAINLY,
        clock: Clock | None = None,
        policy: Policy = STRICT,
    ) -> None:
        unknown = [name for name in allowed if name not in registry]
        if unknown:
            raise ValueError(
                f"there is no tool {quoted(unknown[0])}; there are {listed([*registry])}"
            )
        self._policy = policy
        around = workspace.resolve()
        inside = self._policy.checks("inside")
        root = (around / self._policy.folder).resolve()
        self._clock = clock or RealClock()
        self._workspace = Workspace(root, None if inside else around, self._clock)
        self._allowed = tuple(allowed)
        self._registry = registry
        edits = any(registry[name].writes for name in allowed)
        self._handling = replace(handling, form=replace(handling.form, edits=edits))
        self._held: tuple[Call, tuple[Check, ...]] | None = None  # until a person has decided

    @property
    def schemas(self) -> list[Json]:
        """What a request's `tools` holds where all tools given are offered, in their order."""
        return self.schemas_of(self._allowed)

    def schemas_of(self, names: Sequence[str]) -> list[Json]:
        """What a request's `tools` holds where these are offered."""
        said = self._policy.descriptions
        schemas = [copy.deepcopy(self._registry[name].schema) for name in names]
        return [
            {**schema, "description": said.get(schema["name"], schema["description"])}
            for schema in schemas
        ]

    def offered(self, messages: Any) -> tuple[str, ...]:
        """The names of the tools that may be called after these messages."""
        answered = answered_tools(messages)
        return tuple(name for name in self._allowed if self._policy.offers(name, answered))

    def listed(self, messages: Any) -> tuple[str, ...]:
        """The names of the tools in the list that a request with these messages holds."""
        return self._policy.listed(self._allowed, messages)

    def notes(self, messages: Any) -> list[Json]:
        """The system messages that the model is still to be told after these messages."""
        return self._policy.notes(self._allowed, messages)

    def run(
        self, call: object, decision: str = "", offered: Sequence[str] | None = None
    ) -> Result | Undecided:
        """Answers a `tool_use` block: checks it, runs the tool, puts the answer in its form.

        Whatever is wrong, with the call or inside the tool, becomes an error result. `offered` are
        the tools that may be called now, all that were given where it is left out. A call that a
        person must approve, or agree to try again, is Undecided without their `decision`. Raises
        KeyError for an unknown tool where the policy leaves that check out.
        """
        if self._held is not None and decision:
            (held, made), self._held = self._held, None
            return replace(held.decided(decision == APPROVE), checks=made)
        checks = Checks()
        admitted = self._admitted(call, decision, offered, checks)
        if not isinstance(admitted, tuple):
            return admitted
        begun = self._call(*admitted)
        result = begun.run()
        if result is None:
            self._held = begun, tuple(checks.made)
            return Undecided(tuple(checks.made), tuple(begun.tries))
        return self._judged(begun, result, checks)

    def run_again(
        self,
        call: object,
        decision: str,
        tries: Sequence[Attempt],
        offered: Sequence[str] | None = None,
    ) -> Result:
        """Answers a call that another harness tried, once a person has decided about one more try;
        `tries` are all that failed."""
        checks = Checks()
        admitted = self._admitted(call, APPROVE, offered, checks)
        if not isinstance(admitted, tuple):
            assert isinstance(admitted, Result)  # nobody is asked about a call that is approved
            return admitted
        begun = self._call(*admitted)
        return self._judged(begun, begun.taken_up(tries, decision == APPROVE), checks)

    def checks(self, call: object, offered: Sequence[str] | None = None) -> tuple[Check, ...]:
        """The checks of a call up to the question to a person, if there is one; nothing is run."""
        checks = Checks()
        self._admitted(call, "", offered, checks)
        return tuple(checks.made)

    def _admitted(
        self, call: object, decision: str, offered: Sequence[str] | None, checks: Checks
    ) -> tuple[Tool, Json] | Result | Undecided:
        """The tool and its parameters once all checks are passed; else what `run` answers."""
        offer = self._allowed if offered is None else tuple(offered)
        try:
            tool = self._found(call, offer, checks)
            values = self._parameters(tool, call, checks)
            self._permit(tool, values, offer, checks)
            if tool.approval or tool.name in self._policy.approve:
                if not decision:
                    return Undecided(tuple(checks.made))
                with checks.of("approved", APPROVED):
                    if decision != APPROVE:
                        raise ToolError(self._denied(tool, offer))
        except ToolError as refusal:
            failure = "model" if checks.made[-1].name in MODELS else "refusal"
            said = error(str(refusal), self._handling.form)
            return Result(said, is_error=True, checks=tuple(checks.made), failure=failure)
        return tool, values

    def _call(self, tool: Tool, values: Json) -> Call:
        return Call(tool, values, self._workspace, self._handling, self._clock, self._registry)

    def _judged(self, made: Call, result: Result, checks: Checks) -> Result:
        """A result with the checks before it, and whose failure it is."""
        if result.failure == ENVIRONMENT and not self._fit(made.tool, made.values):
            result = replace(result, failure="model", tries=())  # it broke on what the model wrote
        return replace(result, checks=tuple(checks.made))

    def _found(self, call: object, offer: Sequence[str], checks: Checks) -> Tool:
        """The tool that a call names. Raises ToolError, listing what there is for this agent."""
        name = call.get("name") if isinstance(call, Mapping) else None
        if not self._policy.checks("exists"):
            checks.left_out("exists")
            return self._registry[name]  # type: ignore[index]
        with checks.of("exists", EXISTS):
            if not isinstance(name, str):
                raise ToolError(f"the call names no tool; {_has(offer)}")
            if name not in self._registry:
                raise ToolError(f"there is no tool {quoted(name)}; {_has(offer)}")
            return self._registry[name]

    def _parameters(self, tool: Tool, call: Any, checks: Checks) -> Json:
        """The checked input of a call. Raises ToolError, saying what would be right."""
        if not self._policy.checks("parameters"):
            checks.left_out("parameters")
            given = call.get("input")
            return dict(given) if isinstance(given, Mapping) else {}
        with checks.of("parameters", PARAMETERS):
            if "input" not in call:
                raise ToolError(f"the call has no input. {tool.usage}.")
            given = call["input"]
            if not isinstance(given, Mapping):
                raise ToolError(f"input must be an object, not {described(given)}. {tool.usage}.")
            return tool.values(given)

    def _fit(self, tool: Tool, values: Json) -> bool:
        """Whether the parameters of a call fit, checked before it or not."""
        try:
            if not self._policy.checks("parameters"):
                tool.values(values)
            return True
        except ToolError:
            return False

    def _permit(self, tool: Tool, values: Json, offer: Sequence[str], checks: Checks) -> None:
        """Whether the call is allowed here and now. Raises ToolError, saying why not."""
        if self._policy.checks("given"):
            with checks.of("given", GIVEN):
                if tool.name not in self._allowed:
                    raise ToolError(f"{tool.name} was not given to this agent; {_has(offer)}")
                if tool.name not in offer:
                    why = "offered" if self._policy.narrows == LIST else "to be called"
                    raise ToolError(f"{tool.name} is not {why} now; {_has(offer)}")
        else:
            checks.left_out("given")
        if tool.writes:
            with checks.of("writes", WRITES):
                if self._policy.read_only:
                    said = f"{tool.name} writes, and this agent may only read"
                    raise ToolError(f"{said}; {_has(self._reading(offer))}")
        if tool.paths and self._policy.checks("inside"):
            with checks.of("inside", INSIDE):
                self._places(tool, values)
        elif tool.paths:
            checks.left_out("inside")
        self._limited(tool, values, checks)

    def _limited(self, tool: Tool, values: Json, checks: Checks) -> None:
        """Whether each number of the call is within its limit. Raises ToolError, naming it."""
        limits = self._policy.limits.get(tool.name)
        if limits is None:
            return
        with checks.of("limits", LIMITS):
            for name, most in limits.items():
                value = values.get(name)
                if isinstance(value, int | float) and value > most:
                    raise ToolError(
                        f"this agent may call {tool.name} with {name} up to {most:,}, not"
                        f" {value:,}, and nothing was done; stay within that, or ask the person"
                    )

    def _places(self, tool: Tool, values: Json) -> None:
        """Raises ToolError where a path leads out; what is no text cannot be a path at all."""
        for name in tool.paths:
            if isinstance(path := values.get(name), str):
                self._workspace.place(path)

    def _reading(self, offer: Sequence[str]) -> list[str]:
        return [name for name in offer if not self._registry[name].writes]

    def _denied(self, tool: Tool, offer: Sequence[str]) -> str:
        asks = (*self._policy.approve, *(n for n in offer if self._registry[n].approval))
        free = [name for name in offer if name not in asks]
        may = f"without asking, this agent may call {listed(free)}" if free else "ask the person"
        return f"a person denied this call of {tool.name}, and it was not run; {may}"


def _has(offer: Sequence[str]) -> str:
    return f"this agent has {listed(offer) or 'no tools'}"

"""A guard against an agent that goes round in circles: the same call, again and again."""

import json
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, Protocol

from app.engine.steps import Check, Json, Result, Undecided
from app.harness.results import error, short, visible

NAME, CALL, RESULT = "name", "call", "result"  # what makes two calls the same
MAX_REPEATS = 2  # how often the same call is run

NUDGE = "You made this call {times} times and nothing new came of it. Try another way, or ask."
NOT_RUN = "not run: this call was made {times} times before, and a person looks at it now"
COUNTED = "it was made {times} times before, counted as {signature}"
SHOWN = 200  # characters of a signature
STUCK = "{tool} was asked for once more with nothing new; please take over"


class Runner(Protocol):
    """Runs the calls that a model asks for."""

    def run(self, call: Mapping[str, Any], decision: str = "") -> Result | Undecided:
        """One call with the checks before it."""


class Guard:
    """The tools of one run, watched: a call is run `most` times, the last time with a nudge to the
    model, and after that no more; `stuck` then says why a person must take over.

    `by` is what makes two calls the same: their `name`; their name and arguments (`call`); or these
    and what came of them (`result`), so that a call whose results change counts as progress.
    """

    def __init__(self, tools: Runner, by: str, most: int = MAX_REPEATS) -> None:
        self._tools, self._by, self._most = tools, by, most
        self._made: list[tuple[str, str]] = []  # the signature of each call, and its result
        self.stuck = ""

    def run(self, call: Mapping[str, Any], decision: str = "") -> Result | Undecided:
        """One call, or the reason why it is not run any more. Raises what the tools raise."""
        tool = str(call.get("name"))
        made = tool if self._by == NAME else signature(tool, call.get("input"))
        if self._times(made) >= self._most:
            self.stuck = STUCK.format(tool=tool)
            said = NOT_RUN.format(times=self._most)
            counted = COUNTED.format(times=self._most, signature=short(visible(made), SHOWN))
            return Result(
                error(said),
                is_error=True,
                checks=(Check("repeated", False, counted),),
                failure="refusal",
            )
        result = self._tools.run(call, decision)
        if isinstance(result, Undecided):
            return result
        self._made.append((made, result.content))
        if self._times(made) >= self._most:
            nudge = NUDGE.format(times=self._most)
            return replace(result, content=f"{result.content}\n\n{nudge}")
        return result

    def notes(self, messages: Any) -> list[Json]:
        """What the tools want the model to be told after these messages."""
        noted: Callable[[Any], list[Json]] | None = getattr(self._tools, "notes", None)
        return noted(messages) if noted else []

    def _times(self, made: str) -> int:
        """How often a call was made; where results count, since a result was another."""
        results = [result for other, result in self._made if other == made]
        if self._by != RESULT:
            return len(results)
        times = 0
        while times < len(results) and results[-1 - times] == results[-1]:
            times += 1
        return times


def signature(tool: str, given: Any) -> str:
    """A call as one text, equal for calls that are the same: its name, and its arguments as JSON
    with the keys of every object in order and no spaces.

    As in JSON Schema, 1.0 is the number 1; true is no number. What is no JSON stands there as
    Python writes it, and what cannot be written at all counts as one and the same.
    """
    try:
        text = json.dumps(_in_order(given), separators=(",", ":"), ensure_ascii=False, default=repr)
    except (ValueError, RecursionError):  # it holds itself, is too deep, or has too many digits
        text = "…"
    return f"{tool} {text}"


def _in_order(value: Any) -> Any:
    match value:
        case dict():
            named = {str(key): _in_order(item) for key, item in value.items()}
            return dict(sorted(named.items()))
        case list() | tuple():
            return [_in_order(item) for item in value]
        case float() if value.is_integer():
            return int(value)
    return value

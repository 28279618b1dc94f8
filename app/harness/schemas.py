"""From a typed Python function to what the Messages API's `tools` takes: name, description, schema.

pydantic reads the function's annotations once; the same model then checks each call's parameters.
"""

import inspect
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from pydantic import BaseModel, ConfigDict, ValidationError, create_model
from pydantic.json_schema import GenerateJsonSchema
from pydantic_core import ErrorDetails

from app.engine.steps import Ending, Json
from app.harness.results import ToolError, quoted

WORKSPACE = "workspace"  # the harness fills a parameter of this name; the model never sees it
HELPER = "helper"  # and one of this name by what asks the helper agent
IN_WORKSPACE = object()  # the mark, inside Annotated, of a path that must stay in the workspace
Ask = Callable[[str], Ending]  # gives a task to the helper agent; how its run ended
ERRORS_LIMIT = 5  # wrong parameters that one error names

_STRICT = ConfigDict(strict=True, extra="forbid")


class _Untitled(GenerateJsonSchema):
    """pydantic's schema without a title on each property: it only repeats the name."""

    def field_title_should_be_set(self, schema: Any) -> bool:
        return False


@dataclass(frozen=True)
class Tool:
    """A function that a model may ask for.

    `parameters` is the pydantic model of what the model supplies, `paths` those of them that must
    stay in the workspace. What a tool declares: whether it `writes`; whether it is `idempotent`, so
    that the same call made twice does no more than made once; `key`, the parameter by which the
    tool knows a repeated call, "" where it has none; and whether each call needs a person's
    `approval`.
    """

    function: Callable[..., object]
    parameters: type[BaseModel]
    paths: tuple[str, ...]
    needs_workspace: bool
    schema: Json
    needs_helper: bool = False
    writes: bool = False
    idempotent: bool = True
    key: str = ""
    approval: bool = False

    @property
    def name(self) -> str:
        """The name that a call uses."""
        return self.function.__name__

    @property
    def repeatable(self) -> bool:
        """Whether a call may be made again when nobody knows whether the first one took effect."""
        return self.idempotent or bool(self.key)

    @classmethod
    def of(
        cls,
        function: Callable[..., object],
        *,
        writes: bool = False,
        idempotent: bool | None = None,
        key: str = "",
        approval: bool = False,
    ) -> "Tool":
        """The tool that a function is; its docstring is the description that the model reads.

        A tool that only reads is idempotent; one that writes is not, unless it says so. Raises
        ValueError where `key` names no parameter.
        """
        named = inspect.signature(function).parameters
        fields: dict[str, Any] = {
            name: (p.annotation, ... if p.default is p.empty else p.default)
            for name, p in named.items()
            if name not in (WORKSPACE, HELPER)
        }
        model = create_model(function.__name__, __config__=_STRICT, **fields)
        marked = [n for n, field in model.model_fields.items() if IN_WORKSPACE in field.metadata]
        if key and key not in model.model_fields:
            raise ValueError(f"{function.__name__} has no parameter {key!r} to be its key")
        return cls(
            function,
            model,
            tuple(marked),
            WORKSPACE in named,
            _schema(function, model),
            needs_helper=HELPER in named,
            writes=writes,
            idempotent=not writes if idempotent is None else idempotent,
            key=key,
            approval=approval,
        )

    def values(self, given: Mapping[str, Any]) -> Json:
        """The checked parameters of a call, defaults filled in.

        Raises ToolError with a sentence that says which are wrong, how, and what would be right.
        """
        try:
            return {**vars(self.parameters.model_validate(dict(given)))}
        except ValidationError as problem:
            wrong = problem.errors(include_url=False, include_context=False)
        said = [self._wrong(one) for one in wrong[:ERRORS_LIMIT]]
        if len(wrong) > ERRORS_LIMIT:
            said.append(f"{len(wrong) - ERRORS_LIMIT:,} more are wrong")
        raise ToolError(f"{'; '.join(said)}. {self.usage}.")

    @property
    def usage(self) -> str:
        """What the tool takes, in words: `add takes a (integer), b (integer)`."""
        takes = [
            f"{name} ({field.get('type', 'value')}"
            + (f", {json.dumps(field['default'])} if left out)" if "default" in field else ")")
            for name, field in self.schema["input_schema"]["properties"].items()
        ]
        return f"{self.name} takes {', '.join(takes) or 'no parameters'}"

    def _wrong(self, problem: ErrorDetails) -> str:
        where = ".".join(str(part) for part in problem["loc"])
        match problem["type"]:
            case "missing":
                return f"{where} is missing"
            case "extra_forbidden":
                return f"{quoted(where)} is not a parameter of {self.name}"
            case "string_type" | "int_type":
                right = "a string" if problem["type"] == "string_type" else "an integer"
                return f"{where} must be {right}, not {described(problem['input'])}"
            case _:
                return f"{quoted(where)}: {problem['msg']}"


def _schema(function: Callable[..., object], model: type[BaseModel]) -> Json:
    made = model.model_json_schema(schema_generator=_Untitled)
    del made["title"]
    return {
        "name": function.__name__,
        "description": " ".join((inspect.getdoc(function) or "").split()),
        "input_schema": {"type": "object", "properties": {}, "required": [], **made},
    }


def described(value: object) -> str:
    """A JSON value in words; of its content only what is short: `the string "2"`, `an array`."""
    match value:
        case str():
            return f"the string {quoted(value)}"
        case bool() | None:
            return {True: "true", False: "false", None: "null"}[value]
        case float():
            return f"the number {value!r}"
        case int():
            return "a number"
        case list() | tuple():
            return "an array"
        case _:
            return "an object"

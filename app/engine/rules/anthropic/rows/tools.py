"""A30 to A39: tools and tool_choice."""

from app.engine.rules.anthropic.rows.examples import (
    ADD,
    TASK,
    assistant,
    call,
    request,
    result,
    user,
)
from app.engine.rules.rule import INFERRED, Check, Rule

_LONG = {**ADD, "name": "add_" * 32}
_TOO_LONG = {**ADD, "name": "add_" * 32 + "s"}
_SCHEMA = ADD["input_schema"]
_LAZY = {**ADD, "defer_loading": True}
_EAGER = {**ADD, "name": "count"}
_ANY = {"type": "any"}

RULES = (
    Rule(
        "A30",
        "A tool's name is 1 to 128 letters, digits, _ and -",
        (
            Check(
                "name",
                "refuse",
                "A tool's name must be 1 to 128 letters, digits, underscores or hyphens.",
                "{path}: String should match pattern '^[a-zA-Z0-9_-]{1,128}$'",
            ),
            Check(
                "call's name",
                "refuse",
                "The name in a tool_use block must have 1 to 200 characters.",
                "{path}: {message}",
                certainty=INFERRED,
            ),
            Check(
                "reference's name",
                "refuse",
                "The tool_name in a tool_reference must have 1 to 64 characters.",
                "{path}: {message}",
                certainty=INFERRED,
            ),
            Check(
                "fixed name",
                "refuse",
                "A tool of the API's own has a fixed name.",
                "{path}: {message}",
                certainty=INFERRED,
            ),
        ),
        certainty="pattern documented; 128 seen in 5 reports, the documentation says 64",
        sources=("docs: define-tools", "home-assistant/core#147760"),
        accepted=request(TASK, tools=[_LONG]),
        refused=request(TASK, tools=[_TOO_LONG]),
        believed="A tool's name may have 64 characters at most: the live limit is 128.",
    ),
    Rule(
        "A31",
        "Tool names are unique",
        (
            Check(
                "twice",
                "refuse",
                "Two tools must not have the same name.",
                "tools: Tool names must be unique.",
            ),
        ),
        certainty="seen in 1 report, quoted widely",
        sources=("XSpoonAi/spoon-core#16",),
        accepted=request(TASK, tools=[ADD, _EAGER]),
        refused=request(TASK, tools=[ADD, {**_EAGER, "name": "add"}]),
        looser="Two tools of one name are let through.",
    ),
    Rule(
        "A32",
        "input_schema is an object with type object",
        (
            Check(
                "missing",
                "refuse",
                "A tool must have an input_schema, an object.",
                "{path}: {message}",
            ),
            Check(
                "type",
                "refuse",
                'An input_schema must have "type": "object" at its top.',
                "{path}: Input should be 'object'",
            ),
        ),
        certainty="documented",
        sources=("docs: define-tools",),
        accepted=request(TASK, tools=[ADD]),
        refused=request(TASK, tools=[{**ADD, "input_schema": {**_SCHEMA, "type": "array"}}]),
    ),
    Rule(
        "A33",
        "input_schema is valid JSON Schema 2020-12",
        (
            Check(
                "schema",
                "not judged",
                "Whether an input_schema is valid JSON Schema is not judged here.",
                "JSON schema is invalid. It must match JSON Schema draft 2020-12",
            ),
        ),
        certainty="seen in 1 report, quoted widely",
        sources=("anthropics/claude-code#63673",),
    ),
    Rule(
        "A34",
        "No oneOf, allOf or anyOf at the top of input_schema",
        (
            Check(
                "top",
                "refuse",
                "An input_schema must not have oneOf, allOf or anyOf at its top; inside it they are"
                " fine.",
                "{path}: input_schema does not support oneOf, allOf, or anyOf at the top level",
            ),
        ),
        certainty="seen in 4 reports",
        sources=("dearlordylord/huly-mcp#66", "MemPalace/mempalace#1711"),
        accepted=request(TASK, tools=[ADD]),
        refused=request(
            TASK, tools=[{**ADD, "input_schema": {**_SCHEMA, "anyOf": [{"required": ["a"]}]}}]
        ),
        looser="A schema is taken as it is.",
    ),
    Rule(
        "A35",
        "input_examples fit the schema",
        (
            Check(
                "examples",
                "not judged",
                "Whether input_examples fit their schema is not judged here.",
            ),
        ),
        certainty="documented",
        sources=("docs: define-tools",),
        accepted=request(TASK, tools=[{**ADD, "input_examples": [{"a": 2, "b": 3}]}]),
    ),
    Rule(
        "A36",
        "Not every tool is deferred, and a tool referred to is declared",
        (
            Check(
                "all deferred",
                "refuse",
                "At least one tool must not have defer_loading.",
                "At least one tool must have defer_loading=false",
            ),
            Check(
                "reference",
                "refuse",
                "A tool_reference must name a tool that tools declares.",
            ),
        ),
        certainty="documented",
        sources=("docs: tool-search-tool",),
        accepted=request(TASK, tools=[_LAZY, _EAGER]),
        refused=request(TASK, tools=[_LAZY, {**_EAGER, "defer_loading": True}]),
    ),
    Rule(
        "A37",
        "tool_choice goes with tools, and names one of them",
        (
            Check(
                "without tools",
                "refuse",
                "tool_choice may only be given together with tools.",
                "tool_choice may only be specified while providing tools",
            ),
            Check(
                "form",
                "refuse",
                "tool_choice must have the type auto, any, tool (with a name) or none.",
                "{path}: {message}",
                certainty=INFERRED,
            ),
            Check(
                "unknown name",
                "warn",
                "tool_choice names a tool that tools does not declare; that the API refuses this is"
                " inferred.",
            ),
        ),
        certainty="quoted word for word in about 10 public source files",
        sources=("docs: define-tools",),
        accepted=request(TASK, tools=[ADD], tool_choice={"type": "auto"}),
        refused=request(TASK, tool_choice={"type": "auto"}),
    ),
    Rule(
        "A38",
        "A call can be forced",
        (
            Check(
                "manual thinking",
                "refuse",
                "A call cannot be forced (tool_choice any or tool) while manual thinking is on.",
            ),
            Check(
                "model",
                "refuse",
                "This model takes no forced call: tool_choice must be auto or none.",
                'tool_choice: type "tool" and "any" are not supported for this model.',
            ),
            Check(
                "unverified",
                "warn",
                "Whether this model takes a forced call (tool_choice any or tool) is not verified.",
            ),
            Check(
                "unknown model",
                "not judged",
                "Whether this model takes a forced call is not known here.",
            ),
        ),
        certainty="documented",
        sources=("docs: thinking", "docs: whats-new-sonnet-5-5"),
        accepted=request(TASK, tools=[ADD], tool_choice=_ANY),
        refused=request(TASK, tools=[ADD], tool_choice=_ANY, model="claude-opus-5-5"),
    ),
    Rule(
        "A39",
        "tools is given where the history holds calls",
        (
            Check(
                "absent",
                "accept",
                "tools may be left out although the history holds tool_use and tool_result blocks.",
            ),
        ),
        certainty="documented, seen in 1 old report; Bedrock and several gateways still demand it",
        sources=("docs: release notes", "anthropics/anthropic-sdk-python#494"),
        accepted=request(TASK, assistant(call()), user(result())),
        believed="tools is required when the history holds calls: not since February 2025.",
    ),
)

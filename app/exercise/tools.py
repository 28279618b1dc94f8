"""The two tools of the exercise, and `run_tool`, which runs one call of the model."""

from collections.abc import Callable, Mapping
from typing import Any


def add(a: Any, b: Any) -> Any:
    """The sum of two values."""
    return a + b


def word_count(text: str) -> int:
    """How many words a text has."""
    return len(text.split())


TOOLS: dict[str, Callable[..., Any]] = {"add": add, "word_count": word_count}


def run_tool(block: Mapping[str, Any]) -> dict[str, Any]:
    """Run the call that a `tool_use` block asks for.

    Returns what its `tool_result` block says besides `type` and `tool_use_id`: `content`, and
    `is_error` where the tool failed. It raises nothing: a failure is an answer too.
    """
    name = block.get("name")
    if name not in TOOLS:
        return {"content": f"Error: there is no tool {name!r}", "is_error": True}
    try:
        return {"content": str(TOOLS[name](**block.get("input", {})))}
    except Exception as error:
        return {"content": f"Error: {error}", "is_error": True}


# What the model is told about them.
SCHEMAS: tuple[dict[str, Any], ...] = (
    {
        "name": "add",
        "description": "Add two values: the sum of two numbers, or two texts joined.",
        "input_schema": {
            "type": "object",
            "properties": {"a": {}, "b": {}},
            "required": ["a", "b"],
        },
    },
    {
        "name": "word_count",
        "description": "Count the words of a text.",
        "input_schema": {
            "type": "object",
            "properties": {"text": {"type": "string"}},
            "required": ["text"],
        },
    },
)

"""The tool that gives a part of the task to a helper agent."""

from typing import Annotated

from pydantic import Field

from app.engine.steps import Ending
from app.harness.results import Report, ToolError
from app.harness.schemas import Ask, Tool


def ask_helper(
    helper: Ask,
    task: Annotated[str, Field(min_length=1, description="What the helper is to do, in words.")],
) -> Report:
    """Give a task to a helper agent, which has tools of its own, and get its answer. It sees
    nothing of this conversation but the task."""
    ending: Ending = helper(task)
    if ending.kind not in ("answer", "wrong"):
        raise ToolError(f"the helper gave no answer ({ending.kind}: {ending.text})")
    return Report("the helper answered", ending.text)


HELPING = (Tool.of(ask_helper, idempotent=False),)

"""The rules of chat completions, judged in two stages: shape, order."""

from typing import Any

from app.engine.rules.findings import Findings
from app.engine.rules.openai.order import judge_order
from app.engine.rules.openai.rows import RULES
from app.engine.rules.openai.shape import judge_shape
from app.engine.steps import Fault

__all__ = ["RULES", "check_openai"]


def check_openai(request: Any) -> tuple[Fault, ...]:
    """The faults of the first stage that refuses, and all warnings until then."""
    found = Findings(RULES)
    if not isinstance(request, dict):
        found.add("O01", "object", "")
        return found.faults
    judge_shape(request, found)
    if not found.refused:
        judge_order(request["messages"], found)
    return found.faults

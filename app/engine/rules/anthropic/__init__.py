"""The rules of the Messages API, judged in three stages: shape, whole, turns."""

from collections.abc import Collection
from typing import Any

from app.engine.rules.anthropic.betas import BETA, STABLE
from app.engine.rules.anthropic.models import model_named
from app.engine.rules.anthropic.rows import RULES
from app.engine.rules.anthropic.shape import judge_shape
from app.engine.rules.anthropic.strict import judge_strict
from app.engine.rules.anthropic.turns import judge_turns
from app.engine.rules.anthropic.whole import judge_whole
from app.engine.rules.findings import Findings
from app.engine.steps import Fault

__all__ = ["RULES", "check_anthropic"]


def check_anthropic(request: Any, betas: Collection[str], strict: bool) -> tuple[Fault, ...]:
    """The faults of the first stage that refuses, and all warnings until then."""
    found = Findings(RULES)
    if not isinstance(request, dict):
        found.add("A05", "object", "")
        return found.faults
    judge_shape(request, BETA if betas else STABLE, found)
    if found.refused:
        return found.faults
    if strict and (stricter := judge_strict(request["messages"])):
        return stricter
    model = model_named(request["model"])
    judge_whole(request, model, betas, found)
    if not found.refused:
        judge_turns(request, model, found)
    return found.faults

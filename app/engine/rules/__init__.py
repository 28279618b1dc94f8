"""What the real APIs accept and refuse, as rules that judge one request.

`check` judges; RULES holds every row, for the page that shows them.
"""

from collections.abc import Collection, Mapping
from typing import Any

from app.engine.rules.anthropic import RULES as ANTHROPIC
from app.engine.rules.anthropic import check_anthropic
from app.engine.rules.rule import Check, Rule
from app.engine.steps import Fault

__all__ = ["RULES", "Check", "Rule", "check"]

RULES: Mapping[str, Rule] = ANTHROPIC


def check(
    request: Any,
    dialect: str = "anthropic",
    *,
    betas: Collection[str] = (),
    strict_alternation: bool = False,
) -> tuple[Fault, ...]:
    """The faults of a request body, any JSON value; nothing where the API accepts it.

    All faults of the first stage that refuses, in order: the first of them decides. Warnings and
    what is not judged, as found until then, follow the refusals. `betas` names the beta headers
    that are sent with the request: under any of them the beta keys are known.
    """
    return check_anthropic(request, betas)

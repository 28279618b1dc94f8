"""What the real APIs accept and refuse, as rules that judge one request.

`check` judges; RULES holds every row, for the page that shows them; `dialect_of` guesses which of
the two APIs a body was meant for.
"""

from collections.abc import Collection, Mapping
from typing import Any

from app.engine.rules.anthropic import RULES as ANTHROPIC
from app.engine.rules.anthropic import check_anthropic
from app.engine.rules.dialect import dialect_of
from app.engine.rules.openai import RULES as OPENAI
from app.engine.rules.openai import check_openai
from app.engine.rules.rule import Check, Rule
from app.engine.steps import Fault

__all__ = ["DIALECTS", "RULES", "Check", "Rule", "check", "dialect_of"]

DIALECTS = ("anthropic", "openai")
RULES: Mapping[str, Rule] = {**ANTHROPIC, **OPENAI}


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
    that are sent with the request: under any of them the beta keys are known. With
    `strict_alternation` the Messages API is played stricter than it is: roles must alternate, and
    the first and the last message must be the user's. Raises ValueError for an unknown dialect.
    """
    if dialect == "openai":
        return check_openai(request)
    if dialect == "anthropic":
        return check_anthropic(request, betas, strict_alternation)
    raise ValueError(f"unknown dialect {dialect!r}: it must be one of {', '.join(DIALECTS)}")

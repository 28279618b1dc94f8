"""What a rule of an API is: a row that says what is checked, and with what effect."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

INFERRED = "the verdict follows from the published types, the wording is inferred"
EFFECTS = ("refuse", "warn", "accept", "not judged")


@dataclass(frozen=True)
class Check:
    """One check of a rule.

    `effect` is one of EFFECTS. `sentence` is ours: what is wrong and what would be right, or, for
    `accept`, what is allowed. `api` is the identifying part of the API's own message, "" where it
    is not published; words in braces are filled in from the request. `certainty` is how sure that
    part is, where that differs from the rule.
    """

    name: str
    effect: str
    sentence: str
    api: str = ""
    status: int = 400
    error: str = "invalid_request_error"
    certainty: str = ""


@dataclass(frozen=True)
class Rule:
    """One row of the table of rules.

    `title` says what is checked; `certainty` how sure the verdict and the wording are; `sources`
    name documentation pages, reports (`owner/repository#number`) or packages. `accepted` and
    `refused` are a minimal pair of requests: the second is the first with one change, and its first
    fault is this rule's. A rule that only accepts has `accepted` alone, and `believed`: what people
    wrongly believe is refused. `looser` is what other checkers let pass.
    """

    number: str
    title: str
    checks: tuple[Check, ...]
    certainty: str
    sources: tuple[str, ...] = ()
    accepted: Mapping[str, Any] | None = None
    refused: Mapping[str, Any] | None = None
    believed: str = ""
    looser: str = ""

    @property
    def effect(self) -> str:
        """The strongest effect of its checks."""
        return min((check.effect for check in self.checks), key=EFFECTS.index)

    def check(self, name: str) -> Check:
        """The check of that name. Raises KeyError."""
        for check in self.checks:
            if check.name == name:
                return check
        raise KeyError(f"{self.number} has no check named {name}")

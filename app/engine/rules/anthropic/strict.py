"""A teaching option, stricter than the API: roles alternate, first and last is the user."""

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any

from app.engine.rules.findings import Findings, path
from app.engine.rules.rule import Check, Rule
from app.engine.steps import Fault

_STRICTER = "stricter than the real API: a teaching option of this server"

STRICT: Mapping[str, Rule] = {
    "A11": Rule(
        "A11",
        "Roles alternate",
        (
            Check(
                "alternate",
                "refuse",
                "Strict alternation is on: two messages of one role stand in a row. The real API"
                " merges them into one turn.",
            ),
        ),
        certainty=_STRICTER,
    ),
    "A12": Rule(
        "A12",
        "The first message is the user's",
        (
            Check(
                "first",
                "refuse",
                "Strict alternation is on: the first message must be the user's. The real API takes"
                " either.",
            ),
        ),
        certainty=_STRICTER,
    ),
    "A13": Rule(
        "A13",
        "The last message is the user's",
        (
            Check(
                "last",
                "refuse",
                "Strict alternation is on: the last message must be the user's. The real API goes"
                " on from an assistant message on Claude 4.5 and older, and after pause_turn.",
            ),
        ),
        certainty=_STRICTER,
    ),
}


def judge_strict(messages: Sequence[Mapping[str, Any]]) -> tuple[Fault, ...]:
    """The faults of the roles of a list of messages; system messages are passed over."""
    found = Findings(STRICT)
    spoken = [(n, m["role"]) for n, m in enumerate(messages) if m["role"] != "system"]
    if spoken and spoken[0][1] != "user":
        found.add("A12", "first", path("messages", spoken[0][0]))
    for (_, before), (n, role) in pairwise(spoken):
        if before == role:
            found.add("A11", "alternate", path("messages", n))
    if spoken and spoken[-1][1] != "user":
        found.add("A13", "last", path("messages", spoken[-1][0]))
    return found.faults

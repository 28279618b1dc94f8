"""The table of rules: complete, and each row's examples true."""

from collections.abc import Iterator, Mapping
from typing import Any

import pytest

from app.engine.rules import RULES, Rule, check
from app.engine.rules.anthropic import rows as anthropic
from app.engine.rules.openai import rows as openai
from app.engine.rules.rule import EFFECTS

ANTHROPIC = (
    "A01 A02 A03 A04 A05 A06 A07 A08 A09 A10 A11 A12 A13 A14 A15 A16 A17 A18 A19 A20 A21 A22 A23 "
    "A25 A26 A27 A28 A30 A31 A32 A33 A34 A35 A36 A37 A38 A39 A40 A41 A42 A43 A44 A45 A46 A47 A48 "
    "A49 A50 A51 A52 A53 A54 A55 A56 A57 A58 A59 A60 A61 A62 A63 A64 A65 A66 A70 A71 A72 A73 A74 "
    "A75 A76 A77"
).split()
OPENAI = (
    "O01 O02 O03 O04 O05 O06 O07 O08 O09 O10 O11 O12 O13 O14 O15 O16 O17 O18 O19 O20 O21 O22 O24 "
    "O26 O27"
).split()
# These need more than the body: the model's own count, a decoded image, JSON Schema, keys.
NOT_JUDGED = {"A07", "A28", "A33", "A35", "A61", "A77"}
# Their refused side is too large for an example.
TOO_LARGE = {"A06", "A09"}

rows = pytest.mark.parametrize("rule", RULES.values(), ids=lambda rule: rule.number)
pairs = pytest.mark.parametrize(
    "rule", [r for r in RULES.values() if r.refused is not None], ids=lambda rule: rule.number
)


def refusals(request: Any, rule: Rule) -> list[str]:
    dialect = "anthropic" if rule.number.startswith("A") else "openai"
    return [fault.rule for fault in check(request, dialect) if fault.effect == "refuse"]


def test_every_number_has_one_row() -> None:
    assert [rule.number for rule in anthropic.ROWS] == ANTHROPIC
    assert [rule.number for rule in openai.ROWS] == OPENAI
    assert list(RULES) == ANTHROPIC + OPENAI


@rows
def test_a_row_says_what_how_and_how_sure(rule: Rule) -> None:
    assert rule.title
    assert rule.certainty
    assert len({check.name for check in rule.checks}) == len(rule.checks) > 0
    for one in rule.checks:
        assert one.effect in EFFECTS
        assert one.sentence.endswith((".", ".)"))
        assert "\n" not in one.sentence + one.api


@rows
def test_a_row_that_refuses_shows_both_sides(rule: Rule) -> None:
    shown = rule.refused is not None or rule.number in TOO_LARGE
    assert shown == (rule.effect == "refuse")


@rows
def test_what_cannot_be_judged_is_said(rule: Rule) -> None:
    assert (rule.number in NOT_JUDGED) == (rule.effect == "not judged")


@rows
def test_the_accepted_example_is_not_refused(rule: Rule) -> None:
    if rule.accepted is not None:
        assert refusals(rule.accepted, rule) == []


@pairs
def test_the_refused_example_is_refused_by_its_own_rule(rule: Rule) -> None:
    assert refusals(rule.refused, rule)[0] == rule.number


@pairs
def test_the_two_examples_differ_in_one_thing(rule: Rule) -> None:
    assert rule.accepted is not None
    assert len(list(differences(rule.accepted, rule.refused))) == 1


@rows
def test_a_rule_that_only_accepts_names_the_wrong_belief(rule: Rule) -> None:
    if rule.effect == "accept":
        assert rule.believed
        assert rule.accepted is not None


def differences(a: Any, b: Any) -> Iterator[str]:
    """What differs between two requests; a value that was put in or taken out counts once."""
    if isinstance(a, Mapping) and isinstance(b, Mapping):
        for key in {**a, **b}:
            if (key in a) != (key in b):
                yield key
            else:
                yield from differences(a[key], b[key])
    elif isinstance(a, list) and isinstance(b, list) and len(a) == len(b):
        for one, other in zip(a, b, strict=True):
            yield from differences(one, other)
    elif isinstance(a, list) and isinstance(b, list):
        short, long = sorted((a, b), key=len)
        at = next((n for n, item in enumerate(short) if item != long[n]), len(short))
        more = len(long) - len(short)
        yield f"{more} at {at}"
        if short[at:] != long[at + more :]:
            yield "what follows"
    elif a != b:
        yield f"{a!r} and {b!r}"

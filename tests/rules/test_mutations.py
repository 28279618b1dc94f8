"""One change to a valid history, and the API refuses it: the first fault names the rule."""

from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from app.engine.rules import RULES, check
from tests.rules import chat_mutations, mutations

MUTATIONS = {**mutations.MUTATIONS, **chat_mutations.MUTATIONS}
QUICK = [number for number in MUTATIONS if number not in mutations.SLOW]


def test_each_rule_that_refuses_has_a_mutation() -> None:
    refusing = {number for number, rule in RULES.items() if rule.effect == "refuse"}
    assert refusing == set(MUTATIONS)


def first_refusal(request: Any, number: str) -> Any:
    dialect = "anthropic" if number.startswith("A") else "openai"
    return next(iter(check(request, dialect)), None)


@pytest.mark.parametrize("number", QUICK)
@settings(max_examples=15, suppress_health_check=[HealthCheck.too_slow])
@given(data=st.data())
def test_one_change_is_refused_by_its_rule(number: str, data: st.DataObject) -> None:
    fault = first_refusal(data.draw(MUTATIONS[number]), number)
    assert fault is not None
    assert (fault.rule, fault.effect) == (number, "refuse")


@pytest.mark.parametrize("number", mutations.SLOW)
@settings(max_examples=1, suppress_health_check=[HealthCheck.too_slow])
@given(data=st.data())
def test_one_large_change_is_refused_by_its_rule(number: str, data: st.DataObject) -> None:
    fault = first_refusal(data.draw(MUTATIONS[number]), number)
    assert (fault.rule, fault.effect) == (number, "refuse")

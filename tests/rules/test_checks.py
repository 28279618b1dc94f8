"""No check of the table is dead: some request of the other tables meets each."""

from importlib import import_module

from app.engine.rules import RULES, check
from tests.rules.tables import ROWS
from tests.rules.test_rows import TOO_LARGE

# Said of every request, so it is said on the rule's page and not with a request.
ALWAYS = {("A07", "fits"), ("A33", "schema")}


def met() -> set[tuple[str, str]]:
    """The rules and sentences that the tables' requests meet, under beta headers too."""
    for name in ("test_verdicts", "test_chat_verdicts"):
        import_module(f"tests.rules.{name}")
    faults = [
        fault
        for body, dialect in ROWS
        for betas in ((), ("any",))
        for fault in check(body, dialect, betas=betas)
    ]
    examples = [body for rule in RULES.values() for body in (rule.accepted, rule.refused) if body]
    faults += [fault for body in examples for fault in check(body)]
    return {(fault.rule, fault.sentence) for fault in faults}


def test_each_check_is_met_by_a_request() -> None:
    expected = {
        (rule.number, one.name): (rule.number, one.sentence)
        for rule in RULES.values()
        for one in rule.checks
        if one.effect != "accept" and rule.number not in TOO_LARGE
    }
    found = met()
    assert {name for name, pair in expected.items() if pair not in found} == ALWAYS


def test_no_two_checks_of_a_rule_say_the_same() -> None:
    for rule in RULES.values():
        assert len({one.sentence for one in rule.checks}) == len(rule.checks)

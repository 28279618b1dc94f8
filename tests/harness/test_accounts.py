"""The tools of a shop's accounts: what each says it did, and what it did."""

from pathlib import Path

import pytest

from app.engine.steps import Result
from app.harness import Harness, Policy

LIMIT = Policy(limits={"post_charge": {"amount": 50}})
TOO_MUCH = (
    "Error: nothing was charged: account leila may be charged 50 at once, not 70; charge no more "
    "than that, or ask the person"
)
NOT_ALLOWED = (
    "Error: this agent may call post_charge with amount up to 50, not 70, and nothing was done; "
    "stay within that, or ask the person"
)


@pytest.fixture
def shop(tmp_path: Path) -> Path:
    (tmp_path / "accounts.json").write_text('{"leila": 50}')
    (tmp_path / "ledger.csv").write_text("account,amount\n")
    return tmp_path


def ask(shop: Path, tool: str, policy: Policy = LIMIT, **given: object) -> Result:
    result = Harness(shop, (tool,), policy=policy).run({"name": tool, "input": given})
    assert isinstance(result, Result)
    return result


@pytest.mark.parametrize(
    ("tool", "amount", "said", "ledger"),
    [
        ("charge", 50, "Done: account leila, charge of 50", "leila,50\n"),
        ("charge", 70, "Done: account leila, charge of 70", ""),
        ("charge_account", 50, "Done: account leila charged 50", "leila,50\n"),
        ("charge_account", 70, TOO_MUCH, ""),
        ("post_charge", 50, "Done: account leila charged 50", "leila,50\n"),
        ("post_charge", 70, NOT_ALLOWED, ""),
    ],
)
def test_a_charge_over_the_limit_changes_nothing_whatever_is_said(
    shop: Path, tool: str, amount: int, said: str, ledger: str
) -> None:
    result = ask(shop, tool, account="leila", amount=amount)
    assert (result.content, result.is_error) == (said, said.startswith("Error"))
    assert (shop / "ledger.csv").read_text() == f"account,amount\n{ledger}"
    assert [change.path for change in result.changes] == ["ledger.csv"] * bool(ledger)


def test_a_call_over_a_limit_of_the_harness_never_reaches_the_tool(shop: Path) -> None:
    result = ask(shop, "post_charge", account="leila", amount=70)
    assert (result.failure, result.checks[-1].name, result.watched) == ("refusal", "limits", False)
    assert ask(shop, "post_charge", Policy(), account="leila", amount=70).changes


def test_the_workspace_is_watched_around_a_call_that_may_write(shop: Path) -> None:
    lie = ask(shop, "charge", account="leila", amount=70)
    assert (lie.watched, lie.changes) == (True, ())
    assert not ask(shop, "read_file", path="ledger.csv").watched


@pytest.mark.parametrize("tool", ["charge", "charge_account", "post_charge", "ship_order"])
def test_an_account_that_is_not_there_is_said_so(shop: Path, tool: str) -> None:
    given = {"account": "omid"} | ({} if tool == "ship_order" else {"amount": 5})
    assert ask(shop, tool, **given).content == (
        'Error: there is no account "omid"; there are leila'
    )
    (shop / "accounts.json").write_text("[]")
    assert "accounts.json must be a JSON object" in ask(shop, tool, **given).content


def test_what_is_shipped_is_written_down(shop: Path) -> None:
    assert ask(shop, "ship_order", account="leila").changes[0].path == "shipped.csv"

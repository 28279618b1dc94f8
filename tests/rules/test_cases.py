"""Requests of the real world, with the real API's verdict."""

import json
from pathlib import Path
from typing import Any

import pytest

from app.engine.rules import check

CASES = sorted((Path(__file__).parents[1] / "cases").glob("*.json"))


def read(path: Path) -> dict[str, Any]:
    case: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return case


def test_there_are_cases() -> None:
    assert len(CASES) >= 30


@pytest.mark.parametrize("path", CASES, ids=lambda path: path.stem)
def test_the_verdict_is_the_real_apis(path: Path) -> None:
    case = read(path)
    expected = case["expect"]
    refusals = [f for f in check(case["request"], case["dialect"]) if f.effect == "refuse"]
    if expected["verdict"] == "accepted":
        assert refusals == []
    else:
        first = refusals[0]
        assert first.rule in [expected["rule"], *expected.get("rule_also", [])]
        assert first.where in [expected["where"], *expected.get("where_also", [])]

"""The table of models, and how names are found in it."""

import pytest

from app.engine.rules import check
from app.engine.rules.anthropic.models import MODELS, OLDER, model_named
from app.engine.rules.anthropic.rows.examples import TASK, request
from app.engine.rules.openai.models import takes_max_tokens, takes_system

# One row of the documentation each: prefill, system, thinking refused, forced call, prefix, cap.
BETWEEN = "between_tools"
TABLE = {
    "sonnet-4-5 opus-4-5 haiku-4-5": (True, "no", {"adaptive", BETWEEN}, "yes", "no", 64_000),
    "opus-4-6 sonnet-4-6": (False, "no", {BETWEEN}, "yes", "no", 128_000),
    "mythos-preview": (False, "no", {BETWEEN}, "no", "no", None),
    "opus-4-7": (False, "no", {"enabled", BETWEEN}, "yes", "no", 128_000),
    "opus-4-8 opus-5": (False, "yes", {"enabled", BETWEEN}, "yes", "no", 128_000),
    "sonnet-5": (False, "contested", {"enabled", BETWEEN}, "yes", "no", 128_000),
    "fable-5 mythos-5": (
        False, "yes", {"enabled", "disabled", BETWEEN}, "unverified", "no", 128_000,
    ),
    "haiku-5-5": (False, "yes", {"enabled", BETWEEN}, "unverified", "new accounts", 128_000),
    "sonnet-5-5": (False, "yes", {"enabled", "disabled"}, "no", "new accounts", 128_000),
    "opus-5-5 fable-5-1 mythos-5-1": (
        False, "yes", {"enabled", "disabled", BETWEEN}, "no", "new accounts", 128_000,
    ),
    "fable-5-2 mythos-5-2": (
        False, "yes", {"enabled", "disabled", BETWEEN}, "no", "every account", 128_000,
    ),
}  # fmt: skip


@pytest.mark.parametrize(("names", "row"), TABLE.items(), ids=TABLE.keys())
def test_a_model_is_as_its_documentation_says(names: str, row: tuple[object, ...]) -> None:
    for name in names.split():
        m = MODELS[f"claude-{name}"]
        assert (m.prefill, m.system, m.refused, m.forced, m.prefix, m.cap) == row


def test_no_model_is_in_the_table_but_these() -> None:
    assert {f"claude-{name}" for names in TABLE for name in names.split()} == set(MODELS)


def test_only_opus_5_ties_disabled_thinking_to_the_effort() -> None:
    assert [name for name, m in MODELS.items() if not m.disabled_effort] == ["claude-opus-5"]


@pytest.mark.parametrize(
    ("name", "family"),
    [
        ("claude-opus-4-5-20251101", "claude-opus-4-5"),
        ("claude-haiku-4-5-20251001", "claude-haiku-4-5"),
        ("claude-opus-5-20260701", "claude-opus-5"),
        ("claude-opus-5", "claude-opus-5"),
    ],
)
def test_a_date_makes_no_difference(name: str, family: str) -> None:
    assert model_named(name) is MODELS[family]


@pytest.mark.parametrize(
    "name",
    [
        "claude-3-5-sonnet-20241022",
        "claude-3-7-sonnet-latest",
        "claude-3-haiku-20240307",
        "claude-sonnet-4-20250514",
        "claude-opus-4-1-20250805",
        "claude-opus-4-0",
    ],
)
def test_models_before_4_5_are_one_row(name: str) -> None:
    assert model_named(name) is OLDER


@pytest.mark.parametrize(
    "name", ["claude-opus-6", "claude-opus-4-9", "claude-opus-5x", "opus", "", "claude", "gpt-5"]
)
def test_another_name_is_unknown(name: str) -> None:
    assert model_named(name) is None
    (fault,) = check(request(TASK, model=name))
    assert (fault.rule, fault.effect, fault.status) == ("A03", "not judged", 404)


def test_the_models_of_the_installed_sdk_are_known() -> None:
    from typing import get_args

    from anthropic.types import ModelParam

    names = [name for kind in get_args(ModelParam) for name in get_args(kind)]
    assert len(names) > 10
    assert [name for name in names if model_named(name) is None] == []


@pytest.mark.parametrize(
    ("name", "takes"),
    [
        ("gpt-4.1", True),
        ("gpt-4o-mini", True),
        ("gpt-3.5-turbo", True),
        ("chatgpt-4o-latest", True),
        ("o1", False),
        ("o3-mini-2025-01-31", False),
        ("o4-mini", False),
        ("gpt-5", False),
        ("gpt-5-2025-08-07", False),
        ("gpt-5.4-mini", False),
        ("gpt-5.1-codex", False),
        ("gpt-5.3-chat-latest", None),
        ("gpt-6-sol", None),
        ("llama-4", None),
    ],
)
def test_which_models_take_the_old_cap(name: str, takes: bool | None) -> None:
    assert takes_max_tokens(name) is takes


def test_which_models_take_a_system_message() -> None:
    names = ["o1-mini", "o1-preview", "o1-mini-2024-09-12", "o1", "o3-mini", "gpt-4.1"]
    assert [takes_system(name) for name in names] == [False, False, False, True, True, True]

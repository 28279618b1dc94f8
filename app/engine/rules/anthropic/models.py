"""What differs between Claude models, for the rules that depend on the model.

Sources: the documentation's pages on thinking, mid-conversation system messages, errors and the
models' own pages. A name outside this table is unknown; the rules that ask for it are not judged.
"""

import re
from dataclasses import dataclass

K64, K128 = 64_000, 128_000


@dataclass(frozen=True)
class Model:
    """One row. `system`: "yes", "no" or "contested". `forced`, a forced call: "yes", "no" or
    "unverified". `prefix`, whether changes before a thinking block are refused: "no",
    "new accounts" or "every account". `cap`: the largest `max_tokens`, None where unknown."""

    prefill: bool
    system: str
    refused: frozenset[str]  # values of thinking.type
    forced: str
    prefix: str
    cap: int | None
    disabled_effort: bool = True  # thinking may be disabled at the efforts above `high`


def _model(prefill: bool, system: str, refused: str, forced: str, prefix: str, cap: int | None,
           disabled_effort: bool = True) -> Model:  # fmt: skip
    kinds = frozenset(refused.split())
    return Model(prefill, system, kinds, forced, prefix, cap, disabled_effort)


_4_5 = _model(True, "no", "adaptive between_tools", "yes", "no", K64)
_4_6 = _model(False, "no", "between_tools", "yes", "no", K128)
_5 = _model(False, "yes", "enabled disabled between_tools", "unverified", "no", K128)
_5_1 = _model(False, "yes", "enabled disabled between_tools", "no", "new accounts", K128)
_5_2 = _model(False, "yes", "enabled disabled between_tools", "no", "every account", K128)

MODELS = {
    "claude-haiku-4-5": _4_5,
    "claude-sonnet-4-5": _4_5,
    "claude-opus-4-5": _4_5,
    "claude-sonnet-4-6": _4_6,
    "claude-opus-4-6": _4_6,
    "claude-mythos-preview": _model(False, "no", "between_tools", "no", "no", None),
    "claude-opus-4-7": _model(False, "no", "enabled between_tools", "yes", "no", K128),
    "claude-opus-4-8": _model(False, "yes", "enabled between_tools", "yes", "no", K128),
    "claude-sonnet-5": _model(False, "contested", "enabled between_tools", "yes", "no", K128),
    "claude-opus-5": _model(False, "yes", "enabled between_tools", "yes", "no", K128, False),
    "claude-fable-5": _5,
    "claude-mythos-5": _5,
    "claude-haiku-5-5": _model(
        False, "yes", "enabled between_tools", "unverified", "new accounts", K128
    ),
    "claude-sonnet-5-5": _model(False, "yes", "enabled disabled", "no", "new accounts", K128),
    "claude-opus-5-5": _5_1,
    "claude-fable-5-1": _5_1,
    "claude-mythos-5-1": _5_1,
    "claude-fable-5-2": _5_2,
    "claude-mythos-5-2": _5_2,
}
# Claude 4.1 and older: what holds for 4.5 holds for them, but for the caps, which differ.
OLDER = _model(True, "no", "adaptive between_tools", "yes", "no", None)
_OLDER_NAME = re.compile(r"claude-(2|3|instant|(opus|sonnet)-4(-[01])?$)")
_DATE = re.compile(r"-20\d{6}$|-latest$")


def model_named(name: str) -> Model | None:
    """The row of a model's name, with or without a date; None for an unknown name."""
    family = _DATE.sub("", name)
    if family in MODELS:
        return MODELS[family]
    return OLDER if _OLDER_NAME.match(family) else None

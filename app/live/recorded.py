"""What is recorded of a run, read from its entries: each effect with all attempts at it."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from pydantic import TypeAdapter, ValidationError

from app.engine.steps import DECISIONS, Attempt, Check, Json
from app.live.failures import Failure, failure_of
from app.live.reply import checked_reply
from app.live.requests import joined
from app.live.results import read_checks, read_result
from app.store import BROKEN, DECISION, INTENT, REPLY, RESULT, Entry

CALL, TOOL, DECIDE = "call", "tool", "decide"  # the kinds of effects
HELD = TypeAdapter(tuple[Attempt, ...])


@dataclass(frozen=True)
class Try:
    """One attempt at an effect. `outcome` is None while it is under way, or once it was lost.

    `again` is what a person decided where they were asked whether there shall be this attempt,
    `checks` those that they saw passed; `held` are the failed tries of a call about which they are
    asked next.
    """

    attempt: int
    started: float
    outcome: Entry | None
    again: str = ""
    checks: tuple[Check, ...] = ()
    held: tuple[Attempt, ...] = ()

    @property
    def error(self) -> Json | None:
        """The error that the attempt ended with."""
        if self.outcome is None or self.outcome.kind != BROKEN:
            return None
        error = self.outcome.body.get("error")
        return error if isinstance(error, dict) else {}

    @property
    def failure(self) -> Failure | None:
        """What that error means."""
        error = self.error
        if error is None:
            return None
        status = error.get("status")
        return failure_of(status if isinstance(status, int) else None, str(error.get("type", "")))


@dataclass(frozen=True)
class Effect:
    """A recorded effect: what was asked for, and every attempt at it."""

    what: str
    body: Json
    digest: str
    tries: tuple[Try, ...]


def effects_of(entries: Sequence[Entry]) -> list[Effect]:
    """The effects in their order. Raises ValueError where one is in no right form."""
    found: dict[int, dict[int, dict[bool, Entry]]] = {}
    for entry in entries:
        attempts = found.setdefault(entry.effect, {})
        attempts.setdefault(entry.attempt, {})[entry.kind != INTENT] = entry
    if [*found] != [*range(len(found))]:
        raise ValueError("an effect is missing in the record")
    effects: list[Effect] = []
    request: Json | None = None
    for attempts in found.values():
        intent = attempts[min(attempts)].get(False)
        if intent is None:
            raise ValueError("an outcome stands in the record without its intent")
        call, asked = intent.body.get("call"), intent.body.get("decide")
        if isinstance(call, dict):
            effects.append(Effect(TOOL, call, intent.digest, _tries(attempts)))
        elif isinstance(asked, dict):
            effects.append(Effect(DECIDE, asked, intent.digest, _tries(attempts)))
        else:
            request = joined(request, intent.body)
            effects.append(Effect(CALL, request, intent.digest, _tries(attempts)))
    return effects


def _tries(attempts: dict[int, dict[bool, Entry]]) -> tuple[Try, ...]:
    return tuple(
        _try(attempt, found.get(False), found.get(True))
        for attempt, found in sorted(attempts.items())
    )


def _try(attempt: int, intent: Entry | None, outcome: Entry | None) -> Try:
    asked: Json = intent.body if intent else {}
    brought: Json = outcome.body if outcome else {}
    kind = outcome.kind if outcome else ""
    if kind == REPLY:
        checked_reply(brought)
    if kind == RESULT:
        read_result(brought)
    decided: Any = brought.get("decision") if kind == DECISION else asked.get("again", "")
    if decided not in DECISIONS and (kind == DECISION or decided != ""):
        raise ValueError("a stored decision is in no right form")
    try:
        held = HELD.validate_python(brought.get("held", ()) if kind == BROKEN else ())
    except ValidationError as wrong:
        raise ValueError("a stored try is in no right form") from wrong
    return Try(
        attempt,
        intent.created if intent else 0.0,
        outcome,
        again=decided if kind != DECISION else "",
        checks=read_checks(asked.get("checks", [])),
        held=held,
    )

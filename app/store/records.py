"""What the store gives out: records that never change."""

import hashlib
import json
from dataclasses import dataclass
from typing import Any

Json = dict[str, Any]

INTENT, REPLY, RESULT, DECISION, BROKEN = "intent", "reply", "tool result", "decision", "broken"
OUTCOMES = (REPLY, RESULT, DECISION, BROKEN)


class NoStore(Exception):
    """The database cannot be used; the message is one sentence."""


class UnknownRun(LookupError):
    """No run of that address, or no longer: the message is one sentence."""


class Busy(Exception):
    """As many runs as are allowed at once have a call under way."""


@dataclass(frozen=True)
class Run:
    """A run as it was started. `lesson` is "" for a task of one's own; `owner` is the digest of a
    browser's token, "" for a run that was started in a terminal."""

    id: str
    created: float
    expires: float
    owner: str
    name: str
    lesson: str
    lane: str
    model: str
    settings: Json


@dataclass(frozen=True)
class Entry:
    """An appended entry: the intent of an attempt at an effect, or what became of it."""

    effect: int
    attempt: int
    kind: str
    digest: str
    body: Json
    created: float
    cost: float | None = None


@dataclass(frozen=True)
class Lease:
    """A call that is under way; its worker may be gone once `until` has passed."""

    effect: int
    attempt: int
    started: float
    until: float
    cancelled: bool
    partial: Json


def digest_of(value: Any) -> str:
    """The digest of a JSON value, whatever the order of its keys."""
    return hashlib.sha256(written(value, sort_keys=True).encode()).hexdigest()


def written(value: Any, sort_keys: bool = False) -> str:
    """A JSON value as ASCII text."""
    return json.dumps(value, separators=(",", ":"), sort_keys=sort_keys, default=str)

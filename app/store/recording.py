"""A recording as one JSON document, out and in."""

import json
from collections.abc import Sequence
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from app.said import Said
from app.store.records import DECISION, INTENT, OUTCOMES, RESULT, Entry, Json, Run

MOST_BYTES = 40_000_000
FOLDER = "folder"  # the setting that ties a run to the folder of its own server


Seconds = Annotated[float, Field(ge=0, le=1e11, allow_inf_nan=False)]  # since 1970


class NotARecording(ValueError):
    """A document that is no recording; the message is one sentence."""


class _Part(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)


class EntryDocument(_Part):
    """One entry."""

    effect: int = Field(ge=0, le=100_000)
    attempt: int = Field(ge=1, le=1_000)
    kind: Annotated[str, Field(pattern=f"^({'|'.join((INTENT, *OUTCOMES))})$")]
    digest: str = Field(pattern="^[0-9a-f]{64}$")
    body: dict[str, Any]
    created: Seconds


class RunDocument(_Part):
    """How the run was started."""

    name: str = Field(max_length=200)
    lesson: str = Field(max_length=200)
    lane: str = Field(max_length=200)
    model: str = Field(max_length=200)
    settings: dict[str, Any]
    created: Seconds


class Document(_Part):
    """A whole recording."""

    halqa: Literal["recording"] = "recording"
    version: Literal[1] = 1
    run: RunDocument
    entries: list[EntryDocument] = Field(max_length=20_000)


def recording(run: Run, entries: Sequence[Entry]) -> Json:
    """A run as a document that any Halqa can read. Whose run it was is not in it, nor what counts
    for the caps on money: who imports it has spent nothing."""
    return {
        "halqa": "recording",
        "version": 1,
        "run": {
            "name": run.name,
            "lesson": run.lesson,
            "lane": run.lane,
            "model": run.model,
            "settings": _unbound(run.settings),
            "created": run.created,
        },
        "entries": [
            {
                "effect": entry.effect,
                "attempt": entry.attempt,
                "kind": entry.kind,
                "digest": entry.digest,
                "body": entry.body,
                "created": entry.created,
            }
            for entry in entries
        ],
    }


def read_recording(data: bytes) -> tuple[RunDocument, tuple[Entry, ...]]:
    """What a document holds. Raises NotARecording, naming the place that is wrong.

    Anybody may have written it: its run is tied to no folder, and a decision that nothing followed
    is left out, so that a person here decides.
    """
    if len(data) > MOST_BYTES:
        raise NotARecording(too_long())
    try:
        document = Document.model_validate(json.loads(data, parse_constant=_no_json))
    except (ValueError, RecursionError) as error:
        raise NotARecording(_said(error)) from error
    entries = tuple(
        Entry(e.effect, e.attempt, e.kind, e.digest, e.body, e.created) for e in document.entries
    )
    places = [(e.effect, e.attempt, e.kind != INTENT) for e in entries]
    if places != sorted(set(places)):
        raise NotARecording(Said("The entries of a recording stand in order, each once."))
    run = document.run.model_copy(update={"settings": _unbound(document.run.settings)})
    return run, _carried_out(entries)


def _unbound(settings: Json) -> Json:
    return {key: value for key, value in settings.items() if key != FOLDER}


def _carried_out(entries: tuple[Entry, ...]) -> tuple[Entry, ...]:
    """The entries before the first decision whose call has no result; all where each has one."""
    results = {entry.effect for entry in entries if entry.kind == RESULT}
    decided = (entry.effect for entry in entries if entry.kind == DECISION)
    first = next((effect for effect in decided if effect + 1 not in results), None)
    return entries if first is None else tuple(e for e in entries if e.effect < first)


def _no_json(name: str) -> None:
    """Raises ValueError for NaN and Infinity, which Python's reader would take."""
    raise ValueError(name)


def too_long() -> Said:
    """The sentence for a document that is too long."""
    return Said("A recording has at most %(most)s bytes.", most=MOST_BYTES)


def _said(error: Exception) -> Said:
    if not isinstance(error, ValidationError):
        return Said("This is no JSON; a recording is the file that Export of a run gives.")
    first = error.errors(include_url=False)[0]
    place = ".".join(str(part) for part in first["loc"])[:80] or Said("the document")
    if first["type"] == "missing":
        return Said("This is no recording: %(place)s is missing.", place=place)
    if first["type"] == "extra_forbidden":
        return Said("This is no recording: %(place)s does not belong there.", place=place)
    words = first["msg"][:120]
    return Said(
        "This is no recording: %(place)s is not right: %(words)s.", place=place, words=words
    )

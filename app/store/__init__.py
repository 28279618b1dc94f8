"""Keeps what cannot be recomputed: real replies, tools' results, a person's decisions."""

from app.store.opened import NoStore
from app.store.recording import NotARecording, read_recording, recording
from app.store.records import (
    BROKEN,
    DECISION,
    INTENT,
    REPLY,
    RESULT,
    Entry,
    Lease,
    Run,
    UnknownRun,
    digest_of,
)
from app.store.store import Store

__all__ = [
    "BROKEN",
    "DECISION",
    "INTENT",
    "REPLY",
    "RESULT",
    "Entry",
    "Lease",
    "NoStore",
    "NotARecording",
    "Run",
    "Store",
    "UnknownRun",
    "digest_of",
    "read_recording",
    "recording",
]

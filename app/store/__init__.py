"""Keeps what cannot be recomputed: real replies, tools' results, a person's decisions.

`app.store.store` holds the store itself: it is imported where one is opened, as SQLAlchemy takes
a while.
"""

from app.store.recording import NotARecording, read_recording, recording
from app.store.records import (
    BROKEN,
    DECISION,
    INTENT,
    REPLY,
    RESULT,
    Busy,
    Entry,
    Lease,
    NoStore,
    Run,
    UnknownRun,
    digest_of,
)

__all__ = [
    "BROKEN",
    "DECISION",
    "INTENT",
    "REPLY",
    "RESULT",
    "Busy",
    "Entry",
    "Lease",
    "NoStore",
    "NotARecording",
    "Run",
    "UnknownRun",
    "digest_of",
    "read_recording",
    "recording",
]

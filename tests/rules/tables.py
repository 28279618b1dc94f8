"""Tables of verdicts: a row is a name, the body of a request, and the faults it gives.

A fault is written `A40 messages.2`, a warning `warn A46 messages.3`, and what is not judged
`? A03 model`.
"""

from typing import Any

import pytest

from app.engine.rules import check

SIGNS = {"refuse": "", "warn": "warn ", "not judged": "? "}
# Real signatures and images: most of the tables are not about them.
UNJUDGED = {"? A28", "? A61", "? A62", "? A66"}
ROWS: list[tuple[Any, str]] = []  # the bodies of all tables, with their dialect


def found(body: Any, dialect: str = "anthropic", **options: Any) -> str:
    """The faults of a request, in one line."""
    faults = check(body, dialect, **options)
    named = [f"{SIGNS[fault.effect]}{fault.rule} {fault.where}".strip() for fault in faults]
    return ", ".join(name for name in named if name.rsplit(" ", 1)[0] not in UNJUDGED)


def table(*rows: tuple[str, Any, str], dialect: str = "anthropic") -> pytest.MarkDecorator:
    """One test per row."""
    ROWS.extend((row[1], dialect) for row in rows)
    return pytest.mark.parametrize(
        ("body", "faults"), [row[1:] for row in rows], ids=[row[0] for row in rows]
    )

"""What an address asks of a table: which calls, and in which order."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any, Self
from urllib.parse import quote

from app.said import Said
from app.views.addresses import BadAddress, not_among
from app.views.calls.table import Row
from app.views.texts import compact

MOST_TEXT = 200  # characters of a text that is looked for

SORTS: dict[str, Callable[[Row], Any]] = {
    "number": lambda row: row.path,
    "tool": lambda row: row.tool,
    "seconds": lambda row: row.seconds,
    "tokens": lambda row: row.turn_spent.tokens,
    "dollars": lambda row: row.turn_spent.dollars or 0,
}
KEYS = ("tool", "errors", "text", "sort")


@dataclass(frozen=True)
class Query:
    """Which calls are shown: of one `tool`, those that failed, those that hold a text; `sort` is a
    key of SORTS, with `-` before it from the largest down."""

    tool: str = ""
    errors: bool = False
    text: str = ""
    sort: str = "number"

    @classmethod
    def read(cls, found: Mapping[str, str]) -> Self:
        """The query of an address. Raises BadAddress, listing what exists."""
        errors, sort = found.get("errors") or "", found.get("sort") or "number"
        if errors not in ("", "only"):
            raise BadAddress(not_among("errors", errors, ("only",)))
        ways = [*SORTS, *(f"-{name}" for name in SORTS)]
        if sort not in ways:
            raise BadAddress(not_among("sort", sort, ways))
        text = (found.get("text") or "").strip()
        if len(text) > MOST_TEXT:
            raise BadAddress(
                Said("The text to look for has at most %(most)s characters.", most=MOST_TEXT)
            )
        return cls(found.get("tool") or "", bool(errors), text, sort)

    @property
    def given(self) -> dict[str, str]:
        """The keys of an address with their values, defaults left out."""
        values = {
            "tool": self.tool,
            "errors": "only" if self.errors else "",
            "text": self.text,
            "sort": "" if self.sort == "number" else self.sort,
        }
        return {key: value for key, value in values.items() if value}

    @property
    def narrows(self) -> bool:
        """Whether it may leave calls out."""
        return bool(self.tool or self.errors or self.text)

    def whole(self) -> Self:
        """All calls in the same order."""
        return replace(self, tool="", errors=False, text="")

    def by(self, name: str) -> Self:
        """The same calls sorted by a column, or the other way round where they are already."""
        return replace(self, sort=f"-{name}" if self.sort == name else name)

    def at(self, base: str) -> str:
        """The address of a page with this query."""
        query = "&".join(f"{key}={quote(value)}" for key, value in self.given.items())
        return f"{base}{'&' if '?' in base else '?'}{query}" if query else base


def picked(rows: tuple[Row, ...], query: Query) -> tuple[Row, ...]:
    """The rows that a query asks for, in its order; equal ones stay in the order of asking."""
    wanted = query.text.casefold()
    kept = [
        row
        for row in rows
        if (not query.tool or row.tool == query.tool)
        and (not query.errors or row.failed)
        and (not wanted or wanted in _text(row))
    ]
    down = query.sort.startswith("-")
    return tuple(sorted(kept, key=SORTS[query.sort.removeprefix("-")], reverse=down))


def _text(row: Row) -> str:
    return "\n".join((row.tool, compact(row.arguments), row.result)).casefold()

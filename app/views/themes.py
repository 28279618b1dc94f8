"""Light or dark: as the reader's system has it, or as the address says."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Theme:
    """A page in one of the themes; `name` is "" for that of the reader's system."""

    name: str
    page: str
    current: bool

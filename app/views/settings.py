"""What a reader sets: light or dark, and whether letters are shortcuts."""

from dataclasses import dataclass

from app.views.addresses import THEMES, Place


@dataclass(frozen=True)
class Theme:
    """A page in one of the themes; `name` is "" for that of the reader's system."""

    name: str
    page: str
    current: bool


@dataclass(frozen=True)
class Settings:
    """The settings of a lesson's page; `other_keys` is the page with the letters off, or on,
    `present` the presenter view."""

    themes: tuple[Theme, ...]
    keys: bool
    other_keys: str
    present: str


def settings_of(place: Place) -> Settings:
    """The settings of a lesson at its step."""
    view = place.view
    themes = tuple(
        Theme(name, place.seen(theme=name).page, name == view.theme) for name in ("", *THEMES)
    )
    other_keys, present = place.seen(keys=not view.keys).page, place.seen(view="present").page
    return Settings(themes, view.keys, other_keys, present)

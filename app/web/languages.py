"""The languages of the page, and which one a reader gets."""

import gettext
from dataclasses import dataclass
from pathlib import Path

from jinja2 import Environment

from app.views.texts import Words
from app.web.templates import environment

SOURCE = "en"  # the language that the messages are written in
NAMES = {"en": "English", "fa": "فارسی", "ar": "العربية", "ru": "Русский"}
RIGHT_TO_LEFT = ("fa", "ar")


@dataclass(frozen=True)
class Language:
    """A language with its catalogue and its templates."""

    code: str
    words: Words
    templates: Environment

    @property
    def name(self) -> str:
        return NAMES.get(self.code, self.code)

    @property
    def direction(self) -> str:
        return "rtl" if self.code in RIGHT_TO_LEFT else "ltr"


def read_languages(locales: Path, templates: Path) -> dict[str, Language]:
    """The languages whose catalogue is compiled, English first."""
    compiled = sorted(file.parts[-3] for file in locales.glob("*/LC_MESSAGES/messages.mo"))
    codes = [SOURCE, *(code for code in compiled if code != SOURCE)]
    return {code: _read(code, locales, templates) for code in codes}


def _read(code: str, locales: Path, templates: Path) -> Language:
    catalogue = gettext.translation("messages", locales, [code], fallback=True)
    catalogue.add_fallback(gettext.translation("rules", locales, [code], fallback=True))
    return Language(code, Words(catalogue), environment(templates, catalogue))


def preferred(header: str, known: dict[str, Language]) -> Language:
    """The first language that a reader asks for and that there is; English where there is none.

    `header` is the request's `Accept-Language`, such as `fa, en;q=0.8`.
    """
    wanted: list[tuple[float, str]] = []
    for part in header.split(",")[:20]:
        tag, _, weight = part.strip().partition(";")
        try:
            quality = float(weight.strip().removeprefix("q=")) if weight else 1.0
        except ValueError:
            continue
        wanted.append((-quality, tag.split("-")[0].lower()))
    found = (tag for quality, tag in sorted(wanted, key=lambda item: item[0]) if quality < 0)
    return known[next((tag for tag in found if tag in known), SOURCE)]

"""The languages of the page, and which one a reader gets."""

import gettext
import json
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from jinja2 import Environment

from app.views.texts import Words
from app.web.templates import environment

SOURCE = "en"  # the language that the messages are written in
ENGLISH = {"name": "English", "direction": "ltr", "zero": "0", "group": ",", "decimal": "."}


@dataclass(frozen=True)
class Language:
    """A language with its catalogue and its templates. `name` is its own; `digits` are those that
    it writes numbers with, "" for 0 to 9."""

    code: str
    name: str
    direction: str
    digits: str
    words: Words
    templates: Environment


@lru_cache
def read_languages(locales: Path, templates: Path) -> dict[str, Language]:
    """The languages whose catalogue is compiled, English first; read once, with their templates."""
    compiled = sorted(file.parts[-3] for file in locales.glob("*/LC_MESSAGES/messages.mo"))
    codes = [SOURCE, *(code for code in compiled if code != SOURCE)]
    return {code: _read(code, locales, templates) for code in codes}


def _read(code: str, locales: Path, templates: Path) -> Language:
    catalogue = gettext.translation("messages", locales, [code], fallback=True)
    catalogue.add_fallback(gettext.translation("rules", locales, [code], fallback=True))
    facts = dict(ENGLISH)
    if code != SOURCE:
        text = (locales / code / "LC_MESSAGES" / "language.json").read_text(encoding="utf-8")
        facts = json.loads(text)
    digits = "".join(chr(ord(facts["zero"]) + n) for n in range(10))
    written = {ord(","): facts["group"], ord("."): facts["decimal"]}
    written |= {ord(str(n)): digit for n, digit in enumerate(digits)}
    words = Words(catalogue, written)
    return Language(
        code=code,
        name=facts["name"],
        direction=facts["direction"],
        digits="" if facts["zero"] == "0" else digits,
        words=words,
        templates=environment(templates, words, facts["direction"]),
    )


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

"""Words for the page: translated sentences with code in them, hostile text made visible, sizes."""

import gettext
import json
import re
from collections.abc import Iterable, Mapping
from typing import Any

from markupsafe import Markup, escape

from app.said import Number, Said

CUT_AT = 600  # characters of one string in messages[]
CUT_AT_WHOLE = 20_000  # the same in the view of the whole request

# What hides, reorders or breaks text. The joiners U+200C and U+200D stay: Persian needs them.
_UNSEEN = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u00ad\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff"
    "\ufff9-\ufffb\ud800-\udfff\U000e0000-\U000e007f]"
)


class Words:
    """The messages of one language. Placeholders are escaped; `code(…)` sets one as code."""

    def __init__(
        self, translations: gettext.NullTranslations, digits: Mapping[int, str] | None = None
    ) -> None:
        self._translations = translations
        self._digits = digits or {}  # for `str.translate`: how the language writes `1,234.5`

    def gettext(self, message: str, /, **values: object) -> Markup:
        """A message in the language, its placeholders filled."""
        text = escape(self._translations.gettext(message))
        return text % self._safe(values) if values else text

    def say(self, said: str) -> Markup:
        """A sentence in the language, its words set as code; one that is no Said stays as it is."""
        if not isinstance(said, Said):
            return escape(visible(said))
        return self.gettext(said.english, **{k: self._word(v) for k, v in said.words.items()})

    def plain(self, said: str) -> str:
        """The same as plain text, for a terminal."""
        if not isinstance(said, Said):
            return visible(said)
        text = self._translations.gettext(said.english)
        return text % {k: self._plain(v) for k, v in said.words.items()} if said.words else text

    def _plain(self, word: object) -> str:
        if isinstance(word, int | Number):
            return self.number(word)
        return self.plain(word) if isinstance(word, str) else str(word)

    def _word(self, word: object) -> object:
        if isinstance(word, Said):
            return self.say(word)
        return self.number(word) if isinstance(word, int | Number) else code(word)

    def ngettext(self, one: str, many: str, number: int, /, **values: object) -> Markup:
        """A message with a number: `%(num)s` is the number itself."""
        text = self._translations.ngettext(one, many, number)
        return escape(text) % self._safe({"num": number, **values})

    def number(self, number: int | str) -> str:
        """A number as the language writes it; a text is one in English, such as `1,234.5`."""
        text = f"{number:,}" if isinstance(number, int) else number
        return text.translate(self._digits)

    def listed(self, items: Iterable[object]) -> Markup:
        """Words one after the other, with the comma of the language between them."""
        # Translators: between the names of a list; its last two may be joined by "and"
        return self.gettext(", ").join(self._one(item) for item in items)

    def strong(self, text: object) -> Markup:
        """A word or a number that stands out."""
        return Markup("<b>%s</b>") % self._one(text)

    def _safe(self, values: dict[str, object]) -> dict[str, object]:
        return {key: self._one(value) for key, value in values.items()}

    def _one(self, value: object) -> str:
        if isinstance(value, Markup):
            return value
        if isinstance(value, int | Number):
            return self.number(value)
        return self.say(value) if isinstance(value, Said) else visible(str(value))


def code(text: object) -> Markup:
    """A word of the API's or of the program's, set as code, isolated from the text around it."""
    return Markup("<code>%s</code>") % visible(str(text))


def apart(text: str) -> Markup:
    """What the model or a tool said, isolated from the sentence around it."""
    return Markup("<bdi>%s</bdi>") % visible(text)


def visible(text: str) -> str:
    r"""Text in which characters that hide or reorder are written out, such as `\u202e`.

    Markup stays Markup: what is written out needs no escaping.
    """
    return type(text)(_UNSEEN.sub(lambda found: escaped(found[0]), text))


def escaped(character: str) -> str:
    r"""A character as JSON writes it: `\u202e`."""
    return json.dumps(character)[1:-1]


def cut(text: str, limit: int) -> tuple[str, int]:
    """The first `limit` characters of a text, and how many more there are.

    A text only a little longer is kept whole: a notice would be no shorter.
    """
    return (text, 0) if len(text) <= limit + 40 else (text[:limit], len(text) - limit)


def one_line(text: str, limit: int = 120) -> str:
    """A text's first line, cut, with what hides made visible."""
    first = text.strip().partition("\n")[0]
    return visible(first[:limit]) + ("…" if len(first) > limit else "")


def compact(value: Any) -> str:
    """JSON on one line as people write it."""
    return json.dumps(value, ensure_ascii=False, default=str)


def seconds(taken: float) -> Number:
    """Seconds as English writes them, without needless zeros: `0.25`, `12`."""
    return Number(f"{taken:,.2f}".rstrip("0").rstrip("."))


def size_of(value: Any) -> int:
    """The bytes of a value as compact JSON in UTF-8, as a request carries it."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"), default=str)
    return len(text.encode("utf-8", "surrogatepass"))


def size(number: int) -> Said:
    """Bytes for people: `936 B`, `1.2 kB`, `14 kB`, `1.1 MB`."""
    if number < 1_000:
        return Said("%(number)s B", number=Number(number))
    value = number / 1e3 if number < 999_500 else number / 1e6
    written = Number(f"{value:.1f}" if value < 9.95 else f"{value:,.0f}")
    if number < 999_500:
        return Said("%(number)s kB", number=written)
    return Said("%(number)s MB", number=written)

"""A sentence for a person whose words stand apart, so that it can be said in another language."""


class Said(str):
    """An English sentence with its named placeholders filled; `english` and `words` are its parts.

    A word may be a `Said` itself. `Said("There is no lane %(lane)s.", lane="x")` is a text like any
    other for whoever wants English.
    """

    english: str
    words: dict[str, object]

    def __new__(cls, english: str, **words: object) -> "Said":
        made = super().__new__(cls, english % words if words else english)
        made.english = english
        made.words = words
        return made


class Number(str):
    """A number as English writes it, such as `1,234.5`."""

    __slots__ = ()


def quoted(text: str, most: int = 60) -> str:
    """What somebody wrote, in quotes, short enough for a sentence."""
    return repr(text)[:most]

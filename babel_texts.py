"""What Babel extracts besides the calls of gettext: English constants that the views translate.

`babel.cfg` and `babel-rules.cfg` name these. They import the tables themselves, so nothing in
them can be forgotten. Only `make messages` needs this file.
"""

from collections.abc import Iterable, Iterator, Mapping
from importlib import import_module
from pathlib import Path
from typing import IO, Any

Found = tuple[int, str, str, list[str]]  # line (none is known), function, message, comments


def constants(file: IO[bytes], keywords: Any, tags: Any, options: Mapping[str, str]) -> list[Found]:
    """Constants of a module by their names, texts or collections of texts. `names` lists them,
    `about` is a word to the translators."""
    place = Path(file.name).resolve().relative_to(Path(__file__).parent)
    module = import_module(".".join(place.with_suffix("").parts))
    comments = [options["about"]] if "about" in options else []
    return [
        (0, "", text, comments)
        for name in options["names"].split()
        if hasattr(module, name)
        for text in _texts(getattr(module, name))
    ]


def _texts(value: Any) -> Iterable[str]:
    if isinstance(value, str):
        return [value]
    return list(value.values()) if isinstance(value, Mapping) else list(value)


def rules(file: IO[bytes], keywords: Any, tags: Any, options: Mapping[str, str]) -> Iterator[Found]:
    """All texts of the table of rules; each comes with the rules that say it."""
    from app.engine.rules import RULES

    for rule in RULES.values():
        number = rule.number
        yield 0, "", rule.title, [f"{number}, title"]
        for check in rule.checks:
            yield 0, "", check.sentence, [f"{number}, {check.effect}"]
            if check.certainty:
                yield 0, "", check.certainty, ["how sure"]
        yield 0, "", rule.certainty, ["how sure"]
        if rule.believed:
            yield 0, "", rule.believed, [f"{number}, what people wrongly believe"]
        if rule.looser:
            yield 0, "", rule.looser, [f"{number}, what other checkers let pass"]

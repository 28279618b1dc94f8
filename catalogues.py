"""What Babel does for us: it extracts texts, and compiles the catalogues of `locales/`.

`babel.cfg` and `babel-rules.cfg` name the extractors, which yield English constants that the views
translate. They import the tables themselves, so nothing in them can be forgotten. The build
compiles; the running application needs neither Babel nor this file.
"""

import io
import json
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


# The zero of a numbering system, as the Unicode CLDR names it; others write 0 to 9 here.
ZEROS = {"arab": "٠", "arabext": "۰", "beng": "০", "deva": "०"}


def compile_catalogues(locales: Path) -> None:
    """Write a .mo beside each .po and, for each language, `language.json`: its own name, its
    direction, how it writes numbers. All this is Babel's, from the Unicode CLDR."""
    from babel import Locale
    from babel.messages.mofile import write_mo
    from babel.messages.pofile import read_po

    for po in sorted(locales.glob("*/LC_MESSAGES/*.po")):
        with po.open("rb") as source:
            catalogue = read_po(source)
        compiled = io.BytesIO()
        write_mo(compiled, catalogue)
        _write(po.with_suffix(".mo"), compiled.getvalue())
    for folder in sorted(locales.glob("*/LC_MESSAGES")):
        locale = Locale.parse(folder.parent.name)
        system = locale.default_numbering_system
        symbols = locale.number_symbols[system if system in ZEROS else "latn"]
        name = locale.get_display_name() or folder.parent.name
        facts = {
            "name": name[:1].upper() + name[1:],
            "direction": locale.text_direction,
            "zero": ZEROS.get(system, "0"),
            "group": symbols["group"],
            "decimal": symbols["decimal"],
        }
        _write(folder / "language.json", json.dumps(facts, ensure_ascii=False).encode())


def _write(file: Path, data: bytes) -> None:
    """Write a file at once, and only where it changes: a server may be reading it."""
    if file.is_file() and file.read_bytes() == data:
        return
    new = file.with_suffix(f"{file.suffix}.new")
    new.write_bytes(data)
    new.replace(file)

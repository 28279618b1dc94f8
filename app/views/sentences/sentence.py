"""What a sentence is, and the words that several of them share."""

from dataclasses import dataclass

from markupsafe import Markup

from app.views.texts import code, compact

MESSAGES = code("messages[]")
SHOWN_INPUT = 60  # characters of a call's input in a sentence


@dataclass(frozen=True)
class Sentence:
    """`said` is what happened, `why` the rest; `look` is "" or `error` where the run broke."""

    said: Markup
    why: Markup
    look: str = ""


def called(call: object) -> Markup:
    """A call as code: its name and its input."""
    assert isinstance(call, dict)
    given = compact(call.get("input"))
    shown = given[:SHOWN_INPUT] + ("…" if len(given) > SHOWN_INPUT else "")
    return code(f"{call.get('name', '')} {shown}")


def joined(*sentences: Markup) -> Markup:
    return Markup(" ").join(part for part in sentences if part)

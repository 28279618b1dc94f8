"""The template environment: one for each language, all with the same filters."""

from functools import partial
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from app.views.json_html import json_html, token_html
from app.views.picture import Piece
from app.views.texts import Words, code, compact, cut, seconds, size, visible

SHARED = "parts.html"  # macros that all pages share
CUT_SAID = 4_000  # characters of what a person or the model says in the chat


def environment(folder: Path, words: Words, direction: str = "ltr") -> Environment:
    """Templates of a folder with the messages of a language; everything is escaped.

    `direction` is that of its text, `ltr` or `rtl`: the arrow `to` points forward in it, and
    `fro` back.
    """
    made = Environment(
        loader=FileSystemLoader(folder),
        autoescape=True,
        undefined=StrictUndefined,
        extensions=["jinja2.ext.i18n"],
        trim_blocks=True,
        lstrip_blocks=True,
        auto_reload=False,
    )
    made.globals.update(gettext=words.gettext, ngettext=words.ngettext)
    made.filters.update(visible=visible, compact=compact, size=size, said=said, number=words.number)
    made.filters.update(seconds=seconds)
    made.globals.update(code=code, strong=words.strong, say=words.say)
    made.globals.update(json=partial(json_html, words), token=partial(token_html, words))

    def draw(parts: str, piece: Piece) -> Markup:
        """A piece, by a macro of `parts`, which may be several files, or by a shared one."""
        modules = (made.get_template(name).module for name in (*parts.split(), SHARED))
        macro = next(getattr(one, piece.macro) for one in modules if hasattr(one, piece.macro))
        html: Markup = macro(piece.id, piece.data)
        return html.strip()

    def told(sentence: str) -> str:
        """A sentence of the engine's or a loop's; it may hold a `%`, so nothing is filled in."""
        return visible(words.gettext(sentence))

    to, fro = "→←" if direction == "ltr" else "←→"
    made.globals.update(draw=draw, told=told, to=to, fro=fro)
    return made


def said(text: str) -> tuple[str, int]:
    """A text of a chat with what hides made visible, cut, and how many characters are left out."""
    kept, more = cut(text, CUT_SAID)
    return visible(kept), more

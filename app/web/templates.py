"""The template environment: one for each language, all with the same filters."""

import gettext
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup, escape

from app.views.picture import Piece
from app.views.texts import CUT_AT, CUT_AT_WHOLE, code, compact, cut, size, visible
from app.views.tokens import lines_of

SHARED = "parts.html"  # macros that all pages share
CUT_SAID = 4_000  # characters of what a person or the model says in the chat


def environment(folder: Path, catalogue: gettext.NullTranslations) -> Environment:
    """Templates of a folder with the messages of a catalogue; everything is escaped."""
    made = Environment(
        loader=FileSystemLoader(folder),
        autoescape=True,
        undefined=StrictUndefined,
        extensions=["jinja2.ext.i18n"],
        trim_blocks=True,
        lstrip_blocks=True,
        auto_reload=False,
    )
    made.install_gettext_translations(catalogue, newstyle=True)  # type: ignore[attr-defined]
    made.filters.update(visible=visible, compact=compact, size=size, said=said, breakable=breakable)
    made.globals.update(json_lines=json_lines, code=code, strong=strong)

    def draw(parts: str, piece: Piece) -> Markup:
        """A piece, by a macro of `parts`, which may be several files, or by a shared one."""
        modules = (made.get_template(name).module for name in (*parts.split(), SHARED))
        macro = next(getattr(one, piece.macro) for one in modules if hasattr(one, piece.macro))
        html: Markup = macro(piece.id, piece.data)
        return html.strip()

    def told(sentence: str) -> str:
        """A sentence of the engine's or a loop's; it may hold a `%`, so nothing is filled in."""
        return visible(catalogue.gettext(sentence))

    made.globals.update(draw=draw, told=told)
    return made


def strong(text: str) -> Markup:
    """A word that stands out."""
    return Markup("<b>%s</b>") % text


def json_lines(value: object, whole: bool = False) -> object:
    """A JSON value as lines of tokens, and how many more lines there are."""
    return lines_of(value, CUT_AT_WHOLE if whole else CUT_AT)


def breakable(text: str) -> Markup:
    r"""A token that may be broken after each `\n` in it."""
    return Markup(r"\n<wbr>").join(escape(part) for part in text.split(r"\n"))


def said(text: str) -> tuple[str, int]:
    """A text of a chat with what hides made visible, cut, and how many characters are left out."""
    kept, more = cut(text, CUT_SAID)
    return visible(kept), more

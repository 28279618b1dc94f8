"""JSON as HTML: a line for each line, each key and string isolated from its neighbours."""

import re
from typing import Any

from markupsafe import Markup

from app.views.texts import CUT_AT, CUT_AT_WHOLE, Words
from app.views.tokens import MOST_FOLDED, Token, lines_of

DEEPEST_INDENT = 24  # the last of the classes for it

# A line whose first letter is one of a script that is written from the right, without the quotation
# mark that may end it.
_LINE = re.compile(r'^[^A-Za-z\u00c0-\u058f]*[\u0590-\u08ff\ufb1d-\ufefc].*?(?="?$)')


def json_html(words: Words, value: Any, whole: bool = False, folds: bool = True) -> Markup:
    """A JSON value as coloured lines; `whole` shows nearly all of it, `folds` lets a reader open
    what is cut."""
    lines, more = lines_of(value, CUT_AT_WHOLE if whole else CUT_AT)
    html = ['<div class="json" dir="ltr">']
    for line in lines:
        html.append(f'<div class="in-{min(line.indent, DEEPEST_INDENT)}">')
        html += [_token(words, token, folds) for token in line.tokens]
        html.append("</div>")
    if more:
        said = words.ngettext("… %(many)s line more", "… %(many)s lines more", more, many=more)
        html.append(f'<div><span class="more">{said}</span></div>')
    html.append("</div>")
    return Markup("".join(html))  # noqa: S704 - made of what _token escapes


def token_html(words: Words, token: Token) -> Markup:
    """One token of such a line."""
    return Markup(_token(words, token, folds=True))  # noqa: S704 - escaped there


def _token(words: Words, token: Token, folds: bool) -> str:
    match token.look:
        case "p":  # bare: between isolated neighbours punctuation keeps their order
            return _text(token.text)
        case "absent":
            return (
                f'<span class="gap" dir="auto">{words.gettext("no %(key)s", key=token.text)}</span>'
            )
        case "more":
            said = words.ngettext(
                "… %(many)s character more",
                "… %(many)s characters more",
                token.count,
                many=token.count,
            )
            if not (token.text and folds):
                return f'<span class="more">{said}</span>'
            cut = "…" if token.count > MOST_FOLDED else ""
            return (
                f'<details class="string"><summary class="more">{said}</summary>'
                f'<bdi class="j-s">{_text(token.text)}{cut}</bdi></details>'
            )
    return f'<bdi class="j-{token.look}">{_text(token.text)}</bdi>'


def _text(text: str) -> str:
    r"""Text escaped as far as it must be outside an attribute; it may be broken after a `\n`, and a
    line of it that reads from the right keeps its signs where they belong."""
    text = text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    first, *rest = text.split(r"\n")
    return r"\n<wbr>".join((first, *(_LINE.sub(r"<bdi>\g<0></bdi>", line) for line in rest)))

"""A loop's source as rows: its own lines, and in their place those that it leaves out."""

from dataclasses import dataclass
from difflib import SequenceMatcher
from functools import lru_cache

from pygments.lexers import PythonLexer  # type: ignore[import-untyped]
from pygments.token import Keyword, Name, Number, Operator, String, _TokenType  # type: ignore[import-untyped]

from app.source import Loop, loops
from app.views.texts import visible
from app.views.tokens import Token

MOST_ROWS = 400  # of a learner's file
MOST_INDENT = 40  # columns that have a place in the style
TAG_FITS = 46  # columns of a line with room for a word after it
TAG_BEFORE = 12  # columns that a word about a mark takes in any language
_LEXER = PythonLexer(stripnl=False, ensurenl=False)


@dataclass(frozen=True)
class Row:
    """A row of the code: `number` counts the lines of its own file.

    `mark` is `-` for a line of the base that this loop leaves out, `+` for one that the base
    lacks, "" for one that both have.
    """

    row: int
    number: int
    mark: str
    indent: int
    tokens: tuple[Token, ...]

    @property
    def tag(self) -> str:
        """Where a word about the mark fits: at the line's `end`, `before` its text, `nowhere`."""
        width = self.indent + sum(len(token.text) for token in self.tokens)
        if width <= TAG_FITS:
            return "end"
        return "before" if self.indent >= TAG_BEFORE else "nowhere"


@dataclass(frozen=True)
class Code:
    """The rows of a loop, and in which row each of its lines stands."""

    rows: tuple[Row, ...]
    row_of: dict[int, int]

    def place(self, lines: tuple[int, int]) -> tuple[int, int]:
        """The first row and the number of rows of a statement's lines."""
        first = self.row_of.get(lines[0], 1)
        return first, self.row_of.get(lines[1], first) - first + 1


@lru_cache(maxsize=64)
def code_of(name: str) -> Code:
    """The code of a loop by name, beside its base."""
    return code_between(loops()[name].base or name, name)


@lru_cache(maxsize=64)
def code_between(base: str, name: str) -> Code:
    """The code of a loop by name, beside that of any other."""
    rows: list[Row] = []
    row_of: dict[int, int] = {}
    for number, mark, text in _merged(loops()[base], loops()[name]):
        row = len(rows) + 1
        if mark != "-":
            row_of[number] = row
        stripped = text.lstrip(" ")
        rows.append(Row(row, number, mark, len(text) - len(stripped), _tokens(stripped)))
    return Code(tuple(rows), row_of)


def code_of_text(text: str) -> Code:
    """The code of any file, numbered as it is; what hides in it is made visible."""
    lexed: list[list[Token]] = [[]]
    for kind, part in _LEXER.get_tokens(text.expandtabs(4)):
        for n, piece in enumerate(part.split("\n")):
            if n:
                lexed.append([])
            if piece:
                lexed[-1].append(Token(_look(kind), visible(piece)))
    rows = []
    for number, tokens in enumerate(lexed[:MOST_ROWS], 1):
        indent = 0
        if tokens:
            first = tokens[0].text
            indent = min(len(first) - len(first.lstrip(" ")), MOST_INDENT)
            tokens = [Token(tokens[0].look, first[indent:]), *tokens[1:]]
        rows.append(Row(number, number, "", indent, tuple(tokens)))
    return Code(tuple(rows), {row.number: row.row for row in rows})


def _merged(left: Loop, right: Loop) -> list[tuple[int, str, str]]:
    own = list(enumerate(right.lines, 1))
    base = list(enumerate(left.lines, 1))
    merged: list[tuple[int, str, str]] = []
    matcher = SequenceMatcher(
        a=[text for _, text in base], b=[text for _, text in own], autojunk=False
    )
    for tag, a1, a2, b1, b2 in matcher.get_opcodes():
        if tag == "equal":
            merged += [(number, "", text) for number, text in own[b1:b2]]
        else:
            merged += [(number, "-", text) for number, text in base[a1:a2]]
            merged += [(number, "+", text) for number, text in own[b1:b2]]
    return merged


def _tokens(text: str) -> tuple[Token, ...]:
    """One line of Python; equal neighbours in one token."""
    tokens: list[Token] = []
    for kind, part in _LEXER.get_tokens(text):
        look = _look(kind)
        if tokens and tokens[-1].look == look:
            tokens[-1] = Token(look, tokens[-1].text + part)
        elif part:
            tokens.append(Token(look, part))
    return tuple(tokens)


def _look(kind: _TokenType) -> str:
    if kind in Keyword or kind in Operator.Word:
        return "kw"
    if kind in Name.Function:
        return "fn"
    if kind in String:
        return "str"
    return "n" if kind in Number else "t"

"""Which lines belong to one statement: the same answer on every Python, unlike raw line events."""

import ast
import inspect
import linecache
import textwrap
from collections.abc import Callable, Mapping
from functools import lru_cache
from types import CodeType
from typing import Any

from app.engine.steps import Lines


@lru_cache(maxsize=256)
def _of_code(code: CodeType) -> Mapping[int, Lines]:
    # inspect.getsourcelines would look through every module that is loaded for that of a code.
    lines = linecache.getlines(code.co_filename)
    if not lines:
        raise OSError(f"{code.co_filename} is not there to be read")
    source = inspect.getblock(lines[code.co_firstlineno - 1 :])
    return statements(textwrap.dedent("".join(source)), code.co_firstlineno)


def statements_of(function: Callable[..., Any]) -> Mapping[int, Lines]:
    """Each line of a function, as its file counts them, with the statement that it belongs to."""
    return _of_code(function.__code__)


def statements(source: str, first: int = 1) -> dict[int, Lines]:
    """Each line of a source text with the innermost statement that it belongs to.

    A compound statement (`for`, `if`, `while` …) counts as its head alone: the lines before its
    body. `first` is the number of the text's first line. Raises SyntaxError.
    """
    lines: dict[int, Lines] = {}
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.stmt | ast.ExceptHandler):
            body = getattr(node, "body", None)
            last = body[0].lineno - 1 if body else node.end_lineno or node.lineno
            span = (node.lineno + first - 1, max(node.lineno, last) + first - 1)
            for line in range(span[0], span[1] + 1):
                lines[line] = span
    return lines

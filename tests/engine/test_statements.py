"""The lit statements are those that ran: against an independent witness, on every Python."""

import ast
import json
import shutil
import subprocess
import sys
from itertools import groupby
from pathlib import Path

import pytest

from app import loops
from app.engine.statements import statements
from tests.conftest import CI
from tests.engine.canned import REPLIES

HERE = Path(__file__).parent
LOOPS = Path(loops.__file__).parent
PYTHONS = ("3.12", "3.13")


def output(*command: str | Path) -> str:
    done = subprocess.run(
        [*map(str, command)], capture_output=True, text=True, check=True, cwd=HERE
    )
    return done.stdout


def python(version: str) -> str | None:
    """A Python of a version: a real binary, not a shim that only sometimes runs."""
    found = shutil.which("pyenv")
    roots = Path(output("pyenv", "root").strip(), "versions").glob(f"{version}*") if found else []
    binaries = [str(root / "bin" / "python") for root in sorted(roots)]
    return next(iter(binaries), None) or shutil.which(f"python{version}")


def first_lines(path: Path, lines: list[int]) -> list[int]:
    """Each line as the first line of its innermost statement, equal neighbours once."""
    spans = [
        (node.lineno, (node.body[0].lineno - 1) if hasattr(node, "body") else node.end_lineno)
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.stmt)
    ]
    firsts = [max(first for first, last in spans if first <= line <= last) for line in lines]
    return [line for line, _ in groupby(firsts)]


@pytest.mark.parametrize("loop", loops.names())
def test_the_statements_are_those_an_independent_debugger_sees(loop: str) -> None:
    path = LOOPS / f"{loop}.py"
    seen = json.loads(output(sys.executable, HERE / "watch.py", path, json.dumps(REPLIES)))
    steps = json.loads(output(sys.executable, HERE / "canned.py", loop))
    ran = [first for _, _, _, statements in steps for first, _ in statements if first]
    assert [line for line, _ in groupby(ran)] == first_lines(path, seen)


@pytest.mark.parametrize("version", PYTHONS)
def test_every_python_sees_the_same_steps(version: str) -> None:
    other = python(version)
    if other is None:
        sentence = f"no Python {version} at hand"
        pytest.fail(sentence) if CI else pytest.skip(sentence)
    here, there = (
        output(which, HERE / "canned.py", *loops.names()).splitlines()
        for which in (sys.executable, other)
    )
    assert len(here) == len(loops.names())
    assert here == there


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("a = 1", {1: (1, 1)}),
        ("a = [1,\n     2]", {1: (1, 2), 2: (1, 2)}),
        ("for a in b:\n    c()", {1: (1, 1), 2: (2, 2)}),
        ("for a in (b,\n          c):\n    d()", {1: (1, 2), 2: (1, 2), 3: (3, 3)}),
        ("if a:\n    b()\nelse:\n    c()", {1: (1, 1), 2: (2, 2), 4: (4, 4)}),
        ("if a: b()", {1: (1, 1)}),
        (
            "try:\n    a()\nexcept B:\n    c()",
            {1: (1, 1), 2: (2, 2), 3: (3, 3), 4: (4, 4)},
        ),
    ],
)
def test_a_line_belongs_to_its_innermost_statement(
    source: str, expected: dict[int, tuple[int, int]]
) -> None:
    assert statements(source) == expected


def test_lines_are_counted_as_the_file_counts_them() -> None:
    assert statements("a = 1\nb = 2", first=10) == {10: (10, 10), 11: (11, 11)}

"""Imports only go down the seven floors, and the ground floor needs nothing but Python."""

import ast
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

CHECKOUT = Path(__file__).resolve().parents[1]

# The floor of each file or folder of `app`. A new one gets its line here.
FLOORS = {
    "app.cli": 7,
    "app.main": 6,
    "app.web": 5,
    "app.views": 4,
    "app.live": 4,
    "app.run": 3,
    "app.exercise": 3,
    "app.lessons": 2,
    "app.compare": 2,
    "app.source": 2,
    "app.requests": 2,
    "app.attach": 2,
    "app.transcripts": 2,
    "app.loops": 1,
    "app.engine": 1,
    "app.harness": 1,
    "app.store": 1,
    "app.prices": 1,
    "app.paths": 0,
    "app.said": 0,
    "app.settings": 0,
}
BESIDE = {  # the shared records, and the time of a run
    ("app.harness", "app.engine.steps"),
    ("app.harness", "app.engine.clock"),
}
ONLY_PYTHON = ("app.loops", "app.engine")
ONLY_FOR = {
    "anthropic": ("app.live",),
    "fastapi": ("app.web", "app.main"),
    "starlette": ("app.web", "app.main"),
    "jinja2": ("app.web", "app.main"),
}


def imports(module: str, source: str, *, is_package: bool = False) -> Iterator[tuple[int, str]]:
    """The line and full name of everything a module imports, wherever in it the import stands."""
    package = module if is_package else module.rpartition(".")[0]
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield node.lineno, alias.name
        elif isinstance(node, ast.ImportFrom):
            base = node.module or ""
            if node.level:
                above = package.split(".")[: len(package.split(".")) - node.level + 1]
                base = ".".join([*above, base] if base else above)
            for alias in node.names:
                yield node.lineno, f"{base}.{alias.name}"


def place(name: str) -> str:
    """The file or folder of `app` that a dotted name lies in: `app.web.pages` is in `app.web`."""
    return ".".join(name.split(".")[:2])


def fault(module: str, name: str) -> str | None:
    """Why `module` may not import `name`, or None."""
    library = name.partition(".")[0]
    if place(module) == "app":
        return None if library in sys.stdlib_module_names else "app/__init__.py imports nothing"
    if place(module) not in FLOORS:
        return f"{place(module)} has no floor yet: give it one in this test"
    return fault_of_ours(module, name) if library == "app" else fault_of_library(module, library)


def fault_of_library(module: str, library: str) -> str | None:
    here = place(module)
    if here in ONLY_PYTHON and library not in sys.stdlib_module_names:
        return f"{here} imports only the standard library"
    if here not in ONLY_FOR.get(library, (here,)):
        return f"only {' and '.join(ONLY_FOR[library])} may import {library}"
    return None


def fault_of_ours(module: str, name: str) -> str | None:
    here, there = place(module), place(name)
    if here == "app.loops" and module != "app.loops":
        return "a loop imports nothing of ours"
    if here == there or any(
        here == reader and f"{name}.".startswith(f"{records}.") for reader, records in BESIDE
    ):
        return None
    if there not in FLOORS:
        return f"there is no {there} on any floor"
    if here in ONLY_PYTHON:
        return f"{here} imports only the standard library"
    if FLOORS[there] >= FLOORS[here]:
        return f"floor {FLOORS[here]} imports floor {FLOORS[there]}"
    return None


def modules() -> Iterator[tuple[str, Path]]:
    for path in sorted((CHECKOUT / "app").rglob("*.py")):
        parts = path.relative_to(CHECKOUT).with_suffix("").parts
        yield ".".join(parts[:-1] if parts[-1] == "__init__" else parts), path


def test_every_import_goes_down() -> None:
    seen = list(modules())
    assert ("app.paths", CHECKOUT / "app" / "paths.py") in seen
    faults = [
        f"{path.relative_to(CHECKOUT)}:{line} imports {name}: {why}"
        for module, path in seen
        for line, name in imports(
            module, path.read_text(encoding="utf-8"), is_package=path.name == "__init__.py"
        )
        if (why := fault(module, name))
    ]
    assert not faults, "\n" + "\n".join(faults)


@pytest.mark.parametrize(
    ("module", "statement"),
    [
        # up, or sideways
        ("app.views", "from app.web import pages"),
        ("app.views", "from app import live"),
        ("app.run", "import app.main"),
        ("app.lessons", "from app.compare import compare"),
        ("app.lessons", "from .run import run_lane"),
        ("app.harness.tools", "from app.engine.record import record"),
        ("app.harness.tools", "from app.engine import record"),
        ("app.harness.tools", "from app.store import Store"),
        ("app.web.pages", "from ..main import create_app"),
        ("app.paths", "from app.store import Store"),
        # an import hidden in a function, or behind TYPE_CHECKING, is an import
        ("app.run", "def lane():\n    from app.views import page"),
        ("app.run", "if TYPE_CHECKING:\n    from app.views import Page"),
        # the ground floor needs nothing but Python
        ("app.engine.rules", "import pydantic"),
        ("app.engine.rules", "from app.paths import ROOT"),
        ("app.engine.rules", "from app.harness.tools import Tool"),
        ("app.loops.correct", "from app.engine.steps import Trace"),
        ("app.loops.correct", "from app.loops import forgot_results"),
        ("app.loops.correct", "import httpx2"),
        # libraries that have one home
        ("app.web.pages", "import anthropic"),
        ("app.main", "from anthropic import Anthropic"),
        ("app.views", "from fastapi import Request"),
        ("app.lessons", "from jinja2 import Environment"),
        # a file nobody has placed
        ("app.helpers", "import json"),
        ("app.run", "from app.helpers import help"),
    ],
)
def test_an_arrow_that_does_not_go_down_is_reported(module: str, statement: str) -> None:
    assert [fault(module, name) for _, name in imports(module, statement) if fault(module, name)]


@pytest.mark.parametrize(
    ("module", "statement"),
    [
        ("app.cli", "from app.main import create_app"),
        ("app.main", "from app import web"),
        ("app.web.pages", "from app.web.errors import not_found"),
        ("app.web.pages", "from . import errors"),
        ("app.live", "def real():\n    import anthropic"),
        ("app.views", "from app.engine.steps import Trace"),
        ("app.run", "from app.harness.tools import TOOLS"),
        ("app.harness.tools", "from app.engine.steps import Result"),
        ("app.harness.tools", "from app.engine import steps"),
        ("app.harness.tools", "import pydantic"),
        ("app.engine.record", "from app.engine.steps import Trace"),
        ("app.engine.record", "import ast, sys"),
        ("app.lessons", "from app.paths import SCENARIOS"),
    ],
)
def test_an_arrow_that_goes_down_is_not(module: str, statement: str) -> None:
    assert [fault(module, name) for _, name in imports(module, statement)] == [None] * (
        statement.count(",") + 1
    )

"""From the command to the first page."""

import json
import os
import subprocess
import sys

from tests.bench.measure import by_turns, count, figure
from tests.bench.servers import CHECKOUT, floor, product
from tests.bench.table import Row, against

PRODUCT = "import uvicorn, app.cli, app.main"
FLOOR = "import fastapi, uvicorn, jinja2"
COUNT = "\nimport json, sys; print(json.dumps(sorted(sys.modules)))"


def rows(quick: bool) -> list[Row]:
    """The start of the server, and what it imports."""
    started = by_turns({"product": _product, "floor": _floor}, 1 if quick else 5)
    imported = by_turns(
        {"product": lambda: [_import(PRODUCT)], "floor": lambda: [_import(FLOOR)]},
        2 if quick else 10,
    )
    modules = {kind: _modules(kind) for kind in (PRODUCT, FLOOR)}
    first = figure(started["product"])
    least = figure(started["floor"])
    return [
        Row("start to first page", first, "s", least, most=2, field="an aim, in seconds"),
        against(
            "imports of the server, processor time",
            figure(imported["product"]),
            figure(imported["floor"]),
            "ms",
            most=1.15,
            field="with the SDK 3.7×",
        ),
        against(
            "imports of the server, modules",
            count(len(modules[PRODUCT])),
            count(len(modules[FLOOR])),
            "",
            field="with the SDK 7.3×",
        ),
    ]


def _product() -> list[float]:
    with product() as server:
        return [server.started]


def _floor() -> list[float]:
    with floor("page") as server:
        return [server.started]


def _import(code: str) -> float:
    """Milliseconds of processor time: on a shared machine they say more than the clock does."""
    before = os.times()
    subprocess.run([sys.executable, "-c", code], cwd=CHECKOUT, check=True)
    after = os.times()
    spent = after.children_user + after.children_system
    return (spent - before.children_user - before.children_system) * 1000


def _modules(code: str) -> list[str]:
    """The names of all modules that some imports bring."""
    done = subprocess.run(
        [sys.executable, "-c", code + COUNT], cwd=CHECKOUT, check=True, capture_output=True
    )
    names: list[str] = json.loads(done.stdout)
    return names

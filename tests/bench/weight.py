"""Bytes of a step's answer, by the kind of step. Exact: tests/test_weight.py holds them too."""

import json
import re
from collections import defaultdict
from collections.abc import Mapping
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from fastapi.testclient import TestClient

from app.main import create_app
from app.run import trace_of
from tests.bench.measure import count
from tests.bench.table import Row
from tests.bench.walks import LANES, ONE, SIZES, kind_of, last_step, page, write_lessons
from tests.steps import Get, walk

JOINS = re.compile(r'<hx-partial id="messages" hx-swap="append">.*?</hx-partial>', re.DOTALL)


def rows(quick: bool) -> list[Row]:
    """The largest answer of each size of run, and the largest growth of one kind of step."""
    with TemporaryDirectory() as folder:
        write_lessons(Path(folder))
        app = create_app([Path(folder)])
        with TestClient(app) as client:
            found = []
            for lanes, names in LANES.items():
                sizes = {
                    size: largest(getter(client), size, names, 40 if quick else None)
                    for size in SIZES
                }
                found += _growth(lanes, sizes)
            lesson = app.state.site.library.find("long-200")
            found += _messages(sizes_of_appends(client, lesson))
    return found


def getter(client: TestClient) -> Get:
    """What reads an address of the application."""
    return lambda path: client.get(path).text


def largest(get: Get, size: int, lanes: str, steps: int | None = None) -> dict[str, int]:
    """The bytes of the largest answer of each kind, over a whole run or over its last `steps`."""
    most: dict[str, int] = defaultdict(int)
    start = page(size, lanes)
    if steps is not None:
        start += f"&step={max(0, last_step(get, start) - steps)}"
    for _, html in walk(get, start):
        kind = kind_of(html)
        most[kind] = max(most[kind], len(html.encode()))
    return dict(most)


def sizes_of_appends(client: TestClient, lesson: Any) -> list[tuple[int, int, int]]:
    """For each step that appends: the bytes of its answer, of what of it joins the drawn list, and
    of the new messages as JSON."""
    trace = trace_of(lesson, ONE, lesson.lane(ONE).checked, "en")
    walked = walk(getter(client), f"/lessons/{lesson.slug}?lanes={ONE}")
    pairs = zip(trace.steps[1:], walked, strict=True)
    return [
        (
            len(html.encode()),
            len("".join(JOINS.findall(html)).encode()),
            len(json_of(trace.messages(step)[step.index :]).encode()),
        )
        for step, (_, html) in pairs
        if step.kind == "append"
    ]


def json_of(messages: Any) -> str:
    """Messages as JSON with an indent of 2."""
    return json.dumps(list(messages), indent=2, ensure_ascii=False)


def _growth(lanes: str, sizes: Mapping[int, Mapping[str, int]]) -> list[Row]:
    biggest = {size: max(kinds.values()) for size, kinds in sizes.items()}
    few, some, many = SIZES
    found = [
        Row(
            f"bytes of a step, {lanes}, {size} messages over {few}, largest",
            count(biggest[size]),
            "B",
            count(biggest[few]),
            ratio=biggest[size] / biggest[few],
            most=1.1,
            field="re-render 16×",
        )
        for size in (some, many)
    ]
    kind = max(sizes[many], key=lambda kind: sizes[many][kind] / sizes[few][kind])
    found.append(
        Row(
            f"bytes of a step, {lanes}, the same kind ({kind})",
            count(sizes[many][kind]),
            "B",
            count(sizes[few][kind]),
            ratio=sizes[many][kind] / sizes[few][kind],
            most=1.02,
            field="re-render 16×",
        )
    )
    return found


def _messages(appends: list[tuple[int, int, int]]) -> list[Row]:
    """The steps that are the furthest above 1.25 × their messages' JSON + 900 B."""
    found = []
    for what, part in (("a step", 0), ("a step's part in messages[]", 1)):
        sizes = max(appends, key=lambda sizes: sizes[part] / (1.25 * sizes[2] + 900))
        allowed = 1.25 * sizes[2] + 900
        found.append(
            Row(
                f"bytes of {what} over 1.25 × its messages' JSON + 900 B",
                count(sizes[part]),
                "B",
                count(allowed),
                ratio=sizes[part] / allowed,
                most=1,
            )
        )
    return found

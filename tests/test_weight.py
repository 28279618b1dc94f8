"""Exact counts: bytes, requests and imports. How long things take is measured by `make bench`."""

import gzip
import re
import socket
import subprocess
import sys
from collections.abc import Iterator
from html import unescape
from pathlib import Path

import pytest
import uvicorn
from fastapi import FastAPI
from fastapi.testclient import TestClient
from typer.testing import CliRunner

from app.cli import main
from app.main import create_app
from tests.bench.walks import LANES, SIZES, write_lessons
from tests.bench.weight import getter, largest, sizes_of_appends

CHECKOUT = Path(__file__).resolve().parents[1]
FEW, MANY = SIZES[0], SIZES[-1]

FIRST_PAGE = "/"
MOST_BYTES, MOST_REQUESTS = 30_000, 6  # compressed, without fonts

# Bytes of a step's answer before compression: what the new messages may weigh beside 1.25 × their
# JSON, and what may come with them (the sentence, the lit lines, the place).
MESSAGE, CONTROLS = 650, 1_700


@pytest.fixture(scope="module")
def app(tmp_path_factory: pytest.TempPathFactory) -> FastAPI:
    """The application with runs of 10, 40 and 200 messages, whose results are of 1 kB."""
    top = tmp_path_factory.mktemp("long")
    write_lessons(top)
    return create_app([top])


@pytest.fixture(scope="module")
def client(app: FastAPI) -> Iterator[TestClient]:
    with TestClient(app) as made:
        yield made


# --- a step


@pytest.fixture(scope="module", params=LANES.values(), ids=LANES)
def bytes_by_kind(request: pytest.FixtureRequest, client: TestClient) -> dict[int, dict[str, int]]:
    """The bytes of the largest answer of each kind of step, for a short run and for a long one."""
    return {size: largest(getter(client), size, request.param) for size in (FEW, MANY)}


def test_the_largest_step_of_a_long_run_is_within_a_tenth_of_that_of_a_short_one(
    bytes_by_kind: dict[int, dict[str, int]],
) -> None:
    few, many = (max(bytes_by_kind[size].values()) for size in (FEW, MANY))
    assert 0.9 < many / few < 1.1


def test_no_kind_of_step_grows_by_more_than_a_fiftieth(
    bytes_by_kind: dict[int, dict[str, int]],
) -> None:
    few, many = bytes_by_kind[FEW], bytes_by_kind[MANY]
    assert set(many) == {"ask", "reply", "append", "tool", "end"}
    assert {kind: many[kind] / few[kind] for kind in many if many[kind] > few[kind] * 1.02} == {}


@pytest.mark.parametrize("size", [FEW, MANY])
def test_a_step_weighs_its_new_messages_and_a_constant(
    app: FastAPI, client: TestClient, size: int
) -> None:
    steps = sizes_of_appends(client, app.state.site.library.find(f"long-{size}"))
    assert len(steps) == size + 1
    for answer, joins, json in steps:
        assert 0 < joins < answer
        assert joins <= 1.25 * json + MESSAGE
        assert answer <= joins + CONTROLS


# --- the first page


def loaded_by(client: TestClient, page: str) -> dict[str, int]:
    """What a browser asks for to show a page, with the bytes of each answer when compressed."""
    html = client.get(page).text
    tags = re.findall(r"<(?:link|script|img)\b[^>]*>", html)
    named = [re.search(r'\b(?:href|src)="([^"]+)"', tag) for tag in tags]
    paths = [page, *dict.fromkeys(unescape(found[1]) for found in named if found)]
    return {path: _wire(client, path) for path in paths}


def _wire(client: TestClient, path: str) -> int:
    answer = client.get(path)
    assert answer.status_code == 200, path
    return len(gzip.compress(answer.content)) if len(answer.content) >= 600 else len(answer.content)


def test_the_first_page_is_light(client: TestClient) -> None:
    loaded = loaded_by(client, FIRST_PAGE)
    assert any(path.endswith(".css") for path in loaded)
    assert sum(loaded.values()) <= MOST_BYTES
    assert len(loaded) <= MOST_REQUESTS


def test_text_is_sent_compressed(client: TestClient) -> None:
    for path in loaded_by(client, FIRST_PAGE):
        answer = client.get(path, headers={"Accept-Encoding": "gzip"})
        if len(answer.content) >= 600:
            assert answer.headers["content-encoding"] == "gzip", path


# --- the start


def test_answers_are_sent_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """asyncio turns Nagle's algorithm off only for sockets that name their protocol."""
    used: list[socket.socket] = []
    monkeypatch.setattr(uvicorn.Server, "run", lambda self, sockets: used.extend(sockets))
    started = CliRunner().invoke(main, ["serve", "--port", "0"])
    assert started.exit_code == 0, started.output
    with used[0] as listening:
        assert listening.proto == socket.IPPROTO_TCP


def modules_after(code: str) -> set[str]:
    """The modules that a new Python has loaded after some code."""
    printed = subprocess.run(
        [sys.executable, "-c", f"{code}\nimport sys\nprint(*sys.modules)"],
        cwd=CHECKOUT,
        check=True,
        capture_output=True,
        text=True,
    ).stdout
    return set(printed.split())


def test_a_scripted_start_does_not_import_the_sdk() -> None:
    loaded = modules_after("import uvicorn, app.cli, app.main; app.main.create_app()")
    assert "fastapi" in loaded
    assert "anthropic" not in loaded
    assert "openai" not in loaded


def test_a_scripted_start_imports_few_modules_beside_the_frameworks() -> None:
    route = "fastapi.FastAPI().get('/', response_model=str)(lambda: '')"  # asks for pydantic.v1
    floor = modules_after(f"import fastapi, uvicorn, jinja2\n{route}")
    ours = modules_after("import uvicorn, app.cli, app.main")
    others = {name for name in ours - floor if name.partition(".")[0] != "app"}
    assert len(others) < len(floor) * 0.25

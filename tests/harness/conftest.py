"""A small workspace, and beside it a secret that no tool may show."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from app.engine.steps import Result
from app.harness import TOOLS, Harness

SECRET = "the secret outside the workspace"

Run = Callable[..., Result]


@pytest.fixture(scope="session")
def workspace(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder that most tests look at. No tool writes, so all tests share it."""
    outside = tmp_path_factory.mktemp("outside")
    (outside / "secret.txt").write_text(SECRET, encoding="utf-8")
    root = outside / "workspace"
    (root / "app" / "empty").mkdir(parents=True)
    for name, text in {
        "README.md": "# Notes\n",
        "notes.txt": "Monday: buy bread\nTuesday: call Leila\n\nfour words stand here",
        "empty.txt": "",
        "app/main.py": "print('bread')\n",
        "app/يادداشت.txt": "نام: امید\n",
    }.items():
        (root / name).write_text(text, encoding="utf-8")
    (root / "photo.png").write_bytes(b"\x89PNG\x00\x01bread")
    (root / "latin.txt").write_bytes("café".encode("latin-1"))
    for link, target in {
        "link.txt": "notes.txt",
        "link_app": "app",
        "out.txt": "../secret.txt",
        "out": "..",
        "loop": "loop",
        "broken": "nowhere",
    }.items():
        (root / link).symlink_to(target)
    return root


@pytest.fixture
def run(workspace: Path) -> Run:
    """Runs one tool of an agent that was given all of them."""
    harness = Harness(workspace, tuple(TOOLS))

    def call(name: str, **given: Any) -> Result:
        return harness.run({"type": "tool_use", "id": "toolu_1", "name": name, "input": given})

    return call

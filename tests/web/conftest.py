"""The application without a network, and ways to read what it answers."""

import re
from collections.abc import Callable, Iterator
from html import unescape
from pathlib import Path

import pytest
from fastapi.testclient import TestClient

from app.main import create_app

Step = Callable[[str], str]


@pytest.fixture(scope="session")
def client() -> Iterator[TestClient]:
    """The application with the shipped lessons."""
    with TestClient(create_app(), follow_redirects=False) as made:
        yield made


@pytest.fixture
def client_of(tmp_path: Path) -> Callable[..., TestClient]:
    """The application with one more lesson: its `lesson.yaml`, and the files of its workspace."""

    def make(yaml: str, name: str = "own", **files: str) -> TestClient:
        folder = tmp_path / name
        (folder / "workspace").mkdir(parents=True)
        (folder / "lesson.yaml").write_text(yaml, encoding="utf-8")
        for file, text in files.items():
            (folder / "workspace" / f"{file}.txt").write_text(text, encoding="utf-8")
        return TestClient(create_app([tmp_path]))

    return make


def link(html: str, id: str, attribute: str = "href") -> str:
    """An attribute of the link with an id; "" where it has none."""
    tag = re.search(rf'<a id="{id}"[^>]*>', html)
    assert tag, f"no link {id}"
    found = re.search(rf'\b{attribute}="([^"]*)"', tag[0])
    return unescape(found[1]) if found else ""


def sentence(html: str) -> str:
    """The page's sentence as plain text."""
    found = re.search(r'<p id="now"[^>]*>(.*?)</p>', html, re.DOTALL)
    assert found, "no sentence"
    return " ".join(unescape(re.sub(r"<[^>]+>", " ", found[1])).split())

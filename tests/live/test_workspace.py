"""`halqa serve --workspace DIR`: what the tools of a task of one's own see of a named folder."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx2
import pytest

from tests.live.conftest import KEY
from tests.live.messages import Played, message, text
from tests.live.test_pages import ORDER, press, start, words
from tests.serving import serving

OUTSIDE = "outside-and-secret"

CALLS: list[tuple[str, dict[str, Any], str]] = [
    (
        "list_files",
        {},
        "Done: 7 entries\nREADME.md\nhuge.log\nin.txt\nout\nout.txt\nphoto.png\nsrc/",
    ),
    ("list_files", {"path": "src"}, "Done: 2 entries\na.py\nb.py"),
    ("read_file", {"path": "src/b.py"}, "Done: src/b.py, 3 lines\none\n# TODO: two\nthree"),
    (
        "read_file",
        {"path": "src/b.py", "start_line": 2, "end_line": 2},
        "Done: src/b.py, lines 2-2 of 3\n# TODO: two",
    ),
    ("read_file", {"path": "in.txt"}, "Done: README.md, 1 line\n# Mine"),
    (
        "search_text",
        {"text": "TODO"},
        "Done: 2 matches\nsrc/a.py:1: x = 1  # TODO: one\nsrc/b.py:2: # TODO: two\n"
        "… 2 files that cannot be searched left out",
    ),
    ("search_text", {"text": OUTSIDE, "path": "README.md"}, "Done: 0 matches (looked in 1 file)"),
]
REFUSALS: list[tuple[str, dict[str, Any], str]] = [
    ("read_file", {"path": "out.txt"}, '"out.txt" leads out of the workspace; give a path inside'),
    ("list_files", {"path": "out"}, '"out" leads out of the workspace; give a path inside it'),
    ("search_text", {"text": OUTSIDE, "path": "out"}, '"out" leads out of the workspace; give a'),
    ("read_file", {"path": "../secret.txt"}, '"../secret.txt" leads out of the workspace; give a'),
    ("list_files", {"path": "src/../.."}, '"src/../.." leads out of the workspace; give a path'),
    ("read_file", {"path": "/etc/passwd"}, '"/etc/passwd" is an absolute path; give one inside'),
    (
        "read_file",
        {"path": "huge.log"},
        "huge.log is too large to read whole (3,000,000 bytes); give start_line and end_line",
    ),
    ("read_file", {"path": "photo.png"}, "photo.png is not UTF-8 text; it may be a binary file"),
    ("read_file", {"path": "none.txt"}, 'there is no "none.txt"; the workspace holds README.md,'),
    ("write_file", {"path": "a", "text": "b"}, "write_file was not given to this agent; this"),
    ("bash", {"command": "ls"}, "bash was not given to this agent; this agent has list_files"),
    ("rm", {"path": "a"}, 'there is no tool "rm"; this agent has list_files, read_file'),
]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with what a tool could stumble over."""
    (tmp_path / "secret.txt").write_text(OUTSIDE, encoding="utf-8")
    mine = tmp_path / "mine"
    (mine / "src").mkdir(parents=True)
    (mine / "README.md").write_text("# Mine\n", encoding="utf-8")
    (mine / "src" / "a.py").write_text("x = 1  # TODO: one\n", encoding="utf-8")
    (mine / "src" / "b.py").write_text("one\n# TODO: two\nthree\n", encoding="utf-8")
    (mine / "huge.log").write_text("words " * 500_000, encoding="utf-8")
    (mine / "photo.png").write_bytes(b"\x89PNG\0\xff")
    (mine / "in.txt").symlink_to("README.md")
    (mine / "out.txt").symlink_to("../secret.txt")
    (mine / "out").symlink_to("..")
    return mine


@pytest.fixture
def client(api: Played, folder: Path, tmp_path: Path) -> Iterator[httpx2.Client]:
    """A browser on a real server that was started with that folder."""
    environment = {
        "ANTHROPIC_API_KEY": KEY,
        "ANTHROPIC_BASE_URL": api.address,
        "HALQA_DATA": str(tmp_path / "data"),
    }
    with (
        serving("--workspace", str(folder), env=environment) as address,
        httpx2.Client(base_url=address, follow_redirects=True, timeout=60) as client,
    ):
        yield client


def test_a_folder_is_listed_read_and_searched_and_nothing_outside_it(
    client: httpx2.Client, api: Played, folder: Path
) -> None:
    rows = [*CALLS, *REFUSALS]
    uses = [
        {"type": "tool_use", "id": f"toolu_{n}", "name": name, "input": given}
        for n, (name, given, _) in enumerate(rows)
    ]
    api.plans = [message(uses, "tool_use"), text("Two TODOs.")]
    path = start(
        client,  # type: ignore[arg-type]
        lesson="",
        task="List every TODO comment here",
        tools=["list_files", "read_file", "search_text"],  # type: ignore[arg-type]
        lane="every_stop_reason",
    )
    for _ in range(2 + len(rows)):
        html = press(client, path, 60)  # type: ignore[arg-type]
    assert "Two TODOs." in words(html)
    offered = {tool["name"]: tool["input_schema"]["properties"] for tool in api.sent[0]["tools"]}
    assert [*offered] == ["list_files", "read_file", "search_text"]
    assert [*offered["read_file"]] == ["path", "start_line", "end_line"]
    results = api.sent[1]["messages"][2]["content"]
    assert [one["tool_use_id"] for one in results] == [use["id"] for use in uses]
    for (name, given, content), result in zip(CALLS, results, strict=False):
        assert (result["content"], result.get("is_error", False)) == (content, False), (name, given)
    for (name, given, start_), result in zip(REFUSALS, results[len(CALLS) :], strict=True):
        assert result["content"].startswith(f"Error: {start_}"), (name, given)
        assert result["is_error"] is True
    for secret in (OUTSIDE, str(folder.parent)):
        assert secret not in str([one["content"] for one in results])


def test_the_form_offers_the_folders_tools(client: httpx2.Client) -> None:
    html = client.get("/live").text
    for tool in ("list_files", "read_file", "search_text"):
        assert f'value="{tool}" checked' in html
    assert "add" not in ORDER or 'value="add"' not in html

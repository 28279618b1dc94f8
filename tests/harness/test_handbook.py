"""Two tools for the same pages: what each takes, and what it says of what it does not."""

from pathlib import Path

import pytest

from app.harness import Harness


@pytest.fixture
def harness(tmp_path: Path) -> Harness:
    (tmp_path / "handbook").mkdir()
    (tmp_path / "handbook" / "loans.txt").write_text("21 days\n")
    return Harness(tmp_path, ("get_page", "open_page"))


@pytest.mark.parametrize(
    ("tool", "asked", "said"),
    [
        ("get_page", "handbook/loans.txt", "Done: handbook/loans.txt\n21 days"),
        ("get_page", "loans", 'Error: there is no "loans"; the workspace holds handbook/'),
        ("get_page", "handbook/loans", 'there is no "handbook/loans"; handbook holds loans.txt'),
        ("open_page", "loans", "Done: page loans\n21 days"),
        ("open_page", "handbook/loans.txt", "Done: page loans\n21 days"),
        ("open_page", "../loans", 'Error: there is no page "../loans"; the pages are loans'),
    ],
)
def test_a_page_by_its_name_or_by_its_path(
    harness: Harness, tool: str, asked: str, said: str
) -> None:
    assert said in harness.run({"name": tool, "input": {"page": asked}}).content

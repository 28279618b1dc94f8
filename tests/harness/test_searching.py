"""Five ways to search the same files: what each finds, and what it says of a call it cannot do."""

from pathlib import Path
from typing import Any

import pytest

from app.harness import Harness


@pytest.fixture
def harness(tmp_path: Path) -> Harness:
    (tmp_path / "old").mkdir()
    (tmp_path / "budget.txt").write_text("rent 40\nthe Sum = 65\n")
    (tmp_path / "old" / "sum-65.txt").write_text("nothing\n")
    return Harness(tmp_path, ("find_file", "look_up", "search", "search_files"))


@pytest.mark.parametrize(
    ("tool", "given", "said"),
    [
        ("find_file", {"name": "65"}, "Done: 1 file\nold/sum-65.txt"),
        ("look_up", {"words": "65 Sum"}, "Done: 1 match\nbudget.txt:2: the Sum = 65"),
        ("search", {"text": "65", "where": "names"}, "Done: 1 file\nold/sum-65.txt"),
        ("search", {"text": "65", "where": "contents"}, "Done: 1 match\nbudget.txt:2: the Sum"),
        ("search", {"text": "65", "where": "both"}, "Error: "),
        ("search_files", {"text": "sum"}, "Done: 0 matches"),
        ("search_files", {"text": "sum", "case": False}, "Done: 1 match\nbudget.txt:2"),
        ("search_files", {"words": "Sum the"}, "Done: 1 match\nbudget.txt:2"),
        ("search_files", {"text": "t", "first": True}, "Done: 3 matches\nbudget.txt:1: rent 40"),
        ("search_files", {"text": "t", "total": True}, "Done: 3 matches"),
        ("search_files", {"text": "t", "below": "old/"}, "Done: 1 match\nold/sum-65.txt:1"),
        ("search_files", {"pattern": "*.txt"}, "Done: 2 files\nbudget.txt\nold/sum-65.txt"),
        ("search_files", {"name": "budget"}, "Done: 1 file\nbudget.txt"),
        ("search_files", {"text": "t", "name": "b"}, "is taken; text and name were given"),
        ("search_files", {}, "exactly one of text, name, pattern, words is taken; none was given"),
    ],
)
def test_what_a_search_finds(harness: Harness, tool: str, given: dict[str, Any], said: str) -> None:
    assert said in harness.run({"name": tool, "input": given}).content


def test_one_match_is_one_line(harness: Harness) -> None:
    given = {"text": "t", "first": True}
    content = harness.run({"name": "search_files", "input": given}).content
    assert content.count("\n") == 1

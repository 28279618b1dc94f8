"""What each tool answers. A row: the call, then the exact text that the model reads."""

import os
import sys
from pathlib import Path

import pytest

from app.harness import TOOLS, Harness

ROOT_ENTRIES = (
    "Done: 12 entries\nREADME.md\napp/\nbroken\nempty.txt\nlatin.txt\nlink.txt\nlink_app/\nloop\n"
    "notes.txt\nout\nout.txt\nphoto.png"
)

ANSWERS = [
    ("list_files", {}, ROOT_ENTRIES),
    ("list_files", {"path": "."}, ROOT_ENTRIES),
    ("list_files", {"path": "app"}, "Done: 3 entries\nempty/\nmain.py\nيادداشت.txt"),
    ("list_files", {"path": "link_app/"}, "Done: 3 entries\nempty/\nmain.py\nيادداشت.txt"),
    ("list_files", {"path": "app/empty"}, "Done: 0 entries (the folder is empty)"),
    (
        "read_file",
        {"path": "notes.txt"},
        "Done: notes.txt, 4 lines\nMonday: buy bread\nTuesday: call Leila\n\nfour words stand here",
    ),
    ("read_file", {"path": "app/../README.md"}, "Done: README.md, 1 line\n# Notes"),
    ("read_file", {"path": "app/يادداشت.txt"}, "Done: app/يادداشت.txt, 1 line\nنام: امید"),
    ("read_file", {"path": "empty.txt"}, "Done: empty.txt, 0 lines (the file is empty)"),
    (
        "read_file",
        {"path": "notes.txt", "start_line": 2, "end_line": 3},
        "Done: notes.txt, lines 2-3 of 4\nTuesday: call Leila\n",
    ),
    (
        "read_file",
        {"path": "notes.txt", "start_line": 4},
        "Done: notes.txt, lines 4-4 of 4\nfour words stand here",
    ),
    (
        "read_file",
        {"path": "notes.txt", "end_line": 1},
        "Done: notes.txt, lines 1-1 of 4\nMonday: buy bread",
    ),
    (
        "read_file",
        {"path": "notes.txt", "start_line": 3, "end_line": 999},
        "Done: notes.txt, lines 3-4 of 4\n\nfour words stand here",
    ),
    (
        "search_text",
        {"text": "Leila"},
        "Done: 1 match\nnotes.txt:2: Tuesday: call Leila\n"
        "… 2 files that cannot be searched left out",
    ),
    (
        "search_text",
        {"text": "bread"},
        "Done: 2 matches\nnotes.txt:1: Monday: buy bread\napp/main.py:1: print('bread')\n"
        "… 2 files that cannot be searched left out",
    ),
    (
        "search_text",
        {"text": "bread", "path": "app"},
        "Done: 1 match\napp/main.py:1: print('bread')",
    ),
    (
        "search_text",
        {"text": "bread", "path": "notes.txt"},
        "Done: 1 match\nnotes.txt:1: Monday: buy bread",
    ),
    ("search_text", {"text": "BREAD", "path": "app"}, "Done: 0 matches (looked in 2 files)"),
    ("search_text", {"text": "x", "path": "app/empty"}, "Done: 0 matches (looked in 0 files)"),
    ("add", {"a": 2, "b": 3}, "5"),
    ("add", {"a": -2, "b": 2}, "0"),
    ("word_count", {"path": "notes.txt"}, "10"),
    ("word_count", {"path": "empty.txt"}, "0"),
]

FAILURES = [
    ("list_files", {"path": "README.md"}, 'Error: "README.md" is a file, not a folder'),
    ("list_files", {"path": "ap"}, 'Error: there is no "ap"; the workspace holds README.md, app/,'),
    (
        "read_file",
        {"path": "note.txt"},
        'Error: there is no "note.txt"; the workspace holds README.md, app/, broken, empty.txt, '
        "latin.txt, link.txt, link_app/, loop, notes.txt, out, out.txt, photo.png",
    ),
    (
        "read_file",
        {"path": "app/test.py"},
        'Error: there is no "app/test.py"; app holds empty/, main.py, يادداشت.txt',
    ),
    ("read_file", {"path": "app/a/b/c"}, 'Error: there is no "app/a/b/c"; app holds empty/, main'),
    ("read_file", {"path": "app/empty/x"}, 'Error: there is no "app/empty/x"; app/empty is empty'),
    ("read_file", {"path": "notes.txt/x"}, 'Error: there is no "notes.txt/x"; the workspace holds'),
    ("read_file", {"path": "broken"}, 'Error: there is no "broken"; the workspace holds'),
    ("read_file", {"path": "app"}, 'Error: "app" is a folder, not a file; app holds empty/, main'),
    ("read_file", {"path": "."}, 'Error: "." is a folder, not a file; the workspace holds README'),
    ("read_file", {"path": ""}, 'Error: "" is a folder, not a file; the workspace holds README'),
    (
        "read_file",
        {"path": "photo.png"},
        "Error: photo.png is not UTF-8 text; it may be a binary file",
    ),
    *[
        (
            "read_file",
            {"path": "notes.txt", **wrong},
            "Error: start_line must be at least 1, and end_line no less than start_line",
        )
        for wrong in (
            {"start_line": 0},
            {"start_line": -1},
            {"end_line": 0},
            {"start_line": 3, "end_line": 2},
        )
    ],
    (
        "read_file",
        {"path": "notes.txt", "start_line": 5},
        "Error: notes.txt has 4 lines; there is no line 5",
    ),
    (
        "read_file",
        {"path": "empty.txt", "end_line": 2},
        "Error: empty.txt has 0 lines; there is no line 1",
    ),
    (
        "read_file",
        {"path": "latin.txt"},
        "Error: latin.txt is not UTF-8 text; it may be a binary file",
    ),
    ("search_text", {"text": "x", "path": "src"}, 'Error: there is no "src"; the workspace holds'),
    ("search_text", {"text": "a\nb"}, "Error: a search looks at single lines; give a text without"),
    (
        "word_count",
        {"path": "photo.png"},
        "Error: photo.png is not UTF-8 text; it may be a binary file",
    ),
    ("word_count", {"path": "app"}, 'Error: "app" is a folder, not a file; app holds'),
]


@pytest.mark.parametrize(("name", "given", "content"), ANSWERS)
def test_a_tool_answers(run, name, given, content):
    result = run(name, **given)
    assert (result.content, result.is_error) == (content, False)
    assert [c.name for c in result.checks[:3]] == ["exists", "parameters", "given"]
    assert all(c.passed and c.made for c in result.checks)


@pytest.mark.parametrize(("name", "given", "start"), FAILURES)
def test_a_tool_that_cannot_answer_says_why_in_one_line(run, name, given, start):
    result = run(name, **given)
    assert result.is_error
    assert result.content.startswith(start)
    assert "\n" not in result.content
    assert all(check.passed for check in result.checks)


def test_a_listing_has_the_form_that_lessons_show(tmp_path):
    (tmp_path / "app").mkdir()
    for name in ("hello.py", "README.md"):
        (tmp_path / name).touch()
    result = Harness(tmp_path, ["list_files"]).run({"name": "list_files", "input": {}})
    assert result.content == "Done: 3 entries\nREADME.md\napp/\nhello.py"


@pytest.mark.parametrize("name", ["notes.txt", "هفته.txt", "a b.txt", "\u202egnp.txt", "क्षि.txt"])
def test_a_listed_name_can_be_read(tmp_path, name):
    (tmp_path / name).write_text("one\ntwo\n", encoding="utf-8")
    harness = Harness(tmp_path, tuple(TOOLS))
    listed = harness.run({"name": "list_files", "input": {}}).content
    assert listed == f"Done: 1 entry\n{name}"
    read = harness.run({"name": "read_file", "input": {"path": name}}).content
    assert read == f"Done: {name}, 2 lines\none\ntwo"


def test_a_file_name_cannot_forge_a_line_or_break_the_encoding(tmp_path):
    (tmp_path / "a\nDone: 9 entries").touch()
    Path(tmp_path, "b\udcff").touch()  # a byte on the disk that is no UTF-8
    content = Harness(tmp_path, ["list_files"]).run({"name": "list_files", "input": {}}).content
    assert content == "Done: 2 entries\na\\nDone: 9 entries\nb\\udcff"


def test_a_search_meets_files_in_one_order_on_every_machine(tmp_path):
    for name in "hcafbged":  # a disk may list them in any order
        (tmp_path / name).mkdir()
        for file in ("2", "1"):
            (tmp_path / name / file).write_text("x", encoding="utf-8")
    harness = Harness(tmp_path, ("search_text",))
    content = harness.run({"name": "search_text", "input": {"text": "x"}}).content
    found = [line.split(":")[0] for line in content.splitlines()[1:]]
    assert found == [f"{name}/{file}" for name in "abcdefgh" for file in "12"]


def test_windows_line_ends_read_like_any_other(tmp_path):
    (tmp_path / "a.txt").write_bytes(b"\xef\xbb\xbfone\r\ntwo\r\n")
    content = Harness(tmp_path, ["read_file"]).run(
        {"name": "read_file", "input": {"path": "a.txt"}}
    )
    assert content.content == "Done: a.txt, 2 lines\none\ntwo"


def test_a_workspace_that_is_not_there_is_empty(tmp_path):
    result = Harness(tmp_path / "gone", tuple(TOOLS)).run({"name": "list_files", "input": {}})
    assert (result.content, result.is_error) == (
        'Error: there is no "."; the workspace is empty',
        True,
    )


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no named pipes in folders")
def test_a_pipe_is_refused_not_waited_for(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    harness = Harness(tmp_path, tuple(TOOLS))
    read = harness.run({"name": "read_file", "input": {"path": "pipe"}})
    assert read.content == 'Error: "pipe" is not an ordinary file'
    search = harness.run({"name": "search_text", "input": {"text": "x", "path": "pipe"}})
    assert search.content == "Done: 0 matches (looked in 0 files)"


def test_the_byte_code_of_an_installer_is_not_part_of_a_workspace(tmp_path: Path) -> None:
    (tmp_path / "__pycache__").mkdir()
    (tmp_path / "__pycache__" / "a.pyc").write_text("needle", encoding="utf-8")
    (tmp_path / "a.py").write_text("needle", encoding="utf-8")
    harness = Harness(tmp_path, ("list_files", "search_text"))
    listed = harness.run({"name": "list_files", "input": {}})
    found = harness.run({"name": "search_text", "input": {"text": "needle"}})
    assert listed.content == "Done: 1 entry\na.py"
    assert "__pycache__" not in found.content

"""The tools that write: what they say, what becomes of the workspace, and what they refuse."""

import pytest

from app.engine.steps import Change
from app.harness import TOOLS, Harness

NOTES = "Monday: buy bread\nTuesday: call Leila\n"


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "notes.txt").write_text(NOTES, encoding="utf-8")
    (tmp_path / "no-end.txt").write_text("one", encoding="utf-8")
    (tmp_path / "old").mkdir()
    (tmp_path / "photo.png").write_bytes(b"\x89PNG\x00\x01")
    return tmp_path


def run(folder, name, **given):
    return Harness(folder, tuple(TOOLS)).run({"name": name, "input": given})


DONE = [
    (
        ("write_file", {"path": "new/a.txt", "text": "one\ntwo\n"}),
        "new/a.txt made, 2 lines",
        [Change("new/a.txt", "made", ("+one", "+two"))],
    ),
    (
        ("write_file", {"path": "notes.txt", "text": "Monday: buy bread\n"}),
        "notes.txt changed, 1 line",
        [Change("notes.txt", "changed", (" Monday: buy bread", "-Tuesday: call Leila"))],
    ),
    (
        ("write_file", {"path": "notes.txt", "text": NOTES}),
        "notes.txt holds this text already; nothing was changed",
        [],
    ),
    (
        ("append_line", {"path": "notes.txt", "line": "Friday: rest"}),
        "notes.txt, line 3 added",
        [Change("notes.txt", "changed", (" Tuesday: call Leila", "+Friday: rest"))],
    ),
    (
        ("append_line", {"path": "no-end.txt", "line": "two"}),
        "no-end.txt, line 2 added",
        [Change("no-end.txt", "changed", (" one", "+two"))],
    ),
    (
        ("add_entry", {"path": "log.txt", "key": "k-1", "entry": "paid 5"}),
        "log.txt, line 1 added under k-1",
        [Change("log.txt", "made", ("+k-1 paid 5",))],
    ),
    (
        ("replace_text", {"path": "notes.txt", "old": "bread", "new": "tea"}),
        "notes.txt changed at line 1",
        [
            Change(
                "notes.txt",
                "changed",
                ("-Monday: buy bread", "+Monday: buy tea", " Tuesday: call Leila"),
            )
        ],
    ),
    (
        ("delete_file", {"path": "no-end.txt"}),
        "no-end.txt deleted",
        [Change("no-end.txt", "removed", ("-one",))],
    ),
]


@pytest.mark.parametrize(("call", "said", "changes"), DONE)
def test_a_call_says_what_it_did_and_the_workspace_shows_it(folder, call, said, changes):
    name, given = call
    result = run(folder, name, **given)
    assert (result.content, result.is_error) == (f"Done: {said}", False)
    assert list(result.changes) == changes


REFUSED = [
    ("write_file", {"path": "old", "text": ""}, '"old" is a folder, not a file; old is empty'),
    (
        "write_file",
        {"path": "notes.txt/a", "text": ""},
        'notes.txt is a file; it cannot hold "notes.txt/a"',
    ),
    (
        "write_file",
        {"path": "a", "text": "\ud800"},
        "the text holds half a character; give whole ones",
    ),
    (
        "write_file",
        {"path": "a", "text": "x" * 200_001},
        "the text is longer than 200,000 characters; write less",
    ),
    (
        "write_file",
        {"path": "photo.png", "text": ""},
        "photo.png is not UTF-8 text; it may be a binary file",
    ),
    (
        "append_line",
        {"path": "notes.txt", "line": "a\nb"},
        "one line has no line break; add each line by itself",
    ),
    (
        "replace_text",
        {"path": "notes.txt", "old": "day", "new": "night"},
        '"day" stands 2 times in notes.txt; give more of the text around it',
    ),
    (
        "replace_text",
        {"path": "notes.txt", "old": "tea", "new": "milk"},
        '"tea" stands 0 times in notes.txt; read the file and copy it exactly',
    ),
    (
        "delete_file",
        {"path": "gone.txt"},
        'there is no "gone.txt"; the workspace holds no-end.txt, notes.txt, old/, photo.png',
    ),
]


@pytest.mark.parametrize(("name", "given", "said"), REFUSED)
def test_what_cannot_be_done_is_said_and_changes_nothing(folder, name, given, said):
    result = run(folder, name, **given)
    assert (result.content, result.is_error) == (f"Error: {said}", True)
    assert (result.failure, result.changes) == ("model", ())


def test_a_key_makes_a_repeat_harmless_and_never_hides_another_entry(folder):
    first = {"path": "log.txt", "key": "k-1", "entry": "paid 5"}
    run(folder, "add_entry", **first)
    again = run(folder, "add_entry", **first)
    assert again.content == "Done: log.txt has this entry under k-1 already; nothing was added"
    assert again.changes == ()
    other = run(folder, "add_entry", **{**first, "entry": "paid 7"})
    assert other.content == "Error: log.txt has another entry under k-1; choose a new key"
    assert (folder / "log.txt").read_text(encoding="utf-8") == "k-1 paid 5\n"


def test_a_long_difference_is_cut_and_counted(folder):
    text = "".join(f"{number}\n" for number in range(50))
    (change,) = run(folder, "write_file", path="long.txt", text=text).changes
    assert (len(change.lines), change.more) == (20, 30)


def test_an_agent_that_may_write_reads_a_long_file_whole(folder):
    (folder / "long.txt").write_text("0123456789\n" * 1_000, encoding="utf-8")
    call = {"name": "read_file", "input": {"path": "long.txt"}}
    assert "lines 1-212 of 1,000" in Harness(folder, ("read_file",)).run(call).content
    whole = Harness(folder, ("read_file", "write_file")).run(call).content
    assert whole.startswith("Done: long.txt, 1,000 lines\n")
    assert "left out" not in whole


def test_of_a_workspace_too_large_to_look_at_nothing_is_claimed(folder, monkeypatch):
    monkeypatch.setattr("app.harness.changes.MOST_FILES", 2)
    result = run(folder, "append_line", path="notes.txt", line="Friday: rest")
    assert (result.content, result.changes) == ("Done: notes.txt, line 3 added", ())
    assert not result.watched

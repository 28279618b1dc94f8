"""The one form of results: its ceiling, and the notice of what was left out."""

import pytest

from app.harness import Harness
from app.harness.results import CEILING, Report, count, done, error, listed, quoted
from app.harness.workspace import READ_LIMIT


def kept_and_missing(content):
    """The characters shown, the notice apart, and the number that the notice names."""
    shown, _, notice = content.rpartition("\n… ")
    return len(shown), int(notice.split(" ")[0].replace(",", ""))


@pytest.mark.parametrize(
    ("answer", "content"),
    [
        (5, "5"),
        ("sunny", "sunny"),
        ("", "Done: no output"),
        (" \n", "Done: no output"),
        (Report("3 entries"), "Done: 3 entries"),
        (Report("1 line", "a"), "Done: 1 line\na"),
        (Report("1 line", "a", "9 bytes"), "Done: 1 line\na\n… 9 bytes left out"),
        (Report("0 matches", "", "2 files"), "Done: 0 matches\n… 2 files left out"),
    ],
)
def test_an_answer_has_one_form_and_is_never_empty(answer, content):
    assert done(answer) == content


@pytest.mark.parametrize("length", [CEILING - 14, CEILING - 13, 10_000, 1_000_000])
@pytest.mark.parametrize("left_out", ["", "9 bytes"])
def test_a_result_stays_under_the_ceiling_and_says_how_much_is_missing(length, left_out):
    whole = f"Done: 1 line\n{'x' * length}"
    content = done(Report("1 line", "x" * length, left_out))
    assert len(content) <= CEILING
    if len(whole) <= CEILING and not left_out:
        assert content == whole
    else:
        kept, missing = kept_and_missing(content)
        assert kept + missing == len(whole)
        assert content.endswith(f" characters{' and 9 bytes' if left_out else ''} left out")


def test_a_list_is_cut_between_two_lines():
    names = [f"file-{number:04}.txt" for number in range(1_000)]
    content = done(Report("1,000 entries", "\n".join(names)))
    *shown, notice = content.splitlines()
    assert shown[1:] == names[: len(shown) - 1]
    assert notice == f"… {len(names[0] + chr(10)) * (1_001 - len(shown)):,} characters left out"


def test_long_values_and_errors_are_cut_too():
    for content in (done("9" * 4_000), error("x" * 1_000_000)):
        assert len(content) <= CEILING
        assert content.endswith(" characters left out")


@pytest.mark.parametrize(
    ("shown", "expected"),
    [
        (count(1, "line", "lines"), "1 line"),
        (count(0, "line", "lines"), "0 lines"),
        (count(5_210, "line", "lines"), "5,210 lines"),
        (quoted("a\tb\u2028c\ud800"), '"a\\tb\\u2028c\\ud800"'),
        (quoted("می‌خواهم\u202e"), '"می‌خواهم\u202e"'),
        (quoted("x" * 1_000_000), f'"{"x" * 80}…"'),
        (listed([]), ""),
        (listed(["a", "b"]), "a, b"),
        (listed([str(n) for n in range(25)]), ", ".join(map(str, range(20))) + " and 5 more"),
    ],
)
def test_the_small_forms(shown, expected):
    assert shown == expected


def test_a_long_file_is_cut_with_its_true_size(tmp_path):
    (tmp_path / "log.txt").write_text("0123456789\n" * 1_000, encoding="utf-8")
    harness = Harness(tmp_path, ("read_file",))
    content = harness.run({"name": "read_file", "input": {"path": "log.txt"}}).content
    assert content.startswith("Done: log.txt, lines 1-212 of 1,000\n0123456789\n")
    assert content.endswith("0123456789\n… 788 lines left out; read on with start_line 213")


def test_a_huge_file_is_read_by_lines_counted_never_and_searched_never(tmp_path):
    text = "e" + "words " * (READ_LIMIT // 6) + "é" * 500_000  # the limit stands inside an é
    (tmp_path / "huge.txt").write_text(text, encoding="utf-8")
    harness = Harness(tmp_path, ("read_file", "word_count", "search_text"))
    size = len(text.encode())

    def read(**lines):
        return harness.run({"name": "read_file", "input": {"path": "huge.txt", **lines}}).content

    assert read() == (
        f"Error: huge.txt is too large to read whole ({size:,} bytes); give start_line and end_line"
    )
    assert read(start_line=1, end_line=1).startswith("Done: huge.txt, lines 1-1\newords words ")
    assert read(start_line=2) == (
        "Error: huge.txt has 1 line within the first 2,000,000 bytes, which can be read; "
        "there is no line 2"
    )
    counted = harness.run({"name": "word_count", "input": {"path": "huge.txt"}})
    assert counted.is_error
    assert counted.content == "Error: huge.txt is longer than 2,000,000 bytes, too long to count"
    searched = harness.run({"name": "search_text", "input": {"text": "words"}}).content
    assert searched == (
        "Done: 0 matches (looked in 0 files)\n… 1 file that cannot be searched left out"
    )


def test_a_long_matching_line_is_cut_where_it_stands(tmp_path):
    (tmp_path / "a.js").write_text("let x = 1;" * 100_000 + "\nlet y\n", encoding="utf-8")
    harness = Harness(tmp_path, ("search_text",))
    content = harness.run({"name": "search_text", "input": {"text": "let"}}).content
    assert content == (
        f"Done: 2 matches\na.js:1: {'let x = 1;' * 20}… (999,800 more characters)\na.js:2: let y"
    )


@pytest.mark.parametrize(
    "call",
    [
        {"name": "x" * 1_000_000, "input": {}},
        {"name": "read_file", "input": {"path": "x" * 1_000_000}},
        {"name": "read_file", "input": {"path": "x" * 300}},
        {"name": "read_file", "input": {"path": "a/" * 500_000}},
        {"name": "read_file", "input": {"x" * 1_000_000: 1}},
        {"name": "read_file", "input": "x" * 1_000_000},
        {"name": "add", "input": {"a": "x" * 1_000_000, "b": 1}},
        {"name": "search_text", "input": {"text": "x", "path": "x" * 1_000_000}},
    ],
    ids=["name", "path", "file name", "folders", "key", "input", "value", "search path"],
)
def test_a_megabyte_in_a_call_is_answered_with_a_short_error(tmp_path, call):
    result = Harness(tmp_path, ("read_file", "add", "search_text")).run(call)
    assert result.is_error
    assert len(result.content) < 400
    assert all(len(check.said) < 400 for check in result.checks)

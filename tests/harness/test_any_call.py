"""Whatever a model writes: an answer comes back, nothing is raised, nothing outside is read."""

import shutil
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from app.harness import TOOLS, Harness
from app.harness.results import CEILING
from tests.harness.conftest import SECRET

anything = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(st.characters()),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=8,
)
PIECES = [
    *("app", "..", ".", "out", "out.txt", "link_app", "link.txt", "loop", "broken", "notes.txt"),
    *("secret.txt", "workspace", "x", "", "\0", "\ud800", "يادداشت.txt"),
]
paths = st.builds(
    lambda start, parts, end: start + "/".join(parts) + end,
    st.sampled_from(["", "/", "./"]),
    st.lists(st.sampled_from(PIECES), max_size=7),
    st.sampled_from(["", "/"]),
)
inputs = st.fixed_dictionaries(
    {},
    optional={
        "path": paths | anything,
        "text": st.sampled_from(["secret", "e"]) | anything,
        "a": anything,
        "b": anything,
    },
)
calls = st.fixed_dictionaries(
    {}, optional={"name": st.sampled_from(list(TOOLS)) | anything, "input": inputs | anything}
)


def state(folder: Path) -> list[tuple[str, int]]:
    return [(str(p), p.lstat().st_mtime_ns) for p in sorted(folder.rglob("*"))]


def copy_of(workspace: Path, top: Path) -> Path:
    """A workspace that tools may write in, beside a secret of its own."""
    if not (top / "workspace").is_dir():
        (top / "secret.txt").write_text(SECRET, encoding="utf-8")
        shutil.copytree(workspace, top / "workspace", symlinks=True)
    return top / "workspace"


def assert_sound(result) -> None:
    assert result.content.strip()
    assert len(result.content) <= CEILING
    assert SECRET not in result.content
    assert result.is_error == result.content.startswith("Error: ")
    assert 1 <= len(result.checks) <= 5
    assert all(check.passed for check in result.checks[:-1])
    for text in (result.content, *(check.said for check in result.checks)):
        text.encode("utf-8")  # raises for half a surrogate pair


@settings(
    max_examples=300, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(call=calls | anything)
def test_any_json_gets_an_answer(workspace, call):
    assert_sound(Harness(workspace, ("read_file", "search_text", "add")).run(call))


@settings(
    max_examples=500, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(path=paths)
@pytest.mark.parametrize("name", ["read_file", "list_files", "word_count"])
def test_no_path_leads_outside(workspace, name, path):
    result = Harness(workspace, tuple(TOOLS)).run({"name": name, "input": {"path": path}})
    assert_sound(result)
    assert "secret.txt\n" not in f"{result.content}\n"  # the outer folder's own listing


def test_tools_that_read_write_nothing(workspace, run):
    before = state(workspace)
    for name in [name for name, tool in TOOLS.items() if not tool.writes]:
        for given_input in ({}, {"path": "."}, {"path": "new.txt"}, {"text": "e"}):
            run(name, **given_input)
    assert state(workspace) == before


@settings(
    max_examples=30, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(path=paths)
@pytest.mark.parametrize("name", ["write_file", "append_line", "add_entry", "delete_file"])
def test_nothing_outside_is_written(workspace, tmp_path, name, path):
    inside = copy_of(workspace, tmp_path)
    given_input = {
        "write_file": {"text": "new"},
        "append_line": {"line": "new"},
        "add_entry": {"key": "k", "entry": "new"},
        "delete_file": {},
    }[name]
    result = Harness(inside, tuple(TOOLS)).run(
        {"name": name, "input": {"path": path, **given_input}}
    )
    assert_sound(result)
    assert sorted(file.name for file in tmp_path.iterdir()) == ["secret.txt", "workspace"]
    assert (tmp_path / "secret.txt").read_text(encoding="utf-8") == SECRET

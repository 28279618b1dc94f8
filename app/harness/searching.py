"""Five ways to search, to compare: three tools that are easily confused, one with a clear choice,
and one that hides a long menu in its parameters."""

from collections.abc import Callable
from fnmatch import fnmatch
from typing import Annotated, Literal

from pydantic import Field

from app.harness.results import Report, ToolError, count, short
from app.harness.schemas import Tool
from app.harness.workspace import Workspace

LINE_LIMIT = 200  # characters of a line that is shown

Words = Annotated[str, Field(min_length=1, description="Words between spaces.")]
Sought = Annotated[str, Field(min_length=1, description="The text to find.")]
Where = Annotated[
    Literal["names", "contents"],
    Field(description="Whether the names of files are searched, or what stands in them."),
]


def find_file(workspace: Workspace, name: Sought) -> Report:
    """Find something."""
    return _names(workspace, lambda file: name in file)


def look_up(workspace: Workspace, words: Words) -> Report:
    """Look something up."""
    return _contents(workspace, lambda line: all(word in line for word in words.split()))


def search(workspace: Workspace, text: Sought, where: Where) -> Report:
    """Search all files of the workspace, by their names or by their contents."""
    if where == "names":
        return _names(workspace, lambda file: text in file)
    return _contents(workspace, lambda line: text in line)


def search_files(
    workspace: Workspace,
    text: Annotated[str, Field(description="A text; not with name, pattern or words.")] = "",
    name: Annotated[str, Field(description="Part of a name; not with text or pattern.")] = "",
    pattern: Annotated[str, Field(description="If name is left out: such as *.txt.")] = "",
    words: Annotated[str, Field(description="If text is left out: words in any order.")] = "",
    case: Annotated[bool, Field(description="If text or words is given: A is not a.")] = True,
    first: Annotated[bool, Field(description="If text or words is given: one match.")] = False,
    total: Annotated[bool, Field(description="If first is false: only how many.")] = False,
    below: Annotated[str, Field(description="If pattern is left out: a folder.")] = "",
) -> Report:
    """Search files."""
    given = [key for key, value in zip(_ONE, (text, name, pattern, words), strict=True) if value]
    if len(given) != 1:
        got = f"{' and '.join(given)} were given" if given else "none was given"
        raise ToolError(f"exactly one of {', '.join(_ONE)} is taken; {got}")
    if name or pattern:
        found = _names(workspace, lambda file: name in file if name else fnmatch(file, pattern))
    else:
        found = _contents(workspace, lambda line: _holds(line, text, words, case), below)
    lines = found.body.splitlines()[: 1 if first else None]
    return Report(found.outcome, "" if total else "\n".join(lines))


_ONE = ("text", "name", "pattern", "words")


def _holds(line: str, text: str, words: str, case: bool) -> bool:
    if not case:
        line, text, words = line.lower(), text.lower(), words.lower()
    return text in line if text else all(word in line for word in words.split())


def _names(workspace: Workspace, fits: Callable[[str], bool]) -> Report:
    names = [workspace.name(file) for file in workspace.files(workspace.root)]
    found = [name for name in names if fits(name)]
    return Report(count(len(found), "file", "files"), "\n".join(found))


def _contents(workspace: Workspace, fits: Callable[[str], bool], below: str = "") -> Report:
    found = [
        f"{name}:{number}: {short(line, LINE_LIMIT)}"
        for file in workspace.files(workspace.root)
        if (name := workspace.name(file)).startswith(below)
        for number, line in enumerate(workspace.read(file).text.split("\n"), start=1)
        if fits(line)
    ]
    return Report(count(len(found), "match", "matches"), "\n".join(found))


SEARCHING = (Tool.of(find_file), Tool.of(look_up), Tool.of(search), Tool.of(search_files))

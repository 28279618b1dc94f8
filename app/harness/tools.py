"""The tools: plain typed functions. Their docstrings are for the model that chooses among them.

A function that answers with one value returns it; one that has more to say returns a Report. What
cannot be done is a ToolError. `workspace` comes from the harness, all other parameters from the
model.
"""

from typing import Annotated

from pydantic import Field

from app.harness.results import Report, ToolError, count, short
from app.harness.schemas import IN_WORKSPACE, Tool
from app.harness.workspace import READ_LIMIT, Workspace

LINE_LIMIT = 200  # characters of a matching line that a search shows

FilePath = Annotated[
    str, IN_WORKSPACE, Field(description="The file, relative to the workspace, such as notes.txt.")
]
FolderPath = Annotated[
    str, IN_WORKSPACE, Field(description="The folder, relative to the workspace.")
]
SearchPath = Annotated[
    str, IN_WORKSPACE, Field(description="The folder or file to search, relative to the workspace.")
]
SearchedText = Annotated[
    str, Field(min_length=1, description="The text to find, exactly as it is written.")
]


def list_files(workspace: Workspace, path: FolderPath = ".") -> Report:
    """List what one folder holds, without its subfolders' contents. Names of folders end with /."""
    entries = workspace.entries(workspace.folder(path))
    empty = "" if entries else " (the folder is empty)"
    return Report(count(len(entries), "entry", "entries") + empty, "\n".join(entries))


def read_file(workspace: Workspace, path: FilePath) -> Report:
    """Read a text file. A long one is cut, with a notice of how much is missing."""
    file = workspace.file(path)
    read = workspace.read(file)
    body = read.text.removesuffix("\n")
    lines = body.count("\n") + 1 if read.text else 0
    size = count(lines, "line", "lines")
    if read.unread:
        size = f"the first {size}"
    elif not lines:
        size += " (the file is empty)"
    left_out = count(read.unread, "byte", "bytes") if read.unread else ""
    return Report(f"{workspace.name(file)}, {size}", body, left_out)


def search_text(workspace: Workspace, text: SearchedText, path: SearchPath = ".") -> Report:
    """Find every line that contains a text, in all text files below a folder or in one file.
    Upper and lower case differ. Each match is shown as file:line number: line."""
    if "\n" in text:
        raise ToolError("a search looks at single lines; give a text without a line break")
    matches: list[str] = []
    searched = skipped = 0
    for file in workspace.files(workspace.existing(path)):
        try:
            read = workspace.read(file)
        except (ToolError, OSError):  # a binary file, or one that may not be opened
            skipped += 1
            continue
        if read.unread:  # "no matches" after reading half a file would be a guess
            skipped += 1
            continue
        searched += 1
        for number, line in enumerate(read.text.split("\n"), start=1):
            if text in line:
                matches.append(f"{workspace.name(file)}:{number}: {short(line, LINE_LIMIT)}")
    none = "" if matches else f" (looked in {count(searched, 'file', 'files')})"
    left_out = count(skipped, "file", "files") + " that cannot be searched" if skipped else ""
    return Report(count(len(matches), "match", "matches") + none, "\n".join(matches), left_out)


def add(
    a: Annotated[int, Field(description="The first number.")],
    b: Annotated[int, Field(description="The second number.")],
) -> int:
    """Add two whole numbers."""
    return a + b


def word_count(workspace: Workspace, path: FilePath) -> int:
    """Count the words of a text file. A word is what stands between spaces or line breaks."""
    file = workspace.file(path)
    read = workspace.read(file)
    if read.unread:
        limit = f"{READ_LIMIT:,} bytes"
        raise ToolError(f"{workspace.name(file)} is longer than {limit}, too long to count")
    return len(read.text.split())


TOOLS = {t.__name__: Tool.of(t) for t in (list_files, read_file, search_text, add, word_count)}

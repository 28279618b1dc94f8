"""The tools: plain typed functions. Their docstrings are for the model that chooses among them.

A function that answers with one value returns it; one that has more to say returns a Report. What
cannot be done is a ToolError. `workspace` comes from the harness, all other parameters from the
model.
"""

from typing import Annotated

from pydantic import Field
from pydantic.json_schema import SkipJsonSchema

from app.harness.accounts import ACCOUNTING
from app.harness.building import BUILDING
from app.harness.handbook import get_page, open_page
from app.harness.helping import HELPING
from app.harness.jobs import find_jobs, job_status
from app.harness.orders import get_order_status, get_refund_policy
from app.harness.results import Report, ToolError, count, short
from app.harness.schemas import IN_WORKSPACE, Tool
from app.harness.searching import SEARCHING
from app.harness.workspace import READ_LIMIT, Workspace
from app.harness.writing import WRITING

CALENDAR = "today.txt"
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
StartLine = Annotated[int, Field(description="The first line to read, counted from 1.")]
EndLine = Annotated[
    int | SkipJsonSchema[None],
    Field(description="The last line to read; the end of the file if left out."),
]
SearchedText = Annotated[
    str, Field(min_length=1, description="The text to find, exactly as it is written.")
]


def list_files(workspace: Workspace, path: FolderPath = ".") -> Report:
    """List what one folder holds, without its subfolders' contents. Names of folders end with /."""
    entries = workspace.entries(workspace.folder(path))
    empty = "" if entries else " (the folder is empty)"
    return Report(count(len(entries), "entry", "entries") + empty, "\n".join(entries))


def read_file(
    workspace: Workspace, path: FilePath, start_line: StartLine = 1, end_line: EndLine = None
) -> Report:
    """Read a text file, or some of its lines. What is long is cut, with a notice of how much is
    missing."""
    file = workspace.file(path)
    name = workspace.name(file)
    read = workspace.read(file)
    whole = (start_line, end_line) == (1, None)
    if read.unread and whole:
        size = count(READ_LIMIT + read.unread, "byte", "bytes")
        raise ToolError(f"{name} is too large to read whole ({size}); give start_line and end_line")
    lines = read.text.removesuffix("\n").split("\n") if read.text else []
    size = count(len(lines), "line", "lines")
    if whole:
        if not lines:
            return Report(f"{name}, 0 lines (the file is empty)")
        return Report(name, "\n".join(lines), first=1, of=len(lines))
    last = len(lines) if end_line is None else min(end_line, len(lines))
    if start_line < 1 or (end_line is not None and end_line < start_line):
        raise ToolError("start_line must be at least 1, and end_line no less than start_line")
    if start_line > len(lines):
        within = f" within the first {READ_LIMIT:,} bytes, which can be read" * bool(read.unread)
        raise ToolError(f"{name} has {size}{within}; there is no line {start_line:,}")
    body = "\n".join(lines[start_line - 1 : last])
    if read.unread:  # nobody knows of how many
        return Report(f"{name}, lines {start_line:,}-{last:,}", body)
    return Report(name, body, first=start_line, of=len(lines))


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


def today(workspace: Workspace) -> str:
    """Tell today's date, with the day of the week."""
    # A lesson must run the same on every day: its workspace holds the date.
    return workspace.read(workspace.file(CALENDAR)).text.strip()


READING = (
    Tool.of(list_files),
    Tool.of(read_file),
    Tool.of(search_text),
    Tool.of(add),
    Tool.of(word_count),
    Tool.of(get_order_status),
    Tool.of(get_refund_policy),
    Tool.of(today),
    Tool.of(get_page),
    Tool.of(open_page),
    Tool.of(job_status),
    Tool.of(find_jobs),
)
TOOLS = {
    tool.name: tool for tool in (*READING, *SEARCHING, *BUILDING, *WRITING, *ACCOUNTING, *HELPING)
}

"""Two tools for the same pages of a handbook: one that wants the file's path, one that wants what a
reader would say."""

from typing import Annotated

from pydantic import Field

from app.harness.results import Report, ToolError, listed, quoted
from app.harness.schemas import IN_WORKSPACE
from app.harness.workspace import Workspace

PAGES, ENDING = "handbook", ".txt"

PagePath = Annotated[str, IN_WORKSPACE, Field(description="The page.")]
PageName = Annotated[
    str,
    Field(description="The page's name, such as loans, or its path, such as handbook/loans.txt."),
]


def get_page(workspace: Workspace, page: PagePath) -> Report:
    """Get a page of the handbook."""
    file = workspace.file(page)
    return Report(workspace.name(file), workspace.read(file).text.strip())


def open_page(workspace: Workspace, page: PageName) -> Report:
    """Open a page of the handbook, by its name or its path."""
    name = page.removeprefix(f"{PAGES}/").removesuffix(ENDING)
    names = [entry.removesuffix(ENDING) for entry in workspace.entries(workspace.folder(PAGES))]
    if name not in names:
        raise ToolError(f"there is no page {quoted(page)}; the pages are {listed(names)}")
    text = workspace.read(workspace.file(f"{PAGES}/{name}{ENDING}")).text
    return Report(f"page {name}", text.strip())

"""The folder that an agent works in. Tools come to files through here alone."""

import codecs
import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from app.harness.clock import Clock
from app.harness.results import ToolError, listed, quoted, visible

BYTE_CODE = "__pycache__"  # an installer puts it beside Python files: no tool may see it
PATH_LIMIT = 1_000  # characters; resolving a path takes longer with every folder in it
READ_LIMIT = 2_000_000  # bytes of one file
WRITE_LIMIT = 200_000  # characters of one file


@dataclass(frozen=True)
class Text:
    """What was read of a file; `unread` is the number of bytes behind the limit."""

    text: str
    unread: int


@dataclass(frozen=True)
class Workspace:
    """A folder, `root`, with its own symlinks resolved; paths are relative to it.

    No path leads out of `fence`, which is the folder itself but where a lesson shows what happens
    without this rule: there it is a folder around it.
    """

    root: Path
    fence: Path | None = None
    clock: Clock | None = None

    @property
    def now(self) -> float:
        """The seconds that the run has taken; 0 where nobody counts them."""
        return self.clock.now if self.clock else 0.0

    def place(self, path: str) -> Path:
        """Where a path leads, symlinks resolved.

        Raises ToolError for an absolute path and for one that leads out of the workspace.
        """
        if len(path) > PATH_LIMIT:
            raise ToolError(f"{quoted(path)} is too long for a path")
        if Path(path).is_absolute():
            raise ToolError(f"{quoted(path)} is an absolute path; give one inside the workspace")
        try:
            real = os.path.realpath(self.root / path)
            # Before Python 3.13 a loop of symlinks leaves the links behind it unresolved.
            usable = os.path.realpath(real) == real
        except ValueError:  # a null character
            usable = False
        if not usable:
            raise ToolError(f"{quoted(path)} is not a usable path")
        place = Path(real)
        if not place.is_relative_to(self.fence or self.root):
            raise ToolError(f"{quoted(path)} leads out of the workspace; give a path inside it")
        return place

    def name(self, place: Path) -> str:
        """A place as the model knows it: relative to the workspace, with forward slashes."""
        return visible(Path(os.path.relpath(place, self.root)).as_posix())

    def entries(self, folder: Path) -> list[str]:
        """What stands in one folder, sorted; the names of folders end with a slash."""
        seen = (entry for entry in folder.iterdir() if entry.name != BYTE_CODE)
        return sorted(visible(entry.name) + "/" * self._is_folder(entry) for entry in seen)

    def files(self, place: Path) -> Iterator[Path]:
        """The file itself, or all below a folder, in a fixed order. No symlink is followed."""
        if place.is_file():
            yield place
        for folder, folders, names in os.walk(place):
            folders[:] = sorted(name for name in folders if name != BYTE_CODE)
            files = (Path(folder, name) for name in sorted(names))
            yield from (file for file in files if file.is_file() and not file.is_symlink())

    def read(self, file: Path) -> Text:
        """The text of a file, up to READ_LIMIT. Raises ToolError where it is not UTF-8 text."""
        with file.open("rb") as opened:
            data = opened.read(READ_LIMIT)
            unread = max(0, os.fstat(opened.fileno()).st_size - len(data))
        try:
            # The limit may stand inside a character: only a whole file must end with a whole one.
            text = codecs.getincrementaldecoder("utf-8-sig")().decode(data, final=not unread)
        except UnicodeDecodeError:
            text = "\0"
        if "\0" in text:
            raise ToolError(f"{self.name(file)} is not UTF-8 text; it may be a binary file")
        # The same file must read the same where a checkout wrote Windows line ends.
        return Text(text.replace("\r\n", "\n"), unread)

    def existing(self, path: str) -> Path:
        """Where a path leads. Raises ToolError, naming what is there, where it leads to nothing."""
        place = self.place(path)
        if not place.exists():
            raise ToolError(f"there is no {quoted(path)}; {self._contents(place)}")
        return place

    def file(self, path: str) -> Path:
        """A file that exists. Raises ToolError otherwise."""
        place = self.existing(path)
        if place.is_dir():
            raise ToolError(f"{quoted(path)} is a folder, not a file; {self._contents(place)}")
        if not place.is_file():  # opening a pipe would wait for ever
            raise ToolError(f"{quoted(path)} is not an ordinary file")
        return place

    def folder(self, path: str) -> Path:
        """A folder that exists. Raises ToolError otherwise."""
        place = self.existing(path)
        if not place.is_dir():
            raise ToolError(f"{quoted(path)} is a file, not a folder")
        return place

    def writable(self, path: str) -> Path:
        """Where a file may be written. Raises ToolError where a folder or a device stands there."""
        place = self.place(path)
        if place.is_dir():
            raise ToolError(f"{quoted(path)} is a folder, not a file; {self._contents(place)}")
        if place.exists() and not place.is_file():
            raise ToolError(f"{quoted(path)} is not an ordinary file")
        for folder in place.parents:
            if folder.is_dir():
                break
            if folder.exists():
                raise ToolError(f"{self.name(folder)} is a file; it cannot hold {quoted(path)}")
        return place

    def text(self, place: Path) -> str | None:
        """What stands in a file that is about to be changed; None where there is none.

        Raises ToolError where it is not text, or too long to be changed.
        """
        if not place.exists():
            return None
        read = self.read(place)
        if read.unread:
            raise ToolError(f"{self.name(place)} is too large to be changed")
        return read.text

    def write(self, place: Path, text: str) -> None:
        """Give a file this text, with its folders made. Raises ToolError where it is no text."""
        if len(text) > WRITE_LIMIT:
            raise ToolError(f"the text is longer than {WRITE_LIMIT:,} characters; write less")
        try:
            data = text.encode("utf-8")
        except UnicodeEncodeError:
            raise ToolError("the text holds half a character; give whole ones") from None
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(data)

    def _is_folder(self, entry: Path) -> bool:
        return entry.is_dir() and entry.resolve().is_relative_to(self.fence or self.root)

    def _contents(self, folder: Path) -> str:
        """What stands in a folder, or in the nearest one above it that exists, as a clause."""
        while not folder.is_dir() and folder != self.root:
            folder = folder.parent
        names = self.entries(folder) if folder.is_dir() else []
        where = "the workspace" if folder == self.root else self.name(folder)
        return f"{where} holds {listed(names)}" if names else f"{where} is empty"

"""The files under `/static/`, at addresses that change with their content."""

import hashlib
import re
from pathlib import Path

from starlette.exceptions import HTTPException
from starlette.responses import Response
from starlette.staticfiles import StaticFiles
from starlette.types import Scope

FOREVER = "public, max-age=31536000, immutable"
MOST_JOINED = 8
# Lines that are comments, and indentation: our files have no strings that go over lines.
_UNREAD = re.compile(r"^\s*//.*\n|/\*[^*]*\*/|^\s+", re.MULTILINE)
_TYPES = {".css": "text/css", ".js": "text/javascript"}


def version_of(folder: Path) -> str:
    """A short digest of all files of a folder."""
    whole = hashlib.sha256()
    for file in sorted(file for file in folder.rglob("*") if file.is_file()):
        whole.update(file.relative_to(folder).as_posix().encode() + b"\0" + file.read_bytes())
    return whole.hexdigest()[:12]


class Assets(StaticFiles):
    """Serves `/{version}/{file}`: kept for ever under the current version, else asked for anew.

    A page asks for all its styles at once: `fonts+base+lane.css` is these files one after the
    other, and so with scripts.
    """

    def __init__(self, folder: Path, version: str) -> None:
        super().__init__(directory=folder)
        self.folder, self.version = folder, version

    async def get_response(self, path: str, scope: Scope) -> Response:
        version, _, file = path.partition("/")
        if "+" in file:
            response = Response(joined(self.folder, file), media_type=_TYPES[Path(file).suffix])
        else:
            response = await super().get_response(file, scope)
        current = version == self.version
        response.headers["Cache-Control"] = FOREVER if current else "no-cache"
        return response


def joined(folder: Path, names: str) -> bytes:
    """The content of `a+b.css`: the files `a.css` and `b.css` of a folder, without what only
    those read who work on them.

    Raises HTTPException 404 where a name is not that of a style or script of ours.
    """
    stems, _, suffix = names.rpartition(".")
    files = [folder / f"{stem}.{suffix}" for stem in stems.split("+")]
    known = {file for kind in _TYPES for file in folder.glob(f"*{kind}")}
    if len(files) > MOST_JOINED or not known.issuperset(files):
        raise HTTPException(404)
    whole = "\n".join(file.read_text(encoding="utf-8") for file in files)
    return _UNREAD.sub("", whole).encode()

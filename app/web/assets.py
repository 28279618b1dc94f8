"""The files under `/static/`, at addresses that change with their content."""

import hashlib
from pathlib import Path

from starlette.responses import Response
from starlette.staticfiles import StaticFiles
from starlette.types import Scope

FOREVER = "public, max-age=31536000, immutable"


def version_of(folder: Path) -> str:
    """A short digest of all files of a folder."""
    whole = hashlib.sha256()
    for file in sorted(file for file in folder.rglob("*") if file.is_file()):
        whole.update(file.relative_to(folder).as_posix().encode() + b"\0" + file.read_bytes())
    return whole.hexdigest()[:12]


class Assets(StaticFiles):
    """Serves `/{version}/{file}`: kept for ever under the current version, else asked for anew."""

    def __init__(self, folder: Path, version: str) -> None:
        super().__init__(directory=folder)
        self.version = version

    async def get_response(self, path: str, scope: Scope) -> Response:
        version, _, file = path.partition("/")
        response = await super().get_response(file, scope)
        current = version == self.version
        response.headers["Cache-Control"] = FOREVER if current else "no-cache"
        return response

"""What all routes share: the lessons, the languages, the digest of all that a page is made of."""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from starlette.requests import Request

from app import paths
from app.lessons import Lesson, Library
from app.run import library, trace_of
from app.views.addresses import Choice
from app.views.reading import Reading
from app.web.assets import version_of
from app.web.languages import Language, preferred, read_languages

KEPT = 512  # readings and comparisons that are kept


@dataclass(frozen=True, eq=False)
class Site:
    """The running application's own things; made once."""

    library: Library
    languages: dict[str, Language]
    assets: str
    made_of: str

    def digest(self, lesson: Lesson) -> str:
        """What the address of a fragment is kept under: it changes with anything it shows."""
        return hashlib.sha256(f"{self.made_of} {lesson.digest}".encode()).hexdigest()[:12]

    def language(self, request: Request, chosen: str) -> Language:
        """The language that the address names, else the reader's own."""
        if chosen:
            return self.languages[chosen]
        return preferred(request.headers.get("accept-language", ""), self.languages)


def read_site(folders: Sequence[Path]) -> Site:
    """The site with the shipped lessons and those of more folders."""
    digest = hashlib.sha256()
    for folder in (paths.TEMPLATES, paths.LOCALES, Path(paths.__file__).parent):
        for file in sorted(folder.rglob("*")):
            if file.suffix in (".html", ".mo", ".py"):
                digest.update(file.read_bytes())
    assets = version_of(paths.STATIC)
    return Site(
        library=library([paths.SCENARIOS, *folders]),
        languages=read_languages(paths.LOCALES, paths.TEMPLATES),
        assets=assets,
        made_of=f"{digest.hexdigest()} {assets}",
    )


def site_of(request: Request) -> Site:
    """The site that a request came to."""
    site: Site = request.app.state.site
    return site


@lru_cache(maxsize=KEPT)
def reading_of(lesson: Lesson, choice: Choice, language: Language) -> Reading:
    """A lane, recorded and read. Raises UnknownLane."""
    trace = trace_of(lesson, choice.lane, choice.checked, language.code, choice.decisions)
    return Reading(lesson, lesson.lane(choice.lane), trace, language.words, language.code)

"""Reads lesson files, and keeps what was read until a file changes."""

import re
from collections.abc import Callable, Iterator, Sequence
from difflib import get_close_matches
from pathlib import Path
from typing import Any

from pydantic import ValidationError
from ruamel.yaml import YAML
from ruamel.yaml.error import YAMLError

from app.lessons.faults import faults_of
from app.lessons.files import digest_of, stamp_of
from app.lessons.lesson import FILE, Lesson, LessonFault, UnknownLesson, line_of
from app.lessons.spec import KEYS, NO_TEXT, Spec
from app.paths import SCENARIOS
from app.said import Said

MOST_BYTES = 4_000_000
SLUG = re.compile(r"\w[\w.-]*")
Read = tuple[object, Lesson | LessonFault]  # how a folder looked, and what was read of it
SOME_KEYS = "title, task, lanes, script"


def read_lesson(folder: Path, number: int = 0) -> Lesson:
    """Read one lesson folder; `number` serves where the file names none. Raises LessonFault."""
    file = folder / FILE
    if not file.is_file():
        raise LessonFault(file, 1, Said("there is no %(file)s in this folder", file=FILE))
    if file.stat().st_size > MOST_BYTES:
        said = Said("the file is larger than %(most)s MB", most=MOST_BYTES // 1_000_000)
        raise LessonFault(file, 1, said)
    # For the lessons of Halqa itself there is the reader in C, ten times as fast; but it refuses
    # some good files, and one that is nested deep enough crashes it.
    kind = "safe" if folder.parent == SCENARIOS else "rt"
    try:
        text = file.read_text(encoding="utf-8")
        read = YAML(typ=kind).load(text)
    except UnicodeDecodeError as error:
        raise LessonFault(file, 1, Said("the file is not UTF-8 text")) from error
    except (YAMLError, RecursionError) as error:
        mark = getattr(error, "problem_mark", None)
        problem = getattr(error, "problem", None)
        said = Said("not YAML: %(words)s", words=str(problem)) if problem else Said("not YAML")
        raise LessonFault(file, mark.line + 1 if mark else 1, said) from error
    if not isinstance(read, dict):
        said = Said("a lesson is a list of keys such as %(keys)s", keys=SOME_KEYS)
        raise LessonFault(file, 1, said)
    try:
        spec = Spec.model_validate(_plain(read))
    except ValidationError as error:
        # A misspelt key explains the missing one: it comes first.
        first = min(error.errors(), key=lambda found: found["type"] != "extra_forbidden")
        raise LessonFault(file, line_of(text, first["loc"]), _said(first)) from error
    given = number if spec.number is None else spec.number
    lesson = Lesson(folder.name, folder, given, digest_of(folder), spec, text)
    for fault in faults_of(lesson):
        raise fault
    return lesson


class Library:
    """The lessons of some folders, read again when a file of theirs changes.

    `judge` may find a fault in a lesson that reads well. `read` is what was read so far, where
    libraries with the same judge share it.
    """

    def __init__(
        self,
        folders: Sequence[Path],
        judge: Callable[[Lesson], LessonFault | None] = lambda lesson: None,
        read: dict[Path, Read] | None = None,
    ) -> None:
        self.folders = tuple(folders)
        self._judge = judge
        self._read = {} if read is None else read
        self._places: dict[str, tuple[Path, int]] = {}  # folder and number of what was found
        self._order: list[str] = []  # the slugs as they were when all lessons were last looked at

    def lessons(self) -> list[Lesson]:
        """All lessons that can be used, by number."""
        found = [lesson for lesson in self._all() if isinstance(lesson, Lesson)]
        found.sort(key=lambda lesson: (lesson.number, lesson.slug))
        self._order = [lesson.slug for lesson in found]
        return found

    def faults(self) -> list[LessonFault]:
        """Why the others cannot be used."""
        return [fault for fault in self._all() if isinstance(fault, LessonFault)]

    def find(self, name: str) -> Lesson:
        """A lesson by slug or number. Raises UnknownLesson."""
        if (lesson := self._alone(name)) is not None:
            return lesson
        lessons = self.lessons()
        for lesson in lessons:
            if name in (lesson.slug, str(lesson.number)):
                return lesson
        raise UnknownLesson(name, ", ".join(lesson.slug for lesson in lessons))

    def again(self, slug: str) -> Lesson:
        """A lesson as `find` gives it; one that was found before is looked at alone.

        Raises UnknownLesson.
        """
        place = self._places.get(slug)
        lesson = self._one(*place) if place and place[0].is_dir() else None
        return lesson if isinstance(lesson, Lesson) else self.find(slug)

    def following(self, lesson: Lesson) -> Lesson | None:
        """The lesson that comes after one, None after the last. It alone is looked at, not all."""
        if lesson.slug not in self._order:
            self.lessons()
        rest = self._order[self._order.index(lesson.slug) + 1 :]
        try:
            return self.again(rest[0]) if rest else None
        except UnknownLesson:  # it has gone, and all were looked at
            return self.following(lesson)

    def _alone(self, slug: str) -> Lesson | None:
        """A lesson that names its own number, read without the others; None where there is none."""
        places = (top / slug for top in self.folders if SLUG.fullmatch(slug))
        folder = next((place for place in places if place.is_dir()), None)
        lesson = self._one(folder) if folder else None
        return lesson if isinstance(lesson, Lesson) and lesson.spec.number is not None else None

    def _all(self) -> Iterator[Lesson | LessonFault]:
        seen: set[str] = set()
        number = 0
        for top in self.folders:
            for folder in sorted(top.iterdir()) if top.is_dir() else ():
                if not folder.is_dir() or folder.name.startswith("."):
                    continue
                own = number + 1
                lesson = self._one(folder, own)
                if isinstance(lesson, Lesson):
                    number = max(number, lesson.number)
                    if lesson.slug in seen:
                        said = Said("a lesson named %(lesson)s exists already", lesson=lesson.slug)
                        yield lesson.fault(said)
                        continue
                    seen.add(lesson.slug)
                    self._places[lesson.slug] = (folder, own)
                yield lesson

    def _one(self, folder: Path, number: int | None = None) -> Lesson | LessonFault:
        """What a folder holds; `number` serves where the file names none, None is any."""
        stamp = stamp_of(folder)
        known = self._read.get(folder)
        given = number if known is None or number is None else _given(known[1])
        if known is None or known[0] != stamp or given not in (None, number):
            try:
                lesson = read_lesson(folder, number or 0)
                known = (stamp, self._judge(lesson) or lesson)
            except LessonFault as fault:
                known = (stamp, fault)
            self._read[folder] = known
        return known[1]


def _given(read: Lesson | LessonFault) -> int | None:
    """The number that a lesson was given; None where it names its own."""
    return read.number if isinstance(read, Lesson) and read.spec.number is None else None


def _plain(value: Any) -> Any:
    """YAML's own kinds of text, number and list as plain ones."""
    if isinstance(value, dict):
        return {str(key): _plain(item) for key, item in value.items()}
    if isinstance(value, list):
        return [_plain(item) for item in value]
    for kind in (bool, int, float, str):
        if isinstance(value, kind):
            return kind(value)
    return value


def _said(error: Any) -> Said:
    """A fault that pydantic found; its own words where there is no sentence of ours."""
    place = ".".join(str(part) for part in error["loc"]) or Said("the file")
    if error["type"] == "extra_forbidden":
        near = get_close_matches(str(error["loc"][-1]), KEYS, n=1)
        if not near:
            return Said("%(place)s is not a key that a lesson has there", place=place)
        return Said(
            "%(place)s is not a key that a lesson has there; did you mean %(key)s?",
            place=place,
            key=near[0],
        )
    if error["type"] == "missing":
        return Said("%(place)s is missing", place=place)
    if error["type"] == NO_TEXT:
        return Said(
            "%(place)s must be a text, or one for each language: %(example)s",
            place=place,
            example="{en: …, fa: …}",
        )
    words = f"{error['msg'][:1].lower()}{error['msg'][1:]}"
    return Said("%(place)s is not right: %(words)s", place=place, words=words)

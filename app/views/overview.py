"""The overview: every lesson with how its lanes end, read from their recorded traces."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from app.engine.steps import Ending
from app.lessons import Lesson
from app.views.addresses import Choice, Place, View
from app.views.fates import LOST
from app.views.glyphs import Glyph, glyph_of
from app.views.messages import Hole, Message
from app.views.reading import Reading

FIRST = "how-many-python-files"  # the lesson that one press starts, where it is there
MOST_SIGNS = 24  # signs of a strip
PART = 5  # lessons of a part of the course
PARTS = 5  # parts that have a name; what has no place in the course comes after them


@dataclass(frozen=True)
class Sign:
    """One sign of a strip: a message, or a hole where one is missing."""

    glyph: Glyph
    hole: bool


@dataclass(frozen=True)
class Strip:
    """A lane in one line: what it put into `messages[]`, and how it ended."""

    name: str
    page: str
    signs: tuple[Sign, ...]
    more: int
    ending: Ending
    turns: int


@dataclass(frozen=True)
class Listed:
    """A lesson in the list, with one ending for each of its lanes; `part` is that of the course."""

    part: int
    number: int
    title: str
    point: str
    about: str
    page: str
    endings: tuple[tuple[str, Ending], ...]


@dataclass(frozen=True)
class Overview:
    first: Listed | None
    strips: tuple[Strip, ...]
    lessons: tuple[Listed, ...]
    faults: tuple[str, ...]
    view: View


def overview(
    lessons: Sequence[Lesson],
    readings: Sequence[Reading],
    endings: Mapping[str, Sequence[tuple[str, Ending]]],
    faults: Sequence[str],
    view: View,
    lang: str,
) -> Overview:
    """What the overview shows; `readings` are the lanes of the first comparison, `endings` how each
    lane of a lesson ends, by the lesson's slug."""
    listed = tuple(_listed(lesson, endings[lesson.slug], view, lang) for lesson in lessons)
    first = next((lesson for lesson in lessons if lesson.slug == FIRST), None)
    if first is None:
        return Overview(None, (), listed, tuple(faults), view)
    shown = [reading for reading in readings if reading.lane.name in first.shown]
    return Overview(
        first=listed[list(lessons).index(first)],
        strips=tuple(_strip(reading, view, lang) for reading in shown),
        lessons=listed,
        faults=tuple(faults),
        view=view,
    )


def _listed(lesson: Lesson, endings: Sequence[tuple[str, Ending]], view: View, lang: str) -> Listed:
    choices = tuple(Choice(name, lesson.lane(name).checked) for name in lesson.shown)
    place = Place(lesson, choices, 0, view, "", lang)
    placed = lesson.spec.number is not None
    return Listed(
        part=min((lesson.number - 1) // PART, PARTS) if placed else PARTS,
        number=lesson.number,
        title=lesson.title(lang),
        point=lesson.point(lang),
        about=lesson.about(lang),
        page=place.page,
        endings=tuple(endings),
    )


def _strip(reading: Reading, view: View, lang: str) -> Strip:
    lane = reading.lane
    place = Place(reading.lesson, (Choice(lane.name, lane.checked),), 0, view, "", lang)
    signs = strip_of(reading)
    return Strip(
        name=lane.name,
        page=place.page,
        signs=tuple(signs[:MOST_SIGNS]),
        more=max(0, len(signs) - MOST_SIGNS),
        ending=reading.trace.ending,
        turns=len(reading.trace.asks),
    )


def strip_of(reading: Reading) -> list[Sign]:
    """The messages at the end of a run as signs, with a hole for all that is missing."""
    trace = reading.trace
    pieces = reading.messages(reading.last, View())
    signs = []
    for piece in pieces:
        if isinstance(piece.data, Message):
            signs.append(Sign(glyph_of(piece.data.message), False))
        elif isinstance(piece.data, Hole):
            signs.append(Sign(piece.data.glyph, True))
    last_turn = trace.steps[-1].turn
    signs += [
        Sign(Hole("result", last_turn, (), glyph_of(None)).glyph, True)
        for at, fate in reading.fates.items()
        if fate.how == LOST and trace.steps[at].kind == "tool" and trace.steps[at].turn == last_turn
    ][:1]
    return signs

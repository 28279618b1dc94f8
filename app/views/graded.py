"""A learner's run beside a correct one: what the page of a graded file shows."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path

from app.engine.steps import Trace
from app.lessons import Lesson
from app.lessons.spec import Spec
from app.said import Said
from app.source import loops
from app.views.addresses import Choice, Place, View
from app.views.lane import Band
from app.views.lanes import picture as lanes_picture
from app.views.lanes.shown import Lanes, Shown
from app.views.picture import Picture, Piece
from app.views.source import Code, code_of_text
from app.views.texts import Words

YOURS, CORRECT = "yours", "correct"
POINT = Said(
    "The exercise's server is stricter than the API: roles alternate, and the first and the last"
    " message are the user's."
)


@dataclass(frozen=True)
class Verdict:
    """What came of one script."""

    name: str
    about: str
    right: bool


@dataclass(frozen=True, eq=False)
class Grading:
    """A graded file: its source, the run to look at beside a correct one, what was said of it, and
    what came of every script. `about` and `point` are written in
    `language`."""

    file: str
    source: str
    case: str
    about: str
    point: str
    language: str
    task: str
    yours: Trace
    correct: Trace
    said: Sequence[Said]
    verdicts: Sequence[Verdict]

    @cached_property
    def lesson(self) -> Lesson:
        """The two runs as a lesson with two lanes."""
        lanes = [{"loop": "correct", "name": name} for name in (CORRECT, YOURS)]
        spec = Spec.model_validate(
            {
                "title": f"{self.case}: {self.about}",
                "point": self.point,
                "language": self.language,
                "task": self.task,
                "lanes": lanes,
                "script": [{"text": self.about}],
            }
        )
        return Lesson("exercise", Path(), 0, "", spec, "")

    @cached_property
    def place(self) -> Place:
        choices = (Choice(CORRECT, True), Choice(YOURS, True))
        return Place(self.lesson, choices, 0, View(rows="all"), "", self.lesson.language)

    @cached_property
    def code(self) -> Code:
        return code_of_text(self.source)

    @cached_property
    def lanes(self) -> Lanes:
        # Its lines stand in `code`; the table of lanes knows only that it is not the correct one.
        own = replace(loops()[CORRECT], name=YOURS, base=CORRECT, slip=self.file)
        shown = (
            Shown(self.lesson.lane(CORRECT), True, self.correct),
            Shown(self.lesson.lane(YOURS), True, self.yours, own),
        )
        return Lanes(self.lesson, shown, self.lesson.language)


def pictures(grading: Grading, words: Words) -> tuple[lanes_picture.Reading, list[Picture]]:
    """The lanes read, and the picture of each row, with the line of the learner's file lit."""
    reading = lanes_picture.Reading(grading.lanes, words)
    return reading, [_picture(grading, reading, row) for row in range(reading.last + 1)]


def _picture(grading: Grading, reading: lanes_picture.Reading, row: int) -> Picture:
    shown = lanes_picture.picture(reading, grading.place.at(row))
    lines = grading.lanes.now(row, 1).lines
    known = lines[0] in grading.code.row_of
    first, count = grading.code.place(lines) if known else (0, 0)
    more = {
        "band": Piece("band", "band", Band(first, count, ())),
        "where": Piece("where", "where", lines),
    }
    return replace(shown, single={**shown.single, **more})

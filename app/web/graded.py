"""A graded file as one HTML page: the learner's run, its code, and a correct run beside it."""

from app.views.graded import CORRECT, YOURS, Grading, pictures
from app.views.lanes.picture import frame
from app.views.picture import Piece
from app.web import lane, lanes
from app.web.export import EACH, file_of, style_of
from app.web.languages import Language

TEMPLATE = "export_graded.html"
STYLES = ("base.css", "places.css", "lane.css", "compare.css", "export.css", "graded.css")
OF_A_LANE = ("band", "where")  # pieces that the macros of a lane draw
OF_LANES = ("now", "fill", "rows")
NAMES = (*OF_LANES, *OF_A_LANE, *(f"{each}-{name}" for each in EACH for name in (CORRECT, YOURS)))


def graded_page(grading: Grading, language: Language) -> str:
    """The page; it opens from a disk and loads nothing."""
    reading, seen = pictures(grading, language.words)
    # The style has places for as many lines as a shipped loop has; a file may have more.
    rows = (f".r{n} {{ grid-row-start: {n}; }}" for n in range(65, len(grading.code.rows) + 1))
    spans = (f".s{n} {{ grid-row-end: span {n}; }}" for n in range(33, len(grading.code.rows) + 1))
    return file_of(
        grading.place,
        language,
        template=TEMPLATE,
        pictures=seen,
        names=NAMES,
        turns=[row.turn for row in reading.lanes.rows],
        style="\n".join((style_of(STYLES, language), *rows, *spans)),
        parts_of=_parts_of,
        title=f"{grading.file} · {grading.case} · Halqa",
        context={"frame": frame(reading, grading.place), "grading": grading},
    )


def _parts_of(piece: Piece) -> str:
    return lane.PARTS if piece.id in OF_A_LANE else lanes.PARTS

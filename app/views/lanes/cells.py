"""What is drawn of a comparison: its rows, and in each what a lane does there."""

from dataclasses import dataclass

from app.engine.steps import Fault
from app.views.checks import CheckMark
from app.views.glyphs import Glyph
from app.views.lanes.entry import Entry
from app.views.strip import Strip
from app.views.texts import code

MESSAGES = code("messages[]")


@dataclass(frozen=True)
class Call:
    """A call by its tool's name and its input as JSON; `values` is the input without braces, for
    where there is little room, `value` that of a call with one parameter without its name."""

    name: str
    input: str
    values: str = ""
    value: str = ""


@dataclass(frozen=True)
class Added:
    """A message that joined: its sign and its index."""

    glyph: Glyph
    index: int


@dataclass(frozen=True)
class Cell:
    """What a lane does in a row.

    `look` is the kind of step, or `refused`, `hole` (a step that the lane lacks, and what that
    does), `note` (one that it does without harm), `blank` (it waits), `ended`. `text` is ours,
    `said` the model's or a tool's; `word` says in red what is wrong, `more` counts what is left
    out; `entries`, `fault` and `parting`, in words, are for the first difference.
    """

    lane: str
    look: str
    text: str = ""
    title: str = ""
    said: str = ""
    calls: tuple[Call, ...] = ()
    checks: tuple[CheckMark, ...] = ()
    added: tuple[Added, ...] = ()
    strip: Strip | None = None
    changed: tuple[Call, ...] = ()
    more: int = 0
    word: str = ""
    warnings: tuple[Fault, ...] = ()
    fault: Fault | None = None
    entries: tuple[Entry, ...] = ()
    parting: str = ""


@dataclass(frozen=True)
class RowShown:
    """One row: `first` marks the first difference, `opens` the first row of a turn."""

    number: int
    turn: int
    kind: str
    cells: tuple[Cell, ...]
    first: bool = False
    opens: bool = False
    same: bool = True
    tasks: tuple[str, ...] = ()  # one of all lanes, or one for each

"""A live run at one step: a lane's page, with what the real API did beside what our rules say."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import quote

from app.engine.steps import Fault, Helper, Json, Step, senders
from app.views import lane
from app.views.addresses import Place
from app.views.controls import Controls
from app.views.copies import NAMES, Copies
from app.views.picture import Picture, Piece
from app.views.present import one
from app.views.reading import Reading

# Pieces of a lesson's page that a run has no use for.
WITHOUT = ("lanes", "switch", "predict", "decide", "after", "recap")


@dataclass(frozen=True)
class RunPlace(Place):
    """A step of a run."""

    def beside(self, what: str) -> str:
        """The address of another page about this step: `/trace`; "" is the run's own."""
        keys = [*([f"step={self.step}"] if self.step else []), *self.view.query]
        return f"{self.act}{what}" + (f"?{'&'.join(keys)}" if keys else "")

    @property
    def act(self) -> str:
        """What the addresses of the run's forms begin with."""
        return f"/runs/{quote(self.lesson.slug, safe='')}"

    @property
    def kept(self) -> str:
        """The view as a query, for the forms."""
        return f"?{'&'.join(self.view.query)}" if self.view.query else ""

    @property
    def fragments(self) -> str:
        """What the addresses of this page's fragments begin with."""
        return f"{self.act}/steps/{self.digest}/{self.lang}/"


@dataclass(frozen=True)
class Tried:
    """One attempt at a call. `sentence` is ours, `words` the API's own."""

    attempt: int
    named: str
    sentence: str
    words: str
    wait: float | None
    partial: Json | None


@dataclass(frozen=True)
class Used:
    """What a turn, or all of them, used; `cost` in dollars, None where the price is not known."""

    new: int
    cached: int
    written: int
    out: int
    cost: float | None

    def __add__(self, other: "Used") -> "Used":
        known = self.cost is not None and other.cost is not None
        return Used(
            self.new + other.new,
            self.cached + other.cached,
            self.written + other.written,
            self.out + other.out,
            (self.cost or 0) + (other.cost or 0) if known else None,
        )


NOTHING = Used(0, 0, 0, 0, 0.0)
AGREE, MILDER, STRICTER = "agree", "milder", "stricter"


@dataclass(frozen=True)
class Call:
    """What is known of the request of one turn: the attempts, what it used, our rules' verdict.

    `verdict` compares: AGREE, MILDER where the API took what our rules refuse, STRICTER where it
    refused what they let pass, "" where it has not decided. The turn may be a `helper`'s.
    """

    turn: int
    tries: tuple[Tried, ...]
    faults: tuple[Fault, ...]
    verdict: str
    used: Used | None
    helper: bool = False


@dataclass(frozen=True)
class Next:
    """What the next press does: `what` is `call`, `tool`, `decide`, `again`, `retry`, `under way`,
    `lost`, `not yours` or "" where the run is over. `name` is the tool's, `given` the input that a
    person decides about, `since` when the call under way began."""

    what: str
    effect: int = 0
    attempt: int = 0
    name: str = ""
    since: float = 0.0
    given: Any = None


@dataclass(frozen=True)
class Panel:
    """The panel of a step: the call of its turn, the total, what comes next."""

    place: RunPlace = field(compare=False)
    host: str
    model: str
    call: Call | None
    total: Used
    dated: str
    coming: Next | None
    differs: tuple[str, Json, Json] | None


@dataclass(frozen=True)
class Deciding:
    """The call that a person decides about."""

    place: RunPlace = field(compare=False)
    coming: Next


@dataclass(frozen=True)
class Moves:
    """The controls; at the last step of a run that goes on, Step is a form that does it."""

    controls: Controls
    place: RunPlace = field(compare=False)
    coming: Next | None


@dataclass(frozen=True)
class Run:
    """A run with all that its page needs."""

    reading: Reading
    host: str
    model: str
    calls: Sequence[Call]
    dated: str
    coming: Next
    differs: tuple[str, Json, Json] | None


def picture(run: Run, place: RunPlace) -> Picture:
    """The pieces of a run's page, or of its presenter view, at a step."""
    reading = run.reading
    made = (one if place.view.view else lane).picture(reading, place)
    last = place.step == reading.last
    step = reading.trace.steps[place.step]
    panel = Panel(
        place,
        run.host,
        run.model,
        _call_at(run, place.step),
        total_of(run.calls),
        run.dated,
        run.coming if last else None,
        run.differs if last else None,
    )
    moves = made.single["moves"].data
    single = {name: piece for name, piece in made.single.items() if name not in WITHOUT}
    single["moves"] = Piece("moves", "run_moves", Moves(moves, place, run.coming if last else None))
    asks = last and run.coming.what in ("decide", "again")
    single["decide"] = Piece("decide", "decide_run", Deciding(place, run.coming) if asks else None)
    single["panel"] = Piece("panel", "panel", panel)
    single["copy"] = Piece("copy", "copy", _copies(step, place))
    return Picture(made.title, single, made.lists)


def _copies(step: Step, place: RunPlace) -> Copies:
    """What can be copied at a step: the request as it was sent, or a message. Where a helper works,
    they are its own."""
    helper = isinstance(step, Helper)
    step = step.inner if isinstance(step, Helper) else step
    return Copies(
        sent=step.turn > 0,
        forms=tuple(
            (name, f"{place.act}/request.{form}?step={place.step}") for form, name in NAMES.items()
        ),
        action=f"{place.act}/message.json",
        keys=(),
        held=step.length > 0,
        step=place.step,
        last=step.length - 1,
        trace=f"{place.act}/trace.jsonl",
        helper=helper,
    )


def _call_at(run: Run, number: int) -> Call | None:
    """The call that a step belongs to: the last one of the agent whose step it is."""
    step = run.reading.trace.steps[number]
    who = step.run if isinstance(step, Helper) else None
    sent = senders(run.reading.trace.steps[: number + 1])
    found = [call for one, call in zip(sent, run.calls, strict=False) if one is who]
    return found[-1] if found else None


def total_of(calls: Sequence[Call]) -> Used:
    """What all turns used together."""
    total = NOTHING
    for call in calls:
        total = total + (call.used or NOTHING)
    return total


def verdict_of(faults: Sequence[Fault], accepted: bool | None) -> str:
    """How our rules compare with what the API did; `accepted` is None where it has not decided."""
    refuses = any(fault.effect == "refuse" for fault in faults)
    if accepted is None:
        return ""
    if accepted:
        return MILDER if refuses else AGREE
    return AGREE if refuses else STRICTER


def used_of(usage: Any, cost: float | None) -> Used | None:
    """A usage as the API reports it."""
    if not isinstance(usage, dict):
        return None

    def count(key: str) -> int:
        value = usage.get(key)
        return value if isinstance(value, int) else 0

    return Used(
        count("input_tokens"),
        count("cache_read_input_tokens"),
        count("cache_creation_input_tokens"),
        count("output_tokens"),
        cost,
    )

"""What can be copied at a step of one lane: the request of its turn, or one message."""

from dataclasses import dataclass, field

from app.engine.steps import Helper, Step
from app.views.addresses import Place
from app.views.export import file_address, file_path, file_query

NAMES = {"json": "JSON", "sh": "curl", "py": "Python"}  # of the forms of a snippet


@dataclass(frozen=True)
class Copies:
    """Addresses of plain text. `forms` are those of the turn's request, by name; a message has the
    address of `action` with `keys`, the step and its index, 0 to `last`. Where a `helper` works,
    request and list are its own.

    What differs from step to step `addresses.js` sets by itself.
    """

    sent: bool  # whether a request has been sent yet
    forms: tuple[tuple[str, str], ...] = field(compare=False)
    action: str
    keys: tuple[tuple[str, str], ...]
    held: bool  # whether there are messages
    step: int = field(compare=False)
    last: int = field(compare=False)
    trace: str
    helper: bool = False


def copies_of(step: Step, place: Place) -> Copies:
    """What can be copied at `place.step`."""
    helper = isinstance(step, Helper)
    step = step.inner if isinstance(step, Helper) else step
    return Copies(
        sent=step.turn > 0,
        forms=tuple(
            (name, file_address(place, f"request.{form}", place.step))
            for form, name in NAMES.items()
        ),
        action=file_path(place, "message.json"),
        keys=tuple(file_query(place, None)),
        held=step.length > 0,
        step=place.step,
        last=step.length - 1,
        trace=file_address(place, "trace.jsonl"),
        helper=helper,
    )

"""What can be copied at a step of one lane: the request of its turn, or one message."""

from dataclasses import dataclass

from app.engine.steps import Trace
from app.views.addresses import Place
from app.views.export import file_address, file_path, file_query

NAMES = {"json": "JSON", "sh": "curl", "py": "Python"}  # of the forms of a snippet


@dataclass(frozen=True)
class Copies:
    """Addresses of plain text. `forms` are those of the turn's request, by name; a message has the
    address of `action` with `keys` and its index, 0 to `last`; `last` is -1 where there is none."""

    turn: int
    forms: tuple[tuple[str, str], ...]
    action: str
    keys: tuple[tuple[str, str], ...]
    last: int
    trace: str


def copies_of(trace: Trace, firsts: list[int], place: Place) -> Copies:
    """What can be copied at `place.step`. It stays the same until the list or the turn changes."""
    step = trace.steps[place.step]
    first = place.step
    while first and _state(trace, first - 1) == _state(trace, place.step):
        first -= 1
    ask = firsts[step.turn]
    return Copies(
        turn=step.turn,
        forms=tuple(
            (name, file_address(place, f"request.{form}", ask)) for form, name in NAMES.items()
        )
        if step.turn
        else (),
        action=file_path(place, "message.json"),
        keys=tuple(file_query(place, first)),
        last=step.length - 1,
        trace=file_address(place, "trace.jsonl"),
    )


def _state(trace: Trace, number: int) -> tuple[int, int]:
    step = trace.steps[number]
    return step.version, step.length

"""What a person is asked before a call runs: the call, and where each decision leads."""

from dataclasses import dataclass

from app.engine.steps import APPROVE, DENY, Trace, Wait
from app.views.addresses import Place
from app.views.texts import compact, one_line

SHOWN_INPUT = 300  # characters of a call's input


@dataclass(frozen=True)
class Asked:
    """One call that a person decides about: `lane` is "" where the page shows one; `taken` is the
    decision, "" while nobody has decided; `approve` and `deny` are the addresses of the pages that
    they lead to; `again` where the call ran, and may run once more."""

    lane: str
    name: str
    given: str
    taken: str
    approve: str
    deny: str
    again: bool = False


def asked_now(place: Place, at: int, trace: Trace, number: int | None) -> tuple[Asked, ...]:
    """What is asked of a lane by its number, in a step of its trace; nothing where that is no
    question or None."""
    step = None if number is None else trace.steps[number]
    if not isinstance(step, Wait):
        return ()
    before = [s.decision for s in trace.steps[:number] if isinstance(s, Wait)]
    asked = Asked(
        lane=place.choices[at].lane if len(place.choices) > 1 else "",
        name=one_line(str(step.call.get("name", ""))),
        given=one_line(compact(step.call.get("input")), SHOWN_INPUT),
        taken=step.decision,
        approve=place.decided(at, (*before, APPROVE)).page,
        deny=place.decided(at, (*before, DENY)).page,
        again=bool(step.tries),
    )
    return (asked,)

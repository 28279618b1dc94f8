"""What some lanes send in a row."""

from markupsafe import Markup

from app.engine.steps import Ask, Fault, Step
from app.views.lanes.clauses.clause import Clause
from app.views.lanes.shown import Shown
from app.views.strip import CALLS_LOST, NO_ID, REPLY_LOST, RESULTS_LOST, STRANGE, SWAPPED
from app.views.texts import Words, code


def ask_clause(w: Words, lane: Shown, step: Step) -> Clause:
    assert isinstance(step, Ask)
    messages = w.ngettext("%(num)s message", "%(num)s messages", step.length)
    before = lane.rounds[step.turn - 1].faults if step.turn > 1 else frozenset()
    lack = _lack(w, before)
    if "tools" in step.changed and not step.envelope.get("tools"):
        lack = w.gettext("and offers no tools")
    elif step.changed:
        keys = w.listed(code(key) for key in step.changed)
        lack = w.gettext("with %(keys)s of its own", keys=keys)
    warning = _warning(w, step.faults)
    if lack:
        return lambda who, n: (
            w.ngettext(
                "%(who)s sends %(messages)s, %(lack)s.",
                "%(who)s send %(messages)s, %(lack)s.",
                n,
                who=who,
                messages=messages,
                lack=lack,
            )
            + warning
        )
    return lambda who, n: (
        w.ngettext(
            "%(who)s sends %(messages)s.",
            "%(who)s send %(messages)s.",
            n,
            who=who,
            messages=messages,
        )
        + warning
    )


def _lack(w: Words, faults: frozenset[str]) -> str:
    if {REPLY_LOST, RESULTS_LOST} <= faults:
        return w.gettext("the same as before")
    lacks = {
        REPLY_LOST: w.gettext("without the reply that asked"),
        RESULTS_LOST: w.gettext("without the result"),
        CALLS_LOST: w.gettext("without the calls"),
        NO_ID: w.gettext("the result without its id"),
        SWAPPED: w.gettext("each result under the other call's id"),
        STRANGE: w.gettext("the result under a wrong id"),
    }
    return next((lack for fault, lack in lacks.items() if fault in faults), "")


def _warning(w: Words, faults: tuple[Fault, ...]) -> Markup:
    rules = w.listed(dict.fromkeys(fault.rule for fault in faults if fault.effect == "warn"))
    return (
        Markup(" ") + w.gettext("The server warns: %(rules)s.", rules=rules) if rules else Markup()
    )

"""How some lanes end in a row."""

from app.engine.steps import End, Step
from app.views.lanes.clauses.clause import Clause
from app.views.lanes.shown import Shown
from app.views.texts import Words, apart, one_line


def end_clause(w: Words, lane: Shown, step: Step) -> Clause:
    assert isinstance(step, End)
    ending = step.ending
    said = apart(one_line(ending.text, 80))
    if ending.outage:
        why = apart(one_line(ending.outage, 80))
        said = w.gettext("stopped: the environment failed: %(why)s", why=why)
    if ending.kind == "refused":
        fault = w.gettext(ending.faults[0].sentence)
        return lambda who, n: w.ngettext(
            "%(who)s is refused. %(fault)s",
            "%(who)s are refused. %(fault)s",
            n,
            who=who,
            fault=fault,
        )
    if ending.kind == "answer":
        return lambda who, n: w.ngettext(
            "%(who)s ends with the answer “%(said)s”",
            "%(who)s end with the answer “%(said)s”",
            n,
            who=who,
            said=said,
        )
    if ending.kind == "wrong" and not ending.text:
        return lambda who, n: w.ngettext(
            "%(who)s returns an empty text.", "%(who)s return an empty text.", n, who=who
        )
    if ending.kind == "wrong":
        return lambda who, n: w.ngettext(
            "%(who)s ends with a wrong answer: “%(said)s”",
            "%(who)s end with a wrong answer: “%(said)s”",
            n,
            who=who,
            said=said,
        )
    if ending.kind == "no_answer":
        turns = w.ngettext("%(num)s turn", "%(num)s turns", step.turn)
        return lambda who, n: w.ngettext(
            "%(who)s stops after %(turns)s without an answer.",
            "%(who)s stop after %(turns)s without an answer.",
            n,
            who=who,
            turns=turns,
        )
    return lambda who, n: w.ngettext(
        "%(who)s ends: %(said)s.", "%(who)s end: %(said)s.", n, who=who, said=said
    )

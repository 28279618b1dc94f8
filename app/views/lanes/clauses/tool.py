"""What becomes of a call in some lanes in a row, or what a person says of it."""

from app.engine.steps import APPROVE, Step, Tool, Wait
from app.views.lanes.clauses.clause import Clause
from app.views.lanes.shown import Shown
from app.views.texts import Words, apart, code, compact, one_line


def tool_clause(w: Words, lane: Shown, step: Step) -> Clause:
    assert isinstance(step, Tool)
    called = str(step.call.get("name"))
    if len(lane.rounds[step.turn].tools) > 1:
        called += f" {compact(step.call.get('input'))}"
    name, said = code(one_line(called, 60)), apart(one_line(step.result.content, 48))
    if not all(check.passed for check in step.result.checks):
        return lambda who, n: w.ngettext(
            "%(who)s turns %(name)s away: “%(said)s”",
            "%(who)s turn %(name)s away: “%(said)s”",
            n,
            who=who,
            name=name,
            said=said,
        )
    return lambda who, n: w.ngettext(
        "%(who)s runs %(name)s: “%(said)s”",
        "%(who)s run %(name)s: “%(said)s”",
        n,
        who=who,
        name=name,
        said=said,
    )


def wait_clause(w: Words, lane: Shown, step: Step) -> Clause:
    assert isinstance(step, Wait)
    name = code(one_line(str(step.call.get("name")), 60))
    if not step.decision:
        return lambda who, n: w.ngettext(
            "%(who)s waits: a person must decide about %(name)s.",
            "%(who)s wait: a person must decide about %(name)s.",
            n,
            who=who,
            name=name,
        )
    if step.decision == APPROVE:
        return lambda who, n: w.ngettext(
            "%(who)s asks a person, who approves %(name)s.",
            "%(who)s ask a person, who approves %(name)s.",
            n,
            who=who,
            name=name,
        )
    return lambda who, n: w.ngettext(
        "%(who)s asks a person, who denies %(name)s.",
        "%(who)s ask a person, who denies %(name)s.",
        n,
        who=who,
        name=name,
    )

"""What reply some lanes get in a row."""

from app.engine.dialects.parts import calls_of, read_reply, reason_of
from app.engine.steps import Reply, Step
from app.views.lanes.clauses.clause import Clause
from app.views.lanes.shown import Shown
from app.views.texts import Words, apart, code, one_line


def reply_clause(w: Words, lane: Shown, step: Step) -> Clause:
    assert isinstance(step, Reply)
    calls = calls_of(step.reply)
    if not calls:
        blocks = read_reply(step.reply)["content"]
        text = "".join(str(block.get("text", "")) for block in blocks if isinstance(block, dict))
        said = apart(one_line(text, 60))
        if lane.trace.ending.kind == "wrong" and step.turn == lane.trace.steps[-1].turn:
            return lambda who, n: w.ngettext(
                "%(who)s gets a wrong answer: “%(said)s”",
                "%(who)s get a wrong answer: “%(said)s”",
                n,
                who=who,
                said=said,
            )
        if read_reply(step.reply)["stop_reason"] not in ("end_turn", "stop_sequence"):
            return lambda who, n: w.ngettext(
                "%(who)s gets a reply that stops early: %(reason)s.",
                "%(who)s get a reply that stops early: %(reason)s.",
                n,
                who=who,
                reason=code(reason_of(step.reply)),
            )
        return lambda who, n: w.ngettext(
            "%(who)s gets the answer “%(said)s”",
            "%(who)s get the answer “%(said)s”",
            n,
            who=who,
            said=said,
        )
    names = w.listed(code(name) for name in dict.fromkeys(str(c["name"]) for c in calls))
    if lane.repeats(step):
        return lambda who, n: w.ngettext(
            "%(who)s is asked for %(names)s again, the same as before.",
            "%(who)s are asked for %(names)s again, the same as before.",
            n,
            who=who,
            names=names,
        )
    if any(turn < step.turn and brought.calls for turn, brought in lane.rounds.items()):
        return lambda who, n: w.ngettext(
            "%(who)s gets the next question, for %(names)s.",
            "%(who)s get the next question, for %(names)s.",
            n,
            who=who,
            names=names,
        )
    return lambda who, n: w.ngettext(
        "%(who)s gets a reply that asks for %(names)s.",
        "%(who)s get a reply that asks for %(names)s.",
        n,
        who=who,
        names=names,
    )

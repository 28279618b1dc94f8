"""What is used of a loop's budget: the time and the money that it looks at."""

from markupsafe import Markup

from app.engine.steps import Reply, Tool, Trace
from app.source import Loop
from app.views.calls import scripted_dollars
from app.views.sentences.sentence import joined
from app.views.texts import Words, seconds


def used_sentence(trace: Trace, number: int, loop: Loop, words: Words) -> Markup:
    """What the run has taken once a reply is there; nothing for a loop that asks for neither."""
    takes, steps = loop.lines[0], trace.steps[: number + 1]
    step = steps[-1]
    assert isinstance(step, Reply)
    time = money = Markup("")
    if "clock" in takes:
        gone = sum(one.seconds for one in steps if isinstance(one, Reply | Tool))
        time = words.gettext(
            "It took %(seconds)s s; %(gone)s s of the run are gone.",
            seconds=seconds(step.seconds),
            gone=seconds(gone),
        )
    if "prices" in takes:
        costs = [cost or 0.0 for cost in scripted_dollars(trace)[: step.turn]]
        money = words.gettext(
            "It cost ≈ %(dollars)s; ≈ %(spent)s are spent.",
            dollars=_dollars(costs[-1], words),
            spent=_dollars(sum(costs), words),
        )
    return joined(time, money)


def _dollars(amount: float, words: Words) -> Markup:
    return Markup('<bdi dir="ltr">$%s</bdi>') % words.number(f"{amount:.4f}")

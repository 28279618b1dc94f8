"""The sentence beside the switch of a server: what its position means for this run."""

from app.engine.steps import Trace
from app.lessons import Lane
from app.views.texts import Words


def truth_of(lane: Lane, checked: bool, trace: Trace, lang: str, words: Words) -> str:
    """What the lesson says about a position of the switch, else what the run itself shows."""
    told = lane.truth(lang, checked)
    if told:
        return told
    if not checked:
        return words.gettext("The server takes any request as it comes.")
    if trace.ending.kind == "refused":
        return words.gettext("The server checks each request, and refuses one of these.")
    return words.gettext("The server checks each request, and refuses none of these.")

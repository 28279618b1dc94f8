"""That a person is asked, and what they decide."""

from app.engine.steps import APPROVE, Wait
from app.views.sentences.sentence import MESSAGES, Sentence, called, joined
from app.views.texts import Words


def wait_sentence(step: Wait, words: Words) -> Sentence:
    _ = words.gettext
    call = called(step.call)
    unknown = _("%(messages)s does not show it: the model is not asked.", messages=MESSAGES)
    if step.tries and not step.decision:
        return Sentence(
            _("A person must decide: may %(call)s run once more?", call=call),
            joined(_("It failed, and may have taken effect all the same."), unknown),
        )
    if not step.decision:
        return Sentence(
            _("A person must decide: may %(call)s run?", call=call),
            joined(_("The run waits for them, and nothing has been done yet."), unknown),
        )
    if step.tries and step.decision == APPROVE:
        said = _("A person is asked about another try of %(call)s, and approves it.", call=call)
    elif step.tries:
        said = _("A person is asked about another try of %(call)s, and denies it.", call=call)
    elif step.decision == APPROVE:
        said = _("A person is asked, and approves %(call)s.", call=call)
    else:
        said = _("A person is asked, and denies %(call)s.", call=call)
    return Sentence(said, unknown)

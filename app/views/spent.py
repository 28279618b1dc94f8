"""What a scripted run would have cost, where that is worth a word."""

from markupsafe import Markup

from app.engine.steps import Trace
from app.said import Number
from app.views.calls import scripted_dollars, table_of
from app.views.texts import Words

CENT = 0.01  # what costs less goes without a word


def spent_of(trace: Trace, words: Words) -> Markup:
    """The simulated cost of a whole run in one line; nothing below a cent, or without a price."""
    total = table_of(trace, scripted_dollars(trace)).total
    if total.dollars is None or total.dollars < CENT:
        return Markup("")
    tokens = words.ngettext("%(num)s token", "%(num)s tokens", total.tokens)
    return words.gettext(
        "simulated cost: %(dollars)s for %(tokens)s, %(seconds)s s",
        dollars=Markup('<bdi dir="ltr">$%s</bdi>') % words.number(f"{total.dollars:,.2f}"),
        tokens=tokens,
        seconds=Number(f"{total.seconds:,.0f}"),
    )

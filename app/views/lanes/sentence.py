"""One sentence for a step of several lanes: what they do alike, or where they part."""

from markupsafe import Markup

from app.views.lanes.cells import Cell
from app.views.lanes.clauses import Clause, clause
from app.views.lanes.shown import Lanes, Shown
from app.views.sentences import Sentence
from app.views.texts import Words, code


def sentence(w: Words, lanes: Lanes, number: int, cells: tuple[Cell, ...]) -> Sentence:
    """What happened in a row; `cells` are the row's."""
    if number == 0:
        task = w.gettext("The same task in each lane.")
        if not lanes.rows[0].same:
            task = w.gettext("Not the same task in each lane.")
        return Sentence(task, w.gettext("Nothing is sent yet."))
    groups: dict[str, tuple[Clause, list[Shown]]] = {}
    for at, lane in enumerate(lanes.shown):
        made = clause(w, lanes, number, at, cells[at])
        if made is not None:
            groups.setdefault(made(Markup("{who}"), 1), (made, []))[1].append(lane)
    clauses = list(groups.values())
    if len(clauses) == 1 and len(clauses[0][1]) == len(lanes.shown):
        return Sentence(clauses[0][0](w.gettext("Each lane"), 1), Markup())
    said = Markup(" ").join(made(_names(w, who), len(who)) for made, who in clauses)
    first = number == lanes.comparison.first_difference
    return Sentence(w.gettext("Here they part.") if first else Markup(), said)


def _names(w: Words, lanes: list[Shown]) -> Markup:
    names = [Markup("<b>%s</b>") % code(lane.name) for lane in lanes]
    if len(names) == 1:
        return names[0]
    return w.gettext("%(some)s and %(last)s", some=w.listed(names[:-1]), last=names[-1])

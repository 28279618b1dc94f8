"""A lane line by line: which statement runs next, and what the loop's variables hold then."""

from dataclasses import dataclass, replace

from app.engine.steps import Lines, Step, Trace, Values
from app.views.addresses import Place
from app.views.lane import Band, Now
from app.views.picture import Picture
from app.views.reading import Reading
from app.views.sentences import Sentence
from app.views.texts import Words

Run = tuple[tuple["Statement", ...], ...]  # the statements after each step


@dataclass(frozen=True)
class Value:
    """A number, or a list's length; `before` is what it was one statement ago, None where the
    variable is new. It has changed where the two differ."""

    name: str
    number: int
    before: int | None

    @property
    def changed(self) -> bool:
        return self.number != self.before


@dataclass(frozen=True)
class Statement:
    """One statement: the `at`-th of `count` after a step, counted from 1.

    It is about to run, but where `how` is `running`: it made the step and has not come to its end.
    After the last step it has `ended`.
    """

    step: int
    at: int
    count: int
    lines: Lines
    how: str
    values: tuple[Value, ...]


def statements(trace: Trace) -> Run:
    """The statements after each step of a watched run: one at least, as a statement that makes two
    steps, as a request and its reply, is still running after the first."""
    found = []
    held: Values = ()
    for number, step in enumerate(trace.steps):
        after = []
        runs = _after(trace, number)
        for n, (lines, seen) in enumerate(runs, 1):
            how = "running" if number and n == 1 and lines == step.lines else "next"
            known = dict(held)
            held = held if seen is None else seen
            values = tuple(Value(name, now, known.get(name)) for name, now in held)
            if number + 1 == len(trace.steps):
                how = "ended"
            after.append(Statement(number, n, len(runs), lines, how, values))
        found.append(tuple(after))
    return tuple(found)


def _after(trace: Trace, number: int) -> list[tuple[Lines, Values | None]]:
    """The statements between a step and the next; None where nobody looked at the variables."""
    step: Step = trace.steps[number]
    if number + 1 == len(trace.steps):
        return [(step.lines, None)]
    following = trace.steps[number + 1]
    return [*zip(following.ran, following.seen, strict=False)] or [(following.lines, None)]


def at(run: Run, place: Place) -> Statement:
    """The statement at a place; the nearest there is."""
    after = run[place.step]
    return after[min(place.statement, len(after)) - 1]


def line_by_line(shown: Picture, reading: Reading, run: Run, place: Place) -> Picture:
    """The picture of a lane's step, with the statement that runs next lit in the code."""
    here = at(run, place)
    back, step = _around(run, here)
    moves = replace(shown.single["moves"].data, back=_page(place, back), step=_page(place, step))
    spot = replace(shown.single["at"].data, line=here.at, back=_spot(back), ahead=_spot(step))
    changed = {
        "now": _now(shown.single["now"].data, here, reading.words),
        "band": Band(*reading.code.place(here.lines), ()),
        "where": here.lines,
        "values": here,
        "at": spot,
        "moves": moves,
        "more": moves,
    }
    if here.at > 1:  # nothing but the loop's own variables has changed
        words = shown.single["state"].data.split()
        quiet = [word for word in words if not word.startswith(("at-", "new-"))]
        changed["state"] = " ".join(["between", *quiet])
    single = {
        name: replace(piece, data=changed.get(name, piece.data))
        for name, piece in shown.single.items()
    }
    return Picture(shown.title, single, shown.lists)


def _around(run: Run, here: Statement) -> tuple[Statement | None, Statement | None]:
    """The statements before and after one."""
    flat = [one for after in run[max(here.step - 1, 0) : here.step + 2] for one in after]
    n = flat.index(here)
    return flat[n - 1] if n else None, flat[n + 1] if n + 1 < len(flat) else None


def _page(place: Place, to: Statement | None) -> str:
    return place.at(to.step, to.at).page if to else ""


def _spot(to: Statement | None) -> str:
    return f"{to.step}.{to.at}" if to else ""


def _now(shown: Now, here: Statement, words: Words) -> Now:
    """What the step was, if it is only just done, and which line comes."""
    if here.how == "ended":
        return shown
    _ = words.gettext
    first, last = here.lines
    one, running = first == last, here.how == "running"
    if running:
        line = _("Line %(line)s is still running.", line=first)
        if not one:
            line = _("Lines %(first)s–%(last)s are still running.", first=first, last=last)
    else:
        line = _("Line %(line)s runs next.", line=first)
        if not one:
            line = _("Lines %(first)s–%(last)s run next.", first=first, last=last)
    if here.at == 1:
        return replace(shown, sentence=replace(shown.sentence, why=line))
    why = _(
        "Statement %(at)s of %(count)s after step %(step)s.",
        at=here.at,
        count=here.count,
        step=here.step,
    )
    return Now(str(_("line")), Sentence(line, why))

"""What changes between two steps is all that changes, and never more than it must be."""

import gettext
import random
from dataclasses import replace

import pytest

from app import paths
from app.engine.steps import Tool
from app.lessons import Lesson
from app.run import library, trace_of
from app.views.addresses import Choice, Place, View
from app.views.lane import Envelope, picture
from app.views.picture import Change, Picture, Piece, changes, whole
from app.views.reading import Reading
from app.views.texts import Words

MOST = 60  # steps at each end of a long run
WORDS = Words(gettext.NullTranslations())
LESSONS = library([paths.SCENARIOS]).lessons()
LANES = [
    (lesson, Choice(lane.name, checked), tab)
    for lesson in LESSONS
    for lane in lesson.lanes
    for checked in (True, False)
    for tab in ("", "request")
]


def pictures_of(lesson: Lesson, choice: Choice, tab: str) -> list[Picture]:
    """The picture of each step; of a long run those at its ends."""
    trace = trace_of(lesson, choice.lane, choice.checked, "en")
    reading = Reading(lesson, lesson.lane(choice.lane), trace, WORDS, "en")
    place = Place(lesson, (choice,), 0, View(tab=tab), "digest", "en")
    steps = range(reading.last + 1)
    if len(steps) > 2 * MOST:  # what lies between is more of the same
        steps = [*steps[:MOST], *steps[-MOST:]]
    return [picture(reading, place.at(step)) for step in steps]


def apply(shown: Picture, swaps: list[Change]) -> Picture:
    """What a browser makes of a picture: each swap as htmx does it."""
    single = dict(shown.single)
    lists = {name: list(pieces) for name, pieces in shown.lists.items()}
    for swap in swaps:
        if swap.swap == "innerHTML":
            lists[swap.target] = list(swap.pieces)
        elif swap.swap == "append":
            lists[swap.target] += swap.pieces
        elif swap.target in single:
            assert swap.swap == "outerMorph"
            (single[swap.target],) = swap.pieces
        else:
            found = [
                (pieces, n)
                for pieces in lists.values()
                for n, piece in enumerate(pieces)
                if piece.id == swap.target
            ]
            ((pieces, n),) = found  # an id names one piece
            end = n if swap.swap == "before" else n + 1
            pieces[n:end] = swap.pieces
    return Picture(shown.title, single, {name: tuple(pieces) for name, pieces in lists.items()})


def same(one: Picture, other: Picture) -> bool:
    return (one.single, one.lists) == (other.single, other.lists)


@pytest.mark.parametrize(
    ("lesson", "choice", "tab"),
    LANES,
    ids=[f"{lesson.slug}-{c.lane}-{c.checked}-{tab}" for lesson, c, tab in LANES],
)
def test_steps_forth_back_and_far_lead_to_the_picture_of_the_step(
    lesson: Lesson, choice: Choice, tab: str
) -> None:
    shown = pictures_of(lesson, choice, tab)
    chance = random.Random(7)
    now, at = shown[0], 0
    for _ in range(3 * len(shown)):
        far = chance.random() < 0.1
        to = chance.randrange(len(shown)) if far else max(0, at + chance.choice((1, 1, -1)))
        to = min(to, len(shown) - 1)
        now = apply(now, whole(shown[to]) if far else changes(now, shown[to]))
        at = to
        assert same(now, shown[at])


def test_a_step_to_itself_changes_nothing() -> None:
    for shown in pictures_of(LESSONS[3], Choice("correct", True), "request"):
        assert changes(shown, shown) == []


def of(*names: str) -> Picture:
    return Picture("", {}, {"list": tuple(Piece(name[0], "macro", name) for name in names)})


@pytest.mark.parametrize(
    ("before", "after", "swaps"),
    [
        (["a"], ["a", "b"], [("list", "append")]),
        ([], ["a", "b"], [("list", "append")]),
        (["a", "b"], ["a"], [("b", "delete")]),
        (["b"], ["a", "b"], [("b", "before")]),
        (["a1"], ["a2"], [("a", "outerMorph")]),
        (["a", "c"], ["a", "b", "c2"], [("c", "before"), ("c", "outerMorph")]),
        (["a", "b"], ["c"], [("a", "delete"), ("b", "delete"), ("list", "append")]),
        (["a"], ["a"], []),
    ],
)  # fmt: skip
def test_a_list_changes_by_the_fewest_swaps(
    before: list[str], after: list[str], swaps: list[tuple[str, str]]
) -> None:
    found = changes(of(*before), of(*after))
    assert [(change.target, change.swap) for change in found] == swaps
    assert same(apply(of(*before), found), of(*after))


def test_no_request_is_shown_of_a_call_before_the_first_one() -> None:
    lesson, lane = LESSONS[0], LESSONS[0].lanes[0]
    trace = trace_of(lesson, lane.name, True, "en")
    call = next(step for step in trace.steps if isinstance(step, Tool))
    early = replace(trace, steps=(trace.steps[0], replace(call, turn=0), *trace.steps[1:]))
    reading = Reading(lesson, lane, early, WORDS, "en")
    place = Place(lesson, (Choice(lane.name, True),), 1, View(tab="request"), "digest", "en")
    envelope = picture(reading, place).single["envelope"].data
    assert isinstance(envelope, Envelope)
    assert envelope.body is None

"""What a lesson asks before a step is shown, and what it looks back with after the last one."""

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import takewhile

from app.engine.steps import Trace
from app.lessons import Lesson
from app.lessons.spec import Prediction
from app.views.addresses import Choice, Place


@dataclass(frozen=True)
class Option:
    """An answer; `page` is the address that a browser without a script chooses it by."""

    text: str
    reason: str
    right: bool
    page: str


@dataclass(frozen=True)
class Question:
    """What is asked before the next step. `lane` is "" where the page shows one lane."""

    lane: str
    ask: str
    options: tuple[Option, ...]


@dataclass(frozen=True)
class Recap:
    """Questions with their answers, and a myth beside the truth; "" where a lesson has none."""

    cards: tuple[tuple[str, str], ...]
    myth: str
    truth: str


def question(place: Place, coming: Iterable[tuple[Choice, Trace, int | None]]) -> Question | None:
    """What is asked before the step that follows `place`; None where nothing is.

    `coming` names for each lane its trace and the number of its next step, None where it has none.
    Of several questions the first lane's is asked.
    """
    if not place.view.predict or place.statement:  # line by line, the next press is no step
        return None
    for choice, trace, number in coming:
        found = None if number is None else _prediction(place.lesson, choice, trace, number)
        if found:
            return _asked(place, choice, found)
    return None


def _prediction(lesson: Lesson, choice: Choice, trace: Trace, number: int) -> Prediction | None:
    """The prediction that belongs to a step: the first of its kind in its turn."""
    step = trace.steps[number]
    for asked in lesson.spec.predictions:
        if (asked.lane, asked.turn, asked.kind) != (choice.lane, step.turn, step.kind):
            continue
        before = takewhile(lambda one: one.turn == step.turn, reversed(trace.steps[:number]))
        if asked.checked in (None, choice.checked) and all(one.kind != step.kind for one in before):
            return asked
    return None


def _asked(place: Place, choice: Choice, asked: Prediction) -> Question:
    lesson, following = place.lesson, place.at(place.step + 1)
    return Question(
        lane=choice.lane if len(place.choices) > 1 else "",
        ask=lesson.text(asked.ask, place.lang),
        options=tuple(
            Option(
                lesson.text(option.text, place.lang),
                lesson.text(option.reason, place.lang),
                option.right,
                following.guessed(n),
            )
            for n, option in enumerate(asked.options, 1)
        ),
    )


def verdict(asked: Question | None, guess: int) -> tuple[Option, ...]:
    """The option that was chosen, by its number from 1; after a wrong one the right one too."""
    if asked is None or not 1 <= guess <= len(asked.options):
        return ()
    chosen = asked.options[guess - 1]
    right = tuple(option for option in asked.options if option.right)
    return right if chosen.right else (chosen, *right)


def recap(place: Place, last: int) -> Recap | None:
    """What there is to look back with at a step; None before the last one."""
    if place.step < last:
        return None
    lesson, told = place.lesson, place.lesson.spec.myth
    return Recap(
        cards=tuple(
            (lesson.text(card.question, place.lang), lesson.text(card.answer, place.lang))
            for card in lesson.spec.recap
        ),
        myth=lesson.text(told.myth, place.lang) if told else "",
        truth=lesson.text(told.truth, place.lang) if told else "",
    )

"""What there is instead of what an address names and does not exist."""

from collections.abc import Sequence
from dataclasses import dataclass

from markupsafe import Markup

from app.engine.rules import RULES
from app.lessons import Lesson, UnknownLane, UnknownLesson
from app.source import loops
from app.views.addresses import Choice, Place, View
from app.views.rules import UnknownRule
from app.views.texts import Words, code


@dataclass(frozen=True)
class There:
    """Something that exists: its address, its name, and what it is in a few words."""

    page: str
    name: str
    about: str = ""


@dataclass(frozen=True)
class Missing:
    """`said` is what does not exist, `title` what the list holds."""

    said: Markup
    title: Markup
    there: tuple[There, ...]


def missing(
    error: Exception, lessons: Sequence[Lesson], view: View, lang: str, words: Words
) -> Missing | None:
    """What to say of a lookup that failed; None where nothing is known of it."""
    _ = words.gettext
    match error:
        case UnknownLesson(name=name):
            found = (There(_page(one, view), one.title(lang), one.point(lang)) for one in lessons)
            return Missing(
                _("There is no lesson %(name)s.", name=code(name[:80])), _("Lessons"), tuple(found)
            )
        case UnknownLane(lesson=lesson, name=name):
            said = _("This lesson has no lane %(name)s.", name=code(name[:80]))
            lanes = (
                There(
                    _page(lesson, view, Choice(lane.name, lane.checked)),
                    lane.name,
                    _(loops()[lane.loop].slip),
                )
                for lane in lesson.lanes
            )
            return Missing(said, _("Lanes"), tuple(lanes))
        case UnknownRule(number=number):
            said = _("There is no rule %(number)s.", number=code(number[:40]))
            return Missing(said, _("Rules"), tuple(There(view.rule(one), one) for one in RULES))
    return None


def _page(lesson: Lesson, view: View, *choices: Choice) -> str:
    shown = choices or tuple(Choice(name, lesson.lane(name).checked) for name in lesson.shown)
    return Place(lesson, shown, 0, view, "", "").page

"""A lesson's page at any step, and what changes from one step to another."""

from dataclasses import replace
from types import ModuleType

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import Response

from app.said import Said, quoted
from app.views.addresses import (
    KEYS,
    SIZES,
    VIEW_KEYS,
    BadAddress,
    Place,
    listed,
    read_choices,
    read_guess,
    read_statement,
    read_step,
    read_view,
)
from app.views.picture import changes, whole
from app.views.predictions import Option, verdict
from app.web import lane, lanes, present
from app.web.answers import fragment, page, stale
from app.web.languages import Language
from app.web.queries import asked
from app.web.site import Site, site_of

router = APIRouter()


@router.api_route(
    "/lessons/{slug}",
    methods=["GET", "HEAD"],
    openapi_extra={
        "samples": [
            "/lessons/two-and-three",
            "/lessons/how-many-python-files?lanes=correct&step=7",
            "/lessons/how-many-python-files?lanes=forgot_results&step=12",
            "/lessons/how-many-python-files?lanes=missing_tool_use_id&step=7&tab=request",
            "/lessons/how-many-python-files?lanes=correct&step=3&at=4",
            "/lessons/how-many-python-files?step=7&view=present",
            "/lessons/not-here?lanes=asks&step=15",
            "/lessons/how-many-python-files?lanes=forgot_results&step=12&view=present",
        ]
    },
)
async def lesson_page(request: Request, slug: str) -> Response:
    """A lesson at a step. 404 for an unknown lesson or lane, 422 for what is in no right form."""
    site = site_of(request)
    found = asked(request, (*KEYS, "guess"), ())
    lesson = site.library.find(slug)
    view = read_view(found.get, site.languages)
    language = site.language(request, view.lang)
    choices = read_choices(found.get("lanes"), lesson)
    number = read_step(found.get("step"))
    statement = read_statement(found.get("at"), choices, view)
    place = Place(lesson, choices, number, view, site.digest(lesson), language.code, statement)
    place = _within(place, language)
    kind = _kind(place)
    context = {
        "lesson": lesson,
        "place": place,
        "parts": kind.PARTS,
        "picture": kind.picture(place, language),
        "verdict": _verdict(place, read_guess(found.get("guess")), language),
        "following": _following(place, site),
        **kind.context(place, language),
    }
    return page(request, language, kind.TEMPLATE, context, chosen=view.lang)


@router.api_route("/steps/{digest}/{lang}/{slug}/{lanes}/{move}", methods=["GET", "HEAD"])
async def step_fragment(
    request: Request, digest: str, lang: str, slug: str, lanes: str, move: str
) -> Response:
    """What changes from step a to step b (`a-b`), or all that makes step b (`to-b`).

    Line by line, `7.2` is the second statement after step 7.
    """
    site = site_of(request)
    lesson = site.library.again(slug)
    view = read_view(asked(request, VIEW_KEYS, ()).get, site.languages)
    choices = read_choices(lanes, lesson)
    before, _, after = move.partition("-")
    if lang not in site.languages:
        known = listed([*site.languages])
        raise BadAddress(
            Said(
                "There is no language %(lang)s; there is %(known)s.",
                lang=quoted(lang),
                known=known,
            )
        )
    place = _read_spot(Place(lesson, choices, 0, view, site.digest(lesson), lang), after)
    if digest != place.digest:
        return stale(place.page)
    language = site.languages[lang]
    kind = _kind(place)
    shown = kind.picture(_within(place, language), language)
    if before == "to":
        swaps = whole(shown)
    else:
        old = _within(_read_spot(place, before), language)
        swaps = changes(kind.picture(old, language), shown)
    return fragment(language, {"parts": kind.PARTS, "title": shown.title, "changes": swaps})


def _read_spot(place: Place, text: str) -> Place:
    """The same page at a step, or at `7.2`, the second statement after step 7."""
    step, dot, statement = text.partition(".")
    line = read_statement(statement, place.choices, place.view) if dot else 0
    return place.at(read_step(step), line)


# --- a guess without a script, and the lesson that comes next


def _verdict(place: Place, guess: int, language: Language) -> tuple[Option, ...]:
    """What is said of the guess that led to a step."""
    if not guess or not place.step:
        return ()
    before = _kind(place).picture(place.at(place.step - 1), language)
    return verdict(before.single["predict"].data, guess)


def _following(place: Place, site: Site) -> Place | None:
    """The start of the next lesson, in the same view; None after the last one. What changes from
    step to step, the tab, unfolded rows and the size, does not go with it."""
    lesson = site.library.following(place.lesson)
    if lesson is None:
        return None
    view = replace(place.view, tab="", rows="", size=SIZES[0])
    return Place(lesson, read_choices(None, lesson), 0, view, "", place.lang)


# --- one lane, or several


def _kind(place: Place) -> ModuleType:
    """What knows how to show these lanes."""
    if place.view.view:
        return present
    return lane if len(place.choices) == 1 else lanes


def _within(place: Place, language: Language) -> Place:
    """The place itself; a step or a statement past the end is the last one."""
    within = place.at(min(place.step, _kind(place).last(place, language)), place.statement)
    if within.statement:
        within = within.at(within.step, lane.last_statement(within, language))
    return within

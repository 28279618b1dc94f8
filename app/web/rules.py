"""The rules of the real APIs, one of them, what the APIs forgive, and why a model stops."""

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import Response

from app.engine.steps import Trace
from app.lessons import Lesson
from app.run import trace_of
from app.views.addresses import Choice, View
from app.views.reasons import reasons, seen_in
from app.views.rules import (
    APIS,
    WAYS,
    Scenes,
    beliefs,
    list_of_rules,
    rule_named,
    scenes_of,
    shown_rule,
)
from app.web.answers import page
from app.web.languages import Language
from app.web.queries import asked, one_of
from app.web.site import Site, site_of

router = APIRouter()


@router.api_route(
    "/rules",
    methods=["GET", "HEAD"],
    openapi_extra={"samples": ["/rules", "/rules?api=openai&effect=refuse"]},
)
async def rules_page(request: Request) -> Response:
    """All rules by group, or those of one API or effect. 422 for a filter that there is not."""
    site = site_of(request)
    found = asked(request, ("api", "effect", "lang"))
    chosen = one_of(found, "lang", tuple(site.languages))
    shown = list_of_rules(
        one_of(found, "api", APIS), one_of(found, "effect", WAYS), chosen, found.get("theme", "")
    )
    return page(
        request, site.language(request, chosen), "rules.html", {"shown": shown}, chosen=chosen
    )


@router.api_route(
    "/rules/{number}",
    methods=["GET", "HEAD"],
    openapi_extra={
        "samples": ["/rules/A40", "/rules/A59", "/rules/A12", "/rules/A28", "/rules/O14"]
    },
)
async def rule_page(request: Request, number: str) -> Response:
    """One rule. 404 for an unknown one, listing all."""
    site = site_of(request)
    found = asked(request, ("lang",))
    chosen = one_of(found, "lang", tuple(site.languages))
    language = site.language(request, chosen)
    rule = rule_named(number)
    scenes = _scenes(site, View(lang=chosen, theme=found.get("theme", "")), language)
    shown = shown_rule(rule, scenes.get(rule.number, ()))
    return page(request, language, "rule.html", {"shown": shown}, chosen=chosen)


@router.api_route("/forgives", methods=["GET", "HEAD"])
async def forgives_page(request: Request) -> Response:
    """What people believe is refused, and is not."""
    site = site_of(request)
    chosen = one_of(asked(request, ("lang",)), "lang", tuple(site.languages))
    language = site.language(request, chosen)
    return page(request, language, "forgives.html", {"beliefs": beliefs()}, chosen=chosen)


@router.api_route("/stop-reasons", methods=["GET", "HEAD"])
async def reasons_page(request: Request) -> Response:
    """Every reason to stop, of both APIs, and the step that shows it."""
    site = site_of(request)
    found = asked(request, ("lang",))
    chosen = one_of(found, "lang", tuple(site.languages))
    language = site.language(request, chosen)
    view = View(lang=chosen, theme=found.get("theme", ""))
    shown = reasons(language.words, seen_in(_runs(site, language), view, language.code))
    return page(request, language, "reasons.html", {"shown": shown}, chosen=chosen)


def _scenes(site: Site, view: View, language: Language) -> Scenes:
    """Where the lessons show each rule."""
    return scenes_of(_runs(site, language), view, language.code)


def _runs(site: Site, language: Language) -> list[tuple[Lesson, Choice, Trace]]:
    """Every lane of every lesson, on a server that checks."""
    return [
        (lesson, Choice(lane.name, True), trace_of(lesson, lane.name, True, lesson.language))
        for lesson in site.library.lessons()
        for lane in lesson.lanes
    ]

"""The lessons, their runs and the rules as JSON, described at `/openapi.json`."""

from collections.abc import Sequence
from importlib.metadata import version
from typing import Annotated, Any

from fastapi import APIRouter, Query
from fastapi.openapi.utils import get_openapi
from pydantic import BaseModel
from starlette.requests import Request
from starlette.responses import Response

from app.run import trace_of
from app.views.addresses import read_decisions
from app.views.reading import Reading
from app.views.rules import rule_named
from app.views.runs import (
    LessonsJson,
    RuleJson,
    RunJson,
    WholeRuleJson,
    json_text,
    lessons_json,
    rule_json,
    rules_json,
    run_json,
)
from app.web.languages import SOURCE
from app.web.queries import asked, one_of
from app.web.site import site_of


class ErrorJson(BaseModel):
    """One sentence that says what is wrong, and what would be right."""

    status: int
    error: str


ANSWERS = ("true", "false")
Lang = Annotated[
    str | None,
    Query(
        description="The language of texts and sentences; where left out, a lesson's texts are in "
        "its own and sentences in English"
    ),
]
Decide = Annotated[
    str | None,
    Query(
        description="What a person decides, in the order in which they are asked, such as "
        "approve,deny; the lane's own decisions where left out"
    ),
]
Checked = Annotated[
    str | None,
    Query(
        description="Whether the server checks requests as the real API does; the lane's own "
        "setting where left out",
        json_schema_extra={"enum": [*ANSWERS]},
    ),
]

router = APIRouter(prefix="/api", responses={422: {"model": ErrorJson}})


@router.get("/lessons", response_model=LessonsJson)
def api_lessons(request: Request, lang: Lang = None) -> Response:
    """All lessons with their lanes, and why others cannot be used."""
    site = site_of(request)
    found = asked(request, ("lang",), ())
    chosen = one_of(found, "lang", tuple(site.languages))
    return _answer(lessons_json(site.library.lessons(), site.library.faults(), chosen))


@router.get("/runs/{lesson}/{lane}", response_model=RunJson, responses={404: {"model": ErrorJson}})
def api_run(
    request: Request,
    lesson: str,
    lane: str,
    checked: Checked = None,
    decide: Decide = None,
    lang: Lang = None,
) -> Response:
    """A whole run of one lane: each step with its sentence and the messages that joined with it."""
    site = site_of(request)
    found = asked(request, ("checked", "decide", "lang"), ())
    one = site.library.find(lesson)
    chosen = one_of(found, "lang", tuple(site.languages))
    position = one_of(found, "checked", ANSWERS)
    checks = position == "true" if position else one.lane(lane).checked
    code, words = chosen or one.language, site.languages[chosen or SOURCE].words
    trace = trace_of(one, lane, checks, code, read_decisions(found.get("decide")))
    reading = Reading(one, one.lane(lane), trace, words, code)
    return _answer(run_json(reading, checks))


@router.get("/rules", response_model=list[RuleJson])
def api_rules(request: Request) -> Response:
    """The rules of the real APIs."""
    asked(request, (), ())
    return _answer(rules_json())


@router.get("/rules/{number}", response_model=WholeRuleJson, responses={404: {"model": ErrorJson}})
def api_rule(request: Request, number: str) -> Response:
    """One rule with its checks, its sources and its examples."""
    asked(request, (), ())
    return _answer(rule_json(rule_named(number)))


def _answer(value: BaseModel | Sequence[BaseModel]) -> Response:
    """JSON that holds any text, also one that UTF-8 cannot."""
    text = json_text(value)
    return Response(text, headers={"Cache-Control": "no-cache"}, media_type="application/json")


def description() -> dict[str, Any]:
    """The addresses of this file and what they answer, in the form of OpenAPI."""
    return get_openapi(
        title="Halqa",
        version=version("halqa"),
        summary="The loop that makes a language model an agent, one step at a time.",
        routes=router.routes,
    )

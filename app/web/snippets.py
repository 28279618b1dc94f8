"""A request or a message of a lane as plain text, to copy."""

from fastapi import APIRouter
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response

from app.engine.steps import Helper, Step, Trace
from app.lessons import Lesson
from app.run import trace_of
from app.said import Said
from app.source import loops
from app.views.addresses import BadAddress, read_choices, read_step
from app.views.snippets import FORMS, as_json
from app.web.queries import asked, one_of
from app.web.site import site_of

router = APIRouter()


@router.api_route(
    "/lessons/{slug}/request.{form}", methods=["GET", "HEAD"], include_in_schema=False
)
def request_text(request: Request, slug: str, form: str) -> Response:
    """The request of a step's turn as JSON, as a `curl` command, as a Python program. Where a
    helper agent works, it is the helper's."""
    if form not in FORMS:
        raise HTTPException(404)
    trace, step, dialect, betas = _step(request, slug, ("lanes", "step", "lang"))
    if not step.turn:
        raise BadAddress(
            Said("At this step no request has been sent yet; the next step sends the first.")
        )
    return _text(FORMS[form](trace.request(trace.asks[step.turn - 1]), dialect, betas))


@router.api_route("/lessons/{slug}/message.json", methods=["GET", "HEAD"], include_in_schema=False)
def message_text(request: Request, slug: str) -> Response:
    """One message of the list as it stands after a step."""
    trace, step, _, _ = _step(request, slug, ("lanes", "step", "lang", "index"))
    messages = trace.messages(step)
    index = read_step(request.query_params.get("index"))
    if index >= len(messages):
        raise BadAddress(
            Said(
                "There is no message %(index)s at this step; "
                "the list holds %(length)s, counted from 0.",
                index=index,
                length=len(messages),
            )
        )
    return _text(as_json(messages[index]))


def _step(
    request: Request, slug: str, known: tuple[str, ...]
) -> tuple[Trace, Step, str, tuple[str, ...]]:
    """The lane that an address names, the step, the API that its loop speaks, and the beta headers
    sent with its requests; where a helper agent works, its own run and its own step there."""
    site = site_of(request)
    found = asked(request, known)
    lesson: Lesson = site.library.find(slug)
    language = site.language(request, one_of(found, "lang", tuple(site.languages)))
    choices = read_choices(found.get("lanes"), lesson)
    if len(choices) > 1:
        raise BadAddress(
            Said(
                "A request is of one lane; name one, such as %(example)s.",
                example=f"lanes={choices[0].lane}",
            )
        )
    trace = trace_of(
        lesson, choices[0].lane, choices[0].checked, language.code, choices[0].decisions
    )
    step = trace.steps[min(read_step(found.get("step")), len(trace.steps) - 1)]
    lane = lesson.lane(choices[0].lane)
    if isinstance(step, Helper):
        betas = lesson.helper.betas if lesson.helper else ()
        return step.run, step.inner, loops()[step.loop].dialect, betas
    return trace, step, loops()[lane.loop].dialect, lane.betas


def _text(text: str) -> Response:
    headers = {"Cache-Control": "no-cache", "Vary": "Accept-Language"}
    return PlainTextResponse(text, headers=headers)

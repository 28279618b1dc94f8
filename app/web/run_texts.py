"""A request, a message or all steps of a live run as plain text, to copy."""

from fastapi import APIRouter
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response

from app.engine.steps import Helper, Step, Trace
from app.live import State
from app.said import Said
from app.views.addresses import BadAddress, read_step
from app.views.runs import run_lines
from app.views.snippets import FORMS, as_json
from app.web.guard import Id, guarded
from app.web.live import live_of, may_act, run_of
from app.web.queries import asked
from app.web.site import site_of

HEADERS = {"Cache-Control": "no-store"}

router = APIRouter()


@router.api_route("/runs/{id}/request.{form}", methods=["GET", "HEAD"], include_in_schema=False)
@guarded
async def request_text(request: Request, id: Id, form: str) -> Response:
    """The request of a step's turn, exactly as it is sent: JSON, a `curl` command, a program. Where
    a helper agent works, it is the helper's."""
    if form not in FORMS:
        raise HTTPException(404)
    found = asked(request, ("step",))
    trace, step, betas = await _step(request, id, found.get("step"))
    if not step.turn:
        raise BadAddress(
            Said("At this step no request has been sent yet; the next step sends the first.")
        )
    body = trace.request(trace.asks[step.turn - 1])
    return PlainTextResponse(FORMS[form](body, "anthropic", betas), headers=HEADERS)


@router.api_route("/runs/{id}/message.json", methods=["GET", "HEAD"], include_in_schema=False)
@guarded
async def message_text(request: Request, id: Id) -> Response:
    """One message of the list as it stands after a step."""
    found = asked(request, ("step", "index"))
    trace, step, _ = await _step(request, id, found.get("step"))
    messages = trace.messages(step)
    index = read_step(found.get("index"))
    if index >= len(messages):
        raise BadAddress(
            Said(
                "There is no message %(index)s at this step; the list holds %(count)s, "
                "counted from 0.",
                index=index,
                count=len(messages),
            )
        )
    return PlainTextResponse(as_json(messages[index]), headers=HEADERS)


@router.api_route("/runs/{id}/trace.jsonl", methods=["GET", "HEAD"], include_in_schema=False)
@guarded
async def trace_text(request: Request, id: Id) -> Response:
    """The steps of a run, one JSON object a line."""
    site, live = site_of(request), live_of(request)
    state: State = await run_in_threadpool(live.state, id)
    reading = run_of(state, live, site.language(request, ""), may_act(request, state.run)).reading
    text = "".join(f"{line}\n" for line in run_lines(reading, checked=True))
    headers = {**HEADERS, "Content-Disposition": 'attachment; filename="run.jsonl"'}
    return Response(text, 200, headers, "application/jsonl")


async def _step(
    request: Request, id: str, number: str | None
) -> tuple[Trace, Step, tuple[str, ...]]:
    """A step, the trace that it is of, and the beta headers sent with its requests: a helper's own
    where one works."""
    state = await run_in_threadpool(live_of(request).state, id)
    trace, subject = state.replayed.trace, state.subject
    step = trace.steps[min(read_step(number), len(trace.steps) - 1)]
    if isinstance(step, Helper):
        return step.run, step.inner, subject.helper.betas if subject.helper else ()
    return trace, step, subject.betas

"""A page that judges a request somebody pastes. Nothing of it is stored."""

from collections.abc import AsyncGenerator
from dataclasses import dataclass

from fastapi import APIRouter
from starlette.concurrency import run_in_threadpool
from starlette.datastructures import UploadFile
from starlette.formparsers import MultiPartException, MultiPartParser
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response

from app.requests import NotARequest, read_request
from app.said import Said
from app.views.addresses import BadAddress
from app.views.checked import Answer, Options, answer_to
from app.views.requests import written
from app.views.rules import APIS, rule_named
from app.web import errors
from app.web.answers import page
from app.web.origin import from_elsewhere
from app.web.queries import asked, one_of
from app.web.site import site_of

router = APIRouter()

MOST_BYTES = 2_000_000  # of a request
MOST_SENT = 3 * MOST_BYTES  # of the whole form: a browser sends a line break as two bytes
MOST_KEPT = 200_000  # characters that the answer's form holds once more
MOST_MODEL = 200
MOST_BETAS = 1_000  # characters of all their names

TOO_LARGE = Said("A request of more than 2 MB is not read here; halqa check reads larger files.")
FROM_ELSEWHERE = Said("This form was sent from a page of another site; send it from this one.")
NO_FORM = Said("Send this as the form of the page does, as multipart/form-data.")


class TooLarge(Exception):
    """More was sent than is read."""


@dataclass(frozen=True)
class Form:
    """What the form holds; `text` is the request's bytes as they were sent."""

    text: bytes
    options: Options


@router.api_route(
    "/check",
    methods=["GET", "HEAD"],
    openapi_extra={"samples": ["/check", "/check?example=A40"]},
)
async def check_page(request: Request) -> Response:
    """The empty form, or one with the example of a rule: what it refuses, else what it accepts.

    404 for an unknown rule.
    """
    site = site_of(request)
    found = asked(request, ("example", "lang"))
    chosen = one_of(found, "lang", tuple(site.languages))
    number = found.get("example", "")
    text = _example(number) if number else ""
    context = {"form": Options(), "text": text, "example": number, "answer": None, "unread": None}
    return page(request, site.language(request, chosen), "check.html", context, chosen=chosen)


def _example(number: str) -> str:
    """A rule's example as a person writes it. Raises UnknownRule, and BadAddress for a rule that
    has none."""
    rule = rule_named(number)
    example = rule.refused or rule.accepted
    if example is None:
        raise BadAddress(Said("The rule %(rule)s has no example; A40 has one.", rule=number))
    return written(example)


@router.post("/check")
async def check_answer(request: Request) -> Response:
    """The verdict on the request in the form. 403 from another site's page, 413 for too much."""
    site = site_of(request)
    chosen = one_of(asked(request, ("lang",)), "lang", tuple(site.languages))
    if from_elsewhere(request):
        return errors.answer(request, 403, FROM_ELSEWHERE)
    try:
        form = await _form(request)
    except TooLarge:
        return errors.answer(request, 413, TOO_LARGE)
    except MultiPartException:
        return errors.answer(request, 400, NO_FORM)
    answer: Answer | None = None
    unread: NotARequest | None = None
    try:
        answer = await run_in_threadpool(_judge, form)
    except NotARequest as error:
        unread = error
    text = form.text.decode("utf-8", "replace") if len(form.text) <= MOST_KEPT else ""
    context = {
        "form": form.options,
        "text": text,
        "example": "",
        "answer": answer,
        "unread": unread,
    }
    language = site.language(request, chosen)
    response = page(
        request,
        language,
        "check.html",
        context,
        status=200 if answer else 422,
        chosen=chosen,
    )
    response.headers["Cache-Control"] = "no-store"
    return response


def _judge(form: Form) -> Answer:
    read = read_request(form.text, MOST_BYTES)
    return answer_to(read.request, form.options, read.twice)


async def _form(request: Request) -> Form:
    """The form that was sent. Raises TooLarge, MultiPartException and BadAddress."""
    if not request.headers.get("content-type", "").startswith("multipart/form-data"):
        raise MultiPartException(NO_FORM)
    parser = MultiPartParser(
        request.headers, _bounded(request), max_files=1, max_fields=8, max_part_size=MOST_SENT
    )
    parser.spool_max_size = MOST_SENT  # in memory: nothing is written to a disk
    try:
        sent = await parser.parse()
    except ClientDisconnect:
        raise MultiPartException(NO_FORM) from None
    text = await _bytes_of(sent.get("file")) or await _bytes_of(sent.get("request"))
    await sent.close()
    if len(text) > MOST_BYTES:
        raise TooLarge
    options = Options(
        dialect=one_of({"dialect": str(sent.get("dialect") or "")}, "dialect", ("", *APIS)),
        model=str(sent.get("model") or "").strip()[:MOST_MODEL],
        betas=tuple(str(sent.get("betas") or "")[:MOST_BETAS].replace(",", " ").split()),
        strict=sent.get("strict") == "on",
    )
    return Form(text, options)


async def _bytes_of(field: UploadFile | str | None) -> bytes:
    r"""What a field of a form holds, a file or a text; a browser sends a text's lines with \r\n."""
    if isinstance(field, UploadFile):
        return await field.read()
    return (field or "").replace("\r\n", "\n").encode()


async def _bounded(request: Request) -> AsyncGenerator[bytes, None]:
    """What a request carries. Raises TooLarge as soon as it is more than is read."""
    length = request.headers.get("content-length", "")
    if length.isascii() and length.isdigit() and int(length[:12]) > MOST_SENT:
        raise TooLarge
    read = 0
    async for chunk in request.stream():
        read += len(chunk)
        if read > MOST_SENT:
            raise TooLarge
        yield chunk

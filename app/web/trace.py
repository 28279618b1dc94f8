"""The trace of a run: a page with a row for each call, and the same for other programs."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from importlib.metadata import version
from typing import Any

from fastapi import APIRouter
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response

from app.engine.steps import Trace, senders
from app.lessons import Lesson
from app.prices import SCRIPTED_AT, dated
from app.views.addresses import VIEW_KEYS, Choice, Place, View, read_choices, read_step, read_view
from app.views.calls.csv import csv_text
from app.views.calls.otlp import Traced, otlp
from app.views.calls.query import KEYS, Query
from app.views.calls.sheet import Sheet, sheet_of, tools_of
from app.views.calls.table import Table, scripted_dollars, table_of
from app.views.export import file_address
from app.views.run import Run
from app.views.runs import json_text
from app.web.answers import page
from app.web.export import download
from app.web.guard import Id, guarded
from app.web.languages import Language
from app.web.live import live_of, may_act, run_of
from app.web.queries import asked, one_of
from app.web.runs import run_and_place
from app.web.site import reading_of, site_of

ORDERS = "/lessons/why-is-it-late/trace"
CSV, OTLP = "trace.csv", "trace.otlp.json"
NAMES = {"trace.jsonl": "JSON Lines", CSV: "CSV", OTLP: "OpenTelemetry"}

router = APIRouter()


# --- of a lesson


@router.api_route(
    "/lessons/{slug}/trace",
    methods=["GET", "HEAD"],
    openapi_extra={
        "samples": [f"{ORDERS}?lanes=prints_each_call,forgot_results&step=9&sort=-seconds"]
    },
)
async def trace_page(request: Request, slug: str) -> Response:
    """The calls of the lanes of an address. 404 for an unknown lesson or lane, 422 for a wrong
    key."""
    site = site_of(request)
    found = asked(request, ("lanes", "step", *KEYS, *VIEW_KEYS), ())
    lesson = site.library.find(slug)
    view = read_view(found.get, site.languages)
    language = site.language(request, view.lang)
    choices = read_choices(found.get("lanes"), lesson)
    query = Query.read(found)
    sheets = [
        _sheet(Place(lesson, (one,), 0, view, "", language.code), query, language)
        for one in choices
    ]
    step = read_step(found.get("step"))
    place = Place(lesson, choices, step, view, "", language.code)
    context = {
        "title": lesson.title(language.code),
        "base": place.beside("/trace"),
        "action": f"/lessons/{slug}/trace",
        "hidden": {
            "lanes": "" if place.lanes == ",".join(lesson.shown) else place.lanes,
            "step": str(step or ""),
            **view.given,
        },
        "files": [(name, file_address(place, file)) for file, name in NAMES.items()],
        "simulated": True,
        "place": place,
    }
    return _page(request, language, sheets, query, context)


def _sheet(place: Place, query: Query, language: Language) -> Sheet:
    (choice,) = place.choices
    trace = reading_of(place.lesson, choice, language).trace
    table = table_of(trace, scripted_dollars(trace))
    return sheet_of(choice.lane, place, trace, table, query, language.words)


@router.api_route(f"/lessons/{{slug}}/{CSV}", methods=["GET", "HEAD"], include_in_schema=False)
def csv_file(request: Request, slug: str) -> Response:
    """The calls of the lanes of an address as comma-separated values."""
    place, language = _lanes(request, slug)
    return _csv(lesson_csv(place, language), download(place, "csv"))


@router.api_route(f"/lessons/{{slug}}/{OTLP}", methods=["GET", "HEAD"], include_in_schema=False)
def otlp_file(request: Request, slug: str) -> Response:
    """The lanes of an address as OpenTelemetry spans, in OTLP's JSON form."""
    place, language = _lanes(request, slug)
    return Response(
        lesson_otlp(place, language), 200, download(place, "otlp.json"), "application/json"
    )


def lesson_tables(place: Place, language: Language) -> list[tuple[str, Table]]:
    """The table of each lane, by its name."""
    made = []
    for choice in place.choices:
        trace = reading_of(place.lesson, choice, language).trace
        made.append((choice.lane, table_of(trace, scripted_dollars(trace))))
    return made


def lesson_csv(place: Place, language: Language) -> str:
    """The calls of some lanes as comma-separated values."""
    return csv_text(
        (place.lesson.slug, choice.lane, _server(choice), row)
        for choice, (_, table) in zip(place.choices, lesson_tables(place, language), strict=True)
        for row in table.rows
    )


def lesson_otlp(place: Place, language: Language) -> str:
    """Some lanes as OpenTelemetry spans."""
    tables = lesson_tables(place, language)
    return _otlp(
        [
            _traced(place.lesson, choice, table, language)
            for choice, (_, table) in zip(place.choices, tables, strict=True)
        ]
    )


def _traced(lesson: Lesson, choice: Choice, table: Table, language: Language) -> Traced:
    trace = reading_of(lesson, choice, language).trace
    return Traced(
        lane=choice.lane,
        table=table,
        ending=trace.ending,
        began=SCRIPTED_AT,
        seed=f"{lesson.slug} {lesson.digest} {choice} {language.code}",
        simulated=True,
        helper=lesson.helper.name if lesson.helper else "",
    )


def _server(choice: Choice) -> str:
    return "checked" if choice.checked else "unchecked"


def _lanes(request: Request, slug: str) -> tuple[Place, Language]:
    """The lanes that the address of a file names."""
    site = site_of(request)
    found = asked(request, ("lanes", "step", "lang"))
    lesson = site.library.find(slug)
    language = site.language(request, one_of(found, "lang", tuple(site.languages)))
    choices = read_choices(found.get("lanes"), lesson)
    return Place(lesson, choices, 0, View(), "", language.code), language


# --- of a live run


@router.api_route("/runs/{id}/trace", methods=["GET", "HEAD"], include_in_schema=False)
@guarded
async def run_trace_page(request: Request, id: Id) -> Response:
    """The calls of a live run as far as it is."""
    site, live = site_of(request), live_of(request)
    found = asked(request, ("step", *KEYS, *VIEW_KEYS), ())
    view = read_view(found.get, site.languages)
    language = site.language(request, view.lang)
    query = Query.read(found)
    state = await run_in_threadpool(live.state, id)
    run, place = run_and_place(request, state, language)
    step = min(read_step(found.get("step")), run.reading.last)
    place = replace(place, step=step, view=view)
    name = run.reading.lane.name
    context = {
        "title": state.run.name,
        "base": place.beside("/trace"),
        "action": f"{place.act}/trace",
        "hidden": {"step": str(step or ""), **view.given},
        "files": [(form, f"{place.act}/{file}") for file, form in NAMES.items()],
        "simulated": False,
        "place": place,
    }
    sheets = [sheet_of(name, place, run.reading.trace, _table(run), query, language.words)]
    answer = _page(request, language, sheets, query, context)
    answer.headers["Cache-Control"] = "no-store"
    return answer


@router.api_route(f"/runs/{{id}}/{CSV}", methods=["GET", "HEAD"], include_in_schema=False)
@guarded
async def run_csv_file(request: Request, id: Id) -> Response:
    """The calls of a live run as comma-separated values."""

    def made(run: Run, state: Any) -> str:
        rows = _table(run).rows
        return csv_text((state.run.lesson, run.reading.lane.name, "live", row) for row in rows)

    return _csv(await _of_run(request, id, made), _headers("csv"))


@router.api_route(f"/runs/{{id}}/{OTLP}", methods=["GET", "HEAD"], include_in_schema=False)
@guarded
async def run_otlp_file(request: Request, id: Id) -> Response:
    """A live run as OpenTelemetry spans."""

    def made(run: Run, state: Any) -> str:
        trace = run.reading.trace
        table = _table(run)
        name = run.reading.lane.name
        return _otlp([Traced(name, table, trace.ending, state.run.created, f"run {id}", False)])

    text = await _of_run(request, id, made)
    return Response(text, 200, _headers("otlp.json"), "application/json")


async def _of_run(request: Request, id: str, made: Callable[[Run, Any], str]) -> str:
    asked(request, ("step", "lang"))
    site, live = site_of(request), live_of(request)
    state = await run_in_threadpool(live.state, id)
    run = run_of(state, live, site.language(request, ""), may_act(request, state.run))
    return made(run, state)


def _table(run: Run) -> Table:
    """The calls of a live run with what its requests really cost; one without a reply costs
    nothing."""
    trace = run.reading.trace
    sent = list(zip(senders(trace.steps), run.calls, strict=False))  # the last is not sent yet

    def of(helper: Trace | None) -> list[float | None]:
        return [call.used.cost if call.used else 0.0 for who, call in sent if who is helper]

    return table_of(trace, of(None), of)


def _headers(kind: str) -> dict[str, str]:
    return {
        "Cache-Control": "no-store",
        "Content-Disposition": f'attachment; filename="run.{kind}"',
    }


# --- of both


def _page(
    request: Request,
    language: Language,
    sheets: Sequence[Sheet],
    query: Query,
    context: dict[str, Any],
) -> Response:
    more = {
        "sheets": sheets,
        "query": query,
        "tools": tools_of(sheets),
        "dated": dated(),
        "day": datetime.fromtimestamp(SCRIPTED_AT, UTC).date().isoformat(),
    }
    view = context["place"].view
    return page(request, language, "trace.html", {**context, **more}, chosen=view.lang)


def _csv(text: str, headers: dict[str, str]) -> Response:
    """A file for spreadsheets: they know UTF-8 by the mark at its begin."""
    return Response(text.encode("utf-8-sig", "backslashreplace"), 200, headers, "text/csv")


def _otlp(runs: Sequence[Traced]) -> str:
    return json_text(otlp(runs, version("halqa"))) + "\n"

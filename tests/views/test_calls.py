"""The calls of a run as rows: what each took and cost, which are shown, how they are written."""

import base64
import csv
import gettext
import io
from dataclasses import replace
from typing import Any

import pytest
from google.protobuf import json_format
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest
from opentelemetry.proto.trace.v1.trace_pb2 import Span, Status

from app import paths
from app.engine.steps import Ask, Helper, Reply, Result, Start, Tool, Trace, Wait
from app.prices import SCRIPTED_AT
from app.run import library, trace_of
from app.views.addresses import BadAddress, Choice, Place, View
from app.views.calls import sheet as sheets
from app.views.calls.csv import COLUMNS, csv_text
from app.views.calls.otlp import Traced, otlp
from app.views.calls.query import Query, picked
from app.views.calls.sheet import WIDE, sheet_of
from app.views.calls.table import Row, Spent, Table, scripted_dollars, table_of
from app.views.texts import Words

LIBRARY = library([paths.SCENARIOS])
HELPED_TRACE = trace_of(LIBRARY.find("18"), "asks_a_helper", True, "en")
WORDS = Words(gettext.NullTranslations())
PLACE = Place(LIBRARY.find("14"), (Choice("correct", True),), 0, View(), "", "en")


def table(lesson: int, lane: str, checked: bool = True) -> Table:
    trace = trace_of(LIBRARY.find(str(lesson)), lane, checked, "en")
    return table_of(trace, scripted_dollars(trace))


def scripted(trace: Trace) -> Table:
    """The table of a scripted run."""
    return table_of(trace, scripted_dollars(trace))


HELPED = table_of(HELPED_TRACE, scripted_dollars(HELPED_TRACE))


def call(name: str, number: int, **given: Any) -> dict[str, Any]:
    return {"type": "tool_use", "id": f"toolu_{number}", "name": name, "input": given}


def run_of(*steps: Any) -> Table:
    """A run of one turn; a reply and its calls took the seconds that they say."""
    start = Start(turn=0, lines=(0, 0), task="Go.")
    ask = Ask(turn=1, lines=(4, 4), envelope={"model": "claude-opus-5"})
    return table_of(Trace((start, ask, *steps), ((),)), [0.25])


def reply(*calls: dict[str, Any], seconds: float = 2.0) -> Reply:
    usage = {"input_tokens": 100, "cache_read_input_tokens": 20, "output_tokens": 7}
    body = {"stop_reason": "tool_use", "content": [*calls], "usage": usage}
    return Reply(turn=1, lines=(4, 4), reply=body, seconds=seconds)


def tool(given: dict[str, Any], content: str = "5", seconds: float = 0.5, **more: Any) -> Tool:
    return Tool(turn=1, lines=(9, 9), call=given, result=Result(content, **more), seconds=seconds)


# --- the rows


def test_a_call_that_a_loop_runs_before_it_asks_belongs_to_no_turn() -> None:
    start, early = Start(turn=0, lines=(0, 0), task="Go."), replace(tool(call("add", 1)), turn=0)
    trace = Trace((start, early), ((),))
    made = table_of(trace, [])
    assert [(row.turn, row.asked, row.ran, row.result) for row in made.rows] == [(0, None, 1, "5")]
    (own, span) = otlp([Traced("correct", made, trace.ending, SCRIPTED_AT, "seed", True)], "1.0")[
        "resourceSpans"
    ][0]["scopeSpans"][0]["spans"]
    assert (span["name"], span["parentSpanId"]) == ("execute_tool add", own["spanId"])


def test_a_run_has_a_row_for_each_call_and_a_total_with_the_answer() -> None:
    rows = table(14, "correct").rows
    assert [(row.turn, row.asked, row.ran, row.tool, row.arguments) for row in rows] == [
        (1, 2, 4, "get_order_status", {"order_id": "48213"}),
        (2, 7, 9, "get_refund_policy", {"reason": "weather"}),
    ]
    assert [(row.asked_at, row.began, row.seconds, row.so_far.seconds) for row in rows] == [
        (0.0, 1.8, 0.12, 1.92),
        (1.92, 4.22, 1.4, 5.62),
    ]
    total = table(14, "correct").total
    assert total.seconds > rows[-1].so_far.seconds
    assert total.tokens > rows[-1].so_far.tokens == sum(row.turn_spent.tokens for row in rows)
    assert total.dollars is not None
    assert rows[-1].so_far.dollars is not None
    assert total.dollars > rows[-1].so_far.dollars > rows[0].so_far.dollars or 0


def test_calls_of_one_turn_share_its_cost_and_run_one_after_the_other() -> None:
    one, two = call("add", 1, a=1), call("add", 2, a=2)
    made = run_of(reply(one, two), tool(one), tool(two, seconds=1))
    assert [(row.began, row.so_far.seconds) for row in made.rows] == [(2.0, 2.5), (2.5, 3.5)]
    assert {row.turn_spent for row in made.rows} == {Spent(2.0, 120, 7, 0.25)}
    assert made.total == Spent(3.5, 120, 7, 0.25)


def test_a_call_that_nothing_ran_is_a_row_too() -> None:
    made = run_of(reply(call("add", 1)))
    assert [(row.asked, row.ran, row.tries) for row in made.rows] == [(2, None, 0)]


def test_a_call_that_no_reply_asked_for_is_the_loops_own() -> None:
    made = run_of(reply(), tool(call("add", 1)))
    assert [(row.asked, row.ran) for row in made.rows] == [(None, 3)]


@pytest.mark.parametrize(("decision", "ran"), [("approve", 4), ("deny", 4), ("", None)])
def test_a_call_that_a_person_decides_about_says_how(decision: str, ran: int | None) -> None:
    asked = call("add", 1)
    wait = Wait(turn=1, lines=(9, 9), call=asked, decision=decision)
    steps = [reply(asked), wait, *([tool(asked)] if decision else [])]
    assert [(row.decision, row.ran) for row in run_of(*steps).rows] == [(decision, ran)]


def test_a_chat_completion_is_priced_by_its_own_provider() -> None:
    made = table(15, "chat")
    assert [row.turn_spent.dollars is None for row in made.rows] == [False, False]
    assert made.total.dollars


def test_an_unknown_price_makes_the_sum_unknown() -> None:
    known, unknown = Spent(1, 2, 3, 0.5), Spent(1, 2, 3, None)
    assert known + known == Spent(2, 4, 6, 1.0)
    assert (known + unknown).dollars is None


@pytest.mark.parametrize("lane", [lane.name for lane in LIBRARY.find("5").lanes])
def test_every_tool_that_ran_has_its_row(lane: str) -> None:
    trace = trace_of(LIBRARY.find("5"), lane, False, "en")
    ran = [number for number, step in enumerate(trace.steps) if isinstance(step, Tool)]
    rows = table_of(trace, scripted_dollars(trace)).rows
    assert [row.ran for row in rows if row.ran is not None] == ran
    assert [row.number for row in rows] == [*range(1, len(rows) + 1)]


# --- what helpers did


def test_the_calls_of_a_helper_stand_under_the_call_that_asked_it() -> None:
    assert [(row.name, row.tool, row.turn, row.asked, row.ran) for row in HELPED.rows] == [
        ("1", "ask_helper", 1, 2, 25),
        ("1.1", "read_file", 1, 6, 8),
        ("1.2", "read_file", 2, 11, 13),
        ("1.3", "read_file", 2, 11, 14),
        ("1.4", "write_file", 3, 17, 19),
        ("2", "write_file", 2, 28, 30),
    ]
    assert [row.name for row in HELPED.calls] == ["1", "2"]
    assert (HELPED.helpers_calls, HELPED.helpers_turns) == (4, 4)


def test_a_step_that_a_helpers_row_leads_to_shows_its_call() -> None:
    for row in HELPED.rows:
        asked, ran = HELPED_TRACE.steps[row.asked or 0], HELPED_TRACE.steps[row.ran or 0]
        if row.depth:
            assert isinstance(asked, Helper)
            assert isinstance(ran, Helper)
            asked, ran = asked.inner, ran.inner
        assert isinstance(asked, Reply)
        assert isinstance(ran, Tool)
        assert (ran.call["name"], ran.result) == (row.tool, row.outcome)


def test_what_a_helper_took_counts_once() -> None:
    replies = [step.inner if isinstance(step, Helper) else step for step in HELPED_TRACE.steps]
    usages = [step.reply["usage"] for step in replies if isinstance(step, Reply)]
    assert len(usages) == 3 + 4
    assert HELPED.total.tokens_in == sum(usage["input_tokens"] for usage in usages)
    assert HELPED.total.tokens_out == sum(usage["output_tokens"] for usage in usages)
    own = sum(turn.spent.dollars or 0 for turn in HELPED.turns)
    helpers = HELPED.helpers[0].table.total
    assert HELPED.total.dollars == pytest.approx(own + (helpers.dollars or 0))
    last = [step.seconds for step in HELPED_TRACE.steps if isinstance(step, Reply | Tool)]
    assert HELPED.total.seconds == sum(last)  # the helper's time is that of its call


def test_so_far_grows_with_each_call_of_a_helper_and_its_call_holds_them_all() -> None:
    first, *inside, second = HELPED.rows
    order = [row.so_far for row in (*inside, first, second)]
    for what in ("seconds", "tokens", "dollars"):
        assert sorted(getattr(one, what) for one in order) == [getattr(one, what) for one in order]
    assert first.began <= inside[0].asked_at
    assert inside[-1].so_far.seconds <= first.so_far.seconds
    assert first.so_far.tokens == first.turn_spent.tokens + HELPED.helpers[0].table.total.tokens


def test_a_helper_whose_call_was_cut_off_counts_too() -> None:
    cut = replace(HELPED_TRACE, steps=HELPED_TRACE.steps[:20])
    made = table_of(cut, scripted_dollars(cut))
    assert [(row.name, row.ran is None) for row in made.rows][:2] == [("1", True), ("1.1", False)]
    assert made.total.tokens == HELPED.rows[0].so_far.tokens


def test_a_helpers_helper_stands_further_in() -> None:
    inner = trace_of(LIBRARY.find("18"), "asks_a_helper", True, "en")
    asked = call("ask_helper", 9, task="Go.")
    spliced = [
        Helper(
            turn=1,
            lines=(9, 9),
            run=step.run if isinstance(step, Helper) else inner,
            number=step.number if isinstance(step, Helper) else number,
            loop="correct",
            depth=step.depth + 1,
        )
        for number, step in enumerate(inner.steps)
    ]
    made = run_of(reply(asked), *spliced, tool(asked, seconds=20))
    assert [row.name for row in made.rows] == ["1", *(f"1.{row.name}" for row in HELPED.rows)]
    assert [row.ran for row in made.rows[1:]] == [(row.ran or 0) + 3 for row in HELPED.rows]
    assert made.total.tokens == 127 + HELPED.total.tokens


# --- which are shown


ONE, TWO, THREE = call("b", 1, word="Omid"), call("a", 2), call("a", 3)
MIXED = run_of(
    reply(ONE, TWO, THREE),
    tool(ONE, "x", 0.1),
    tool(TWO, "Error: NO", 0.3, is_error=True),
    tool(THREE, "y", 0.2),
).rows


@pytest.mark.parametrize(
    ("keys", "numbers"),
    [
        ({}, [1, 2, 3]),
        ({"tool": "a"}, [2, 3]),
        ({"errors": "only"}, [2]),
        ({"text": "omid"}, [1]),
        ({"text": "error: no"}, [2]),
        ({"text": "nowhere"}, []),
        ({"tool": "a", "sort": "-seconds"}, [2, 3]),
        ({"sort": "tool"}, [2, 3, 1]),
        ({"sort": "seconds"}, [1, 3, 2]),
        ({"sort": "-seconds"}, [2, 3, 1]),
        ({"sort": "tokens"}, [1, 2, 3]),
        ({"tool": "", "text": " ", "errors": "", "sort": ""}, [1, 2, 3]),
    ],
)
def test_an_address_picks_and_sorts(keys: dict[str, str], numbers: list[int]) -> None:
    assert [row.number for row in picked(MIXED, Query.read(keys))] == numbers


@pytest.mark.parametrize(
    ("keys", "names"),
    [
        ({"sort": "-number"}, ["2", "1.4", "1.3", "1.2", "1.1", "1"]),
        ({"tool": "write_file"}, ["1.4", "2"]),
        ({"errors": "only", "sort": "-tokens"}, ["1.4", "1.2", "1.3"]),
        ({"sort": "-seconds", "text": "helper"}, ["1", "2"]),
    ],
)
def test_the_calls_of_helpers_are_picked_and_sorted_too(
    keys: dict[str, str], names: list[str]
) -> None:
    assert [row.name for row in picked(HELPED.rows, Query.read(keys))] == names


@pytest.mark.parametrize(
    ("keys", "said"),
    [
        ({"sort": "size"}, "sort is 'size'; it may be number"),
        ({"errors": "yes"}, "errors is 'yes'; it may be only."),
        ({"text": "x" * 201}, "at most 200 characters"),
    ],
)
def test_a_wrong_key_is_told(keys: dict[str, str], said: str) -> None:
    with pytest.raises(BadAddress) as wrong:
        Query.read(keys)
    assert said in str(wrong.value).replace('"', "'")


def test_the_state_of_a_table_is_in_its_address() -> None:
    query = Query(tool="a", errors=True, text="é &", sort="-tokens")
    assert query.at("/x?step=2") == "/x?step=2&tool=a&errors=only&text=%C3%A9%20%26&sort=-tokens"
    assert query.by("tokens").sort == "tokens"
    assert Query().by("seconds").by("seconds").sort == "-seconds"
    assert Query().at("/x") == "/x"


def test_a_bar_stays_in_its_frame() -> None:
    trace = trace_of(LIBRARY.find("14"), "correct", True, "en")
    sheet = sheet_of(
        "correct", PLACE, trace, table_of(trace, scripted_dollars(trace)), Query(), WORDS
    )
    parts = [part for line in sheet.lines for part in (line.bar.model, line.bar.tool) if part]
    assert len(parts) == 4
    assert all(start >= 0 and width > 0 and start + width <= WIDE for start, width in parts)


def test_what_came_of_a_call_besides_its_result_is_told_in_short() -> None:
    trace = trace_of(LIBRARY.find("24"), "repeats_blindly", True, "en")
    sheet = sheet_of("lane", PLACE, trace, scripted(trace), Query(), WORDS)
    (line,) = sheet.lines
    assert line.row.tries == 2
    assert "2 tries" in line.more


def test_of_very_many_calls_the_first_are_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sheets, "MOST_ROWS", 1)
    trace = trace_of(LIBRARY.find("14"), "correct", True, "en")
    query = Query(sort="-seconds")
    sheet = sheet_of(
        "correct", PLACE, trace, table_of(trace, scripted_dollars(trace)), query, WORDS
    )
    assert [line.row.number for line in sheet.lines] == [2]
    assert sheet.asked == 2


# --- CSV


def cells(row: Row, lane: str = "correct") -> dict[str, str]:
    (read,) = csv.DictReader(io.StringIO(csv_text([("lesson", lane, "checked", row)]), newline=""))
    return read


def test_a_row_of_csv_names_every_fact() -> None:
    read = cells(table(14, "correct").rows[0])
    assert tuple(read) == COLUMNS
    assert read["result"] == ("Done: order 48213\nstatus: delayed\nreason: weather\ndays_late: 5")
    assert (read["arguments"], read["is_error"]) == ('{"order_id": "48213"}', "no")
    assert (read["asked_step"], read["ran_step"], read["seconds"]) == ("2", "4", "0.12")


def test_a_row_of_csv_tells_which_call_it_was_made_in() -> None:
    read = [cells(row) for row in HELPED.rows]
    assert [(row["depth"], row["parent"], row["call"]) for row in read] == [
        ("0", "", "1"),
        *(("1", "1", number) for number in "1234"),
        ("0", "", "2"),
    ]


@pytest.mark.parametrize(
    "text",
    ["=1+1", "+1", "-1", "@sum(a1)", "\t=1", "\r=1", "\n=1", "＝1", "-2+3+cmd|' /C calc'!A0"],
)
def test_no_cell_begins_a_formula(text: str) -> None:
    read = cells(replace(MIXED[0], outcome=Result(text), tool=text, id=text), lane=text)
    assert {read[key] for key in ("lane", "tool", "id", "result")} == {f"'{text}"}


# --- OpenTelemetry


def spans(lesson: int, lane: str, checked: bool = True) -> list[Span]:
    """The spans of a run, as OpenTelemetry's own package reads them."""
    trace = trace_of(LIBRARY.find(str(lesson)), lane, checked, "en")
    made = table_of(trace, scripted_dollars(trace))
    message = otlp(
        [Traced(lane, made, trace.ending, SCRIPTED_AT, "seed", True, "read_only")], "1.0"
    )
    (resource,) = message["resourceSpans"]
    for span in resource["scopeSpans"][0]["spans"]:
        for key in ("traceId", "spanId", "parentSpanId"):
            if key in span:  # OTLP writes ids in hex where protobuf's JSON has base64
                span[key] = base64.b64encode(bytes.fromhex(span[key])).decode()
    read = json_format.ParseDict(message, ExportTraceServiceRequest())
    assert read.resource_spans[0].resource.attributes[0].value.string_value == "halqa"
    return [*read.resource_spans[0].scope_spans[0].spans]


def facts(span: Span) -> dict[str, Any]:
    found = {}
    for one in span.attributes:
        kind = one.value.WhichOneof("value")
        value = getattr(one.value, kind)
        found[one.key] = (
            [part.string_value for part in value.values] if kind == "array_value" else value
        )
    return found


def test_a_run_is_spans_of_the_conventions_for_generative_ai() -> None:
    root, *inside = spans(14, "correct")
    assert [span.name for span in (root, *inside)] == [
        "invoke_agent correct",
        "chat claude-opus-5",
        "execute_tool get_order_status",
        "chat claude-opus-5",
        "execute_tool get_refund_policy",
        "chat claude-opus-5",
    ]
    assert [span.kind for span in (root, *inside)] == [
        Span.SPAN_KIND_INTERNAL,
        *(Span.SPAN_KIND_CLIENT, Span.SPAN_KIND_INTERNAL) * 2,
        Span.SPAN_KIND_CLIENT,
    ]
    chat, called = facts(inside[0]), facts(inside[1])
    assert chat["gen_ai.operation.name"] == "chat"
    assert chat["gen_ai.provider.name"] == "anthropic"
    assert chat["gen_ai.request.model"] == "claude-opus-5"
    assert chat["gen_ai.request.max_tokens"] == 1024
    assert chat["gen_ai.response.finish_reasons"] == ["tool_use"]
    assert chat["gen_ai.usage.input_tokens"] > chat["gen_ai.usage.output_tokens"] > 0
    assert called["gen_ai.operation.name"] == "execute_tool"
    assert called["gen_ai.tool.name"] == "get_order_status"
    assert called["gen_ai.tool.call.id"] == "toolu_01"
    assert called["gen_ai.tool.call.arguments"] == '{"order_id": "48213"}'
    assert facts(root)["halqa.simulated"] is True


def test_spans_hang_together_and_lie_in_time() -> None:
    root, *inside = spans(14, "correct")
    assert (len(root.trace_id), len(root.span_id), root.parent_span_id) == (16, 8, b"")
    assert {span.trace_id for span in inside} == {root.trace_id}
    assert {span.parent_span_id for span in inside} == {root.span_id}
    assert len({span.span_id for span in (root, *inside)}) == 6
    times = [(span.start_time_unix_nano, span.end_time_unix_nano) for span in inside]
    assert times == sorted(times)
    assert all(begun <= ended for begun, ended in times)
    assert times[0][0] == root.start_time_unix_nano == int(SCRIPTED_AT) * 10**9
    assert times[-1][1] == root.end_time_unix_nano


def test_a_helper_is_an_agent_inside_the_span_of_its_call() -> None:
    found = spans(18, "asks_a_helper")
    names = {span.span_id: span.name for span in found}
    assert len(names) == len(found)
    helper = next(span for span in found if span.name == "invoke_agent read_only")
    assert names[helper.parent_span_id] == "execute_tool ask_helper"
    assert (facts(helper)["gen_ai.operation.name"], helper.kind) == (
        "invoke_agent",
        Span.SPAN_KIND_INTERNAL,
    )
    assert facts(helper)["gen_ai.agent.name"] == "read_only"
    assert facts(helper)["gen_ai.usage.input_tokens"] == HELPED.helpers[0].table.total.tokens_in
    inside = [span for span in found if span.parent_span_id == helper.span_id]
    assert [span.name.split()[0] for span in inside] == [
        *("chat", "execute_tool"),
        *("chat", "execute_tool", "execute_tool"),
        *("chat", "execute_tool", "chat"),
    ]
    around = next(span for span in found if span.span_id == helper.parent_span_id)
    for outer, span in ((around, helper), *((helper, one) for one in inside)):
        assert outer.start_time_unix_nano <= span.start_time_unix_nano
        assert span.end_time_unix_nano <= outer.end_time_unix_nano
    assert len(found) == 1 + 3 + 2 + 1 + len(inside)


def test_a_refused_request_is_a_span_with_an_error() -> None:
    root, *_, last = spans(14, "forgot_results")
    assert (root.status.code, last.status.code) == (Status.STATUS_CODE_ERROR,) * 2
    assert facts(last)["error.type"] == "invalid_request_error"
    assert "gen_ai.response.finish_reasons" not in facts(last)
    assert facts(root)["error.type"] == "refused"


def test_a_chat_completion_is_a_span_of_its_own_provider() -> None:
    _, first, *_ = spans(15, "chat")
    assert facts(first)["gen_ai.provider.name"] == "openai"
    assert facts(first)["gen_ai.response.finish_reasons"] == ["tool_calls"]


def test_every_lane_of_every_lesson_is_valid_otlp() -> None:
    for lesson in LIBRARY.lessons():
        for lane in lesson.lanes:
            found = spans(lesson.number, lane.name)
            assert found[0].name == f"invoke_agent {lane.name}"

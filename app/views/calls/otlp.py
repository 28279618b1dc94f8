"""Runs as OpenTelemetry spans in OTLP's JSON form.

The names are those of the semantic conventions for generative AI (opentelemetry.io, `gen_ai.*`): a
span `invoke_agent` for the run, in it one `chat` a request and one `execute_tool` a call; in a call
that asks a helper agent, an `invoke_agent` again. Ids are hex and made of the run's name, so the
same run has the same ids.
"""

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from app.engine.dialects.parts import reason_of
from app.engine.steps import Ending, Json
from app.views.calls.table import BEFORE_ALL, CACHED, Row, Spent, Table, Turn, provider_of
from app.views.texts import compact

INTERNAL, CLIENT = 1, 3  # kinds of span
ERROR = 2  # a span's status
BROKEN = ("wrong", "refused", "error", "failed")  # endings that count as an error
READ, CREATED = "gen_ai.usage.cache_read.input_tokens", "gen_ai.usage.cache_creation.input_tokens"


@dataclass(frozen=True)
class Traced:
    """A run to write: its lane, its table, how it ended. `began` is in seconds since 1970, `seed`
    what its ids are made of; `simulated` where times, tokens and replies are a script's; `helper`
    is what its helper agent is called."""

    lane: str
    table: Table
    ending: Ending
    began: float
    seed: str
    simulated: bool
    helper: str = "helper"


@dataclass(frozen=True)
class _Agent:
    """An agent of a run: the one that the person asked, or a helper inside a call. `at` is what the
    names of its spans begin with, `parent` the name of the span around them, "" where there is
    none."""

    name: str
    table: Table
    ending: Ending
    at: str = ""
    parent: str = ""


def otlp(runs: Sequence[Traced], version: str) -> Json:
    """The runs as a `TracesData` message, as a file or an OTLP/HTTP request holds it."""
    return {
        "resourceSpans": [
            {
                "resource": {"attributes": _attributes({"service.name": "halqa"})},
                "scopeSpans": [
                    {
                        "scope": {"name": "halqa", "version": version},
                        "spans": [span for run in runs for span in _spans(run, _whole(run))],
                    }
                ],
            }
        ]
    }


def _whole(run: Traced) -> _Agent:
    return _Agent(run.lane, run.table, run.ending)


def _spans(run: Traced, agent: _Agent) -> Iterator[Json]:
    turns = agent.table.turns
    model = str(turns[0].envelope.get("model", "")) if turns else ""
    broken = agent.ending.kind in BROKEN
    facts = {
        "gen_ai.operation.name": "invoke_agent",
        "gen_ai.agent.name": agent.name,
        "gen_ai.provider.name": _provider(turns[0]) if turns else "",
        "gen_ai.request.model": model,
        **_used(agent.table.total),
        "error.type": (agent.ending.error or agent.ending.kind) if broken else "",
        "halqa.ending": agent.ending.kind,
        "halqa.simulated": run.simulated,
    }
    own = f"{agent.at}run"
    began, seconds = agent.table.began, agent.table.total.seconds
    span = _span(run, own, f"invoke_agent {agent.name}", began, seconds, facts, agent.parent)
    yield {**span, **(_failed(agent.ending.text) if broken else {})}
    yield from _tools(run, agent, BEFORE_ALL.turn)
    last = turns[-1].turn if turns else 0
    for turn in turns:
        refused = agent.ending if turn.turn == last and turn.reply is None else None
        yield _chat(run, agent, turn, refused)
        yield from _tools(run, agent, turn.turn)


def _tools(run: Traced, agent: _Agent, turn: int) -> Iterator[Json]:
    for row in agent.table.calls:
        if row.turn == turn and (row.ran is not None or row.helping):
            yield _tool(run, row, f"{agent.at}run")
            if row.helping:
                inside = (row.helping.table, row.helping.ending)
                call = f"call {row.name}"
                yield from _spans(run, _Agent(run.helper, *inside, f"{call} ", call))


def _chat(run: Traced, agent: _Agent, turn: Turn, refused: Ending | None) -> Json:
    model = str(turn.envelope.get("model", ""))
    error = refused.faults[0].error if refused and refused.faults else ""
    usage = turn.reply.get("usage") if turn.reply else None
    cached = usage if isinstance(usage, dict) else {}
    facts = {
        "gen_ai.operation.name": "chat",
        "gen_ai.provider.name": _provider(turn),
        "gen_ai.request.model": model,
        "gen_ai.request.max_tokens": turn.envelope.get("max_tokens"),
        "gen_ai.request.stop_sequences": turn.envelope.get("stop_sequences"),
        "gen_ai.response.finish_reasons": [reason_of(turn.reply)] if turn.reply else None,
        **(_used(turn.spent) if turn.reply else {}),
        **{name: cached.get(key) for name, key in zip((READ, CREATED), CACHED, strict=True)},
        "error.type": error,
        "halqa.turn": turn.turn,
    }
    own, name, parent = f"{agent.at}turn {turn.turn}", f"chat {model}", f"{agent.at}run"
    span = _span(run, own, name, turn.began, turn.spent.seconds, facts, parent)
    return {**span, "kind": CLIENT, **(_failed(refused.text) if refused and error else {})}


def _tool(run: Traced, row: Row, parent: str) -> Json:
    facts = {
        "gen_ai.operation.name": "execute_tool",
        "gen_ai.tool.name": row.tool,
        "gen_ai.tool.call.id": row.id,
        "gen_ai.tool.type": "function",
        "gen_ai.tool.call.arguments": compact(row.arguments),
        "gen_ai.tool.call.result": row.result,
        "error.type": "tool_error" if row.failed else "",
        "halqa.turn": row.turn,
        "halqa.decision": row.decision,
    }
    own, name = f"call {row.name}", f"execute_tool {row.tool}"
    span = _span(run, own, name, row.began, row.seconds, facts, parent)
    return {**span, **(_failed(row.result) if row.failed else {})}


def _span(
    run: Traced,
    own: str,
    name: str,
    began: float,
    seconds: float,
    facts: Mapping[str, Any],
    parent: str,
) -> Json:
    """A span; `own` and `parent` are what the ids are made of, besides the run's seed."""
    start = run.began + began
    return {
        "traceId": _id(run.seed, 32),
        "spanId": _id(f"{run.seed} {own}", 16),
        **({"parentSpanId": _id(f"{run.seed} {parent}", 16)} if parent else {}),
        "name": name,
        "kind": INTERNAL,
        "startTimeUnixNano": _nano(start),
        "endTimeUnixNano": _nano(start + seconds),
        "attributes": _attributes(facts),
    }


def _failed(text: str) -> Json:
    return {"status": {"code": ERROR, "message": text}}


def _used(spent: Spent) -> Json:
    dollars = spent.dollars
    return {
        "gen_ai.usage.input_tokens": spent.tokens_in,
        "gen_ai.usage.output_tokens": spent.tokens_out,
        # without the dust of adding floats
        "halqa.cost.dollars": None if dollars is None else round(dollars, 9),
    }


def _provider(turn: Turn) -> str:
    """Whose API a turn speaks to, by the name that the conventions give it: a reply tells, and
    without one the tools, which only a chat completion calls `function`s."""
    if turn.reply is not None:
        return provider_of(turn.reply)
    tools = turn.envelope.get("tools")
    listed = tools if isinstance(tools, list) else []
    kinds = [tool.get("type") for tool in listed if isinstance(tool, dict)]
    chat = "function" in kinds or "functions" in turn.envelope
    return "openai" if chat else "anthropic"


def _attributes(facts: Mapping[str, Any]) -> list[Json]:
    """The facts that there are, each in the form of its type."""
    return [
        {"key": key, "value": _value(value)}
        for key, value in facts.items()
        if value is not None and value != ""
    ]


def _value(value: Any) -> Json:
    match value:
        case bool():
            return {"boolValue": value}
        case int():
            return {"intValue": str(value)}  # a 64-bit number is a text in protobuf's JSON
        case float():
            return {"doubleValue": value}
        case list() | tuple():
            return {"arrayValue": {"values": [_value(one) for one in value]}}
        case _:
            return {"stringValue": str(value)}


def _nano(seconds: float) -> str:
    """A time in nanoseconds, exact to the millisecond."""
    return str(round(seconds * 1_000) * 1_000_000)


def _id(seed: str, digits: int) -> str:
    return hashlib.sha256(seed.encode()).hexdigest()[:digits]

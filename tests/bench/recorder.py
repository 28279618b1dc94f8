"""The recorder in process, against the loop alone and against a loop with guards of its own."""

import copy
import json
import time
from collections.abc import Callable, Mapping
from itertools import pairwise
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from app.engine.record import record
from app.engine.script import ScriptedCall, ScriptedReply
from app.engine.server import ScriptedServer
from app.engine.steps import Result
from app.harness import Harness
from app.loops.correct import run_agent
from tests.bench.measure import Figure, by_turns, figure, median
from tests.bench.table import Row, against

TURNS = 200
EARLY, LATE = slice(1, 11), slice(-11, None)  # gaps between turns 2 to 11, and the last ones
INPUTS = [{"a": turn, "b": 3} for turn in range(TURNS)]
REPLIES: list[dict[str, Any]] = [
    {
        "stop_reason": "tool_use",
        "content": [
            {"type": "text", "text": "I add."},
            {"type": "tool_use", "id": f"toolu_{turn}", "name": "add", "input": given},
        ],
        "usage": {"input_tokens": 10, "output_tokens": 10},
    }
    for turn, given in enumerate(INPUTS)
] + [{"stop_reason": "end_turn", "content": [{"type": "text", "text": "Done."}], "usage": {}}]


class Plain:
    """A model, tools and a server that check nothing. `times` is when each tool call was made."""

    def __init__(self) -> None:
        self.times: list[float] = []

    def create(self, messages: list[Any]) -> dict[str, Any]:
        return REPLIES[len(messages) // 2]

    def body(self, messages: Any, changes: dict[str, Any]) -> dict[str, Any]:
        return {"messages": messages, **changes}

    def check(self, request: dict[str, Any]) -> tuple[()]:
        return ()

    def reply(self, request: dict[str, Any]) -> dict[str, Any]:
        return REPLIES[len(request["messages"]) // 2]


class PlainTools(Plain):
    """Tools for a loop that runs without Halqa."""

    def run(self, call: Mapping[str, Any]) -> dict[str, Any]:
        self.times.append(time.perf_counter())
        return {"content": str(call["input"]["a"] + call["input"]["b"])}


class TimedHarness:
    """The product's harness, with the time of each call."""

    def __init__(self, folder: Path) -> None:
        self.harness = Harness(folder, ("add",))
        self.times: list[float] = []

    def run(self, call: Mapping[str, Any]) -> Result:
        self.times.append(time.perf_counter())
        return self.harness.run(call)


def guarded(task: str, model: Plain, tools: PlainTools, max_turns: int) -> str:
    """The least that a careful loop does: the last two messages looked at, an allow-list, a look
    for repeats, and a record of each event."""
    messages: list[dict[str, Any]] = [{"role": "user", "content": task}]
    seen: dict[tuple[str, str], int] = {}
    events: list[tuple[Any, ...]] = []
    for turn in range(max_turns):
        if problem := tail_problem(messages):
            return f"stopped: {problem}"
        events.append(("ask", turn, len(messages), time.time()))
        reply = model.create(messages)
        events.append(("reply", turn, reply["stop_reason"], time.time()))
        messages.append({"role": "assistant", "content": reply["content"]})
        events.append(("append", turn, len(messages), time.time()))
        if reply["stop_reason"] != "tool_use":
            return "".join(b["text"] for b in reply["content"] if b["type"] == "text")
        results = []
        for call in (block for block in reply["content"] if block["type"] == "tool_use"):
            key = (call["name"], json.dumps(call["input"], sort_keys=True))
            seen[key] = seen.get(key, 0) + 1
            if call["name"] not in ("add",):
                result = {"content": f"no tool {call['name']}", "is_error": True}
            elif seen[key] > 3:
                result = {"content": "the same call for the fourth time", "is_error": True}
            else:
                result = tools.run(call)
            events.append(("tool", turn, copy.deepcopy(call), result, time.time()))
            results.append({"type": "tool_result", "tool_use_id": call["id"], **result})
        messages.append({"role": "user", "content": results})
        events.append(("append", turn, len(messages), time.time()))
    return f"stopped: no answer after {max_turns} turns"


def tail_problem(messages: list[dict[str, Any]]) -> str:
    """What is wrong with the last two messages; "" where nothing is."""
    last = messages[-1]
    if last["role"] != "user" or not last["content"]:
        return "the last message is not the user's"
    if len(messages) == 1:
        return ""
    called = {b["id"] for b in messages[-2]["content"] if b["type"] == "tool_use"}
    answered = {b.get("tool_use_id") for b in last["content"] if b["type"] == "tool_result"}
    return "" if called == answered else "a call has no result, or a result no call"


def rows(quick: bool) -> list[Row]:
    """Time per turn of a run of 200 turns, and how it grows."""
    rounds = 3 if quick else 12
    with TemporaryDirectory() as folder:
        cases = _cases(Path(folder))
        gaps = by_turns(cases, rounds)
    turn = {case: figure(_each(gaps[case], slice(None))) for case in cases}
    grown = {case: _growth(gaps[case]) for case in cases}
    others = "smolagents 40×, SDK runner 230×"
    return [
        _row("recording a turn, against a guarded loop", turn, "recorded", "guarded", 2.5, others),
        _row("recording a turn, against the bare loop", turn, "recorded", "bare"),
        _row("the same behind all rules, against a guarded loop", turn, "checked", "guarded"),
        Row(
            "growth of a turn, 190–200 over 2–11",
            _late(gaps["recorded"]),
            "us",
            _early(gaps["recorded"]),
            ratio=grown["recorded"],
            most=1.2,
            field="guarded 0.9×, smolagents 15×",
        ),
        Row(
            "the same behind all rules",
            _late(gaps["checked"]),
            "us",
            _early(gaps["checked"]),
            ratio=grown["checked"],
            field="whole-list checks 26×",
        ),
    ]


def _row(
    name: str,
    turn: dict[str, Figure],
    product: str,
    floor: str,
    most: float | None = None,
    field: str = "",
) -> Row:
    return against(name, turn[product], turn[floor], "us", most=most, field=field)


def _cases(folder: Path) -> dict[str, Callable[[], list[float]]]:
    script = tuple(
        ScriptedReply(text="I add.", calls=(ScriptedCall(f"sum{turn}", "add", given),))
        for turn, given in enumerate(INPUTS)
    )
    script += (ScriptedReply(text="Done."),)

    def loop(run: Callable[..., Any]) -> list[float]:
        tools = PlainTools()
        run("Add.", Plain(), tools, max_turns=TURNS + 1)
        return _gaps(tools.times)

    def recorded(server: Any) -> list[float]:
        tools = TimedHarness(folder)
        trace = record(run_agent, "Add.", server, tools, max_turns=TURNS + 1)
        assert trace.ending.kind == "answer", trace.ending
        return _gaps(tools.times)

    schemas = tuple(Harness(folder, ("add",)).schemas)
    return {
        "bare": lambda: loop(run_agent),
        "guarded": lambda: loop(guarded),
        "recorded": lambda: recorded(Plain()),
        "checked": lambda: recorded(ScriptedServer(script, tools=schemas)),
    }


def _gaps(times: list[float]) -> list[float]:
    """Microseconds from each tool call to the next."""
    assert len(times) == TURNS
    return [(after - before) * 1e6 for before, after in pairwise(times)]


def _each(gaps: list[float], which: slice) -> list[float]:
    """Some gaps of each of the runs that are joined in one list."""
    runs = [gaps[first : first + TURNS - 1] for first in range(0, len(gaps), TURNS - 1)]
    return [gap for run in runs for gap in run[which]]


def _early(gaps: list[float]) -> Figure:
    return figure(_each(gaps, EARLY))


def _late(gaps: list[float]) -> Figure:
    return figure(_each(gaps, LATE))


def _growth(gaps: list[float]) -> float:
    return median(_each(gaps, LATE)) / median(_each(gaps, EARLY))

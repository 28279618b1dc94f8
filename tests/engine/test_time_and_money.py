"""A run's time and money: what the loop is told, and what the steps keep."""

from typing import Any

from app.engine.clock import Clock
from app.engine.record import record
from app.engine.script import ScriptedCall, ScriptedReply
from app.engine.server import ScriptedServer
from app.engine.steps import Json, Reply, Result, Tool, Trace
from app.engine.timed import TimedRunner

CALL = ScriptedCall("sum", "add", {"a": 1}, seconds=4)
SCRIPT = (ScriptedReply("Adding.", (CALL,), seconds=8), ScriptedReply("Done.", seconds=16))
ADD = {"name": "add", "input_schema": {"type": "object"}}


class Adds:
    def run(self, call: Any, decision: str = "") -> Result:
        return Result("1")


class ByTokens:
    def dollars(self, usage: Json) -> float:
        return float(usage["output_tokens"])


def run(loop: Any) -> Trace:
    clock = Clock()
    server = ScriptedServer(SCRIPT, checked=False, tools=(ADD,), clock=clock)
    tools = TimedRunner(Adds(), SCRIPT, clock)
    return record(loop, "add", server, tools, max_turns=2, clock=clock, prices=ByTokens())


def told(task, model, tools, clock, prices, max_turns=40):
    messages = [{"role": "user", "content": task}]
    said = [str(max_turns), str(clock.now)]
    reply = model.create(messages)
    said.append(str(clock.now))
    call = reply["content"][-1]
    tools.run(call)
    tools.run({**call, "input": {"a": 2}})
    said.append(str(clock.now))
    said.append(str(prices.dollars(reply["usage"]) == reply["usage"]["output_tokens"]))
    return " ".join(said)


def plain(task, model, tools):
    return model.create([{"role": "user", "content": task}])["content"][0]["text"]


def test_time_passes_by_what_the_script_says_and_a_loop_is_told_of_it() -> None:
    assert run(told).ending.text == "2 0.0 8.0 12.25 True"


def test_each_reply_and_each_call_keeps_how_long_it_took() -> None:
    taken = [step.seconds for step in run(told).steps if isinstance(step, Reply | Tool)]
    assert taken == [8.0, 4.0, 0.25]


def test_a_loop_is_given_what_its_parameters_name_and_no_more() -> None:
    assert run(plain).ending.text == "Adding."

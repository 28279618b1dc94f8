"""What the recorder writes down: what the list did, seen from outside, whatever the style."""

import sys
from collections.abc import Callable
from typing import Any

import pytest

from app.engine import frame
from app.engine import record as recorder
from app.engine.given import MOST_PRINTED
from app.engine.record import Recorder, record
from app.engine.steps import Append, Ask, Edit, End, Fault, NoReply, Tool, Trace
from tests.engine.canned import REPLIES, Canned, trace_of

Run = Callable[..., Any]
ONE_CALL = [REPLIES[1], REPLIES[2]]


def kinds(trace: Trace) -> str:
    return " ".join(step.kind for step in trace.steps)


# --- the same run in many styles: each must give the same steps


def plain(task, model, tools, max_turns=40):
    messages = [{"role": "user", "content": task}]
    while True:
        reply = model.create(messages)
        messages.append({"role": "assistant", "content": reply["content"]})
        calls = [block for block in reply["content"] if block["type"] == "tool_use"]
        if not calls:
            return reply["content"][0]["text"]
        results = []
        for call in calls:
            results.append({"type": "tool_result", "tool_use_id": call["id"], **tools.run(call)})
        messages.append({"role": "user", "content": results})


def other_name_and_plus_equals(task, model, tools, max_turns=40):
    history = []
    history += [{"role": "user", "content": task}]
    for _ in range(max_turns):
        reply = model.create(history)
        history += [{"role": "assistant", "content": reply["content"]}]
        if reply["stop_reason"] == "end_turn":
            return reply["content"][0]["text"]
        call = reply["content"][-1]
        answer = {"type": "tool_result", "tool_use_id": call["id"], **tools.run(call)}
        history += [{"role": "user", "content": [answer]}]


def recursion(task, model, tools, max_turns=40, so_far=None):
    messages = so_far or [{"role": "user", "content": task}]
    reply = model.create(messages)
    messages.append({"role": "assistant", "content": reply["content"]})
    if reply["stop_reason"] == "end_turn":
        return reply["content"][0]["text"]
    call = reply["content"][-1]
    answer = {"type": "tool_result", "tool_use_id": call["id"], **tools.run(call)}
    messages.append({"role": "user", "content": [answer]})
    return recursion(task, model, tools, max_turns, messages)


@pytest.mark.parametrize("loop", [plain, other_name_and_plus_equals, recursion])
def test_the_list_is_the_one_that_is_sent_whatever_its_name(loop: Run) -> None:
    trace = trace_of(loop, ONE_CALL)
    assert kinds(trace) == "start ask reply append tool append ask reply append end"
    assert trace.messages_sent == [1, 3]
    assert trace.ending.kind == "answer"


def test_a_list_made_anew_each_time_is_compared_when_it_is_sent() -> None:
    def fresh(task, model, tools, max_turns=40):
        messages = [{"role": "user", "content": task}]
        reply = model.create(messages)
        call = reply["content"][-1]
        answer = {"type": "tool_result", "tool_use_id": call["id"], **tools.run(call)}
        asked = {"role": "assistant", "content": reply["content"]}
        reply = model.create([*messages, asked, {"role": "user", "content": [answer]}])
        return reply["content"][0]["text"]

    trace = trace_of(fresh, ONE_CALL)
    assert kinds(trace) == "start ask reply tool append ask reply end"
    grown = next(step for step in trace.steps if isinstance(step, Append))
    assert (grown.index, grown.count) == (1, 2)
    assert trace.messages_sent == [1, 3]


# --- what an entry can suffer


def changing(change: str) -> Run:
    """A loop that does something to `messages` between two requests."""
    source = f"""
def loop(task, model, tools, max_turns=40):
    messages = [{{"role": "user", "content": [{{"type": "text", "text": task}}]}}]
    messages.append({{"role": "assistant", "content": "a"}})
    messages.append({{"role": "user", "content": "b"}})
    model.create(messages)
    {change}
    model.create(messages)
    return "done"
"""
    names: dict[str, Any] = {}
    import linecache

    name = f"<changing {change}>"
    linecache.cache[name] = (len(source), None, source.splitlines(keepends=True), name)
    exec(compile(source, name, "exec"), names)
    loop: Run = names["loop"]
    return loop


@pytest.mark.parametrize(
    ("change", "index", "before", "after"),
    [
        ("messages[1]['content'] = 'x'", 1, 1, 1),
        ("messages[2] = {'role': 'user', 'content': 'x'}", 2, 1, 1),
        ("messages[0]['content'].append({'type': 'text', 'text': 'more'})", 0, 1, 1),
        ("messages[-1]['content'] += '!'", 2, 1, 1),
        ("messages.pop()", 2, 1, 0),
        ("del messages[0]", 0, 1, 0),
        ("messages.insert(0, {'role': 'user', 'content': 'x'})", 0, 0, 1),
        ("messages.clear()", 0, 3, 0),
        ("messages[:] = messages[1:]", 0, 1, 0),
    ],
)
def test_a_changed_entry_is_an_edit(change: str, index: int, before: int, after: int) -> None:
    trace = trace_of(changing(change), REPLIES)
    edits = [step for step in trace.steps if isinstance(step, Edit)]
    assert [(e.index, len(e.before), len(e.after)) for e in edits] == [(index, before, after)]
    assert trace.messages(trace.steps[0]) == ()
    assert [len(trace.messages(ask)) for ask in trace.asks] == trace.messages_sent
    assert trace.messages_sent == [3, 3 + after - before]


def test_the_steps_before_an_edit_keep_what_they_saw() -> None:
    trace = trace_of(changing("messages[0]['content'][0]['text'] = 'x'"), REPLIES)
    first, second = trace.asks
    assert trace.messages(first)[0]["content"][0]["text"] == "Go."
    assert trace.messages(second)[0]["content"][0]["text"] == "x"
    assert (first.fresh, second.fresh) == (0, 0)


def test_nothing_done_is_no_step() -> None:
    trace = trace_of(changing("messages = list(messages)"), REPLIES)
    assert kinds(trace) == "start ask reply ask reply end"


# --- endings


def ending_of(loop: Run, **options: Any) -> tuple[str, str]:
    canned = Canned()
    trace = record(loop, "Go.", canned, canned, **options)
    assert isinstance(trace.steps[-1], End)
    return trace.ending.kind, trace.ending.text


@pytest.mark.parametrize(
    ("answer", "kind"),
    [
        ("5", "answer"),
        ("six", "wrong"),
        ("stopped: refusal", "stopped"),
        ("stopped: no answer after 6 turns", "no_answer"),
        (None, "error"),
        (5, "error"),
    ],
)
def test_what_a_loop_returns_is_its_ending(answer: Any, kind: str) -> None:
    found, text = ending_of(lambda task, model, tools: answer, right=lambda text: text == "5")
    assert found == kind
    assert str(answer) in text


def test_an_exception_ends_the_run_at_its_line() -> None:
    def crashes(task, model, tools):
        reply = model.create([])
        return reply["nothing"]

    canned = Canned()
    trace = record(crashes, "Go.", canned, canned)
    assert (trace.ending.kind, trace.ending.error) == ("error", "KeyError")
    first = crashes.__code__.co_firstlineno
    assert trace.steps[-1].lines == (first + 2, first + 2)


def test_a_script_without_a_reply_is_a_limit_of_ours() -> None:
    class Silent(Canned):
        def reply(self, request: Any) -> Any:
            raise NoReply("the script has no reply to this request")

    trace = record(plain, "Go.", Silent(), Silent())
    assert (trace.ending.kind, kinds(trace)) == ("cut", "start ask end")


def test_a_refused_request_counts_among_those_sent() -> None:
    refusal = Fault("A40", "refuse", "messages.1", "No result.")

    class Strict(Canned):
        def check(self, request: Any) -> Any:
            return (refusal,) if len(request["messages"]) > 1 else ()

    trace = record(plain, "Go.", Strict(), Strict())
    assert trace.ending.kind == "refused"
    assert trace.ending.faults == (refusal,)
    assert (trace.ending.rules, trace.ending.status) == (["A40"], 400)
    assert trace.messages_sent == [1, 3]
    assert kinds(trace).endswith("append ask end")


def test_a_warning_refuses_nothing() -> None:
    class Doubting(Canned):
        def check(self, request: Any) -> Any:
            return (Fault("A46", "warn", "messages.1", "Bad form."),)

    trace = record(plain, "Go.", Doubting(), Doubting())
    assert trace.ending.kind == "answer"
    assert all(ask.faults for ask in trace.asks)


@pytest.mark.parametrize("caught", ["", "except Exception: pass", "except: pass"])
def test_a_loop_that_never_stops_is_cut(caught: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(recorder, "MOST_STEPS", 50)

    def asks_for_ever(task, model, tools):
        messages = [{"role": "user", "content": task}]
        while True:
            model.create(messages)

    class Endless(Canned):
        def reply(self, request: Any) -> Any:
            return REPLIES[-1]

    trace = record(asks_for_ever, "Go.", Endless(), Endless())
    assert (trace.ending.kind, len(trace.steps)) == ("cut", 51)
    assert trace.ending.text == recorder.TOO_MANY_STEPS


def test_a_loop_that_spins_without_a_call_is_cut(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(frame, "MOST_LINES", 1_000)

    def spins(task, model, tools):
        turn = 0
        while True:
            turn += 1

    canned = Canned()
    assert record(spins, "Go.", canned, canned).ending.kind == "cut"


# --- what may not leak


def test_what_a_loop_does_later_changes_no_recorded_step() -> None:
    def vandal(task, model, tools, max_turns=40):
        messages = [{"role": "user", "content": task}]
        reply = model.create(messages)
        call = reply["content"][-1]
        result = tools.run(call)
        reply["content"].clear()
        call["input"].clear()
        result.clear()
        messages.clear()
        return "gone"

    trace = trace_of(vandal, ONE_CALL)
    ask = trace.asks[0]
    tool = next(step for step in trace.steps if isinstance(step, Tool))
    assert isinstance(ask, Ask)
    assert trace.messages(ask) == ({"role": "user", "content": "Go."},)
    assert trace.steps[2].reply == ONE_CALL[0]  # type: ignore[attr-defined]
    assert tool.call["input"] == {"a": 3}


def test_an_own_tracer_is_put_back() -> None:
    import sys

    before = sys.gettrace()
    trace_of(plain, ONE_CALL)
    assert sys.gettrace() is before


def test_a_loop_that_calls_exit_has_an_ending_too() -> None:
    def leaves(task, model, tools, max_turns=40):
        raise SystemExit("bye")

    ending = trace_of(leaves).ending
    assert (ending.kind, ending.error, ending.text) == ("error", "SystemExit", "bye")


def test_a_run_can_be_read_while_it_goes() -> None:
    seen = []

    class Read(Recorder):
        def emit(self, kind: Any, **facts: Any) -> None:
            super().emit(kind, **facts)
            seen.append(kinds(self.trace()))

    Read(plain, Canned(ONE_CALL), Canned()).run("task", None, lambda answer: True)
    assert seen[:3] == ["start", "start ask", "start ask reply"]


# --- what a loop prints


def test_what_a_loop_prints_is_kept_with_its_steps(capsys: pytest.CaptureFixture[str]) -> None:
    def prints(task, model, tools):
        print("before")
        model.create([{"role": "user", "content": task}])
        print(1, 2, sep="-", file=sys.stderr)
        return "Done."

    canned = Canned()
    steps = record(prints, "Go.", canned, canned).steps
    assert [(step.kind, step.printed) for step in steps] == [
        ("start", ""),
        ("ask", "before\n"),
        ("reply", ""),
        ("end", "1-2\n"),
    ]
    assert capsys.readouterr() == ("", "")


def test_a_loop_that_prints_without_end_fills_no_memory() -> None:
    def floods(task, model, tools):
        for _ in range(1_000):
            print("x" * 1_000)
        return "Done."

    canned = Canned()
    printed = record(floods, "Go.", canned, canned).steps[-1].printed
    assert len(printed) == MOST_PRINTED + 1
    assert printed.endswith("…")

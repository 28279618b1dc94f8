# ruff: noqa: E501 - a row of a table is one line, however long
"""The sentence of each step, read as a specification: what happened, and why."""

import gettext
import re
from html import unescape

import pytest

from app import paths
from app.engine.steps import (
    Append,
    Ask,
    Check,
    Edit,
    End,
    Ending,
    Reply,
    Result,
    Start,
    Step,
    Tool,
    Trace,
)
from app.run import library, trace_of
from app.source import loops
from app.views.fates import asked_before, fates_of
from app.views.sentences import sentence
from app.views.texts import Words

WORDS = Words(gettext.NullTranslations())
LIBRARY = library([paths.SCENARIOS])


def said(trace: Trace, number: int, loop: str = "correct") -> str:
    """A step's sentence as plain text."""
    found = sentence(trace, number, loops()[loop], fates_of(trace), WORDS)
    return unescape(re.sub(r"<[^>]+>", "", f"{found.said} {found.why}")).strip()


@pytest.mark.parametrize(
    ("lesson", "lane", "checked", "step", "expected"),
    [
        # the correct loop, step by step
        (4, "correct", True, 0, "A person asks, and nothing is sent yet. The loop will put the question into messages[] and send that to the model."),
        (4, "correct", True, 1, "The first request leaves. All that the model gets to know is in it: 1 message. With it goes the description of 1 tool."),
        (4, "correct", True, 2, 'The model asks for a tool: list_files {"path": "."}. It can only ask. Its reply is in a variable, not in messages[] yet.'),
        (4, "correct", True, 3, "The reply joins messages[] as [1]. It holds 2 messages now."),
        (4, "correct", True, 4, 'The harness runs list_files {"path": "."}. The result is in a variable; messages[] still holds 2 messages.'),
        (4, "correct", True, 5, "The result joins messages[], under the id of its call. Only now can the model get to know it."),
        (4, "correct", True, 6, "Request 2 leaves, with all of messages[] again. 3 messages: 1 sent again, 2 new. The model keeps nothing between two requests."),
        (4, "correct", True, 12, "The model answers and asks for no tool. stop_reason is end_turn: this is the loop's sign to stop."),
        (4, "correct", True, 14, "The loop returns the answer. 3 requests were sent."),
        (3, "correct", True, 1, "The first request leaves. All that the model gets to know is in it: 1 message. With it go the descriptions of 2 tools."),
        (5, "correct", True, 2, "The model asks for 2 tools at once. It can only ask. Its reply is in a variable, not in messages[] yet."),
        (5, "correct", True, 6, "All 2 results join messages[] in one message, each under the id of its call. Only now can the model get to know it."),
        # what the loop prints is told with the step that follows
        (14, "prints_each_call", True, 4, "The harness runs get_order_status {\"order_id\": \"48213\"}. The result is in a variable; messages[] still holds 2 messages. Before that the loop printed 1 get_order_status {'order_id': '48213'}."),
        # what a harness has to say, and a run that it ends
        (22, "told_in_a_message", True, 6, "A system message joins messages[]. The harness tells the model what holds from here on. It holds 4 messages now."),
        (24, "run_stops", True, 4, "append_line fails: the environment is at fault, not the call. It is not tried again. In the workspace it changed nothing. The harness ends the run here: the model will not get to know it."),
        (24, "run_stops", True, 5, "The harness ends the run: the environment failed: the folder cannot be reached. 1 request was sent."),
        # limits: what a person reads at them, and what is used of them
        (11, "silent_cap", True, 341, "The loop returns an empty text: the person reads nothing. 40 requests were sent. The slip of this loop: Says nothing when its cap is reached: it returns an empty text."),
        (11, "hands_over", True, 341, "The loop gives up after 40 turns, its cap. The model was still asking. The person reads: “stopped: no answer after 40 turns. It still wants read_file. What should it try?”"),
        (12, "guard", True, 29, 'The harness does not run job_status: it was made 2 times before, counted as job_status {"job":"report-7"}. The reason becomes the result. The result is in a variable; messages[] still holds 12 messages.'),
        (13, "by_time", True, 17, 'The model asks for a tool: read_file {"path": "guest-04.txt"}. It can only ask. Its reply is in a variable, not in messages[] yet. It took 26 s; 32.75 s of the run are gone.'),
        # in chat completions
        (15, "chat", True, 5, "The result joins messages[], under the id of its call. Only now can the model get to know it."),
        (15, "chat", True, 12, "The model answers and asks for no tool. finish_reason is stop: this is the loop's sign to stop."),
        (7, "correct", True, 4, "The loop stops: max_tokens. The reply reached its largest size; its last call may be cut off. 1 request was sent."),
        (10, "new_reason", True, 9, "The loop stops: handed_over. A reason that this loop does not know. 2 requests were sent."),
        (13, "by_time", True, -1, "The loop stops: no time left of 30 seconds. 4 requests were sent."),
        (15, "chat_given_functions", True, 4, "The loop stops: function_call. The older form of tool_calls. 1 request was sent."),
        (15, "one_function", True, 5, "The result joins messages[], under the name of its function. This older form has no ids. Only now can the model get to know it."),
        (15, "ignores_finish_reason", True, 12, "The reply stops early. finish_reason is length."),
        (15, "wrong_tool_call_id", True, 5, "The result joins messages[] under an id that no call has. Nothing ties it to the call it answers."),
        (15, "toy_history", True, 3, "Only a part of the reply joins messages[]. Its tool_calls is left out, so in the list that call was never made."),
        (15, "toy_history", True, 5, "The result joins messages[] without its tool_call_id. Nothing in it says which call it answers."),
        # the result is lost
        (4, "forgot_results", False, 4, 'The harness runs list_files {"path": "."}. This loop never appends the result: the model will not get to know it.'),
        (4, "forgot_results", False, 5, "Request 2 leaves without the result. 2 messages: 1 sent again, 1 new. What the tool gave back is in none of them."),
        (4, "forgot_results", False, 6, 'The model asks for the same tool again: list_files {"path": "."}. No result in the request answers its call, and what is not in the request did not happen.'),
        (4, "forgot_results", False, 8, "The harness runs list_files once more, for the same result. This loop never appends the result: the model will not get to know it."),
        (4, "forgot_results", False, 25, "The loop gives up after 6 turns, its cap. The model was still asking. The slip of this loop: Runs the tool, then keeps the result to itself."),
        (4, "forgot_results", True, 6, "The server refuses request 2. Every tool_use must be answered by a tool_result in the very next user turn."),
        # the whole round is lost
        (5, "forgot_round", True, 2, "The model asks for 2 tools at once. It can only ask. Its reply is in a variable, and this loop never appends it to messages[]."),
        (5, "forgot_round", True, 5, "The same request once more, byte for byte. Nothing joined messages[], so for the model nothing has happened."),
        # the result does not find its call
        (4, "missing_tool_use_id", True, 5, "The result joins messages[] without its tool_use_id. Nothing in it says which call it answers."),
        (4, "missing_tool_use_id", True, 6, "Request 2 leaves with a result that names no call. 3 messages: 1 sent again, 2 new."),
        (4, "missing_tool_use_id", True, 7, "The server refuses request 2. A tool_result must name the call it answers: tool_use_id is missing."),
        (5, "swapped_ids", True, 6, "Each result joins messages[] under the id of another call. The list looks right. The model will take each result for that of the other call."),
        (5, "swapped_ids", True, 7, "Request 2 leaves with each result under a wrong id. 3 messages: 1 sent again, 2 new."),
        (5, "swapped_ids", True, 10, "The loop returns an answer, and it is wrong. No request was refused. The slip of this loop: Answers each call under the id of the other one."),
        (5, "forgot_assistant", False, 5, "The results join messages[], but their calls do not stand there. A result without the call it answers means nothing."),
        (5, "forgot_assistant", False, 6, "Request 2 leaves without the call that was made. 2 messages: 1 sent again, 1 new. The result in it answers nothing that stands there."),
        (5, "text_only", True, 3, "Only a part of the reply joins messages[]. Its tool_use is left out, so in the list that call was never made."),
        (6, "edits_thinking", True, 3, "The reply joins messages[], but not as it came. Its thinking is left out or changed; its calls stand there."),
        (6, "drops_thinking", True, 5, "The result joins messages[], under the id of its call. Only now can the model get to know it."),
        # the reply stops early
        (7, "runs_cut_call", True, 2, "The reply stops early. stop_reason is max_tokens. No call in it may run."),
        (7, "retries_larger", True, 3, "Request 2 leaves, with all of messages[] again. 1 message: 1 sent again, 0 new. The model keeps nothing between two requests."),
        (10, "every_stop_reason", True, 2, "The reply stops early. stop_reason is pause_turn."),
        # taken, with a warning
        (5, "split_results", True, 5, "One result joins messages[] in a message of its own. Results of one round belong into one message; each gets its own here."),
        (5, "split_results", True, 8, "Request 2 leaves, with all of messages[] again. 4 messages: 1 sent again, 3 new. The model keeps nothing between two requests. The server takes it, with a warning: A46."),
        # the loop changes more than the messages
        (2, "one_round", True, 7, "The model answers and asks for no tool. None was offered to it. stop_reason is end_turn: this is the loop's sign to stop."),
        (2, "one_round", True, 6, "Request 2 leaves, with all of messages[] again. 3 messages: 1 sent again, 2 new. The model keeps nothing between two requests. The loop itself passes tools=[]: no tool is offered."),
    ],
)  # fmt: skip
def test_a_step_of_a_lesson_says(
    lesson: int, lane: str, checked: bool, step: int, expected: str
) -> None:
    found = LIBRARY.find(str(lesson))
    trace = trace_of(found, lane, checked, "en")
    assert said(trace, step, found.lane(lane).loop) == expected


def trace_with(*steps: Step) -> Trace:
    """A trace of a start and some steps over a list of one message."""
    task = {"role": "user", "content": "Why?"}
    return Trace((Start(turn=0, lines=(0, 0), task="Why?"), *steps), ((task,),))


CALL = {"type": "tool_use", "id": "t1", "name": "add", "input": {"a": 1}}
ASK = Ask(turn=1, lines=(4, 4), length=1, envelope={"model": "m", "max_tokens": 9})
REPLY = Reply(turn=1, lines=(4, 4), length=1, reply={"stop_reason": "tool_use", "content": [CALL]})
FAILED = Result(
    'Error: there is no tool "add"', True, (Check("exists", False, 'there is no tool "add"'),)
)


@pytest.mark.parametrize(
    ("step", "expected"),
    [
        (Tool(turn=1, lines=(9, 9), length=1, call=CALL, result=FAILED), 'The harness does not run add: there is no tool "add". The reason becomes the result. This loop never appends the result: the model will not get to know it.'),
        (Tool(turn=1, lines=(9, 9), length=1, call=CALL, result=Result("Error: broken", True)), "add fails. The error is its result. This loop never appends the result: the model will not get to know it."),
        (Reply(turn=1, lines=(4, 4), length=1, reply={"stop_reason": "max_tokens", "content": []}), "The reply stops early. stop_reason is max_tokens."),
        (Append(turn=1, lines=(9, 9), length=1, index=0), "1 message joins messages[]. It holds 1 message now."),
        (Edit(turn=1, lines=(9, 9), length=1, index=0, before=({"role": "user"},), after=({"role": "assistant"},)), "messages[] changes at [0]. What was sent before is not what will be sent next."),
        (Edit(turn=1, lines=(9, 9), length=0, index=0, before=({"role": "user"},), after=()), "1 message leaves messages[]. It stood at [0]. The model will not see it again."),
        (End(turn=1, lines=(9, 9), length=1, ending=Ending("stopped", "stopped: max_tokens")), "The loop stops: max_tokens. 1 request was sent."),
        (End(turn=1, lines=(9, 9), length=1, ending=Ending("failed", "The API is overloaded.", error="529 overloaded_error")), "The call fails: 529 overloaded_error. The API is overloaded."),
        (End(turn=1, lines=(9, 9), length=1, ending=Ending("error", "'id'", error="KeyError")), "The loop breaks in line 9: KeyError. 'id'"),
        (End(turn=1, lines=(9, 9), length=1, ending=Ending("cut", "the script has no reply to this request")), "Halqa ends this run: the script has no reply to this request. This is a limit of Halqa, not of the loop."),
        (End(turn=1, lines=(9, 9), length=1, ending=Ending("answer", "Yes.")), "The loop returns the answer. 1 request was sent."),
    ],
)  # fmt: skip
def test_a_step_that_no_lesson_has_says(step: Step, expected: str) -> None:
    ended = End(turn=1, lines=(9, 9), length=1, ending=Ending("stopped", "stopped: x"))
    assert said(trace_with(ASK, REPLY, step, ended), 3) == expected


def test_what_becomes_of_a_result_is_open_while_a_run_goes_on() -> None:
    step = Tool(turn=1, lines=(9, 9), length=1, call=CALL, result=Result("3"))
    assert said(trace_with(ASK, REPLY, step), 3) == (
        'The harness runs add {"a": 1}. The result is in a variable; '
        "messages[] still holds 1 message."
    )


@pytest.mark.parametrize(("given", "again"), [(1, True), (1.0, True), (True, False), ("1", False)])
def test_a_call_is_made_again_where_its_input_is_the_same_json(given: object, again: bool) -> None:
    replies = [
        Reply(
            turn=turn,
            lines=(4, 4),
            length=1,
            reply={"stop_reason": "tool_use", "content": [{**CALL, "input": {"a": asked}}]},
        )
        for turn, asked in enumerate((1, given), 1)
    ]
    assert asked_before(Trace(tuple(replies), ((),)), 1) is again


def test_a_call_that_was_answered_and_is_made_again_is_not_called_unanswered() -> None:
    result = {"type": "tool_result", "tool_use_id": "t1", "content": "1"}
    messages = (
        {"role": "user", "content": "Why?"},
        {"role": "assistant", "content": [CALL]},
        {"role": "user", "content": [result]},
    )
    again = {"stop_reason": "tool_use", "content": [{**CALL, "id": "t2"}]}
    trace = Trace(
        (
            Start(turn=0, lines=(0, 0), task="Why?"),
            ASK,
            REPLY,
            Append(turn=1, lines=(5, 6), length=2, index=1),
            Tool(turn=1, lines=(9, 9), length=2, call=CALL, result=Result("1")),
            Append(turn=1, lines=(10, 10), length=3, index=2),
            Ask(turn=2, lines=(4, 4), length=3, fresh=1, envelope=ASK.envelope),
            Reply(turn=2, lines=(4, 4), length=3, reply=again),
        ),
        (messages,),
    )
    assert said(trace, 7) == (
        'The model asks for the same tool again: add {"a": 1}. '
        "The request holds the result of that call; it asks all the same."
    )


def test_a_text_in_a_sentence_is_escaped() -> None:
    hostile = Ending("error", "<b>\u202e", error="<i>")
    step = End(turn=1, lines=(9, 9), length=1, ending=hostile)
    found = sentence(trace_with(ASK, REPLY, step), 3, loops()["correct"], {}, WORDS)
    assert "<b>" not in f"{found.said}{found.why}"
    assert "<i>" not in f"{found.said}{found.why}"
    assert "\u202e" not in found.why

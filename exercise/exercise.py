"""Write the loop that makes a model an agent: fill in run_agent, then run this file.

    python exercise.py               one call, then the answer
    python exercise.py two_calls     another script; any unknown name lists them all

The instructions are in README.en.md (also ar, fa, ru).
"""

import json

from app.exercise.play import play
from app.exercise.tools import run_tool  # add and word_count are in that file too


def run_agent(task, model, max_turns):
    """Work on `task` with `model` until it is done, and return the answer as a text.

    Start the conversation, a list of messages, with the task as a user message. Then, at most
    `max_turns` times:

    - send the whole conversation: `reply = model.create(messages)`;
    - append an assistant message with the whole `reply["content"]`, every block as it came;
    - look at `reply["stop_reason"]`:
        "end_turn"     return the text of the reply: its text blocks joined, nothing else;
        "tool_use"     run every tool_use block with `run_tool(block)`, in order, and print a line
                       for each; then append ONE user message with all the results;
        anything else  run nothing and return "stopped: <reason>".

    After `max_turns` turns return "stopped: no answer after <max_turns> turns".

    A result is a block with "type": "tool_result", the "tool_use_id" of its call, and all that
    `run_tool` gave back. The line of a call, with turns counted from 1:

        turn 1: add {"a": 2, "b": 3} -> 5

    It shows `json.dumps(block["input"], sort_keys=True)` and the content of the result.
    """
    # Your loop goes here.


if __name__ == "__main__":
    play(run_agent)

"""Runs of loops with canned replies, as a program: `python canned.py LOOP …` prints their steps.

It needs the standard library and app alone, so that any Python can run it.
"""

import json
import sys
from collections.abc import Callable, Mapping
from importlib import import_module
from pathlib import Path
from typing import Any

CALLS = [
    [
        {"type": "text", "text": "Both."},
        *(
            {"type": "tool_use", "id": f"toolu_{n}", "name": "add", "input": {"a": n}}
            for n in (1, 2)
        ),
    ],
    [{"type": "tool_use", "id": "toolu_3", "name": "add", "input": {"a": 3}}],
]
REPLIES = [{"stop_reason": "tool_use", "content": calls, "usage": {}} for calls in CALLS] + [
    {"stop_reason": "end_turn", "content": [{"type": "text", "text": "Done."}], "usage": {}}
]


class Canned:
    """Gives one reply after the other, whatever it is sent: a server and a runner in one."""

    def __init__(self, replies: list[dict[str, Any]] = REPLIES) -> None:
        self.replies = json.loads(json.dumps(replies))

    def body(self, messages: Any, changes: dict[str, Any]) -> dict[str, Any]:
        return {"messages": messages, **changes}

    def check(self, request: dict[str, Any]) -> tuple[()]:
        return ()

    def reply(self, request: dict[str, Any]) -> dict[str, Any]:
        return self.replies.pop(0)

    def run(self, call: Mapping[str, Any]) -> Any:
        from app.engine.steps import Result

        return Result("5")

    def dollars(self, usage: dict[str, Any]) -> float:
        return 0.0


def trace_of(loop: Callable[..., Any], replies: list[dict[str, Any]] = REPLIES) -> Any:
    """The trace of a loop with canned replies."""
    from app.engine.record import record

    canned = Canned(replies)
    return record(loop, "Go.", canned, canned, max_turns=6, prices=canned)


if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
    for loop in sys.argv[1:]:
        trace = trace_of(import_module(f"app.loops.{loop}").run_agent)
        print(json.dumps([[step.kind, step.turn, step.lines, step.ran] for step in trace.steps]))

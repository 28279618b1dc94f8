"""Plays a script to a loop and prints what the loop did. It needs Python alone."""

import sys
from collections.abc import Callable
from typing import Any

from app.engine.steps import Fault, NoReply, Refused
from app.exercise.scripts import CASES, Case, case_named


class FakeModel:
    """Stands where a model would: it answers from a script, and checks each request first.

    `sent` holds how many messages each request had. It never looks at what was asked before: all
    it knows is the list it is handed.
    """

    def __init__(self, case: Case) -> None:
        self._server = case.server
        self.sent: list[int] = []

    def create(self, messages: list[dict[str, Any]]) -> dict[str, Any]:
        """The reply to a conversation. Raises Refused where the request is wrong."""
        self.sent.append(len(messages))
        request = self._server.body(messages, {})
        refusing = tuple(f for f in self._server.check(request) if f.effect == "refuse")
        if refusing:
            raise Refused(refusing)
        return self._server.reply(request)


def play(run_agent: Callable[..., Any]) -> None:
    """Run a loop on the script that the command line names, the first one where it names none."""
    wanted = sys.argv[1] if len(sys.argv) > 1 else CASES[0].name
    case = case_named(wanted)
    if case is None:
        print(f"There is no script {wanted!r}. The scripts:")  # noqa: T201
        for known in CASES:
            print(f"  {known.name:<15} {known.about}")  # noqa: T201
        raise SystemExit(2)
    show(run_agent, case)


def show(run_agent: Callable[..., Any], case: Case) -> None:
    """Run a loop on a script and print how it ended, and the messages sent each turn."""
    model = FakeModel(case)
    try:
        answer = run_agent(task=case.task, model=model, max_turns=case.max_turns)
        print(f"result: {answer}")  # noqa: T201
    except Refused as refusal:
        print(bad_request(refusal.faults[0]))  # noqa: T201
    except NoReply as none:
        print(f"result: {none}")  # noqa: T201
    sent = ", ".join(map(str, model.sent)) or "none"
    print(f"messages sent each turn: {sent}")  # noqa: T201


def bad_request(fault: Fault) -> str:
    """The line that tells why a request was refused."""
    return f"bad request: {fault.rule} {fault.where}: {fault.sentence}"

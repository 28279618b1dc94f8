"""The calls of tools in a replay: their stored results, and what a person is asked about them."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from app.engine.observed import copied
from app.engine.steps import (
    APPROVE,
    DENY,
    Attempt,
    Check,
    Halt,
    Json,
    Result,
    Undecided,
)
from app.harness import AskHelper
from app.live.cursor import AGAIN, Cursor, Waiting
from app.live.recorded import DECIDE, TOOL, Try
from app.live.results import read_result
from app.live.server import Server
from app.live.subject import ASK_HELPER, Subject, harness_of
from app.store import RESULT

LOST = "Halqa stopped or failed before it answered"  # what is known of an attempt without outcome
# of a call of an agent's, while some tools are offered
ChecksOf = Callable[[Subject, Json, Sequence[str]], tuple[Check, ...]]


@dataclass
class _Trying:
    """A call that could do harm twice: a person is asked before each attempt but the `first`, which
    is made where none is recorded. `at` is the next of those that are, `failed` what is known of
    the ones before it."""

    first: Waiting
    tries: tuple[Try, ...]
    at: int = 0
    failed: tuple[Attempt, ...] = ()


@dataclass
class Calls:
    """The runner of a replay, for the agent of a subject. `checks` makes those of a call that a
    person is asked about next; `ask` runs the helper, where there is one."""

    subject: Subject
    cursor: Cursor
    server: Server
    checks: ChecksOf
    ask: AskHelper | None = None
    trying: _Trying | None = None
    passed: tuple[Check, ...] = ()  # of the call that a person is asked about next

    def run(self, call: Mapping[str, Any], decision: str = "") -> Result | Undecided:
        known = copied(dict(call))
        if self.trying is not None:
            return self._tried(self.trying)
        if not decision and self.subject.asks(known) and (asked := self._asked(known)):
            return asked
        if self.ask and known.get("name") == ASK_HELPER and not self.cursor.knows(TOOL, known):
            return self._helped(self.ask, known, decision)
        effect = self.cursor.recorded(TOOL, known)
        tries = effect.tries if effect else ()
        next_ = replace(self._next(TOOL, known), decision=decision)
        if self.subject.repeatable(known) and not any(one.held for one in tries):
            return read_result(self.cursor.outcome(next_, tries).body)
        self.trying = _Trying(next_, tries)
        return self._tried(self.trying)

    def _next(self, what: str, call: Json) -> Waiting:
        """The first attempt at the effect that was looked up last."""
        offered = tuple(self.server.offered)
        return Waiting(what, self.cursor.at - 1, 1, call, self.subject, offered)

    def _helped(self, ask: AskHelper, call: Json, decision: str) -> Result | Undecided:
        """What the helper answers. Each of its requests and calls is an effect of its own; the call
        that asks it is none, as nothing but them happens in it."""
        handling = replace(self.subject.handling, helper=ask, hooks={})
        subject = replace(self.subject, handling=handling)
        return harness_of(subject, Path()).run(call, decision, self.server.offered)

    def notes(self, messages: Any) -> list[Json]:
        """The system messages that the run's lane has for the model after these messages."""
        return self.subject.policy.notes(self.subject.tools, messages)

    def decide(self, call: Json) -> str:
        """What a person decided of a call; "" where nobody has."""
        if self.trying is not None:
            return self._again(self.trying)
        effect = self.cursor.recorded(DECIDE, call)
        try:
            next_ = replace(self._next(DECIDE, call), checks=self.passed)
            outcome = self.cursor.outcome(next_, effect.tries if effect else ())
            return str(outcome.body["decision"])
        except Halt as halt:
            if halt.ending is not None:
                raise
            return ""

    # --- a person's question

    def _asked(self, call: Json) -> Undecided | None:
        """The question whether a call may run; None where its checks say already that it may not.
        The record tells which it was, as a folder may have changed since."""
        if self.cursor.at < len(self.cursor.effects):
            effect = self.cursor.effects[self.cursor.at]
            return Undecided(effect.tries[-1].checks) if effect.what == DECIDE else None
        self.passed = self.checks(self.subject, call, self.server.offered)
        return Undecided(self.passed) if all(check.passed for check in self.passed) else None

    def _tried(self, trying: _Trying) -> Result | Undecided:
        """The result of the next recorded attempt, or the question whether there is another one.
        Raises Halt where no attempt is recorded, or what becomes of it is not known yet."""
        if trying.at == len(trying.tries):
            self.cursor.waiting = trying.first
            raise self.cursor.halt()
        one = trying.tries[trying.at]
        trying.at += 1
        last = trying.at == len(trying.tries)
        if one.outcome is None and last and self.cursor.under_way:
            raise self.cursor.halt()
        if one.outcome is not None and one.outcome.kind == RESULT:
            self.cursor.clock.sleep(max(0.0, one.outcome.created - one.started))
            self.trying = None
            return read_result(one.outcome.body)
        trying.failed += _failed(one, trying.failed)
        self.passed = (
            self.checks(self.subject, trying.first.body, self.server.offered)
            if last
            else trying.tries[trying.at].checks
        )
        return Undecided(self.passed, trying.failed)

    def _again(self, trying: _Trying) -> str:
        """Whether a person wanted another attempt; "" where nobody has decided."""
        if trying.at < len(trying.tries):
            return trying.tries[trying.at].again or APPROVE  # before it was asked, Retry said so
        self.cursor.waiting = replace(
            trying.first,
            what=AGAIN,
            attempt=trying.tries[-1].attempt + 1,
            decision="",
            checks=self.passed,
            tries=trying.failed,
        )
        self.cursor.halt()
        return ""


def _failed(one: Try, before: tuple[Attempt, ...]) -> tuple[Attempt, ...]:
    """What is known of an attempt that brought no result. One that a person did not want did
    nothing; where a worker went, or Halqa made a mistake, the call may have taken effect."""
    if one.again == DENY and before:
        return ()
    if one.held:
        return one.held
    since = before[-1].started + before[-1].seconds if before else 0.0
    return (Attempt(since, 0.0, LOST, lost=True),)

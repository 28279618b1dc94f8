"""The calls of tools in a replay: their stored results, and what a person is asked about them."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from app.engine.observed import copied
from app.engine.steps import APPROVE, DENY, Attempt, Check, Halt, Json, Result, Undecided
from app.live.cursor import AGAIN, Cursor, Waiting
from app.live.recorded import DECIDE, TOOL, Try
from app.live.results import read_result
from app.live.subject import Subject
from app.store import RESULT

LOST = "Halqa stopped or failed before it answered"  # what is known of an attempt without outcome
Checks = Callable[[Json, Sequence[str]], tuple[Check, ...]]


@dataclass
class _Trying:
    """A call that could do harm twice: a person is asked before each attempt but the first. `at` is
    the next of its recorded attempts, `failed` what is known of those before it."""

    effect: int
    body: Json
    decision: str
    tries: tuple[Try, ...]
    at: int = 0
    failed: tuple[Attempt, ...] = ()


@dataclass
class Calls:
    """The runner of a replay. `checks` makes those of a call that a person is asked about next, by
    the names of the tools that are `offered` then."""

    subject: Subject
    cursor: Cursor
    checks: Checks
    offered: Callable[[], Sequence[str]]
    trying: _Trying | None = None
    passed: tuple[Check, ...] = ()  # of the call that a person is asked about next

    def run(self, call: Mapping[str, Any], decision: str = "") -> Result | Undecided:
        known = copied(dict(call))
        if self.trying is not None:
            return self._tried(self.trying)
        if not decision and self.subject.asks(known) and (asked := self._asked(known)):
            return asked
        effect = self.cursor.recorded(TOOL, known)
        tries = effect.tries if effect else ()
        if self.subject.repeatable(known) and not any(one.held for one in tries):
            return read_result(self.cursor.outcome(TOOL, known, tries, decision).body)
        self.trying = _Trying(self.cursor.at - 1, known, decision, tries)
        return self._tried(self.trying)

    def notes(self, messages: Any) -> list[Json]:
        """The system messages that the run's lane has for the model after these messages."""
        return self.subject.policy.notes(self.subject.tools, messages)

    def decide(self, call: Json) -> str:
        """What a person decided of a call; "" where nobody has."""
        if self.trying is not None:
            return self._again(self.trying)
        effect = self.cursor.recorded(DECIDE, call)
        try:
            outcome = self.cursor.outcome(DECIDE, call, effect.tries if effect else ())
            return str(outcome.body["decision"])
        except Halt as halt:
            if halt.ending is not None or self.cursor.waiting is None:
                raise
            self.cursor.waiting = replace(self.cursor.waiting, checks=self.passed)
            return ""

    # --- a person's question

    def _asked(self, call: Json) -> Undecided | None:
        """The question whether a call may run; None where its checks say already that it may not.
        The record tells which it was, as a folder may have changed since."""
        if self.cursor.at < len(self.cursor.effects):
            effect = self.cursor.effects[self.cursor.at]
            return Undecided(effect.tries[-1].checks) if effect.what == DECIDE else None
        self.passed = self.checks(call, self.offered())
        return Undecided(self.passed) if all(check.passed for check in self.passed) else None

    def _tried(self, trying: _Trying) -> Result | Undecided:
        """The result of the next recorded attempt, or the question whether there is another one.
        Raises Halt where no attempt is recorded, or what becomes of it is not known yet."""
        if trying.at == len(trying.tries):
            self.cursor.waiting = Waiting(TOOL, trying.effect, 1, trying.body, trying.decision)
            raise Halt
        one = trying.tries[trying.at]
        trying.at += 1
        last = trying.at == len(trying.tries)
        if one.outcome is None and last and self.cursor.under_way:
            raise Halt
        if one.outcome is not None and one.outcome.kind == RESULT:
            self.cursor.clock.sleep(max(0.0, one.outcome.created - one.started))
            self.trying = None
            return read_result(one.outcome.body)
        trying.failed += _failed(one, trying.failed)
        if last:
            return Undecided(self.checks(trying.body, self.offered()), trying.failed)
        return Undecided(trying.tries[trying.at].checks, trying.failed)

    def _again(self, trying: _Trying) -> str:
        """Whether a person wanted another attempt; "" where nobody has decided."""
        if trying.at < len(trying.tries):
            return trying.tries[trying.at].again or APPROVE  # before it was asked, Retry said so
        number, checks = trying.tries[-1].attempt + 1, self.checks(trying.body, self.offered())
        body, failed = trying.body, trying.failed
        self.cursor.waiting = Waiting(AGAIN, trying.effect, number, body, "", checks, failed)
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

"""The server of a replay: the requests of one agent, and their recorded replies."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from app.engine.observed import copied
from app.engine.rules import check
from app.engine.steps import Fault, Json
from app.live.cursor import Cursor, Sent, Waiting
from app.live.recorded import CALL
from app.live.subject import Subject


@dataclass
class Server:
    """Answers what the agent of a subject sends; `helper` where it helps another one."""

    subject: Subject
    cursor: Cursor
    helper: bool = False
    turn: int = 0
    faults: tuple[Fault, ...] = ()  # of the request that is about to leave
    offered: Sequence[str] = ()  # the names of the tools that the last reply may call

    def body(self, messages: Any, changes: Json) -> Json:
        body = {**self.subject.body(messages), "messages": messages, **changes}
        return {**body, "stream": True} if self.subject.stream else body

    def check(self, request: Json) -> tuple[Fault, ...]:
        """Our rules only say what they think of it here: the real API decides."""
        self.faults = check(request, betas=self.subject.betas)
        return tuple(fault for fault in self.faults if fault.effect == "warn")

    def reply(self, request: Json) -> Json:
        request = copied(request)
        self.turn += 1
        self.offered = self.subject.callable(request)
        effect, number = self.cursor.recorded(CALL, request), self.cursor.at - 1
        tries = effect.tries if effect else ()
        self.cursor.sent.append(Sent(self.turn, number, request, self.faults, tries, self.helper))
        next_ = Waiting(CALL, number, 1, request, self.subject)
        return copied(self.cursor.outcome(next_, tries).body)  # type: ignore[no-any-return]

"""The chat as a person sees it: the task, what the model says, its calls, how it ended."""

from collections.abc import Callable
from dataclasses import dataclass, replace

from markupsafe import Markup

from app.engine.dialects.parts import calls_of, read_reply, same_call
from app.engine.steps import Ending, Helper, Reply, Start, Tool, Trace, Wait
from app.views.fates import LOST, Fate
from app.views.helper import said_by
from app.views.picture import Piece
from app.views.texts import compact, one_line

SHOWN_INPUT = 160  # characters of a call's input


@dataclass(frozen=True)
class Call:
    """A call in the chat. `state` is `open`, `done`, `failed`, or `held` where a person is asked
    about it and `outcome` is their decision; `lost` once a request left without its result; `lit`
    at the step that ran it."""

    name: str
    given: str
    state: str
    outcome: str
    lost: bool
    lit: bool


@dataclass(frozen=True)
class Ended:
    """How a run ended; `spent` is what that would have cost, "" where it is not worth a word."""

    ending: Ending
    turns: int
    spent: str = ""


class Chat:
    """The chat of a run. What a turn said is made once, as it stands when the turn is over."""

    def __init__(
        self,
        trace: Trace,
        fates: dict[int, Fate],
        spent: Callable[[], Markup] = lambda: Markup(""),
    ) -> None:
        self.trace, self.fates, self.spent = trace, fates, spent
        self._over: list[tuple[Piece, ...]] = [()]  # all that was said before turn 0, 1, 2 …
        self._turns: list[list[int]] = []  # the steps of each turn
        for number, step in enumerate(trace.steps):
            while len(self._turns) <= step.turn:
                self._turns.append([])
            self._turns[step.turn].append(number)

    def pieces(self, number: int) -> tuple[Piece, ...]:
        """The chat after a step."""
        turn = self.trace.steps[number].turn
        while len(self._over) <= turn:
            past = len(self._over) - 1
            said = self._said(self._turns[past][-1], past, over=True)
            self._over.append((*self._over[-1], *said))
        pieces = [*self._over[turn], *self._said(number, turn)]
        if self.trace.steps[number].kind == "end":
            ended = Ended(self.trace.ending, len(self.trace.asks), self.spent())
            pieces.append(Piece("ending", "ending", ended))
        return tuple(pieces)

    def _said(self, number: int, turn: int, over: bool = False) -> list[Piece]:
        """What a turn said up to a step; nothing of it is lit once it is over."""
        pieces: list[Piece] = []
        for at in self._turns[turn]:
            step = self.trace.steps[at]
            if at > number:
                break
            match step:
                case Helper():
                    line = said_by(step, not over and at == number)
                    if line is not None:
                        pieces.append(Piece(f"c-{at}", "helping", line))
                case Start():
                    pieces.append(Piece("c-0", "task", step.task))
                case Reply():
                    text = _text(step)
                    if text:
                        pieces.append(Piece(f"c-{at}", "said", text))
                    ran = _ran(self.trace, at, number)
                    for n, call in enumerate(calls_of(step.reply)):
                        made = _call(call, ran[n], -1 if over else number, over, self.fates)
                        now = self.trace.steps[number]
                        if isinstance(now, Wait) and ran[n] is None and same_call(call, now.call):
                            made = replace(made, state="held", outcome=now.decision, lit=True)
                        pieces.append(Piece(f"c-{at}-{n}", "call", made))
        return pieces


def _text(step: Reply) -> str:
    return "\n\n".join(
        str(block.get("text", ""))
        for block in read_reply(step.reply)["content"]
        if isinstance(block, dict) and block.get("type") == "text"
    )


def _ran(trace: Trace, reply: int, number: int) -> list[tuple[int, Tool] | None]:
    """The tool step of each call of a reply, as far as it was run."""
    step = trace.steps[reply]
    assert isinstance(step, Reply)
    calls = calls_of(step.reply)
    ran: list[tuple[int, Tool] | None] = [None] * len(calls)
    for at in range(reply + 1, number + 1):
        tool = trace.steps[at]
        if tool.kind == "ask":
            break
        if isinstance(tool, Tool):
            n = next(
                (
                    n
                    for n, call in enumerate(calls)
                    if ran[n] is None and same_call(call, tool.call)
                ),
                None,
            )
            if n is not None:
                ran[n] = (at, tool)
    return ran


def _call(
    call: object, ran: tuple[int, Tool] | None, number: int, over: bool, fates: dict[int, Fate]
) -> Call:
    assert isinstance(call, dict)
    given = compact(call.get("input"))
    shown = given[:SHOWN_INPUT] + ("…" if len(given) > SHOWN_INPUT else "")
    name = str(call.get("name", ""))
    if ran is None:
        return Call(name, shown, "open", "", False, False)
    at, tool = ran
    return Call(
        name,
        shown,
        "failed" if tool.result.is_error else "done",
        one_line(tool.result.content),
        lost=fates[at].how == LOST and over,
        lit=at == number,
    )

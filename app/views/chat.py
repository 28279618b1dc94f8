"""The chat as a person sees it: the task, what the model says, its calls, how it ended."""

from dataclasses import dataclass

from app.engine.steps import Ending, Reply, Start, Tool, Trace, client_calls
from app.views.fates import LOST, Fate
from app.views.picture import Piece
from app.views.texts import compact, one_line

SHOWN_INPUT = 160  # characters of a call's input


@dataclass(frozen=True)
class Call:
    """A call in the chat. `state` is `open`, `done` or `failed`; `lost` once a request left
    without its result; `lit` at the step that ran it."""

    name: str
    given: str
    state: str
    outcome: str
    lost: bool
    lit: bool


@dataclass(frozen=True)
class Ended:
    ending: Ending
    turns: int


def chat_pieces(trace: Trace, number: int, fates: dict[int, Fate]) -> tuple[Piece, ...]:
    """The chat after a step."""
    pieces: list[Piece] = []
    turn = trace.steps[number].turn
    for at, step in enumerate(trace.steps[: number + 1]):
        match step:
            case Start():
                pieces.append(Piece("c-0", "task", step.task))
            case Reply():
                text = _text(step)
                if text:
                    pieces.append(Piece(f"c-{at}", "said", text))
                ran = _ran(trace, at, number)
                for n, call in enumerate(client_calls(step.reply["content"])):
                    pieces.append(
                        Piece(f"c-{at}-{n}", "call", _call(call, ran[n], number, turn, fates))
                    )
    last = trace.steps[number]
    if last.kind == "end":
        pieces.append(Piece("ending", "ending", Ended(trace.ending, len(trace.asks))))
    return tuple(pieces)


def _text(step: Reply) -> str:
    return "\n\n".join(
        str(block.get("text", ""))
        for block in step.reply["content"]
        if isinstance(block, dict) and block.get("type") == "text"
    )


def _ran(trace: Trace, reply: int, number: int) -> list[tuple[int, Tool] | None]:
    """The tool step of each call of a reply, as far as it was run."""
    step = trace.steps[reply]
    assert isinstance(step, Reply)
    calls = client_calls(step.reply["content"])
    ran: list[tuple[int, Tool] | None] = [None] * len(calls)
    for at in range(reply + 1, number + 1):
        tool = trace.steps[at]
        if tool.kind == "ask":
            break
        if isinstance(tool, Tool):
            n = next(
                (n for n, call in enumerate(calls) if ran[n] is None and call == tool.call), None
            )
            if n is not None:
                ran[n] = (at, tool)
    return ran


def _call(
    call: object, ran: tuple[int, Tool] | None, number: int, turn: int, fates: dict[int, Fate]
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
        lost=fates[at].how == LOST and turn > tool.turn,
        lit=at == number,
    )

"""The rules of thinking blocks that need the turns around them: A61 to A63, and A66."""

from collections.abc import Mapping, Sequence
from typing import Any

from app.engine.rules.anthropic.merge import Block, Turn
from app.engine.rules.anthropic.models import Model
from app.engine.rules.anthropic.signatures import THINKING, Verdict, is_scripted, verdicts
from app.engine.rules.findings import Findings

Json = Mapping[str, Any]

PREFIX_CHECKS = {"every account": "prefix", "new accounts": "prefix, new accounts"}


def judge_thinking(
    request: Json, turns: Sequence[Turn], model: Model | None, found: Findings
) -> None:
    """Judge the thinking of a request whose turns are known."""
    thoughts = [block for turn in turns for block in turn.blocks if block.kind in THINKING]
    if thoughts:
        latest = next((turn for turn in reversed(turns) if turn.role == "assistant"), None)
        _signatures(request, turns, thoughts, latest, model, found)
    if _is_manual(request):
        _begins_with_thinking(turns, found)


def _is_manual(request: Json) -> bool:
    return (request.get("thinking") or {}).get("type") == "enabled"


def _signatures(
    request: Json,
    turns: Sequence[Turn],
    thoughts: Sequence[Block],
    latest: Turn | None,
    model: Model | None,
    found: Findings,
) -> None:
    """A61, A62 and A66: scripted signatures are judged, real ones are not."""
    signed = [block for block in thoughts if block.kind == "thinking"]
    real = [block for block in signed if not is_scripted(block.block)]
    if len(real) < len(signed):
        judged = _verdicts(request, turns)
        if not judged:
            found.add("A62", "real signature", signed[-1].where)
        for block, verdict in zip(thoughts, judged, strict=False):
            if verdict.scripted:
                _scripted(request, block, verdict, latest, model, found)
    if real:
        found.add("A61", "genuine", real[0].where, path=real[0].where)
        if _is_in(real[-1], latest):
            found.add("A62", "real signature", real[-1].where)
        if model is not None and model.prefix != "no":
            found.add("A66", "real signature", real[0].where)


def _verdicts(request: Json, turns: Sequence[Turn]) -> list[Verdict]:
    messages = [(turn.role, [block.block for block in turn.blocks]) for turn in turns]
    try:
        return list(verdicts(request, messages))
    except RecursionError:  # deeper than JSON is written: a limit of ours
        return []


def _scripted(
    request: Json,
    block: Block,
    verdict: Verdict,
    latest: Turn | None,
    model: Model | None,
    found: Findings,
) -> None:
    if _is_in(block, latest) and not verdict.own:
        found.add("A62", "changed", block.where, path=block.where)
    check = PREFIX_CHECKS.get(model.prefix if model else "")
    if check and not verdict.before and not _drops_blocks(request):
        found.add("A66", check, block.where, path=block.where)


def _is_in(block: Block, turn: Turn | None) -> bool:
    return turn is not None and turn.first <= block.n <= turn.last


def _drops_blocks(request: Json) -> bool:
    """Whether the request asks to drop thinking that does not fit what is before it."""
    binding = (request.get("thinking") or {}).get("block_binding") or {}
    return bool(binding.get("prefix_mismatch_behavior") == "drop_block")


def _begins_with_thinking(turns: Sequence[Turn], found: Findings) -> None:
    """A63: the assistant's part that is being continued begins with thinking.

    That part goes back over all rounds of calls and results. Which of its messages must begin with
    thinking is told in two ways, so it is only refused where none of the two does.
    """
    rounds = _continued([turn for turn in turns if turn.role != "system"])
    if not rounds or any(turn.blocks and turn.blocks[0].kind in THINKING for turn in rounds):
        return
    first = rounds[0].blocks[0]
    found.add("A63", "begins", first.where, path=f"{first.where}.type", type=first.kind)


def _continued(turns: Sequence[Turn]) -> list[Turn]:
    """The first and the last assistant turn of the rounds whose results end the request."""
    rounds = []
    for n in range(len(turns) - 1, 0, -2):
        user, assistant = turns[n], turns[n - 1]
        if user.role != "user" or not user.of_kind("tool_result"):
            break
        if not assistant.of_kind("tool_use"):
            break
        rounds.append(assistant)
    return [rounds[-1], rounds[0]] if rounds else []

"""The third stage: messages of one role are merged into turns, and the turns are walked."""

from collections.abc import Mapping, Sequence
from typing import Any

from app.engine.rules.anthropic.merge import Block, Turn, merged
from app.engine.rules.anthropic.models import Model
from app.engine.rules.anthropic.server_tools import (
    SERVER_CALLS,
    SERVER_RESULTS,
    declared,
    result_type,
)
from app.engine.rules.anthropic.thinking import judge_thinking
from app.engine.rules.findings import Findings, path

Json = Mapping[str, Any]

# What may follow a tool_use in its turn. Thinking stands between calls as the model gave it.
AFTER_CALL = (
    SERVER_CALLS
    | SERVER_RESULTS
    | {"tool_use", "thinking", "redacted_thinking", "fallback", "compaction"}
)


def judge_turns(request: Json, model: Model | None, found: Findings) -> None:
    """Judge pairing, order and the last turn of a request whose shape is right."""
    turns = merged(request["messages"])
    walk = _Walk(request, turns, model, found)
    for n, turn in enumerate(turns):
        walk.past(n, turn)
    walk.end()
    judge_thinking(request, turns, model, found)


class _Walk:
    """What is known when the walk stands at a turn."""

    def __init__(
        self, request: Json, turns: list[Turn], model: Model | None, found: Findings
    ) -> None:
        self.request, self.turns, self.model, self.found = request, turns, model, found
        self.seen: set[str] = set()  # the ids of all client calls so far
        self.server: set[str] = set()  # and of all calls that the API answers itself
        self.calls: dict[str, Block] = {}  # the client calls of the last assistant turn
        self.waiting: dict[str, Block] = {}  # and its server calls without a result
        self.asking = 0  # the number of that turn

    def past(self, n: int, turn: Turn) -> None:
        if turn.role == "assistant":
            self.assistant(n, turn)
        elif turn.role == "user":
            self.user(n, turn)
        else:
            self.system(n, turn)

    # The assistant's turns

    def assistant(self, n: int, turn: Turn) -> None:
        self.calls, self.waiting, self.asking = {}, {}, n
        after_call = False
        for block in turn.blocks:
            if block.kind == "tool_use":
                self._call(block)
            elif block.kind in SERVER_CALLS:
                self.server.add(block.block["id"])
                self.waiting[block.block["id"]] = block
            elif block.kind in SERVER_RESULTS:
                self._server_result(block)
            after_call = after_call or (bool(self.calls) and block.kind not in AFTER_CALL)
        if after_call:
            self._unanswered("A48", "after call", n, self.calls)
        if self.calls and self._next_role(n) != "user" and not self._results_after_note(n):
            self._unanswered("A40", "unanswered", n, self.calls)

    def _call(self, block: Block) -> None:
        """A51."""
        name = block.block["id"]
        if name in self.seen:
            self.found.add("A51", "twice", block.where, path=block.where)
        self.seen.add(name)
        self.calls[name] = block

    def _server_result(self, block: Block) -> None:
        """A75."""
        name = block.block["tool_use_id"]
        self.waiting.pop(name, None)
        if name not in self.server:
            words = {"path": block.where, "type": block.kind, "id": name}
            self.found.add("A75", "no call", block.where, **words)

    def _unanswered(self, number: str, check: str, n: int, ids: Sequence[str] | Json) -> None:
        """A40 and its relatives: at the message after the assistant turn, or at its last one."""
        last = self.turns[n].last
        place = last + 1 if n + 1 < len(self.turns) else last
        words = {"n": str(place), "ids": ", ".join(ids)}
        self.found.add(number, check, path("messages", place), **words)

    def _next_role(self, n: int) -> str:
        return self.turns[n + 1].role if n + 1 < len(self.turns) else ""

    # The user's turns

    def user(self, n: int, turn: Turn) -> None:
        results = turn.of_kind("tool_result")
        answered = self._answers(n, results)
        leading = self._leading(turn)
        gap = [name for name in self.calls if name in answered and name not in leading]
        late = self._results_after_note(n)
        missing = [name for name in self.calls if name not in answered and name not in late]
        asked = self.asking
        if gap:
            rule = ("A44", "gap") if leading else ("A43", "before")
            self._unanswered(*rule, asked, gap)
        if missing:
            some = len(missing) < len(self.calls)
            rule = ("A41", "some unanswered") if some else ("A40", "unanswered")
            self._unanswered(*rule, asked, missing)
        if turn.first < turn.last:
            self._spread(answered)
        if self.waiting:
            self._while_waiting(turn)
        self.calls = {name: call for name, call in self.calls.items() if name in late}
        self.waiting = {}

    def _answers(self, n: int, results: list[Block]) -> dict[str, Block]:
        """A49, A50, A52, A71 and A76: the results that answer a call, by id."""
        answered: dict[str, Block] = {}
        for result in results:
            name = result.block["tool_use_id"]
            if name not in self.calls:
                self._unexpected(n, result, name)
            elif name in answered:
                self.found.add("A52", "twice", result.where, path=result.where, id=name)
            else:
                answered[name] = result
                self._toolset(self.calls[name], result)
        return answered

    def _unexpected(self, n: int, result: Block, name: str) -> None:
        if n == 0 and self._continues_thread():
            self.found.add_once("A49", "thread", result.where)
            return
        rule = ("A49", "unexpected")
        if name in self.server:
            rule = ("A71", "server call")
        elif name in self.seen:
            rule = ("A50", "older turn")
        self.found.add(*rule, result.where, path=result.where, id=name)

    def _continues_thread(self) -> bool:
        thread = self.request.get("thread") or {}
        return bool(thread.get("type") == "continue")

    def _toolset(self, call: Block, result: Block) -> None:
        """A76."""
        name = call.block.get("toolset_name")
        if name is not None and result.block.get("toolset_name") != name:
            self.found.add("A76", "toolset_name", result.where)

    def _leading(self, turn: Turn) -> set[str]:
        """The ids of the unbroken run of results at the start of a turn."""
        leading = set()
        for block in turn.blocks:
            if block.kind != "tool_result":
                break
            leading.add(block.block["tool_use_id"])
        return leading

    def _spread(self, answered: dict[str, Block]) -> None:
        """A46."""
        places = sorted({result.n for result in answered.values()})
        if len(places) > 1:
            self.found.add("A46", "spread", path("messages", places[1]))

    def _while_waiting(self, turn: Turn) -> None:
        """A73 and A74."""
        other = next((block for block in turn.blocks if block.kind != "tool_result"), None)
        for call in self.waiting.values():
            if other is not None:
                self.found.add("A73", "more than results", other.where, **_unmet(call, other.n))
        self._declared()

    def _declared(self) -> None:
        """A74: a waiting server tool is still among the tools."""
        known = declared(self.request)
        for call in self.waiting.values():
            if call.kind == "server_tool_use" and call.block["name"] not in known:
                self.found.add("A74", "not declared", call.where, **_unmet(call, call.n))

    # System messages

    def _results_after_note(self, n: int) -> set[str]:
        """The calls that are answered only after a system message that follows turn `n`."""
        if self._next_role(n) != "system" or self._next_role(n + 1) != "user":
            return set()
        results = self.turns[n + 2].of_kind("tool_result")
        return {block.block["tool_use_id"] for block in results} & self.calls.keys()

    def system(self, n: int, turn: Turn) -> None:
        """A16, A17 and A18."""
        where = path("messages", turn.first)
        if n == 0:
            self.found.add("A16", "first", where)
            return
        self._takes_system(where)
        if self.calls and self._results_after_note(n - 1):
            self.found.add("A18", "between", where)
            return
        self.calls = {}  # what is unanswered until now is known as a fault
        before = self.turns[n - 1]
        if before.role == "assistant" and not _ends_in_server_result(before):
            self.found.add("A17", "before", where)
        if self._next_role(n) == "user":
            self.found.add("A17", "after", where)

    def _takes_system(self, where: str) -> None:
        if self.model is None:
            self.found.add_once("A17", "unknown model", where)
        elif self.model.system == "no":
            self.found.add("A17", "unsupported", where)
        elif self.model.system == "contested":
            self.found.add_once("A17", "contested", where)

    # The last turn

    def end(self) -> None:
        """A13, A14, A15, A72 and A77, and A74 for a turn that is resumed."""
        last = self.turns[-1]
        if last.role != "assistant":
            return
        if self.waiting:
            self._declared()
            if not self.calls and _ends_waiting(last):
                return
        if last.blocks and last.blocks[-1].kind == "compaction":
            return  # A77: the server goes on from its own summary
        where = path("messages", last.last)
        ends_blank = bool(last.blocks) and _ends_in_whitespace(last.blocks[-1])
        if self.model is not None and not self.model.prefill:
            self.found.add("A13", "prefill", where)
            return
        if ends_blank:
            self.found.add("A14", "whitespace", where)
        if _thinks(self.request):
            self.found.add("A15", "thinking", where)
        if self.model is None:
            self.found.add("A13", "unknown model", where)


def _unmet(call: Block, n: int) -> dict[str, str]:
    """The words of the API's message about a waiting server call."""
    name = call.block["name"]
    words = {"name": name, "id": call.block["id"], "result": result_type(name)}
    return {"path": path("messages", n), **words}


def _ends_in_server_result(turn: Turn) -> bool:
    return bool(turn.blocks) and turn.blocks[-1].kind in SERVER_RESULTS


def _ends_waiting(turn: Turn) -> bool:
    return turn.blocks[-1].kind in SERVER_CALLS | SERVER_RESULTS


def _ends_in_whitespace(block: Block) -> bool:
    return block.kind == "text" and block.block["text"][-1:].isspace()


def _thinks(request: Json) -> bool:
    thinking = request.get("thinking")
    return thinking is not None and thinking["type"] != "disabled"

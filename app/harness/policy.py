"""What a harness checks before a call, and what it allows: the rules of one agent."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from app.engine.steps import Json, client_calls

OPTIONAL = ("exists", "parameters", "given", "inside")  # what a lesson may switch off
LIST, CALLS, MESSAGE, REMOVAL = "list", "calls", "message", "removal"  # how tools get fewer


@dataclass(frozen=True)
class Policy:
    """The rules of one agent. As it stands here, every check is made and no person is asked.

    `unchecked` names the checks of OPTIONAL that are left out, to show what they are for. A
    `read_only` agent may call no tool that writes. `folder` is the part of the workspace that is
    the agent's own; `links` are made there, each with where it leads, in the copy that a scripted
    run works on. `approve` names the tools whose calls a person must approve, beside those that
    declare it. `limits` names, by tool and parameter, the largest number of a call. A tool in
    `after` may be called once the tool it names has answered, one in `until` no longer then: a call
    out of its time is refused. `narrows` says how the model learns of it. By the LIST: the tool
    leaves the list of tools, so that the start of the next request changes. Else the list stays as
    it is; then the model learns of it by its refused CALLS alone, or in a system MESSAGE, or in one
    that holds a `tool_removal` (REMOVAL).
    `descriptions` are told to the model in place of the tools' own.
    """

    unchecked: frozenset[str] = frozenset()
    read_only: bool = False
    folder: str = ""
    links: Mapping[str, str] = field(default_factory=dict)
    approve: tuple[str, ...] = ()
    limits: Mapping[str, Mapping[str, int]] = field(default_factory=dict)
    after: Mapping[str, str] = field(default_factory=dict)
    until: Mapping[str, str] = field(default_factory=dict)
    narrows: str = LIST
    descriptions: Mapping[str, str] = field(default_factory=dict)

    def checks(self, name: str) -> bool:
        """Whether a check is made."""
        return name not in self.unchecked

    def offers(self, tool: str, answered: frozenset[str]) -> bool:
        """Whether a tool may be called once some tools have answered."""
        waits, ends = self.after.get(tool), self.until.get(tool)
        return (waits is None or waits in answered) and ends not in answered

    def listed(self, tools: Sequence[str], messages: Any) -> tuple[str, ...]:
        """Those of an agent's tools that a request with these messages lists."""
        answered = answered_tools(messages)
        return tuple(t for t in tools if self.narrows != LIST or self.offers(t, answered))

    def notes(self, tools: Sequence[str], messages: Any) -> list[Json]:
        """The system messages that these messages still lack."""
        if self.narrows not in (MESSAGE, REMOVAL):
            return []
        answered = answered_tools(messages)
        said = [_note(tool, self.narrows) for tool in tools if self.until.get(tool) in answered]
        return [note for note in said if note not in messages]


STRICT = Policy()


def _note(tool: str, narrows: str) -> Json:
    """The system message that takes a tool away."""
    if narrows == MESSAGE:
        return {"role": "system", "content": f"From here on, {tool} may not be called."}
    reference = {"type": "tool_reference", "name": tool}
    return {"role": "system", "content": [{"type": "tool_removal", "tool": reference}]}


def answered_tools(messages: Any) -> frozenset[str]:
    """The names of the tools whose calls have a result in a list of messages."""
    contents = [
        message.get("content")
        for message in (messages if isinstance(messages, list) else [])
        if isinstance(message, dict)
    ]
    results = {
        block.get("tool_use_id")
        for content in contents
        for block in (content if isinstance(content, list) else [])
        if isinstance(block, dict) and block.get("type") == "tool_result"
    }
    return frozenset(
        str(call.get("name"))
        for content in contents
        for call in client_calls(content)
        if call.get("id") in results
    )

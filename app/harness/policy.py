"""What a harness checks before a call, and what it allows: the rules of one agent."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from app.engine.steps import client_calls

CHECKS = (
    "exists",
    "parameters",
    "given",
    "writes",
    "inside",
    "limits",
    "approved",
)  # in this order
OPTIONAL = ("exists", "parameters", "given", "inside")  # what a lesson may switch off


@dataclass(frozen=True)
class Policy:
    """The rules of one agent. As it stands here, every check is made and no person is asked.

    `unchecked` names the checks of OPTIONAL that are left out, to show what they are for. A
    `read_only` agent may call no tool that writes. `folder` is the part of the workspace that is
    the agent's own; `links` are made there, each with where it leads, in the copy that a scripted
    run works on. `approve` names the tools whose calls a person must approve, beside those that
    declare it. `limits` names, by tool and parameter, the largest number of a call. A tool in
    `after` is offered once the tool it names has answered, one in `until` no longer then.
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
    descriptions: Mapping[str, str] = field(default_factory=dict)

    def checks(self, name: str) -> bool:
        """Whether a check is made."""
        return name not in self.unchecked

    def offers(self, tool: str, answered: frozenset[str]) -> bool:
        """Whether a tool is offered once some tools have answered."""
        waits, ends = self.after.get(tool), self.until.get(tool)
        return (waits is None or waits in answered) and ends not in answered


STRICT = Policy()


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

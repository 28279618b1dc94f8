"""Where a rule is known from, with the public page that says so where it has one."""

import re
from dataclasses import dataclass

DOCS = "https://platform.claude.com/docs/en/"
GITHUB = "https://github.com/"
PAGES = {
    "compaction": "build-with-claude/compaction",
    "context-windows": "build-with-claude/context-windows",
    "define-tools": "agents-and-tools/tool-use/define-tools",
    "errors": "api/errors",
    "extended-thinking": "build-with-claude/extended-thinking",
    "handle-tool-calls": "agents-and-tools/tool-use/handle-tool-calls",
    "handling-stop-reasons": "build-with-claude/handling-stop-reasons",
    "messages": "api/messages",
    "mid-conversation-system-messages": "build-with-claude/mid-conversation-system-messages",
    "migration-2026-10-21": "api/migration-2026-10-21",
    "models overview": "about-claude/models/overview",
    "parallel-tool-use": "agents-and-tools/tool-use/parallel-tool-use",
    "preserved-thinking": "build-with-claude/preserved-thinking",
    "prompt-caching": "build-with-claude/prompt-caching",
    "release notes": "release-notes/overview",
    "search-results": "build-with-claude/search-results",
    "server-tools": "agents-and-tools/tool-use/server-tools",
    "thinking": "build-with-claude/thinking",
    "thinking-troubleshooting": "build-with-claude/thinking-troubleshooting",
    "tool-search-tool": "agents-and-tools/tool-use/tool-search-tool",
    "vision": "build-with-claude/vision",
    "whats-new-fable-5-2": "models/fable-5-2/whats-new-fable-5-2",
    "whats-new-sonnet-5-5": "models/sonnet-5-5/whats-new-sonnet-5-5",
}
_REPORT = re.compile(r"([\w.-]+/[\w.-]+)#(\d+)")
_RECORDED = re.compile(r"([\w.-]+/[\w.-]+): recorded exchanges?")


@dataclass(frozen=True)
class Source:
    """`page` is a public https address, "" where there is none."""

    name: str
    page: str


def source_of(name: str) -> Source:
    """A source as the rules name it: a page of the documentation, a report, a recording or a
    package."""
    if name.startswith("docs: ") and (page := PAGES.get(name.removeprefix("docs: "))):
        return Source(name, DOCS + page)
    if found := _REPORT.fullmatch(name):
        return Source(name, f"{GITHUB}{found[1]}/issues/{found[2]}")
    if found := _RECORDED.fullmatch(name):
        return Source(name, GITHUB + found[1])
    return Source(name, "")

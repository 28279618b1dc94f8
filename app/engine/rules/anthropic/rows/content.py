"""A20 to A28: the content of a message."""

from app.engine.rules.anthropic.rows.examples import (
    ADD,
    MARK,
    TASK,
    assistant,
    call,
    document,
    image,
    request,
    result,
    said,
    text,
    user,
)
from app.engine.rules.rule import INFERRED, Check, Rule

_ASK = said("user", "And 3 + 4?")
_MARKED = [text(f"Note {n}.", cache_control=MARK) for n in range(1, 6)]
_UNMARKED = [*_MARKED[:4], text("Note 5.")]
_SEARCH = {"name": "find", "input_schema": {"type": "object"}, "defer_loading": True}

RULES = (
    Rule(
        "A20",
        "content is a string or a list of blocks",
        (
            Check(
                "content",
                "refuse",
                "A message's content must be a string or a list of blocks.",
                "{path}: Input should be a valid list",
            ),
            Check(
                "message",
                "refuse",
                "A message must be an object with role and content.",
                "{path}: Input should be a valid dictionary",
                certainty=INFERRED,
            ),
            Check(
                "block",
                "refuse",
                "A content block must be an object whose type the API knows.",
                "{path}: Input tag does not match any of the expected tags",
                certainty=INFERRED,
            ),
            Check(
                "beta block",
                "refuse",
                "The API knows this type of block only where a beta header is sent with the"
                " request, and none is given here.",
                "{path}: Input tag does not match any of the expected tags",
                certainty=INFERRED,
            ),
            Check(
                "fields",
                "refuse",
                "This block lacks a key that its type needs, or holds a value of the wrong kind.",
                "{path}: {message}",
                certainty=INFERRED,
            ),
        ),
        certainty="documented",
        sources=("docs: messages",),
        accepted=request(TASK),
        refused=request({**TASK, "content": {"type": "text", "text": "What is 2 + 3?"}}),
        believed="Strings and lists of blocks must not be mixed: a string is one text block.",
    ),
    Rule(
        "A21",
        "A message is not empty, the final assistant message excepted",
        (
            Check(
                "empty",
                "refuse",
                'A message must not be empty ("" or []); only a last assistant message may be.',
                "messages.{n}: all messages must have non-empty content except for the optional"
                " final assistant message",
            ),
        ),
        certainty="seen in 6 reports and more",
        sources=("tidyverse/ellmer#709", "n8n-io/n8n#13147", "anthropics/claude-code#6774"),
        accepted=request(TASK, said("assistant", "5"), _ASK),
        refused=request(TASK, said("assistant", ""), _ASK),
    ),
    Rule(
        "A22",
        "No empty text block",
        (
            Check(
                "empty",
                "refuse",
                "A text block must not be empty, even if the API itself sent it.",
                "{part}: text content blocks must be non-empty",
            ),
        ),
        certainty="seen in 6 reports, for system in 2 more; the message names no place",
        sources=(
            "anthropics/anthropic-sdk-python#461",
            "anthropics/claude-code#59812",
            "t8y2/dbx#1298",
        ),
        accepted=request(TASK, assistant(call()), user(result()), tools=[ADD]),
        refused=request(TASK, assistant(text(""), call()), user(result()), tools=[ADD]),
        looser="Empty text blocks beside other blocks are let through.",
    ),
    Rule(
        "A23",
        "No text block of whitespace only",
        (
            Check(
                "blank",
                "refuse",
                "A text block must hold more than whitespace.",
                "{part}: text content blocks must contain non-whitespace text",
            ),
        ),
        certainty="seen in 1 report, for system in 1 more",
        sources=("home-assistant/core#175637", "agentjido/req_llm#712"),
        accepted=request(TASK, said("assistant", "5"), _ASK),
        refused=request(TASK, said("assistant", "\n"), _ASK),
        looser="Whitespace is taken for text.",
    ),
    Rule(
        "A25",
        "Each block stands in a role that may hold it",
        (
            Check(
                "assistant only",
                "refuse",
                "Calls, thinking and the results of server tools may stand in assistant messages"
                " only.",
                "`{type}` blocks can only be in `assistant` messages",
            ),
            Check(
                "user only",
                "refuse",
                "A document or a search result must not stand in an assistant message.",
                "'{type}' blocks are not permitted within assistant turns",
                certainty="documented; the wording is inferred",
            ),
            Check(
                "citations",
                "refuse",
                "Since API version 2026-10-21 a user's text must not carry citations.",
            ),
            Check(
                "result in assistant",
                "warn",
                "A tool_result belongs in a user message; that the API refuses it in an assistant"
                " message is inferred, not proved.",
                "`tool_result` blocks can only be in `user` messages",
                certainty="inferred",
            ),
            Check(
                "image in assistant",
                "refuse",
                "An image belongs in a user message, or inside a tool_result.",
                "'image' blocks are not permitted within assistant turns",
                certainty="seen in 6 public sources, checked live in September 2026",
            ),
            Check(
                "upload in assistant",
                "warn",
                "A container_upload belongs in a user message; that the API refuses it in an"
                " assistant message is said by one library.",
                "'container_upload' blocks are not permitted within assistant turns",
                certainty="seen in 1 public source",
            ),
        ),
        certainty="tool_use in user: seen in 1 report; document and citations: documented",
        sources=(
            "microsoft/agent-framework#4328",
            "docs: migration-2026-10-21",
            "docs: search-results",
            "SEMOSS/Semoss#2323",
        ),
        accepted=request(user(text("Read this."), document()), said("assistant", "Done."), _ASK),
        refused=request(
            user(text("Read this."), document(), call()), said("assistant", "Done."), _ASK
        ),
    ),
    Rule(
        "A26",
        "At most 4 cache marks, those of 1h before those of 5m",
        (
            Check(
                "marks",
                "refuse",
                "At most 4 blocks may carry cache_control, counted over tools, system and messages;"
                " the mark of the whole request counts as one.",
                "A maximum of 4 blocks with cache_control may be provided. Found {found}.",
            ),
            Check(
                "order",
                "refuse",
                "A cache mark with a ttl of 1h must not come after one of 5m; tools come first,"
                " then system, then messages.",
                "{path}.cache_control.ttl: a ttl='1h' cache_control block must not come after a"
                " ttl='5m' cache_control block.",
                certainty="seen in 4 reports",
            ),
        ),
        certainty="documented, seen in 4 reports",
        sources=(
            "docs: prompt-caching",
            "tghamm/Anthropic.SDK#50",
            "headroomlabs-ai/headroom#2939",
            "cnighswonger/claude-code-cache-fix#44",
        ),
        accepted=request(user(*_UNMARKED)),
        refused=request(user(*_MARKED)),
        looser="A fifth cache mark is let through.",
    ),
    Rule(
        "A27",
        "A cache mark stands on a block that can be cached",
        (
            Check(
                "deferred tool",
                "refuse",
                "A tool with defer_loading must not carry cache_control.",
            ),
            Check(
                "empty text",
                "warn",
                "An empty text block cannot be cached; which error that gives is not documented.",
                "cache_control cannot be set for empty text blocks",
            ),
            Check(
                "thinking",
                "warn",
                "A thinking block cannot carry cache_control; which error that gives is not"
                " documented.",
            ),
        ),
        certainty="documented; the wording is not verified",
        sources=("docs: prompt-caching", "docs: tool-search-tool"),
        accepted=request(TASK, tools=[ADD, _SEARCH]),
        refused=request(TASK, tools=[ADD, {**_SEARCH, "cache_control": MARK}]),
    ),
    Rule(
        "A28",
        "Images are within their limits and can be read",
        (
            Check(
                "image",
                "not judged",
                "Images are not decoded here: whether size, sides and media type are right is not"
                " judged.",
                "Could not process image",
            ),
        ),
        certainty="documented, seen in 6 reports",
        sources=("docs: vision", "anthropics/claude-code#19631"),
        accepted=request(user(text("What is this?"), image())),
    ),
)

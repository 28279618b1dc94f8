"""A10 to A19: roles and the order of messages."""

from app.engine.rules.anthropic.rows.examples import (
    ADD,
    TASK,
    assistant,
    call,
    image,
    request,
    result,
    said,
    user,
)
from app.engine.rules.rule import Check, Rule

_ANSWER = said("assistant", "5")
_NEXT = said("user", "And 3 + 4?")
_NOTE = said("system", "Answer in one word.")
_HAIKU = "claude-haiku-4-5"
_THINK = {"type": "enabled", "budget_tokens": 1024}
_ASKED = (TASK, assistant(call()))

RULES = (
    Rule(
        "A10",
        "role is user, assistant or, later in the list, system",
        (
            Check(
                "role",
                "refuse",
                "A message's role must be user or assistant, later in the list also system; tool"
                " results travel in a user message.",
                'messages: Unexpected role "{role}". Allowed roles are "user" or "assistant"',
            ),
        ),
        certainty="seen in 3 reports",
        sources=("NyarchLinux/NyarchAssistant#157", "mark3labs/mcphost#36"),
        accepted=request(*_ASKED, user(result()), tools=[ADD]),
        refused=request(*_ASKED, {**user(result()), "role": "tool"}, tools=[ADD]),
    ),
    Rule(
        "A11",
        "Messages of one role in a row",
        (
            Check(
                "merged",
                "accept",
                "Messages of one role in a row are accepted: they are merged into one turn.",
            ),
        ),
        certainty="documented and recorded; all reports of a refusal are older than October 2024",
        sources=(
            "docs: release notes",
            "docs: messages",
            "pydantic/pydantic-ai: recorded exchange",
        ),
        accepted=request(TASK, said("user", "In one word, please.")),
        believed="Roles must alternate.",
    ),
    Rule(
        "A12",
        "The first message's role",
        (Check("first", "accept", "The first message may be the assistant's."),),
        certainty="documented and recorded",
        sources=("docs: release notes", "pydantic/pydantic-ai: recorded exchange"),
        accepted=request(said("assistant", "Ask me a sum."), TASK),
        believed="The first message must be the user's.",
    ),
    Rule(
        "A13",
        "The last message is not the assistant's",
        (
            Check(
                "prefill",
                "refuse",
                "This model does not go on from an assistant message: the last message must be the"
                " user's.",
                "This model does not support assistant message prefill. The conversation must end"
                " with a user message.",
            ),
            Check(
                "unknown model",
                "not judged",
                "Whether this model goes on from an assistant message is not known here.",
            ),
        ),
        certainty="documented, seen in 2 reports, with a recorded exception",
        sources=(
            "docs: errors",
            "docs: compaction",
            "strands-agents/sdk-python#1694",
            "jobrunr/JavaClaw#36",
        ),
        accepted=request(TASK),
        refused=request(TASK, said("assistant", "The sum is")),
        believed="The last message must always be the user's: Claude 4.5 and older go on from one"
        " of the assistant's, a paused turn and a compaction are sent back as they are, and a"
        " system message may close the list.",
    ),
    Rule(
        "A14",
        "A prefill does not end in whitespace",
        (
            Check(
                "whitespace",
                "refuse",
                "The text that the assistant is to go on from must not end in whitespace.",
                "final assistant content cannot end with trailing whitespace",
            ),
        ),
        certainty="seen in 4 reports",
        sources=("crewAIInc/crewAI#4413", "tailcallhq/forgecode#1872"),
        accepted=request(TASK, said("assistant", "The sum is"), model=_HAIKU),
        refused=request(TASK, said("assistant", "The sum is "), model=_HAIKU),
        looser="Trailing whitespace in a prefill is let through.",
    ),
    Rule(
        "A15",
        "No prefill while thinking is on",
        (
            Check(
                "thinking",
                "refuse",
                "The assistant cannot go on from a message of its own while thinking is on.",
            ),
        ),
        certainty="documented; the wording is not verified",
        sources=("docs: thinking",),
        accepted=request(TASK, _ANSWER, model=_HAIKU, max_tokens=2048),
        refused=request(TASK, _ANSWER, model=_HAIKU, max_tokens=2048, thinking=_THINK),
    ),
    Rule(
        "A16",
        "The first message is not a system message",
        (
            Check(
                "first",
                "refuse",
                "The opening system prompt belongs in the field system, not in the first message.",
                "messages.0: use the top-level 'system' parameter for the initial system prompt",
            ),
        ),
        certainty="documented, seen in 3 reports",
        sources=("docs: mid-conversation-system-messages", "aaronrussell/anthropix#2"),
        accepted=request(TASK, _NOTE),
        refused=request(_NOTE, TASK, _NOTE),
        looser="A system message is taken anywhere, as in the other dialect.",
    ),
    Rule(
        "A17",
        "A system message later in the list",
        (
            Check(
                "unsupported",
                "refuse",
                "This model takes no system message in messages; use the field system.",
                "role 'system' is not supported on this model",
            ),
            Check(
                "before",
                "refuse",
                "A system message must directly follow a user turn, or an assistant turn that"
                " ends in the result of a server tool.",
            ),
            Check(
                "after",
                "refuse",
                "A system message must be the last, or be followed by an assistant message.",
            ),
            Check(
                "contested",
                "warn",
                "Whether this model takes a system message in messages is contested: the"
                " documentation of August 2026 says no, a client of October 2026 says yes.",
                "role 'system' is not supported on this model",
            ),
            Check(
                "unknown model",
                "not judged",
                "Whether this model takes a system message in messages is not known here.",
            ),
        ),
        certainty="documented, recorded, seen in 3 reports; Sonnet 5 is contested",
        sources=(
            "docs: mid-conversation-system-messages",
            "pydantic/pydantic-ai: recorded exchange",
            "anthropics/claude-code#61412",
        ),
        accepted=request(TASK, _ANSWER, _NEXT, _NOTE),
        refused=request(TASK, _ANSWER, _NEXT, _NOTE, model="claude-opus-4-7"),
        believed="A system message is never allowed in messages.",
        looser="A system message is taken in any place.",
    ),
    Rule(
        "A18",
        "No system message between a call and its result",
        (
            Check(
                "between",
                "refuse",
                "A system message must not stand between a tool_use and its tool_result; put it"
                " after the results.",
            ),
        ),
        certainty="documented; the place of the error is inferred",
        sources=("docs: mid-conversation-system-messages",),
        accepted=request(*_ASKED, user(result()), tools=[ADD]),
        refused=request(*_ASKED, _NOTE, user(result()), tools=[ADD]),
        looser="A system message is taken in any place.",
    ),
    Rule(
        "A19",
        "A system message holds text",
        (
            Check(
                "text",
                "refuse",
                "The content of a system message must be a string or text blocks.",
            ),
            Check(
                "tool",
                "refuse",
                "A tool can only be added or taken away in a system message if tools declares it.",
            ),
        ),
        certainty="documented",
        sources=("docs: mid-conversation-system-messages", "anthropic 2.14.0 (package)"),
        accepted=request(TASK, {"role": "system", "content": [{"type": "text", "text": "Look."}]}),
        refused=request(
            TASK, {"role": "system", "content": [{"type": "text", "text": "Look."}, image()]}
        ),
    ),
)

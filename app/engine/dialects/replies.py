"""What comes back: a reply of the Messages API as a chat completion, and the other way."""

from typing import Any

from app.engine.dialects.converted import Converted, Work, renamed
from app.engine.dialects.to_anthropic import blocks_of
from app.engine.dialects.to_openai import assistant
from app.engine.steps import Json

# What the two names of a reason mean is the same, or the nearest there is.
TO_OPENAI = {
    "end_turn": "stop",
    "stop_sequence": "stop",
    "tool_use": "tool_calls",
    "max_tokens": "length",
    "model_context_window_exceeded": "length",
    "refusal": "content_filter",
}
TO_ANTHROPIC = {
    "stop": "end_turn",
    "tool_calls": "tool_use",
    "function_call": "tool_use",
    "length": "max_tokens",
    "content_filter": "refusal",
}
CHOICE = ("choices", 0)
SAID = (*CHOICE, "message")


def reply_to_openai(reply: Json) -> Converted:
    """A reply `{stop_reason, content, usage}` as a chat completion. A reason that is unknown there
    stays as it is, and is named as lost."""
    work = Work()
    reason = reply.get("stop_reason")
    if isinstance(reason, str) and reason in TO_OPENAI:
        work.tie(("stop_reason",), (*CHOICE, "finish_reason"))
    elif reason is not None:
        work.lose(("stop_reason",), "pause" if reason == "pause_turn" else "reason")
    if reply.get("stop_sequence") is not None:
        work.lose(("stop_sequence",), "stopped by")
    if reply.get("stop_details") is not None:
        work.lose(("stop_details",), "details")
    message = assistant(reply, (), SAID, work) or {"role": "assistant", "content": None}
    if isinstance(message.get("content"), list):  # a request may hold parts, a reply is one text
        message["content"] = "".join(part.get("text", "") for part in message["content"])
    choice = {
        "index": 0,
        "message": message,
        "finish_reason": renamed(reason, TO_OPENAI),
    }
    return work.done({"choices": [choice], **_usage_to_openai(reply.get("usage"), work)})


def reply_to_anthropic(reply: Json) -> Converted:
    """A chat completion as a reply `{stop_reason, content, usage}`, of its first choice."""
    work = Work()
    choices = reply.get("choices")
    choice = choices[0] if isinstance(choices, list) and choices else {}
    choice = choice if isinstance(choice, dict) else {}
    message = choice.get("message")
    message = message if isinstance(message, dict) else {}
    reason = choice.get("finish_reason")
    refused = bool(message.get("refusal"))
    if isinstance(reason, str) and reason in TO_ANTHROPIC:
        work.tie((*CHOICE, "finish_reason"), ("stop_reason",))
    elif reason is not None:
        work.lose((*CHOICE, "finish_reason"), "reason")
    if refused:
        work.lose((*SAID, "refusal"), "refusal")
    body = {
        "stop_reason": "refusal" if refused else renamed(reason, TO_ANTHROPIC),
        "content": blocks_of(message, SAID, (), work),
    }
    return work.done({**body, **_usage_to_anthropic(reply.get("usage"), work)})


def _usage_to_openai(usage: Any, work: Work) -> Json:
    if not isinstance(usage, dict):
        return {}
    work.tie(("usage",), ("usage",))
    asked, made = usage.get("input_tokens", 0), usage.get("output_tokens", 0)
    return {
        "usage": {
            "prompt_tokens": asked,
            "completion_tokens": made,
            "total_tokens": asked + made,
        }
    }


def _usage_to_anthropic(usage: Any, work: Work) -> Json:
    if not isinstance(usage, dict):
        return {}
    work.tie(("usage",), ("usage",))
    return {
        "usage": {
            "input_tokens": usage.get("prompt_tokens", 0),
            "output_tokens": usage.get("completion_tokens", 0),
        }
    }

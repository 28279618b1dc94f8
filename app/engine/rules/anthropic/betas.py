"""What the Messages API knows only under a beta header.

Which header brings which key is not judged: any one lets all of these pass.
"""

from typing import NamedTuple

from app.engine.rules.anthropic import keys
from app.engine.rules.anthropic.keys import tagged
from app.engine.rules.shapes import Kind, ListOf, MapOf, Nullable, Or, Shape, Tagged, words

TOOL_CHANGES = ("tool_addition", "tool_removal")

_SERVER_TOOL_USE = tagged(
    "server_tool_use",
    {"id": str, "input": dict, "name": words("advisor", *keys.SERVER_TOOLS)},
    {"caller": keys.CALLER, **keys.CACHE},
)
_MCP_TOOL = Shape({"input_schema": dict, "name": str}, {"description": Nullable(str)})
_MCP_SWITCHES = Shape({}, {"defer_loading": bool, "enabled": bool})


def _old_tool(tag: str, name: str, optional: dict[str, Kind]) -> Shape:
    return tagged(tag, {"name": words(name)}, {**keys.CLIENT, **optional})


def _computer(tag: str, **optional: Kind) -> Shape:
    size: dict[str, Kind] = {"display_height_px": int, "display_width_px": int}
    more: dict[str, Kind] = {**keys.CLIENT, "display_number": Nullable(int), **optional}
    return tagged(tag, {"name": words("computer"), **size}, more)


TOOLS = {
    **keys.TOOLS,
    "bash_20241022": _old_tool("bash_20241022", "bash", {}),
    "text_editor_20241022": _old_tool("text_editor_20241022", "str_replace_editor", {}),
    "computer_20241022": _computer("computer_20241022"),
    "computer_20250124": _computer("computer_20250124"),
    "computer_20251124": _computer("computer_20251124", enable_zoom=bool),
    "advisor_20260301": tagged(
        "advisor_20260301",
        {"model": str, "name": words("advisor")},
        {
            **keys.COMMON,
            "caching": keys.MARK,
            "max_tokens": Nullable(int),
            "max_uses": Nullable(int),
        },
    ),
    "mcp_toolset": tagged(
        "mcp_toolset",
        {"mcp_server_name": str},
        {
            "configs": Nullable(MapOf(_MCP_SWITCHES)),
            "default_config": _MCP_SWITCHES,
            "tools": Nullable(ListOf(_MCP_TOOL)),
            **keys.CACHE,
        },
    ),
}
_TOOL = Tagged(TOOLS, default="custom")

_REFERENCES = {
    "tool_reference": tagged("tool_reference", {"name": str}, {}),
    "mcp_tool_reference": tagged("mcp_tool_reference", {"name": str, "server_name": str}, {}),
    "mcp_toolset_reference": tagged("mcp_toolset_reference", {"server_name": str}, {}),
}
_ADDED = {**_REFERENCES, "tool_definition": tagged("tool_definition", {"definition": _TOOL}, {})}
TOOL_ADDITION = tagged("tool_addition", {"tool": Tagged(_ADDED)}, keys.CACHE)
TOOL_REMOVAL = tagged("tool_removal", {"tool": Tagged(_REFERENCES)}, keys.CACHE)
_CHANGES = Tagged({"tool_addition": TOOL_ADDITION, "tool_removal": TOOL_REMOVAL})
_FALLBACK_MODEL = Shape({"model": str}, {})

BLOCKS = {
    **keys.BLOCKS,
    "server_tool_use": _SERVER_TOOL_USE,
    "advisor_tool_result": tagged(
        "advisor_tool_result",
        {
            "tool_use_id": str,
            "content": Tagged(
                {
                    "advisor_tool_result_error": tagged(
                        "advisor_tool_result_error", {"error_code": str}, {}
                    ),
                    "advisor_result": tagged(
                        "advisor_result", {"text": str}, {"stop_reason": Nullable(str)}
                    ),
                    "advisor_redacted_result": tagged(
                        "advisor_redacted_result",
                        {"encrypted_content": str},
                        {"stop_reason": Nullable(str)},
                    ),
                }
            ),
        },
        keys.CACHE,
    ),
    "mcp_tool_use": tagged(
        "mcp_tool_use", {"id": str, "input": dict, "name": str, "server_name": str}, keys.CACHE
    ),
    "mcp_tool_result": tagged(
        "mcp_tool_result",
        {"tool_use_id": str},
        {"content": Or(str, ListOf(Tagged({"text": keys.TEXT}))), "is_error": bool, **keys.CACHE},
    ),
    "compaction": tagged(
        "compaction",
        {},
        {
            "content": Nullable(str),
            "encrypted_content": Nullable(str),
            "signature": Nullable(str),
            "tool_changes": Nullable(ListOf(_CHANGES)),
            **keys.CACHE,
        },
    ),
    "tool_addition": TOOL_ADDITION,
    "tool_removal": TOOL_REMOVAL,
    "mcp_tool_listing": tagged(
        "mcp_tool_listing", {"mcp_server_name": str, "tools": ListOf(_MCP_TOOL)}, {}
    ),
    "fallback": tagged(
        "fallback", {"from": _FALLBACK_MODEL, "to": _FALLBACK_MODEL}, {"trigger": object}
    ),
}

_BINDING = Nullable(Shape({}, {"prefix_mismatch_behavior": Nullable(words("error", "drop_block"))}))
_SHOWN: dict[str, Kind] = {
    "block_binding": _BINDING,
    "display": Nullable(words("summarized", "omitted", "updates")),
}
_THINKING = {
    **keys.THINKING,
    "enabled": keys.THINKING["enabled"].plus(_SHOWN),
    "adaptive": keys.THINKING["adaptive"].plus(_SHOWN),
}
_OUTPUT_CONFIG = keys.OUTPUT_CONFIG.plus(
    {"task_budget": Nullable(tagged("tokens", {"total": int}, {"remaining": Nullable(int)}))}
)
_TRIGGER = tagged("input_tokens", {"value": int}, {})
_EDITS = Tagged(
    {
        "clear_tool_uses_20250919": tagged(
            "clear_tool_uses_20250919",
            {},
            {
                "clear_at_least": Nullable(_TRIGGER),
                "clear_tool_inputs": Nullable(Or(bool, ListOf(str))),
                "exclude_tools": Nullable(ListOf(str)),
                "keep": tagged("tool_uses", {"value": int}, {}),
                "trigger": Tagged(
                    {
                        "input_tokens": _TRIGGER,
                        "tool_uses": tagged("tool_uses", {"value": int}, {}),
                    }
                ),
            },
        ),
        "clear_thinking_20251015": tagged(
            "clear_thinking_20251015",
            {},
            {
                "keep": Or(
                    words("all"),
                    Tagged(
                        {
                            "thinking_turns": tagged("thinking_turns", {"value": int}, {}),
                            "all": tagged("all", {}, {}),
                        }
                    ),
                )
            },
        ),
        "compact_20260112": tagged(
            "compact_20260112",
            {},
            {
                "instructions": Nullable(str),
                "pause_after_compaction": bool,
                "trigger": Nullable(_TRIGGER),
            },
        ),
    }
)
_MCP_SERVER = tagged(
    "url",
    {"name": str, "url": str},
    {
        "authorization_token": Nullable(str),
        "tool_configuration": Nullable(
            Shape({}, {"allowed_tools": Nullable(ListOf(str)), "enabled": Nullable(bool)})
        ),
    },
)
_FALLBACK = Shape(
    {"model": str},
    {
        "max_tokens": Nullable(int),
        "output_config": Nullable(_OUTPUT_CONFIG),
        "speed": Nullable(words("fast", "standard")),
        "thinking": Nullable(Tagged(_THINKING)),
    },
)
_CREDIT = Shape({"token": str}, {"mode": words("strict", "best_effort")})
BODY = keys.BODY.plus(
    {
        "billing_policy": Nullable(
            tagged("billing_policy", {}, {"bill_to": words("self", "user_profile")})
        ),
        "compaction": Nullable(tagged("summarize", {}, {"instructions": Nullable(str)})),
        "context_management": Nullable(Shape({}, {"edits": ListOf(_EDITS)})),
        "fallback_credit_token": Nullable(Or(str, _CREDIT)),
        "fallbacks": Nullable(Or(words("default"), ListOf(_FALLBACK))),
        "mcp_servers": ListOf(_MCP_SERVER),
        "output_config": _OUTPUT_CONFIG,
        "thinking": Tagged(_THINKING),
        "thread": Nullable(
            Tagged(
                {
                    "create": tagged("create", {}, {}),
                    "continue": tagged("continue", {"previous_message_id": str}, {}),
                }
            )
        ),
        "tools": ListOf(_TOOL),
    }
)
MESSAGE = Shape(
    {"role": str},
    {
        "content": object,
        "clear_at": Nullable(words("next_user_message", "never")),
        "output_config": Nullable(Shape({}, {"effort": Nullable(words(*keys.EFFORTS))})),
    },
)


class Known(NamedTuple):
    """What a request may hold: its body, its messages, and their blocks."""

    body: Shape
    message: Shape
    blocks: dict[str, Shape]


STABLE = Known(keys.BODY, keys.MESSAGE, keys.BLOCKS)
BETA = Known(BODY, MESSAGE, BLOCKS)

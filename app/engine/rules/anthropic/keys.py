"""The keys, block types, tools and roles of the Messages API, as its published types list them.

Source: the request types of the Python package `anthropic` 2.14.0, the stable ones first and those
behind a beta header after them. A test compares these tables with the installed package.
"""

from app.engine.rules.shapes import Kind, ListOf, Nullable, Or, Shape, Tagged, words

ROLES = frozenset({"user", "assistant", "system"})
STOP_REASONS = frozenset(
    {
        "end_turn",
        "max_tokens",
        "stop_sequence",
        "tool_use",
        "pause_turn",
        "refusal",
        "model_context_window_exceeded",
    }
)
BETA_STOP_REASONS = frozenset({"compaction"})
SAMPLING = ("temperature", "top_p", "top_k")  # keys of older versions of the API


def tagged(tag: str, required: dict[str, Kind], optional: dict[str, Kind]) -> Shape:
    """A shape whose `type` is that tag."""
    return Shape({"type": words(tag), **required}, optional)


# Parts of blocks

MARK = Nullable(tagged("ephemeral", {}, {"ttl": words("5m", "1h")}))
CACHE: dict[str, Kind] = {"cache_control": MARK}
CITATIONS_SWITCH = Shape({}, {"enabled": bool})

# No request type lists it, but the API's own replies carry it and go back as they are.
FILE: dict[str, Kind] = {"file_id": Nullable(str)}
CITATION = Tagged(
    {
        "char_location": tagged(
            "char_location",
            {
                "cited_text": str,
                "document_index": int,
                "document_title": Nullable(str),
                "start_char_index": int,
                "end_char_index": int,
            },
            FILE,
        ),
        "page_location": tagged(
            "page_location",
            {
                "cited_text": str,
                "document_index": int,
                "document_title": Nullable(str),
                "start_page_number": int,
                "end_page_number": int,
            },
            FILE,
        ),
        "content_block_location": tagged(
            "content_block_location",
            {
                "cited_text": str,
                "document_index": int,
                "document_title": Nullable(str),
                "start_block_index": int,
                "end_block_index": int,
            },
            FILE,
        ),
        "web_search_result_location": tagged(
            "web_search_result_location",
            {"cited_text": str, "encrypted_index": str, "title": Nullable(str), "url": str},
            {},
        ),
        "search_result_location": tagged(
            "search_result_location",
            {
                "cited_text": str,
                "search_result_index": int,
                "source": str,
                "start_block_index": int,
                "end_block_index": int,
                "title": Nullable(str),
            },
            {},
        ),
    }
)
# No request type lists null, but replies are dumped with it, and only Bedrock refuses that.
CALLER = Nullable(
    Tagged(
        {
            "direct": tagged("direct", {}, {}),
            "code_execution_20250825": tagged("code_execution_20250825", {"tool_id": str}, {}),
            "code_execution_20260120": tagged("code_execution_20260120", {"tool_id": str}, {}),
        }
    )
)

# Blocks that may stand inside others

TEXT = tagged("text", {"text": str}, {"citations": Nullable(ListOf(CITATION)), **CACHE})
IMAGE = tagged(
    "image",
    {
        "source": Tagged(
            {
                "base64": tagged(
                    "base64",
                    {
                        "data": str,
                        "media_type": words("image/jpeg", "image/png", "image/gif", "image/webp"),
                    },
                    {},
                ),
                "url": tagged("url", {"url": str}, {}),
                "file": tagged("file", {"file_id": str}, {}),
            }
        )
    },
    {
        "transformations": Nullable(Shape({}, {"oversized_image": words("downsize", "error")})),
        **CACHE,
    },
)
DOCUMENT = tagged(
    "document",
    {
        "source": Tagged(
            {
                "base64": tagged(
                    "base64", {"data": str, "media_type": words("application/pdf")}, {}
                ),
                "text": tagged("text", {"data": str, "media_type": words("text/plain")}, {}),
                "content": tagged(
                    "content",
                    {"content": Or(str, ListOf(Tagged({"text": TEXT, "image": IMAGE})))},
                    {},
                ),
                "url": tagged("url", {"url": str}, {}),
                "file": tagged("file", {"file_id": str}, {}),
            }
        )
    },
    {
        "citations": Nullable(CITATIONS_SWITCH),
        "context": Nullable(str),
        "title": Nullable(str),
        **CACHE,
    },
)
SEARCH_RESULT = tagged(
    "search_result",
    {"content": ListOf(Tagged({"text": TEXT})), "source": str, "title": str},
    {"citations": CITATIONS_SWITCH, **CACHE},
)
TOOL_REFERENCE = tagged("tool_reference", {"tool_name": str}, CACHE)
BROWSER_STATE = tagged(
    "browser_state",
    {"tabs": ListOf(Shape({"tab_id": str, "title": str, "url": str}, {"active": bool}))},
    {
        "state_changes": Nullable(
            ListOf(
                Tagged(
                    {
                        "tab_opened": tagged("tab_opened", {"tab_id": str}, {}),
                        "download_started": tagged(
                            "download_started", {"download_id": str, "url": str}, {}
                        ),
                        "download_completed": tagged(
                            "download_completed",
                            {"download_id": str, "url": str},
                            {"path": Nullable(str), "size_bytes": Nullable(int)},
                        ),
                        "download_failed": tagged(
                            "download_failed",
                            {"download_id": str, "url": str},
                            {"error": Nullable(str)},
                        ),
                    }
                )
            )
        ),
        **CACHE,
    },
)
RESULT_BLOCKS = Tagged(
    {
        "text": TEXT,
        "image": IMAGE,
        "document": DOCUMENT,
        "search_result": SEARCH_RESULT,
        "tool_reference": TOOL_REFERENCE,
        "browser_state": BROWSER_STATE,
    }
)

# Blocks of a message


def _server_result(tag: str, content: Kind, optional: dict[str, Kind]) -> Shape:
    return tagged(tag, {"tool_use_id": str, "content": content}, {**optional, **CACHE})


def _error(tag: str, **optional: Kind) -> Shape:
    return tagged(tag, {"error_code": str}, optional)


def _ran(tag: str, output: str, stdout: str = "stdout") -> Shape:
    files = ListOf(tagged(output, {"file_id": str}, {}))
    return tagged(tag, {"content": files, "return_code": int, "stderr": str, stdout: str}, {})


SERVER_TOOLS = frozenset(
    {
        "web_search",
        "web_fetch",
        "code_execution",
        "bash_code_execution",
        "text_editor_code_execution",
        "tool_search_tool_regex",
        "tool_search_tool_bm25",
    }
)
SERVER_TOOL_USE = tagged(
    "server_tool_use",
    {"id": str, "input": dict, "name": words(*SERVER_TOOLS)},
    {"caller": CALLER, **CACHE},
)
BLOCKS = {
    "text": TEXT,
    "image": IMAGE,
    "document": DOCUMENT,
    "search_result": SEARCH_RESULT,
    # No type lists a cache mark on thinking, but the documentation names it (A27).
    "thinking": tagged("thinking", {"thinking": str, "signature": str}, CACHE),
    "redacted_thinking": tagged("redacted_thinking", {"data": str}, CACHE),
    "tool_use": tagged(
        "tool_use",
        {"id": str, "name": str, "input": dict},
        {"caller": CALLER, "toolset_name": Nullable(str), **CACHE},
    ),
    "tool_result": tagged(
        "tool_result",
        {"tool_use_id": str},
        # What `content` may be is judged by A56 and A57.
        {"content": object, "is_error": bool, "toolset_name": Nullable(str), **CACHE},
    ),
    "server_tool_use": SERVER_TOOL_USE,
    "web_search_tool_result": _server_result(
        "web_search_tool_result",
        Or(
            ListOf(
                tagged(
                    "web_search_result",
                    {"encrypted_content": str, "title": str, "url": str},
                    {"page_age": Nullable(str)},
                )
            ),
            _error("web_search_tool_result_error"),
        ),
        {"caller": CALLER},
    ),
    "web_fetch_tool_result": _server_result(
        "web_fetch_tool_result",
        Tagged(
            {
                "web_fetch_tool_result_error": _error("web_fetch_tool_result_error"),
                "web_fetch_result": tagged(
                    "web_fetch_result",
                    {"content": DOCUMENT, "url": str},
                    {"retrieved_at": Nullable(str)},
                ),
            }
        ),
        {"caller": CALLER},
    ),
    "code_execution_tool_result": _server_result(
        "code_execution_tool_result",
        Tagged(
            {
                "code_execution_tool_result_error": _error("code_execution_tool_result_error"),
                "code_execution_result": _ran("code_execution_result", "code_execution_output"),
                "encrypted_code_execution_result": _ran(
                    "encrypted_code_execution_result", "code_execution_output", "encrypted_stdout"
                ),
            }
        ),
        {},
    ),
    "bash_code_execution_tool_result": _server_result(
        "bash_code_execution_tool_result",
        Tagged(
            {
                "bash_code_execution_tool_result_error": _error(
                    "bash_code_execution_tool_result_error"
                ),
                "bash_code_execution_result": _ran(
                    "bash_code_execution_result", "bash_code_execution_output"
                ),
            }
        ),
        {},
    ),
    "text_editor_code_execution_tool_result": _server_result(
        "text_editor_code_execution_tool_result",
        Tagged(
            {
                "text_editor_code_execution_tool_result_error": _error(
                    "text_editor_code_execution_tool_result_error", error_message=Nullable(str)
                ),
                "text_editor_code_execution_view_result": tagged(
                    "text_editor_code_execution_view_result",
                    {"content": str, "file_type": words("text", "image", "pdf")},
                    {
                        "num_lines": Nullable(int),
                        "start_line": Nullable(int),
                        "total_lines": Nullable(int),
                    },
                ),
                "text_editor_code_execution_create_result": tagged(
                    "text_editor_code_execution_create_result", {"is_file_update": bool}, {}
                ),
                "text_editor_code_execution_str_replace_result": tagged(
                    "text_editor_code_execution_str_replace_result",
                    {},
                    {
                        "lines": Nullable(ListOf(str)),
                        "new_lines": Nullable(int),
                        "new_start": Nullable(int),
                        "old_lines": Nullable(int),
                        "old_start": Nullable(int),
                    },
                ),
            }
        ),
        {},
    ),
    "tool_search_tool_result": _server_result(
        "tool_search_tool_result",
        Tagged(
            {
                "tool_search_tool_result_error": _error(
                    "tool_search_tool_result_error", error_message=Nullable(str)
                ),
                "tool_search_tool_search_result": tagged(
                    "tool_search_tool_search_result",
                    {"tool_references": ListOf(TOOL_REFERENCE)},
                    {},
                ),
            }
        ),
        {},
    ),
    "container_upload": tagged("container_upload", {"file_id": str}, CACHE),
}

# Tools

ALLOWED_CALLERS = ListOf(
    words(
        "direct",
        "code_execution_20250825",
        "code_execution_20260120",
        "code_execution_20260521",
    )
)
COMMON: dict[str, Kind] = {
    "allowed_callers": ALLOWED_CALLERS,
    "defer_loading": bool,
    "strict": bool,
    **CACHE,
}
CLIENT: dict[str, Kind] = {**COMMON, "input_examples": ListOf(dict)}
USER_LOCATION = tagged(
    "approximate",
    {},
    {
        "city": Nullable(str),
        "country": Nullable(str),
        "region": Nullable(str),
        "timezone": Nullable(str),
    },
)
WEB: dict[str, Kind] = {
    **COMMON,
    "allowed_domains": Nullable(ListOf(str)),
    "blocked_domains": Nullable(ListOf(str)),
    "max_uses": Nullable(int),
}
SEARCH: dict[str, Kind] = {**WEB, "user_location": Nullable(USER_LOCATION)}


def _url_source(*types: str) -> Tagged:
    tools = ListOf(tagged("tool_reference", {"name": str}, {}))
    named = ("only", "except")
    return Tagged({t: tagged(t, {"tools": tools} if t in named else {}, {}) for t in types})


FETCH: dict[str, Kind] = {
    **WEB,
    "citations": Nullable(CITATIONS_SWITCH),
    "max_content_tokens": Nullable(int),
    "url_sources": Nullable(
        Shape(
            {},
            {
                "client_tool_results": _url_source("all", "none", "only", "except"),
                "server_tool_results": _url_source("all", "none", "only", "except"),
                "user_input": _url_source("all", "none"),
            },
        )
    ),
}
INCLUSION = words("full", "excluded")
MEMBER = Nullable(Shape({}, {"defer_loading": Nullable(bool), "enabled": Nullable(bool)}))
# The members that both client toolsets have, then those of one.
POINTER = (
    "double_click hold_key key left_click left_click_drag left_mouse_down left_mouse_up "
    "middle_click mouse_move right_click screenshot scroll triple_click type wait zoom"
)
COMPUTER = f"{POINTER} cursor_position"
BROWSER = (
    f"{POINTER} close_tab file_upload find form_input get_page_text hover javascript_exec"
    f" list_tabs "
    "navigate new_tab read_console read_network read_page scroll_to switch_tab"
)


def _tool(tag: str, name: str, optional: dict[str, Kind], also: str | None = None) -> Shape:
    tags = words(tag) if also is None else words(tag, also)
    return Shape({"type": tags, "name": words(name)}, optional)


def _toolset(tag: str, members: str) -> Shape:
    configs = Shape({}, dict.fromkeys(members.split(), MEMBER))
    return tagged(tag, {}, {"configs": Nullable(configs), **CACHE})


_BM25 = _tool(
    "tool_search_tool_bm25_20251119", "tool_search_tool_bm25", COMMON, "tool_search_tool_bm25"
)
_REGEX = _tool(
    "tool_search_tool_regex_20251119", "tool_search_tool_regex", COMMON, "tool_search_tool_regex"
)
EDITOR = "str_replace_based_edit_tool"
CUSTOM_TOOL = Shape(
    {"name": str, "input_schema": dict},
    {
        "type": Nullable(words("custom")),
        "description": str,
        "eager_input_streaming": Nullable(bool),
        **CLIENT,
    },
)
TOOLS = {
    "custom": CUSTOM_TOOL,
    "bash_20250124": _tool("bash_20250124", "bash", CLIENT),
    "code_execution_20250522": _tool("code_execution_20250522", "code_execution", COMMON),
    "code_execution_20250825": _tool("code_execution_20250825", "code_execution", COMMON),
    "code_execution_20260120": _tool("code_execution_20260120", "code_execution", COMMON),
    "code_execution_20260521": _tool("code_execution_20260521", "code_execution", COMMON),
    "browser_toolset_20260801": _toolset("browser_toolset_20260801", BROWSER),
    "computer_toolset_20260801": _toolset("computer_toolset_20260801", COMPUTER),
    "memory_20250818": _tool("memory_20250818", "memory", CLIENT),
    "text_editor_20250124": _tool("text_editor_20250124", "str_replace_editor", CLIENT),
    "text_editor_20250429": _tool("text_editor_20250429", EDITOR, CLIENT),
    "text_editor_20250728": _tool(
        "text_editor_20250728", EDITOR, {**CLIENT, "max_characters": Nullable(int)}
    ),
    "web_search_20250305": _tool("web_search_20250305", "web_search", SEARCH),
    "web_search_20260209": _tool("web_search_20260209", "web_search", SEARCH),
    "web_search_20260318": _tool(
        "web_search_20260318", "web_search", {**SEARCH, "response_inclusion": INCLUSION}
    ),
    "web_fetch_20250910": _tool("web_fetch_20250910", "web_fetch", FETCH),
    "web_fetch_20260209": _tool("web_fetch_20260209", "web_fetch", FETCH),
    "web_fetch_20260309": _tool("web_fetch_20260309", "web_fetch", {**FETCH, "use_cache": bool}),
    "web_fetch_20260318": _tool(
        "web_fetch_20260318",
        "web_fetch",
        {**FETCH, "use_cache": bool, "response_inclusion": INCLUSION},
    ),
    "tool_search_tool_bm25_20251119": _BM25,
    "tool_search_tool_bm25": _BM25,
    "tool_search_tool_regex_20251119": _REGEX,
    "tool_search_tool_regex": _REGEX,
}
TOOLSETS = frozenset({"browser_toolset_20260801", "computer_toolset_20260801", "mcp_toolset"})

# The body

PARALLEL: dict[str, Kind] = {"disable_parallel_tool_use": bool}
TOOL_CHOICE = Tagged(
    {
        "auto": tagged("auto", {}, PARALLEL),
        "any": tagged("any", {}, PARALLEL),
        "tool": tagged("tool", {"name": str}, PARALLEL),
        "none": tagged("none", {}, {}),
    }
)
DISPLAY: dict[str, Kind] = {"display": Nullable(words("summarized", "omitted"))}
THINKING = {
    "enabled": tagged("enabled", {"budget_tokens": int}, DISPLAY),
    "disabled": tagged("disabled", {}, {}),
    "between_tools": tagged("between_tools", {}, {}),
    "adaptive": tagged("adaptive", {}, DISPLAY),
}
EFFORTS = ("low", "medium", "high", "xhigh", "max")
OUTPUT_CONFIG = Shape(
    {},
    {
        "effort": Nullable(words(*EFFORTS)),
        "format": Nullable(tagged("json_schema", {"schema": dict}, {})),
    },
)
SKILL = Shape({"skill_id": str, "type": words("anthropic", "custom")}, {"version": str})
BODY = Shape(
    {"model": str, "max_tokens": int, "messages": object},
    {
        "cache_control": MARK,
        "container": Nullable(
            Or(str, Shape({}, {"id": Nullable(str), "skills": Nullable(ListOf(SKILL))}))
        ),
        "diagnostics": Nullable(Shape({}, {"previous_message_id": Nullable(str)})),
        "inference_geo": Nullable(str),
        "metadata": Shape({}, {"user_id": Nullable(str)}),
        "output_config": OUTPUT_CONFIG,
        "service_tier": words("auto", "standard_only"),
        "speed": Nullable(words("fast", "standard")),
        "stop_sequences": ListOf(str),
        "stream": bool,
        "system": Or(str, ListOf(Tagged({"text": TEXT}))),
        "thinking": Tagged(THINKING),
        "tool_choice": TOOL_CHOICE,
        "tools": ListOf(Tagged(TOOLS, default="custom")),
        "user_profile_id": str,
        "workspace_id": str,
    },
)
MESSAGE = Shape({"role": str, "content": object}, {})

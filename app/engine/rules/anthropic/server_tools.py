"""The tools that the API runs itself: their calls, their results, and which a request declares."""

from collections.abc import Mapping
from typing import Any

SERVER_CALLS = frozenset({"server_tool_use", "mcp_tool_use"})
SERVER_RESULTS = frozenset(
    {
        "web_search_tool_result",
        "web_fetch_tool_result",
        "code_execution_tool_result",
        "bash_code_execution_tool_result",
        "text_editor_code_execution_tool_result",
        "tool_search_tool_result",
        "advisor_tool_result",
        "mcp_tool_result",
    }
)
# One tool runs all kinds of code, and the newer web tools run code too.
EXECUTION = frozenset({"code_execution", "bash_code_execution", "text_editor_code_execution"})
RUN_CODE = ("code_execution_", "web_search_2026", "web_fetch_2026")


def result_type(name: str) -> str:
    """The type of the block that holds the result of a server tool's call."""
    return "tool_search_tool_result" if "tool_search" in name else f"{name}_tool_result"


def declared(request: Mapping[str, Any]) -> frozenset[str]:
    """The names that a server call may have, by the `tools` of a request."""
    tools = request.get("tools") or ()
    names = {str(tool.get("name", "")) for tool in tools}
    runs_code = any((tool.get("type") or "").startswith(RUN_CODE) for tool in tools)
    return frozenset(names | EXECUTION if runs_code else names)

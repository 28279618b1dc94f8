"""A70 to A77: tools that the API runs itself, and other special blocks."""

from app.engine.rules.anthropic.rows.examples import (
    ADD,
    TASK,
    WEB_SEARCH,
    assistant,
    call,
    request,
    result,
    said,
    server_call,
    server_result,
    text,
    user,
)
from app.engine.rules.rule import Check, Rule

_OPEN = said("user", "When does the library open?")
_BOTH = assistant(server_call(), call())
_TOOLS = {"tools": [WEB_SEARCH, ADD]}
_FOUND = assistant(server_call(), server_result(), text("At nine."))
_CLICK = {"toolset_name": "computer", "name": "screenshot", "input": {}}

RULES = (
    Rule(
        "A70",
        "A server tool's call needs no result from the user",
        (
            Check(
                "own result",
                "accept",
                "A server_tool_use has its result in the assistant turn; the user does not answer"
                " it.",
            ),
        ),
        certainty="documented and recorded",
        sources=("docs: server-tools", "pydantic/pydantic-ai: recorded exchange"),
        accepted=request(_OPEN, _FOUND, said("user", "Thanks."), tools=[WEB_SEARCH]),
        believed="A server_tool_use needs a tool_result.",
    ),
    Rule(
        "A71",
        "No tool_result for a server tool's call",
        (
            Check(
                "server call",
                "refuse",
                "A server tool's call must not be answered by a tool_result: its result comes"
                " from the API.",
                "{path}: unexpected `tool_use_id` found in `tool_result` blocks: {id}",
            ),
        ),
        certainty="documented",
        sources=("docs: tool-search-tool",),
        accepted=request(_OPEN, _FOUND, user(text("Thanks.")), tools=[WEB_SEARCH]),
        refused=request(
            _OPEN, _FOUND, user(result("srvtoolu_1"), text("Thanks.")), tools=[WEB_SEARCH]
        ),
    ),
    Rule(
        "A72",
        "A paused turn goes back as it is",
        (
            Check(
                "resumed",
                "accept",
                "After pause_turn, an assistant turn that ends in an unanswered server_tool_use"
                " may be the last message.",
            ),
        ),
        certainty="documented and recorded",
        sources=("docs: handling-stop-reasons", "pydantic/pydantic-ai: recorded exchange"),
        accepted=request(_OPEN, assistant(server_call()), tools=[WEB_SEARCH]),
        believed="The last message must be the user's.",
    ),
    Rule(
        "A73",
        "While a server tool waits, the user's turn holds results only",
        (
            Check(
                "more than results",
                "refuse",
                "A server tool of the turn before has not run yet: the user's turn may hold"
                " tool_result blocks only.",
                "{path}: `{name}` tool use with id `{id}` was found without a corresponding"
                " `{result}` block",
            ),
        ),
        certainty="documented",
        sources=("docs: handling-stop-reasons",),
        accepted=request(TASK, _BOTH, user(result()), **_TOOLS),
        refused=request(TASK, _BOTH, user(result(), text("Hurry.")), **_TOOLS),
    ),
    Rule(
        "A74",
        "While a server tool waits, tools declares it",
        (
            Check(
                "not declared",
                "refuse",
                "A server tool has not run yet, so tools must still declare it.",
                "{path}: `{name}` tool use with id `{id}` was found without a corresponding"
                " `{result}` block, but no `{name}` tool was provided",
            ),
        ),
        certainty="documented",
        sources=("docs: handling-stop-reasons",),
        accepted=request(TASK, _BOTH, user(result()), **_TOOLS),
        refused=request(TASK, _BOTH, user(result()), tools=[ADD]),
    ),
    Rule(
        "A75",
        "A server tool's result comes after its call",
        (
            Check(
                "no call",
                "refuse",
                "The result of a server tool must have its server_tool_use before it.",
                "{path}: unexpected `tool_use_id` found in `{type}` blocks: {id}",
            ),
        ),
        certainty="seen in 3 reports",
        sources=("anthropics/claude-code#64383", "anthropics/claude-code#65726"),
        accepted=request(_OPEN, _FOUND, said("user", "Thanks."), tools=[WEB_SEARCH]),
        refused=request(
            _OPEN,
            assistant(server_result(), text("At nine.")),
            said("user", "Thanks."),
            tools=[WEB_SEARCH],
        ),
    ),
    Rule(
        "A76",
        "A result for a tool of a toolset repeats toolset_name",
        (
            Check(
                "toolset_name",
                "refuse",
                "The result of a toolset's tool must repeat the toolset_name of its call.",
            ),
        ),
        certainty="documented",
        sources=("docs: handle-tool-calls",),
        accepted=request(TASK, assistant(call(**_CLICK)), user(result(toolset_name="computer"))),
        refused=request(TASK, assistant(call(**_CLICK)), user(result())),
    ),
    Rule(
        "A77",
        "A compaction block goes back unchanged",
        (
            Check(
                "unchanged",
                "not judged",
                "Whether a compaction block is unchanged is not judged; what stands before it is"
                " checked as always.",
                "compaction_…",
            ),
        ),
        certainty="error classes of the package, one library's comment",
        sources=("anthropic 2.14.0 (package)", "docs: compaction"),
    ),
)

"""A40 to A59: calls and their results, judged after messages of one role have been merged."""

from app.engine.rules.anthropic.rows.examples import (
    ADD,
    TASK,
    assistant,
    call,
    image,
    request,
    result,
    said,
    text,
    user,
)
from app.engine.rules.rule import INFERRED, Check, Rule

_UNANSWERED = (
    "messages.{n}: `tool_use` ids were found without `tool_result` blocks immediately after: {ids}"
)
_UNEXPECTED = "{path}: unexpected `tool_use_id` found in `tool_result` blocks: {id}"
_ONE = assistant(call())
_TWO = assistant(call("toolu_1"), call("toolu_2"))
_R1, _R2 = result("toolu_1"), result("toolu_2")
_DONE = said("assistant", "5")
_OLD = (TASK, _ONE, user(result()), _DONE)
_AGAIN, _R3 = said("user", "And 3 + 4?"), user(result("toolu_3"))
_IN_TOOLS = {"tools": [ADD]}

RULES = (
    Rule(
        "A40",
        "Every tool_use is answered in the next user turn",
        (
            Check(
                "unanswered",
                "refuse",
                "Every tool_use must be answered by a tool_result in the very next user turn.",
                _UNANSWERED,
            ),
        ),
        certainty="documented, recorded, seen in 10 reports and more; the number is contested",
        sources=(
            "docs: handle-tool-calls",
            "anomalyco/opencode: recorded exchange",
            "vybestack/llxprt-code#176",
            "anthropics/claude-code#6575",
        ),
        accepted=request(TASK, _ONE, user(result(), text("Go on.")), **_IN_TOOLS),
        refused=request(TASK, _ONE, user(text("Go on.")), **_IN_TOOLS),
        looser="The list is judged message by message, not turn by turn.",
    ),
    Rule(
        "A41",
        "Every one of several parallel calls is answered",
        (
            Check(
                "some unanswered",
                "refuse",
                "Each of several calls must be answered, those that were not run too.",
                _UNANSWERED,
            ),
        ),
        certainty="documented, seen in 3 reports",
        sources=("docs: parallel-tool-use", "Chainlit/chainlit#2662", "n8n-io/n8n#18869"),
        accepted=request(TASK, _TWO, user(_R1, _R2), **_IN_TOOLS),
        refused=request(TASK, _TWO, user(_R1), **_IN_TOOLS),
    ),
    Rule(
        "A42",
        "Results in the order of the calls",
        (
            Check(
                "order",
                "accept",
                "Results may come in any order: they are matched by id.",
            ),
        ),
        certainty="documented",
        sources=("docs: parallel-tool-use",),
        accepted=request(TASK, _TWO, user(_R2, _R1), **_IN_TOOLS),
        believed="Results must come in the order of the calls.",
    ),
    Rule(
        "A43",
        "The answering turn begins with a result",
        (
            Check(
                "before",
                "refuse",
                "The turn that answers a call must begin with its results; other blocks come after"
                " them.",
                _UNANSWERED,
            ),
        ),
        certainty="documented, seen in 2 reports, one of them checked live",
        sources=(
            "docs: handle-tool-calls",
            "QwenLM/qwen-code#8161",
            "NousResearch/hermes-agent#65369",
        ),
        accepted=request(TASK, _ONE, user(result()), **_IN_TOOLS),
        refused=request(TASK, _ONE, user(text("It says:"), result()), **_IN_TOOLS),
        looser="Text before the results is let through.",
    ),
    Rule(
        "A44",
        "The results stand together at the start",
        (
            Check(
                "gap",
                "refuse",
                "All results must stand together at the start of the turn; nothing may come between"
                " two of them.",
                _UNANSWERED,
            ),
        ),
        certainty="seen in 4 reports",
        sources=("Zoo-Code-Org/Zoo-Code#1307", "NousResearch/hermes-agent#79158"),
        accepted=request(TASK, _TWO, user(_R1, _R2), **_IN_TOOLS),
        refused=request(TASK, _TWO, user(_R1, image(), _R2), **_IN_TOOLS),
        looser="An image between two results is let through.",
    ),
    Rule(
        "A45",
        "Other blocks after the results",
        (
            Check(
                "after",
                "accept",
                "Text, images and documents may follow the results in the same turn.",
            ),
        ),
        certainty="documented and recorded",
        sources=("docs: handle-tool-calls", "docs: handling-stop-reasons"),
        accepted=request(TASK, _ONE, user(result(), text("In one word.")), **_IN_TOOLS),
        believed="A message with results holds results only.",
    ),
    Rule(
        "A46",
        "Results spread over several user messages",
        (
            Check(
                "spread",
                "warn",
                "Results in several user messages are merged into one turn by the API's own rule,"
                " but this is contested; send all results in one message.",
            ),
        ),
        certainty="documented as bad form; one client takes it for an error",
        sources=("docs: parallel-tool-use", "MoonshotAI/kosong#45"),
        accepted=request(TASK, _TWO, user(_R1), user(_R2), **_IN_TOOLS),
        believed="Each result must be in the very next message.",
    ),
    Rule(
        "A47",
        "Calls spread over several assistant messages",
        (
            Check(
                "merged",
                "accept",
                "Calls may stand in several assistant messages in a row: they are merged.",
            ),
        ),
        certainty="recorded",
        sources=(
            "pydantic/pydantic-ai: recorded exchange",
            "anomalyco/opencode: recorded exchange",
        ),
        accepted=request(
            TASK,
            assistant(call("toolu_1")),
            assistant(call("toolu_2")),
            user(_R1, _R2),
            **_IN_TOOLS,
        ),
        believed="Each call must be answered before the next assistant message.",
    ),
    Rule(
        "A48",
        "Nothing but calls follows a tool_use in its turn",
        (
            Check(
                "after call",
                "refuse",
                "After a tool_use only further calls may stand in the same assistant turn; text"
                " comes before them.",
                _UNANSWERED,
            ),
        ),
        certainty="recorded; one later report of a live test saw it accepted",
        sources=("anomalyco/opencode: recorded exchange", "gotgenes/pi-anthropic-auth#66"),
        accepted=request(TASK, assistant(call()), user(result()), **_IN_TOOLS),
        refused=request(TASK, assistant(call(), text("Adding.")), user(result()), **_IN_TOOLS),
        looser="Text after a call is let through.",
    ),
    Rule(
        "A49",
        "A tool_result answers a call of the turn before",
        (
            Check(
                "unexpected",
                "refuse",
                "A tool_result must answer a tool_use of the assistant turn directly before it.",
                _UNEXPECTED,
            ),
            Check(
                "thread",
                "not judged",
                "This request continues a thread that the API keeps: the turns before are not"
                " here.",
            ),
        ),
        certainty="seen in 10 reports and more",
        sources=("decocms/studio#1803", "tghamm/Anthropic.SDK#184", "openclaw/openclaw#28377"),
        accepted=request(TASK, _ONE, user(result()), **_IN_TOOLS),
        refused=request(TASK, _ONE, user(result(), result("toolu_9")), **_IN_TOOLS),
    ),
    Rule(
        "A50",
        "A tool_result does not answer a call of an older turn",
        (
            Check(
                "older turn",
                "refuse",
                "A tool_result must come in the turn right after its call, not later.",
                _UNEXPECTED,
            ),
        ),
        certainty="seen among the reports of A49",
        sources=("Significant-Gravitas/AutoGPT#11861",),
        accepted=request(*_OLD, user(text("Sure?")), **_IN_TOOLS),
        refused=request(*_OLD, user(result(), text("Sure?")), **_IN_TOOLS),
        looser="A result of any older call is let through.",
    ),
    Rule(
        "A51",
        "Every tool_use has its own id",
        (
            Check(
                "twice",
                "refuse",
                "No two tool_use blocks of a request may have the same id, in whatever turn.",
                "{path}: `tool_use` ids must be unique",
            ),
        ),
        certainty="seen in 6 reports",
        sources=("anthropics/claude-code#20901", "BerriAI/litellm#23510"),
        accepted=request(
            TASK, _TWO, user(_R1, _R2), _DONE, _AGAIN, assistant(call("toolu_3")), _R3
        ),
        refused=request(TASK, _TWO, user(_R1, _R2), _DONE, _AGAIN, assistant(call("toolu_2")), _R3),
        looser="An id used again in a later turn is let through.",
    ),
    Rule(
        "A52",
        "One result for each call",
        (
            Check(
                "twice",
                "refuse",
                "A call must have one result only.",
                "{path}: each tool_use must have a single result. Found multiple `tool_result`"
                " blocks with id: {id}",
            ),
        ),
        certainty="seen in 3 reports",
        sources=("sipeed/picoclaw#1793", "RooCodeInc/Roo-Code#9248", "QwenLM/qwen-code#8163"),
        accepted=request(TASK, _ONE, user(result()), **_IN_TOOLS),
        refused=request(TASK, _ONE, user(result(), result()), **_IN_TOOLS),
        looser="Two results for one call are let through.",
    ),
    Rule(
        "A53",
        "An id is made of letters, digits, _ and -",
        (
            Check(
                "pattern",
                "refuse",
                "A call's id must be letters, digits, underscores or hyphens.",
                "{path}: String should match pattern '^[a-zA-Z0-9_-]+$'",
            ),
            Check("missing", "refuse", "A call must have an id, a string.", "{path}: {message}"),
            Check(
                "server pattern",
                "refuse",
                "The id of a server tool's call must be the one that the API gave it: srvtoolu_ and"
                " letters, digits or underscores.",
                "{path}: String should match pattern '^srvtoolu_[a-zA-Z0-9_]+$'",
                certainty="seen in 1 report",
            ),
        ),
        certainty="seen in 3 reports; ids of other vendors are recorded as accepted",
        sources=(
            "earendil-works/pi#9048",
            "vybestack/llxprt-code#964",
            "ding113/claude-code-hub#470",
        ),
        accepted=request(TASK, assistant(call("call-15_a")), user(result("call-15_a"))),
        refused=request(TASK, assistant(call("call-15_a")), user(result("call-15|a"))),
        believed="Ids must begin with toolu_.",
        looser="Ids with dots, colons or pipes are let through.",
    ),
    Rule(
        "A54",
        "A call's input is an object",
        (
            Check(
                "input",
                "refuse",
                "The input of a tool_use must be a JSON object, not a string, a list or null.",
                "{path}: {message}",
            ),
        ),
        certainty="seen in 6 reports",
        sources=("anthropics/claude-code#6695", "lijunzh/koda#501"),
        accepted=request(TASK, assistant(call(input={})), user(result())),
        refused=request(TASK, assistant(call(input="{}")), user(result())),
        looser="input is taken as a JSON string.",
    ),
    Rule(
        "A55",
        "A call in the history fits tools",
        (
            Check(
                "history",
                "accept",
                "A call in the history may name a tool that tools does not declare, with any"
                " input.",
            ),
        ),
        certainty="inferred",
        sources=("docs: release notes",),
        accepted=request(TASK, assistant(call(name="subtract")), user(result()), **_IN_TOOLS),
        believed="The tool of a call in the history must be in tools.",
    ),
    Rule(
        "A56",
        "A result may be empty",
        (
            Check("absent", "accept", 'content may be left out of a tool_result, or be "".'),
            Check(
                "empty list",
                "warn",
                'content of [] in a tool_result is contested: leave content out, or send "".',
            ),
        ),
        certainty='absent: documented; "": typed and reported as accepted; []: contested',
        sources=("docs: handle-tool-calls", "anthropic 2.14.0 (package)"),
        accepted=request(TASK, _ONE, user({"type": "tool_result", "tool_use_id": "toolu_1"})),
        believed="A tool_result must have content.",
    ),
    Rule(
        "A57",
        "A result's content is a string or a list of blocks that it may hold",
        (
            Check(
                "blocks",
                "refuse",
                "A list in a tool_result may hold text, image, document, search_result and"
                " tool_reference blocks only.",
                "{path}: {message}",
                certainty=INFERRED,
            ),
            Check(
                "bare value",
                "warn",
                "content of a tool_result must be a string or a list of blocks; that the API"
                " refuses another value is inferred.",
            ),
        ),
        certainty="types documented, images recorded, the refusal inferred",
        sources=("docs: handle-tool-calls", "pydantic/pydantic-ai: recorded exchange"),
        accepted=request(TASK, _ONE, user(result(content=[text("5"), image()]))),
        refused=request(TASK, _ONE, user(result(content=[text("5"), image(), call("toolu_2")]))),
        believed="content of a tool_result must be a string.",
    ),
    Rule(
        "A58",
        "is_error goes with text only",
        (
            Check(
                "skipped",
                "accept",
                "A result with is_error and a text is accepted, also for a call that was never"
                " run.",
            ),
            Check(
                "not text",
                "refuse",
                "A tool_result with is_error must hold text only.",
                "{path}: all content must be type `text` if `is_error` is true",
            ),
            Check(
                "no text",
                "refuse",
                "A tool_result with is_error must say what went wrong: its content must not be"
                " empty.",
                "{path}: content cannot be empty if `is_error` is true",
                certainty="seen in 1 report and 4 public sources",
            ),
        ),
        certainty="documented, seen in 2 reports",
        sources=(
            "docs: parallel-tool-use",
            "vellum-ai/vellum-assistant#18387",
            "bytedance/trae-agent#231",
        ),
        accepted=request(TASK, _ONE, user(result(content=[text("5"), image()]))),
        refused=request(TASK, _ONE, user(result(content=[text("5"), image()], is_error=True))),
        believed="A call that was not run cannot be answered.",
        looser="An image in an error is let through.",
    ),
    Rule(
        "A59",
        "A tool_result has a tool_use_id",
        (
            Check(
                "missing",
                "refuse",
                "A tool_result must name the call it answers: tool_use_id is missing.",
                "{path}: {message}",
                certainty=INFERRED,
            ),
        ),
        certainty="required by the published types; the wording is inferred",
        sources=("docs: handle-tool-calls", "anthropic 2.14.0 (package)"),
        accepted=request(TASK, _ONE, user(result())),
        refused=request(TASK, _ONE, user({"type": "tool_result", "content": "5"})),
    ),
)

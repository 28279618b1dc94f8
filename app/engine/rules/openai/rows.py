"""The table of rules of chat completions."""

from collections.abc import Mapping

from app.engine.rules.openai.examples import (
    ADD,
    TASK,
    audio,
    call,
    calling,
    image,
    request,
    said,
    text,
    tool,
)
from app.engine.rules.rule import INFERRED, Check, Rule

_TOOLS = {"tools": [ADD]}
_HI = said("assistant", "Hello!")
_TWO = calling(call("call_1"), call("call_2"))
_T1, _T2 = tool("call_1"), tool("call_2")
_MUST_FOLLOW = (
    "An assistant message with 'tool_calls' must be followed by tool messages responding to each"
    " 'tool_call_id': {ids}"
)
_MANY = [
    {"type": "function", "function": {**ADD["function"], "name": f"add_{n}"}} for n in range(128)
]

ROWS: tuple[Rule, ...] = (
    Rule(
        "O01",
        "messages is not empty, model is named, and keys are known",
        (
            Check(
                "empty",
                "refuse",
                "messages must hold at least one message.",
                "Invalid 'messages': empty array",
            ),
            Check(
                "list",
                "refuse",
                "A request must have messages, a list.",
                "Invalid type for 'messages': expected an array",
                certainty=INFERRED,
            ),
            Check("object", "refuse", "A request is a JSON object."),
            Check(
                "model",
                "refuse",
                "A request must name its model.",
                "you must provide a model parameter",
                certainty="seen in 1 public source, checked live in August 2026",
            ),
            Check(
                "unknown key",
                "refuse",
                "The API refuses keys it does not know; leave this one out.",
                "Unknown parameter: '{key}'.",
                certainty="seen in 1 public source, checked live in August 2026",
            ),
        ),
        certainty="seen in 3 reports",
        sources=("CopilotKit/CopilotKit#529", "danny-avila/LibreChat#10408"),
        accepted=request(TASK),
        refused=request(),
    ),
    Rule(
        "O02",
        "Every call is answered by a tool message right after it",
        (
            Check(
                "unanswered",
                "refuse",
                "Every call in tool_calls must be answered by a tool message right after it.",
                _MUST_FOLLOW,
            ),
            Check(
                "id",
                "refuse",
                "A call must have an id, a string, so that a tool message can answer it.",
                "Missing required parameter: '{path}.id'",
                certainty=INFERRED,
            ),
        ),
        certainty="seen in 6 reports and more",
        sources=("aliasrobotics/cai#111", "BerriAI/litellm#10083", "agno-agi/agno#4345"),
        accepted=request(TASK, _TWO, _T1, _T2, **_TOOLS),
        refused=request(TASK, _TWO, _T1, **_TOOLS),
    ),
    Rule(
        "O03",
        "A tool message follows an assistant message with calls",
        (
            Check(
                "no call",
                "refuse",
                "A tool message must follow an assistant message with tool_calls.",
                "messages with role 'tool' must be a response to a preceeding message with"
                " 'tool_calls'",
            ),
        ),
        certainty="seen in 7 reports",
        sources=("BerriAI/litellm#4931", "microsoft/autogen#3178", "pydantic/pydantic-ai#1470"),
        accepted=request(TASK, _HI, TASK, **_TOOLS),
        refused=request(TASK, _HI, _T1, TASK, **_TOOLS),
    ),
    Rule(
        "O04",
        "Nothing stands between a call and its tool messages",
        (
            Check(
                "between",
                "refuse",
                "No other message may stand between a call and the tool message that answers it.",
                _MUST_FOLLOW,
            ),
        ),
        certainty="seen in 1 report",
        sources=("mindsdb/anton#230",),
        accepted=request(TASK, _TWO, _T1, _T2, **_TOOLS),
        refused=request(TASK, _TWO, _T1, said("user", "Quick."), _T2, **_TOOLS),
    ),
    Rule(
        "O05",
        "Tool messages in the order of the calls",
        (Check("order", "accept", "Tool messages may come in any order: they are matched by id."),),
        certainty="inferred",
        sources=("openai 3.57.0 (package)",),
        accepted=request(TASK, _TWO, _T2, _T1, **_TOOLS),
        believed="Tool messages must come in the order of the calls.",
    ),
    Rule(
        "O06",
        "A tool message has a tool_call_id",
        (
            Check(
                "missing",
                "refuse",
                "A tool message must name the call it answers: tool_call_id is missing.",
                "Missing required parameter: 'messages[{n}].tool_call_id'",
            ),
        ),
        certainty="required by the published types; the wording is inferred",
        sources=("openai 3.57.0 (package)",),
        accepted=request(TASK, calling(call()), tool(), **_TOOLS),
        refused=request(TASK, calling(call()), said("tool", "5"), **_TOOLS),
    ),
    Rule(
        "O07",
        "A tool message answers a call of the assistant message before it",
        (
            Check(
                "unknown id",
                "refuse",
                "tool_call_id must be the id of a call in the assistant message before it.",
                "'tool_call_id' of '{id}' not found in 'tool_calls' of previous message.",
            ),
        ),
        certainty="seen in 1 report",
        sources=("dapr/dapr-agents#145", "BerriAI/litellm#4931"),
        accepted=request(TASK, calling(call()), tool(), **_TOOLS),
        refused=request(TASK, calling(call()), tool(), tool("call_9"), **_TOOLS),
    ),
    Rule(
        "O08",
        "content is given, but for an assistant message with calls",
        (
            Check(
                "null",
                "refuse",
                "content must be given; only an assistant message with tool_calls (or"
                " function_call) may leave it out.",
                "Invalid value for 'content': expected a string, got null.",
            ),
            Check(
                "kind",
                "refuse",
                "content must be a string or a list of parts.",
                "Invalid type for 'messages[{n}].content'",
                certainty=INFERRED,
            ),
        ),
        certainty="seen in 3 reports, one of them checked live; the accepted side is recorded",
        sources=("run-llama/llama_index#17921", "vercel/ai#14950", "docker/docker-agent#63"),
        accepted=request(TASK, said("assistant", ""), TASK),
        refused=request(TASK, {"role": "assistant", "content": None}, TASK),
        believed="An assistant's content must be a string: beside tool_calls it may be null or"
        " absent.",
    ),
    Rule(
        "O09",
        "tool_calls is not an empty list",
        (
            Check(
                "empty",
                "refuse",
                "tool_calls must not be an empty list: leave the key out when there are no calls.",
                "Invalid 'messages[{n}].tool_calls': empty array",
            ),
            Check(
                "calls",
                "refuse",
                "tool_calls must be a list of calls of the type function or custom.",
                "Invalid type for 'messages[{n}].tool_calls'",
                certainty=INFERRED,
            ),
        ),
        certainty="seen in 3 reports",
        sources=("openai/openai-node#1341", "home-assistant/core#118577"),
        accepted=request(TASK, _HI, TASK),
        refused=request(TASK, {**_HI, "tool_calls": []}, TASK),
        looser="An empty tool_calls is let through.",
    ),
    Rule(
        "O10",
        "arguments is a string",
        (
            Check(
                "string",
                "refuse",
                "A call's arguments must be a string that holds JSON, not the object itself.",
                "Invalid type for '{path}': expected a string, but got an object instead",
            ),
        ),
        certainty="seen in 1 report",
        sources=("run-llama/llama_index#21455",),
        accepted=request(TASK, calling(call(arguments="{}")), tool(), **_TOOLS),
        refused=request(TASK, calling(call(arguments={})), tool(), **_TOOLS),
        looser="arguments is taken as an object.",
    ),
    Rule(
        "O11",
        "arguments is valid JSON",
        (
            Check(
                "json",
                "accept",
                "OpenAI does not check that arguments is valid JSON; many look-alike servers do.",
            ),
        ),
        certainty="inferred for OpenAI; 4 reports of other servers",
        sources=("openai 3.57.0 (package)", "agno-agi/agno#8343"),
        accepted=request(TASK, calling(call(arguments='{"a": 2,')), tool(), **_TOOLS),
        believed="Broken JSON in arguments is refused.",
    ),
    Rule(
        "O12",
        "A call names its function",
        (
            Check(
                "empty",
                "refuse",
                "A call must name its function.",
                "Invalid '{path}': empty string",
            ),
            Check(
                "pattern",
                "refuse",
                "The name in a call must be letters, digits, underscores or hyphens.",
                "Invalid '{path}': string does not match pattern. Expected a string that matches"
                " the pattern '^[a-zA-Z0-9_-]+$'",
                certainty="seen in 1 report",
            ),
        ),
        certainty="seen in 2 reports",
        sources=(
            "continuedev/continue#11645",
            "continuedev/continue#9784",
            "mcp-use/mcp-use#90",
        ),
        accepted=request(TASK, calling(call()), tool(), **_TOOLS),
        refused=request(TASK, calling(call(name="")), tool(), **_TOOLS),
    ),
    Rule(
        "O13",
        "A call's id has 40 characters at most",
        (
            Check(
                "long",
                "warn",
                "An id longer than 40 characters was refused in 2025; in July 2026 one of 51"
                " passed.",
                "string too long. Expected a string with maximum length 40",
            ),
        ),
        certainty="contested: 4 older reports, 1 newer counter-test",
        sources=("agno-agi/agno#5382", "microsoft/autogen#6377", "vercel/ai#17233"),
        accepted=request(TASK, calling(call("call_" + "1" * 46)), tool("call_" + "1" * 46)),
    ),
    Rule(
        "O14",
        "At most 128 tools",
        (
            Check(
                "many",
                "refuse",
                "tools must not hold more than 128 tools.",
                "Invalid 'tools': array too long",
            ),
        ),
        certainty="seen in 3 reports",
        sources=("zed-industries/zed#32946", "anomalyco/opencode#4909"),
        accepted=request(TASK, tools=_MANY),
        refused=request(TASK, tools=[*_MANY, ADD]),
    ),
    Rule(
        "O15",
        "A function's name is 1 to 64 letters, digits, _ and -; a speaker's holds no space",
        (
            Check(
                "name",
                "refuse",
                "A tool's name must be 1 to 64 letters, digits, underscores or hyphens.",
                "Invalid '{path}': string does not match pattern. Expected a string that matches"
                " the pattern '^[a-zA-Z0-9_-]+$'",
            ),
            Check(
                "speaker",
                "refuse",
                "The name of a message's speaker must be a string without spaces and without"
                " < > | / \\.",
                "Invalid '{path}': string does not match pattern.",
                certainty="seen in 6 reports",
            ),
            Check(
                "strange speaker",
                "warn",
                "The name of a message's speaker was refused until 2025 where it held more than"
                " letters, digits, underscores and hyphens; whether it still is, is not verified.",
                "Invalid '{path}': string does not match pattern. Expected a string that matches"
                " the pattern '^[a-zA-Z0-9_-]+$'",
                certainty="seen in 6 older reports",
            ),
        ),
        certainty="documented in the types",
        sources=(
            "openai 3.57.0 (package)",
            "microsoft/semantic-kernel#9340",
            "FlowiseAI/Flowise#2948",
        ),
        accepted=request(TASK, tools=[ADD]),
        refused=request(TASK, tools=[{**ADD, "function": {**ADD["function"], "name": "math.add"}}]),
    ),
    Rule(
        "O16",
        "tools is not an empty list",
        (
            Check(
                "empty",
                "refuse",
                "tools must not be an empty list: leave the key out when there are no tools.",
                "[] is too short - 'tools'",
            ),
            Check(
                "list",
                "refuse",
                "tools must be a list of tools of the type function or custom.",
                "Invalid type for 'tools'",
                certainty=INFERRED,
            ),
        ),
        certainty="seen in 3 reports",
        sources=("baptisteArno/typebot.io#1205", "JetBrains/koog#786"),
        accepted=request(TASK),
        refused=request(TASK, tools=[]),
    ),
    Rule(
        "O17",
        "parallel_tool_calls and tool_choice go with tools",
        (
            Check(
                "without tools",
                "refuse",
                "This key is only allowed together with tools.",
                "'{key}' is only allowed when 'tools' are specified",
            ),
        ),
        certainty="seen in 3 reports",
        sources=("openai/swarm#30", "Upsonic/Upsonic#323", "camel-ai/camel#3706"),
        accepted=request(TASK, parallel_tool_calls=False, **_TOOLS),
        refused=request(TASK, parallel_tool_calls=False),
    ),
    Rule(
        "O18",
        "Images stand in user messages only",
        (
            Check(
                "image",
                "refuse",
                "An image may stand in a user message only.",
                "Image URLs are only allowed for messages with role 'user', but this message with"
                " role '{role}' contains an image URL.",
            ),
        ),
        certainty="seen in 2 reports",
        sources=("OpenHands/OpenHands#7700", "openai/openai-node#1030"),
        accepted=request(TASK, calling(call()), tool(content=[text("5")]), **_TOOLS),
        refused=request(TASK, calling(call()), tool(content=[text("5"), image()]), **_TOOLS),
    ),
    Rule(
        "O19",
        "The order of roles",
        (
            Check(
                "order",
                "accept",
                "Roles may come in any order: assistant first, users in a row, system last.",
            ),
        ),
        certainty="recorded, each part in its own exchange",
        sources=("pydantic/pydantic-ai: recorded exchanges",),
        accepted=request(_HI, TASK, TASK, said("system", "Be brief.")),
        believed="System first, then user, then in turns.",
    ),
    Rule(
        "O20",
        "The model takes the role",
        (
            Check(
                "role",
                "refuse",
                "A message's role must be developer, system, user, assistant, tool or function.",
                "Invalid value: '{role}'",
                certainty=INFERRED,
            ),
            Check(
                "model",
                "refuse",
                "This model takes no system or developer message.",
                "Unsupported value: 'messages[{n}].role' does not support '{role}' with this"
                " model.",
            ),
        ),
        certainty="recorded",
        sources=("pydantic/pydantic-ai: recorded exchange",),
        accepted=request(said("system", "Be brief."), TASK),
        refused=request(said("system", "Be brief."), TASK, model="o1-mini"),
    ),
    Rule(
        "O21",
        "The last message's role",
        (Check("last", "accept", "The last message may be the assistant's."),),
        certainty="inferred",
        sources=("openai 3.57.0 (package)",),
        accepted=request(TASK, _HI),
        believed="The last message must be the user's.",
    ),
    Rule(
        "O22",
        "The output cap goes by its new name",
        (
            Check(
                "old name",
                "refuse",
                "This model refuses max_tokens: use max_completion_tokens.",
                "Unsupported parameter: 'max_tokens' is not supported with this model. Use"
                " 'max_completion_tokens' instead.",
            ),
            Check(
                "both names",
                "refuse",
                "max_tokens and max_completion_tokens must not be given together.",
                "Setting 'max_tokens' and 'max_completion_tokens' at the same time is not"
                " supported.",
                certainty="seen in 3 reports",
            ),
            Check(
                "unknown model",
                "not judged",
                "Whether this model still takes max_tokens is not known here.",
            ),
        ),
        certainty="documented in the types",
        sources=("openai 3.57.0 (package)", "langchain-ai/langgraph#5943"),
        accepted=request(TASK, max_tokens=512),
        refused=request(TASK, max_tokens=512, model="gpt-5"),
        believed="An output cap must be given: it may be left out.",
    ),
    Rule(
        "O24",
        "The older function_call and the role function",
        (
            Check(
                "legacy",
                "accept",
                "function_call and messages with the role function are old, and still accepted.",
            ),
        ),
        certainty="documented in the types",
        sources=("openai 3.57.0 (package)",),
        accepted=request(
            TASK,
            {
                "role": "assistant",
                "content": None,
                "function_call": {"name": "add", "arguments": '{"a": 2, "b": 3}'},
            },
            {"role": "function", "name": "add", "content": "5"},
        ),
        believed="The older form is gone.",
    ),
    Rule(
        "O26",
        "A tool message holds text",
        (
            Check(
                "tool message",
                "refuse",
                "A tool message's content must be a string or text parts.",
                "Content blocks are expected to be either text or image_url type",
            ),
            Check(
                "part",
                "refuse",
                "A part of a message's content must be an object of a type that the API knows.",
                "Invalid value: '{type}'",
                certainty="seen in 1 report",
            ),
            Check(
                "text",
                "refuse",
                "A part of the type text must hold its words in text, a string.",
                "Invalid type for '{path}': expected a string",
                certainty=INFERRED,
            ),
            Check(
                "image_url",
                "refuse",
                "image_url must be an object that holds the url.",
                "Invalid type for '{path}': expected an object",
                certainty="seen in 6 reports",
            ),
        ),
        certainty="types, and recorded for an audio part",
        sources=(
            "openai 3.57.0 (package)",
            "aallam/openai-kotlin#320",
            "microsoft/promptflow#3946",
        ),
        accepted=request(TASK, calling(call()), tool(content=[text("5")]), **_TOOLS),
        refused=request(TASK, calling(call()), tool(content=[text("5"), audio()]), **_TOOLS),
    ),
    Rule(
        "O27",
        "One tool message for each call",
        (
            Check(
                "twice",
                "refuse",
                "A call must have one tool message only.",
                "Duplicate value for 'tool_call_id' of '{id}'",
            ),
        ),
        certainty="seen in 1 report",
        sources=("agno-agi/agno#5116",),
        accepted=request(TASK, calling(call()), tool(), **_TOOLS),
        refused=request(TASK, calling(call()), tool(), tool(), **_TOOLS),
        looser="Two tool messages for one id are let through.",
    ),
)

RULES: Mapping[str, Rule] = {rule.number: rule for rule in ROWS}

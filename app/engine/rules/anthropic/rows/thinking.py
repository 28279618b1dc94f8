"""A60 to A66: thinking blocks."""

from app.engine.rules.anthropic.rows.examples import (
    ADD,
    TASK,
    assistant,
    call,
    request,
    result,
    text,
    thinking,
    user,
)
from app.engine.rules.anthropic.signatures import sign
from app.engine.rules.rule import INFERRED, Check, Rule

_MANUAL = {"type": "enabled", "budget_tokens": 1024}
_UNSIGNED = {"type": "thinking", "thinking": "Two and three."}


def _signed(asked: dict[str, object], words: str = "Two and three.") -> dict[str, object]:
    return {"type": "thinking", "thinking": words, "signature": sign(asked, [], words)}


_ASKED = request(TASK)
_OPUS = request(TASK, assistant(_signed(_ASKED), call()), user(result()))
_EDITED = request(
    TASK, assistant({**_signed(_ASKED), "thinking": "Two and four."}, call()), user(result())
)
_FABLE_ASKED = request(TASK, model="claude-fable-5-2", tools=[ADD])
_FABLE = {
    **_FABLE_ASKED,
    "messages": [TASK, assistant(_signed(_FABLE_ASKED), call()), user(result())],
}
_SONNET = {"model": "claude-sonnet-4-5", "max_tokens": 2048, "thinking": _MANUAL}

RULES = (
    Rule(
        "A60",
        "A thinking block has its signature",
        (
            Check(
                "signature",
                "refuse",
                "A thinking block must go back with the signature it came with.",
                "{path}: {message}",
            ),
            Check(
                "empty",
                "refuse",
                "A thinking block's signature must not be empty.",
                "{path}: Invalid `signature` in `thinking` block",
            ),
        ),
        certainty="seen in 2 reports",
        sources=("anomalyco/opencode#25005", "agentforce314/clawcodex#862"),
        accepted=request(TASK, assistant(thinking(), call()), user(result())),
        refused=request(TASK, assistant(_UNSIGNED, call()), user(result())),
    ),
    Rule(
        "A61",
        "The signature is genuine",
        (
            Check(
                "genuine",
                "not judged",
                "Whether a signature is genuine needs the API's own keys, so it is not judged.",
                "{path}: Invalid `signature` in `thinking` block",
            ),
        ),
        certainty="seen in 5 reports",
        sources=("anthropics/claude-code#66204", "anthropics/anthropic-sdk-python#1598"),
        accepted=request(TASK, assistant(thinking(), call()), user(result())),
    ),
    Rule(
        "A62",
        "The thinking of the latest assistant turn is complete and unchanged",
        (
            Check(
                "changed",
                "refuse",
                "The thinking blocks of the latest assistant turn must go back complete, unchanged"
                " and in their order.",
                "{path}: `thinking` or `redacted_thinking` blocks in the latest assistant message"
                " cannot be modified",
            ),
            Check(
                "real signature",
                "not judged",
                "Whether this thinking is unchanged is not judged: that needs the original reply.",
            ),
        ),
        certainty="documented, seen in 4 reports",
        sources=("docs: thinking-troubleshooting", "anthropics/claude-code#63432"),
        accepted=_OPUS,
        refused=_EDITED,
        believed="Thinking put into a block that came without text is refused: it is ignored.",
    ),
    Rule(
        "A63",
        "With manual thinking, the turn being continued begins with thinking",
        (
            Check(
                "begins",
                "refuse",
                "With manual thinking, an assistant turn whose calls are being answered must begin"
                " with its thinking block. (Contested: the documentation also says that thinking is"
                " quietly switched off instead.)",
                "{path}: Expected `thinking` or `redacted_thinking`, but found `{type}`",
            ),
        ),
        certainty="documented, seen in 6 reports of 2025; contested by the documentation itself",
        sources=("docs: extended-thinking", "docs: thinking", "n8n-io/n8n#15715"),
        accepted=request(TASK, assistant(thinking(), call()), user(result()), **_SONNET),
        refused=request(TASK, assistant(call()), user(result()), **_SONNET),
        believed="Thinking must always come first: only with manual thinking.",
    ),
    Rule(
        "A64",
        "Thinking of earlier turns, and thinking without text",
        (
            Check(
                "kept or left out",
                "accept",
                "Thinking of earlier turns may be kept or left out; a block with empty text and a"
                " signature is normal and goes back as it is.",
            ),
        ),
        certainty="documented",
        sources=("docs: thinking",),
        accepted=request(
            TASK,
            assistant(thinking(""), text("5")),
            user(text("And 3 + 4?")),
            model="claude-opus-5",
        ),
        believed="A thinking block must hold text.",
    ),
    Rule(
        "A65",
        "The thinking setting fits the model",
        (
            Check(
                "type",
                "refuse",
                "This model does not take this type of thinking.",
                '"thinking.type.{type}" is not supported for this model',
            ),
            Check(
                "effort",
                "refuse",
                "At the efforts above high, this model does not take this type of thinking.",
            ),
            Check(
                "budget",
                "refuse",
                "With manual thinking, budget_tokens must be at least 1024.",
                "thinking.enabled.budget_tokens: Input should be greater than or equal to 1024",
            ),
            Check(
                "max_tokens",
                "refuse",
                "With manual thinking, max_tokens must be greater than budget_tokens.",
                "`max_tokens` must be greater than `thinking.budget_tokens`",
            ),
            Check(
                "form",
                "refuse",
                "thinking must have the type adaptive, enabled (with budget_tokens), disabled or"
                " between_tools.",
                "{path}: {message}",
                certainty=INFERRED,
            ),
            Check(
                "unknown model",
                "not judged",
                "Which types of thinking this model takes is not known here.",
            ),
        ),
        certainty="documented",
        sources=("docs: thinking-troubleshooting", "docs: extended-thinking"),
        accepted=request(TASK, model="claude-sonnet-4-6", max_tokens=2048, thinking=_MANUAL),
        refused=request(TASK, model="claude-opus-4-7", max_tokens=2048, thinking=_MANUAL),
    ),
    Rule(
        "A66",
        "Nothing before a replayed thinking block has changed",
        (
            Check(
                "prefix",
                "refuse",
                "On this model nothing before a thinking block may change: not system, not tools,"
                " no earlier message.",
                "{path}: Invalid `signature` in `thinking` block. The block is bound to a different"
                " conversation.",
            ),
            Check(
                "prefix, new accounts",
                "refuse",
                "On this model, for accounts made since 31 August 2026, nothing before a thinking"
                " block may change: not system, not tools, no earlier message.",
                "{path}: Invalid `signature` in `thinking` block. The block is bound to a different"
                " conversation.",
            ),
            Check(
                "real signature",
                "not judged",
                "Whether something before this thinking has changed is not judged: that needs the"
                " earlier requests.",
            ),
        ),
        certainty="documented, seen in 6 reports",
        sources=("docs: preserved-thinking", "docs: whats-new-fable-5-2"),
        accepted=_FABLE,
        refused={**_FABLE, "tools": []},
        believed="A cache mark must not move and the oldest thinking must stay: both may change.",
    ),
)

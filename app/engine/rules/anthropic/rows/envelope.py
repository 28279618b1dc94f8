"""A01 to A09: the body and its limits."""

from app.engine.rules.anthropic.rows.examples import TASK, request
from app.engine.rules.rule import INFERRED, Check, Rule

_NO_CAP = {key: value for key, value in request(TASK).items() if key != "max_tokens"}
_NAMED = {**TASK, "name": "Sara"}

RULES = (
    Rule(
        "A01",
        "max_tokens is present and an integer",
        (
            Check(
                "missing",
                "refuse",
                "A request must say in max_tokens how long the reply may be.",
                "max_tokens: Field required",
            ),
            Check(
                "integer",
                "refuse",
                "max_tokens must be an integer.",
                "max_tokens: Input should be a valid integer",
                certainty=INFERRED,
            ),
        ),
        certainty="documented, seen in 2 reports",
        sources=("docs: messages", "tickernelz/opencode-mem#50"),
        accepted=request(TASK),
        refused=_NO_CAP,
        looser="Fakes that give max_tokens a default of their own.",
    ),
    Rule(
        "A02",
        "max_tokens is within the model's output cap",
        (
            Check(
                "cap",
                "refuse",
                "max_tokens must not be above the largest reply that this model can give.",
                "max_tokens: {tokens} > {cap}, which is the maximum allowed number of output tokens"
                " for {model}",
            ),
            Check(
                "negative",
                "refuse",
                "max_tokens must not be below 0.",
            ),
            Check(
                "warm",
                "refuse",
                "max_tokens of 0 only warms the cache: it does not go with stream, manual"
                " thinking, a forced tool choice or an output format.",
            ),
            Check(
                "unknown model",
                "not judged",
                "The largest reply of this model is not known here, so max_tokens is not judged.",
            ),
        ),
        certainty="documented, seen in 3 reports",
        sources=("docs: models overview", "docs: prompt-caching", "OpenHands/OpenHands#11090"),
        accepted=request(TASK, model="claude-haiku-4-5", max_tokens=64_000),
        refused=request(TASK, model="claude-haiku-4-5", max_tokens=64_001),
        believed="That input and max_tokens together must fit the context window: since Claude 4.5"
        " they need not.",
    ),
    Rule(
        "A03",
        "model names a model",
        (
            Check(
                "missing",
                "refuse",
                "A request must name its model.",
                "model: Field required",
                certainty=INFERRED,
            ),
            Check(
                "known",
                "not judged",
                "This model's name is not known here, so the rules that depend on the model are not"
                " judged. The real API answers 404 to a name it does not know.",
                "model: {model}",
                status=404,
                error="not_found_error",
            ),
        ),
        certainty="recorded",
        sources=("pydantic/pydantic-ai: recorded exchange",),
        accepted=request(TASK),
        refused={key: value for key, value in request(TASK).items() if key != "model"},
    ),
    Rule(
        "A04",
        "messages holds at least one message",
        (
            Check(
                "empty",
                "refuse",
                "messages must hold at least one message.",
                "messages: at least one message is required",
            ),
            Check(
                "list",
                "refuse",
                "A request must have messages, a list.",
                "messages: Input should be a valid list",
                certainty=INFERRED,
            ),
        ),
        certainty="quoted word for word in about 10 public source files",
        sources=("docs: messages", "zebbern/Devonz#4"),
        accepted=request(TASK),
        refused=request(),
    ),
    Rule(
        "A05",
        "No unknown key anywhere, and values of the right kind",
        (
            Check(
                "unknown key",
                "refuse",
                "The API refuses keys it does not know; leave this one out.",
                "{path}: Extra inputs are not permitted",
            ),
            Check(
                "beta key",
                "refuse",
                "The API knows this key only where a beta header is sent with the request, and none"
                " is given here.",
                "{path}: Extra inputs are not permitted",
            ),
            Check(
                "wrong kind",
                "refuse",
                "This key is missing, or its value is of another kind than the API's types say.",
                "{path}: {message}",
                certainty=INFERRED,
            ),
            Check(
                "blank stop",
                "refuse",
                "A stop sequence must hold more than whitespace.",
                "stop_sequences: each stop sequence must contain non-whitespace",
                certainty="seen in 1 report",
            ),
            Check(
                "user id",
                "refuse",
                "user_id must be an id of at most 256 characters that says nothing of the person:"
                " no email address.",
                "metadata.user_id: user_id appears to contain an email address.",
                certainty="documented, seen in 1 report",
            ),
            Check(
                "half",
                "refuse",
                "This text holds half of a surrogate pair, as a cut inside an emoji leaves it: the"
                " API takes such a body for invalid JSON.",
                "The request body is not valid JSON: no low surrogate in string",
                certainty="seen in 10 reports and more",
            ),
            Check(
                "object",
                "refuse",
                "A request is a JSON object.",
                "Input should be a valid dictionary",
                certainty=INFERRED,
            ),
        ),
        certainty="seen in 4 reports",
        sources=(
            "langchain-ai/langchain#31208",
            "microsoft/autogen#3034",
            "BerriAI/litellm#3286",
            "BerriAI/litellm#10106",
            "anthropics/claude-code#3277",
        ),
        accepted=request(TASK),
        refused=request(_NAMED),
        looser="Keys left over from a stream (index) or a page (id, name) are let through.",
    ),
    Rule(
        "A06",
        "The body is at most 32 MB",
        (
            Check(
                "size",
                "refuse",
                "A request must not be larger than 32 MB.",
                status=413,
                error="request_too_large",
            ),
        ),
        certainty="documented",
        sources=("docs: errors",),
    ),
    Rule(
        "A07",
        "The prompt fits the context window",
        (
            Check(
                "fits",
                "not judged",
                "Whether the prompt fits the context window is not judged: that needs the model's"
                " own count of tokens.",
                "prompt is too long: {tokens} tokens > {cap} maximum",
            ),
        ),
        certainty="documented and reported",
        sources=("docs: context-windows", "anthropics/claude-code#39534"),
    ),
    Rule(
        "A08",
        "No temperature, top_p or top_k",
        (
            Check(
                "sampling",
                "refuse",
                "Since API version 2026-10-21 a request must not set temperature, top_p or top_k.",
                "{key}",
            ),
        ),
        certainty="documented",
        sources=("docs: migration-2026-10-21", "docs: thinking"),
        accepted=request(TASK),
        refused=request(TASK, temperature=0),
        looser="temperature is let through, as it was before that version.",
    ),
    Rule(
        "A09",
        "At most 100,000 messages",
        (Check("many", "refuse", "A request must not hold more than 100,000 messages."),),
        certainty="documented",
        sources=("docs: messages",),
    ),
)

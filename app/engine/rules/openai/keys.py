"""The keys, roles and parts of chat completions, as the published types list them.

Source: the request types of the Python package `openai` 3.57.0; a test compares these tables with
the installed package.
"""

BODY = frozenset(
    (
        "audio frequency_penalty function_call functions logit_bias logprobs max_completion_tokens "
        "max_tokens messages metadata modalities model moderation n parallel_tool_calls prediction "
        "presence_penalty prompt_cache_key prompt_cache_options prompt_cache_retention "
        "reasoning_effort response_format safety_identifier seed service_tier stop store stream "
        "stream_options temperature tool_choice tools top_logprobs top_p user verbosity "
        "web_search_options"
    ).split()
)
# The keys of a message, by role.
ROLES = {
    "developer": frozenset({"role", "content", "name"}),
    "system": frozenset({"role", "content", "name"}),
    "user": frozenset({"role", "content", "name"}),
    "assistant": frozenset(
        {"role", "content", "name", "audio", "function_call", "refusal", "tool_calls"}
    ),
    "tool": frozenset({"role", "content", "tool_call_id"}),
    "function": frozenset({"role", "content", "name"}),
}
# The parts of a message's content, by role.
PARTS = {
    "developer": frozenset({"text"}),
    "system": frozenset({"text"}),
    "user": frozenset({"text", "image_url", "input_audio", "file"}),
    "assistant": frozenset({"text", "refusal"}),
    "tool": frozenset({"text"}),
    "function": frozenset({"text"}),
}
ALL_PARTS = frozenset().union(*PARTS.values())
# The types of calls and of tools, with the key that says what a call passes on.
CALLS = {"function": "arguments", "custom": "input"}
FINISH_REASONS = frozenset({"stop", "length", "tool_calls", "content_filter", "function_call"})

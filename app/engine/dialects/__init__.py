"""The same history in both dialects: as Anthropic messages and as OpenAI chat completions.

`to_openai` and `to_anthropic` convert a request, `reply_to_openai` and `reply_to_anthropic` what
comes back. None of them repairs a fault: a wrong id stays wrong, what is missing stays missing,
the order is kept. What has no counterpart is left out and named, with the reason.
`older` is the older form of chat completions, with functions in place of tools.
`parts` reads replies and messages of either dialect.
"""

from app.engine.dialects.converted import WHY, Converted, Lost, Path, Tie
from app.engine.dialects.older import from_older, reply_to_older, to_older
from app.engine.dialects.replies import reply_to_anthropic, reply_to_openai
from app.engine.dialects.to_anthropic import to_anthropic
from app.engine.dialects.to_openai import to_openai

__all__ = [
    "WHY",
    "Converted",
    "Lost",
    "Path",
    "Tie",
    "from_older",
    "reply_to_anthropic",
    "reply_to_older",
    "reply_to_openai",
    "to_anthropic",
    "to_older",
    "to_openai",
]

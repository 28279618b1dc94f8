"""What differs between OpenAI's models, for the two rules that depend on it."""

import re

NO_SYSTEM = re.compile(r"o1-(mini|preview)\b")  # take neither system nor developer messages
# Models that reason know max_completion_tokens only; those that chat know both names.
REASONS = re.compile(r"(o[134]|gpt-5(\.\d+)?)(-(mini|nano|pro|codex|preview))*(-\d{4}-\d\d-\d\d)?$")
CHATS = re.compile(r"(gpt-4|gpt-3\.5|chatgpt-4)")


def takes_max_tokens(model: str) -> bool | None:
    """Whether a model takes the old name of the output cap; None where that is not known."""
    if REASONS.match(model):
        return False
    return True if CHATS.match(model) else None


def takes_system(model: str) -> bool:
    """Whether a model takes system and developer messages."""
    return NO_SYSTEM.match(model) is None

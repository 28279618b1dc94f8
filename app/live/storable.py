"""What may be stored: nothing secret, and no character that a database does not take."""

import json
from collections.abc import Sequence

from app.engine.steps import Json


def scrubbed(body: Json, secrets: Sequence[str]) -> Json:
    """A body without the secrets that a server or a file may have echoed."""
    text = json.dumps(body, default=str)
    held = [json.dumps(secret)[1:-1] for secret in secrets if secret]
    if not any(secret in text for secret in held):
        return body
    for secret in held:
        text = text.replace(secret, "[secret]")
    return json.loads(text)  # type: ignore[no-any-return]


def storable(text: str) -> str:
    """A text that every database takes."""
    return text.replace("\0", "").encode("utf-8", "replace").decode()

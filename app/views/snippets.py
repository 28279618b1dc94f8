"""A request or a message as text to copy: JSON, a `curl` command, a Python program.

No snippet holds a key: each takes it from the environment.
"""

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from app.engine.steps import Json
from app.views.texts import visible

VERSION = "2023-06-01"  # of the Messages API, as its header names it


@dataclass(frozen=True)
class Api:
    """Where a request goes: its address, the variable that holds its key, the headers beside the
    content's type, the package and the class of its SDK and the method that sends."""

    address: str
    key: str
    headers: tuple[str, ...]
    package: str
    client: str
    method: str


APIS = {
    "anthropic": Api(
        "https://api.anthropic.com/v1/messages",
        "ANTHROPIC_API_KEY",
        ("x-api-key: $ANTHROPIC_API_KEY", f"anthropic-version: {VERSION}"),
        "anthropic",
        "Anthropic",
        "messages.create",
    ),
    "openai": Api(
        "https://api.openai.com/v1/chat/completions",
        "OPENAI_API_KEY",
        ("authorization: Bearer $OPENAI_API_KEY",),
        "openai",
        "OpenAI",
        "chat.completions.create",
    ),
}


def as_json(value: Any) -> str:
    r"""A JSON value as people write it; what hides in a string is escaped (`\u202e`)."""
    return visible(json.dumps(value, ensure_ascii=False, indent=2, default=str)) + "\n"


def as_curl(request: Json, dialect: str = "anthropic", betas: Sequence[str] = ()) -> str:
    """A request as a command for a POSIX shell. No line of JSON can end the here-document."""
    api = APIS[dialect]
    beta = [f"anthropic-beta: {','.join(betas)}"] if betas else []
    headers = [*api.headers, *beta, "content-type: application/json"]
    return (
        f"curl {api.address} \\\n"
        + "".join(f'  --header "{header}" \\\n' for header in headers)
        + "  --data-binary @- <<'JSON'\n"
        f"{as_json(request)}JSON\n"
    )


def as_python(request: Json, dialect: str = "anthropic", betas: Sequence[str] = ()) -> str:
    """A request as a program that sends it by the official SDK."""
    api = APIS[dialect]
    method = f"beta.{api.method}" if betas else api.method
    beta = f"betas={json.dumps(list(betas))}, " if betas else ""
    return (
        f"from {api.package} import {api.client}\n\n"
        f"client = {api.client}()  # the key comes from {api.key}\n"
        f"request = {_literal(request)}\n"
        f"reply = client.{method}({beta}**request)\n"
        "print(reply.to_json())\n"
    )


FORMS: dict[str, Callable[[Json, str, Sequence[str]], str]] = {
    "json": lambda request, dialect, betas: as_json(request),
    "sh": as_curl,
    "py": as_python,
}


def _literal(value: Any, indent: int = 0) -> str:
    """A JSON value as Python writes it, each item of a list or an object on its own line."""
    if isinstance(value, dict) and value:
        items = [
            f"{_string(str(key))}: {_literal(item, indent + 4)}" for key, item in value.items()
        ]
    elif isinstance(value, list | tuple) and value:
        items = [_literal(item, indent + 4) for item in value]
    else:
        return _string(value) if isinstance(value, str) else repr(value)
    begin, end = "{}" if isinstance(value, dict) else "[]"
    inner = " " * (indent + 4)
    return f"{begin}\n{inner}" + f",\n{inner}".join(items) + f",\n{' ' * indent}{end}"


def _string(text: str) -> str:
    """A string in double quotes, where that needs no more escapes."""
    written = repr(text)
    plain = '"' not in written and "\\'" not in written
    return f'"{written[1:-1]}"' if plain else written

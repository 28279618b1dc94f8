"""A request of the Messages API as one of chat completions."""

import json
from typing import Any

from app.engine.dialects.converted import Converted, Path, Work
from app.engine.steps import Json

NAMES = {
    **{key: key for key in ("model", "temperature", "top_p", "stream")},
    "max_tokens": "max_completion_tokens",
    "stop_sequences": "stop",
}
CHOICES = {"auto": "auto", "any": "required", "none": "none"}
THINKING = ("thinking", "redacted_thinking")


def to_openai(request: Json) -> Converted:
    """The request as chat completions would be sent it, with nothing repaired."""
    work = Work()
    body: Json = {}
    messages: list[Any] = []
    given = request.get("messages")
    for key, value in request.items():
        if key in NAMES:
            work.tie((key,), (NAMES[key],))
            body[NAMES[key]] = value
        elif key == "system" and isinstance(given, list):
            work.tie((key,), ("messages", 0))
            content = _texts(value, (key,), work) if isinstance(value, list) else value
            messages.append({"role": "system", "content": content})
        elif key == "tools":
            body[key] = _tools(value, work)
        elif key == "tool_choice":
            _choice(value, body, work)
        elif key == "messages":
            body[key] = messages
        else:
            work.lose_keys({key: value}, (), ())
    _messages(given, body, messages, work)
    if body.get("tools") == [] and request.get("tools"):
        del body["tools"]  # all of them were the server's own
    return work.done(body)


def _messages(given: Any, body: Json, made: list[Any], work: Work) -> None:
    """Add what the messages become to those made already; what is no list of them stays."""
    if isinstance(given, list):
        for n, message in enumerate(given):
            before = given[n - 1] if n else None
            _message(message, ("messages", n), made, _only_results(before), work)
    elif "messages" in body:
        body["messages"] = given


def assistant(message: Json, where: Path, at: Path, work: Work) -> Json | None:
    """An assistant message or a reply; None where nothing of its content has a counterpart.

    `where` is its path, `at` that of the message that is made.
    """
    if "content" not in message:
        return {"role": "assistant"}
    content, where = message["content"], (*where, "content")
    if not isinstance(content, list):
        work.tie(where, (*at, "content"))
        return {"role": "assistant", "content": content}
    texts: list[Json] = []
    calls: list[Json] = []
    for n, block in enumerate(content):
        place = (*where, n)
        match block.get("type") if isinstance(block, dict) else None:
            case "text":
                if calls:
                    work.lose(place, "order")
                texts.append(_text(block, place, work))
                work.tie(place, (*at, "content"))
            case "tool_use":
                work.tie(place, (*at, "tool_calls", len(calls)))
                calls.append(_call(block, place, work))
            case kind:
                work.lose(place, _why(kind))
    if content and not texts and not calls:
        return None
    said: Any = texts if len(texts) > 1 else texts[0].get("text") if texts else None
    return {
        "role": "assistant",
        "content": said,
        **({"tool_calls": calls} if calls else {}),
    }


def _message(message: Any, where: Path, made: list[Any], again: bool, work: Work) -> None:
    """Add what a message becomes: a user message with results becomes several."""
    at: Path = ("messages", len(made))
    if not isinstance(message, dict):
        work.tie(where, at)
        made.append(message)
        return
    work.lose_keys(message, ("role", "content"), where)
    role, content = message.get("role"), message.get("content")
    inside = (*where, "content")
    if role == "assistant":
        said = assistant(message, where, at, work)
        if said is not None:
            work.tie(where, at)
            made.append(said)
    elif isinstance(content, list):
        _blocks(role, content, inside, made, again, work)
    else:
        work.tie(where, at)
        made.append({key: message[key] for key in ("role", "content") if key in message})


def _blocks(
    role: Any, content: list[Any], where: Path, made: list[Any], again: bool, work: Work
) -> None:
    """Each result becomes a message; what stands between results stays between them."""
    parts: list[Json] | None = None
    for n, block in enumerate(content):
        place = (*where, n)
        kind = block.get("type") if isinstance(block, dict) else None
        if kind == "tool_result":
            if again and n == 0:
                work.lose(place, "split")
            parts = None
            work.tie(place, ("messages", len(made)))
            made.append(_result(block, place, ("messages", len(made)), work))
            continue
        part = _part(block, kind, place, work)
        if part is None:
            continue
        if parts is None:
            parts = []
            made.append({"role": role, "content": parts})
        work.tie(place, ("messages", len(made) - 1, "content", len(parts)))
        parts.append(part)
    if not content:
        work.tie(where[:-1], ("messages", len(made)))
        made.append({"role": role, "content": content})


def _only_results(message: Any) -> bool:
    """Whether a message holds results, so that one more with results is a split."""
    content = message.get("content") if isinstance(message, dict) else None
    blocks = content if isinstance(content, list) else []
    return any(isinstance(block, dict) and block.get("type") == "tool_result" for block in blocks)


def _result(block: Json, where: Path, at: Path, work: Work) -> Json:
    work.lose_keys(block, ("type", "tool_use_id", "content", "is_error"), where)
    if block.get("is_error"):
        work.lose((*where, "is_error"), "is_error")
    made: Json = {"role": "tool"}
    if "tool_use_id" in block:
        work.tie((*where, "tool_use_id"), (*at, "tool_call_id"))
        made["tool_call_id"] = block["tool_use_id"]
    content = block.get("content", "")
    if isinstance(content, list):
        content = _texts(content, (*where, "content"), work)
    return {**made, "content": content}


def _texts(blocks: list[Any], where: Path, work: Work) -> list[Json]:
    """The text blocks of a list; others are lost."""
    texts = []
    for n, block in enumerate(blocks):
        kind = block.get("type") if isinstance(block, dict) else None
        if kind == "text":
            texts.append(_text(block, (*where, n), work))
        else:
            work.lose((*where, n), "image" if kind == "image" else "block")
    return texts


def _text(block: Json, where: Path, work: Work) -> Json:
    work.lose_keys(block, ("type", "text"), where)
    return {key: block[key] for key in ("type", "text") if key in block}


def _call(block: Json, where: Path, work: Work) -> Json:
    work.lose_keys(block, ("type", "id", "name", "input"), where)
    named = {"name": block["name"]} if "name" in block else {}
    given = json.dumps(block.get("input"), ensure_ascii=False, separators=(",", ":"), default=str)
    made = {"type": "function", "function": {**named, "arguments": given}}
    return {"id": block["id"], **made} if "id" in block else made


def _part(block: Any, kind: Any, where: Path, work: Work) -> Json | None:
    """A part of a user message; None where it has no counterpart."""
    source = block.get("source") if isinstance(block, dict) else None
    kept = source if isinstance(source, dict) else {}
    address = kept.get("url")
    if kept.get("type") == "base64":
        address = f"data:{kept.get('media_type')};base64,{kept.get('data')}"
    if kind == "text":
        return _text(block, where, work)
    if kind == "image" and address:
        work.lose_keys(block, ("type", "source"), where)
        return {"type": "image_url", "image_url": {"url": address}}
    if kind == "document" and kept.get("type") == "base64":
        work.lose_keys(block, ("type", "source", "title"), where)
        name = {"filename": block["title"]} if "title" in block else {}
        return {"type": "file", "file": {**name, "file_data": address}}
    work.lose(where, _why(kind))
    return None


def _why(kind: Any) -> str:
    if kind in THINKING:
        return "thinking"
    named = str(kind)
    return (
        "server tool" if named == "server_tool_use" or named.endswith("_tool_result") else "block"
    )


def _tools(tools: Any, work: Work) -> Any:
    if not isinstance(tools, list):
        return tools
    made: list[Any] = []
    for n, tool in enumerate(tools):
        place: Path = ("tools", n)
        if isinstance(tool, dict) and tool.get("type", "custom") != "custom":
            work.lose(place, "server tool")
            continue
        work.tie(place, ("tools", len(made)))
        if not isinstance(tool, dict):
            made.append(tool)
            continue
        work.lose_keys(tool, ("type", "name", "description", "input_schema", "strict"), place)
        function = {key: tool[key] for key in ("name", "description") if key in tool}
        if "input_schema" in tool:
            function["parameters"] = tool["input_schema"]
        if "strict" in tool:
            function["strict"] = tool["strict"]
        made.append({"type": "function", "function": function})
    return made


def _choice(choice: Any, body: Json, work: Work) -> None:
    work.tie(("tool_choice",), ("tool_choice",))
    kind = choice.get("type") if isinstance(choice, dict) else None
    if kind == "tool":
        named = {"name": choice["name"]} if "name" in choice else {}
        body["tool_choice"] = {"type": "function", "function": named}
    else:
        body["tool_choice"] = CHOICES.get(str(kind), choice)
    if isinstance(choice, dict) and "disable_parallel_tool_use" in choice:
        off = choice["disable_parallel_tool_use"]
        work.tie(("tool_choice",), ("parallel_tool_calls",))
        body["parallel_tool_calls"] = not off

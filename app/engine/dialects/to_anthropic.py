"""A request of chat completions as one of the Messages API."""

import json
from typing import Any

from app.engine.dialects.converted import Converted, Path, Work
from app.engine.steps import Json

NAMES = {
    **{key: key for key in ("model", "temperature", "top_p", "stream", "max_tokens")},
    "max_completion_tokens": "max_tokens",
    "stop": "stop_sequences",
}
CHOICES = {"auto": "auto", "required": "any", "none": "none"}
SYSTEM = ("system", "developer")


def to_anthropic(request: Json) -> Converted:
    """The request as the Messages API would be sent it, with nothing repaired."""
    work = Work()
    body: Json = {}
    messages: list[Any] = []
    given = request.get("messages")
    for key, value in request.items():
        if key in NAMES:
            work.tie((key,), (NAMES[key],))
            alone = key == "stop" and isinstance(value, str)
            body[NAMES[key]] = [value] if alone else value
        elif key == "tools":
            body[key] = _tools(value, work)
        elif key == "functions" and isinstance(value, list):
            body["tools"] = [
                _described(function, (key, n), work) for n, function in enumerate(value)
            ]
            for n in range(len(value)):
                work.tie((key, n), ("tools", n))
        elif key in ("tool_choice", "parallel_tool_calls"):
            body["tool_choice"] = _choice(request)
            work.tie((key,), ("tool_choice",))
        elif key == "messages":
            body.update(_system(value, work))
            body[key] = messages if isinstance(value, list) else value
        else:
            work.lose_keys({key: value}, (), ())
    if isinstance(given, list):
        for n in range(_leading(given), len(given)):
            _message(given[n], n, given, messages, work)
    return work.done(body)


def blocks_of(message: Json, where: Path, at: Path, work: Work) -> Any:
    """The content of an assistant message as blocks: its text, then its calls."""
    content = message.get("content")
    blocks: list[Any] = []
    if isinstance(content, list):
        for n, part in enumerate(content):
            block = _block(part, (*where, "content", n), work)
            if block is not None:
                work.tie((*where, "content", n), (*at, "content", len(blocks)))
                blocks.append(block)
    elif isinstance(content, str) and content:
        work.tie((*where, "content"), (*at, "content", 0))
        blocks.append({"type": "text", "text": content})
    elif content is not None and not message.get("tool_calls"):
        return content
    calls = message.get("tool_calls")
    for n, call in enumerate(calls if isinstance(calls, list) else ()):
        place = (*where, "tool_calls", n)
        block = _call(call, place, work)
        if block is not None:
            work.tie(place, (*at, "content", len(blocks)))
            blocks.append(block)
    if calls == []:
        work.lose((*where, "tool_calls"), "empty")
    return blocks


def _system(messages: Any, work: Work) -> Json:
    """`system`: what the messages of that role say that come first; nothing without them."""
    first = messages[: _leading(messages)] if isinstance(messages, list) else []
    for n in range(len(first)):
        work.tie(("messages", n), ("system",) if len(first) == 1 else ("system", n))
    if len(first) == 1:
        return {"system": first[0].get("content")}
    texts = [{"type": "text", "text": message.get("content")} for message in first]
    return {"system": texts} if texts else {}


def _leading(messages: list[Any]) -> int:
    for n, message in enumerate(messages):
        if not isinstance(message, dict) or message.get("role") not in SYSTEM:
            return n
    return len(messages)


def _message(message: Any, n: int, given: list[Any], made: list[Any], work: Work) -> None:
    where: Path = ("messages", n)
    at: Path = ("messages", len(made))
    if not isinstance(message, dict):
        work.tie(where, at)
        made.append(message)
        return
    match message.get("role"):
        case "tool":
            _result(message, where, given[n - 1] if n else None, made, work)
        case "function":
            work.lose(where, "legacy")
        case "assistant":
            work.tie(where, at)
            _lose_said(message, where, work)
            made.append({"role": "assistant", "content": blocks_of(message, where, at, work)})
        case role:
            work.tie(where, at)
            work.lose_keys(message, ("role", "content"), where)
            named = {"role": "system" if role in SYSTEM else role} if "role" in message else {}
            content = message.get("content")
            if isinstance(content, list):
                content = _parts(content, (*where, "content"), (*at, "content"), work)
            made.append({**named, "content": content})


def _lose_said(message: Json, where: Path, work: Work) -> None:
    for key in ("refusal", "function_call"):
        if message.get(key) is not None:
            work.lose((*where, key), "refusal" if key == "refusal" else "legacy")
    known = ("role", "content", "tool_calls", "refusal", "function_call")
    kept = {key: value for key, value in message.items() if value != []}  # `annotations: []`
    work.lose_keys(kept, known, where)


def results_of(message: Json) -> list[Any]:
    """A tool message alone, as the content of a user message."""
    made: list[Any] = []
    _result(message, (), None, made, Work())
    results: list[Any] = made[0]["content"]
    return results


def _result(message: Json, where: Path, before: Any, made: list[Any], work: Work) -> None:
    """A tool message becomes a result; one right behind another joins its message."""
    work.lose_keys(message, ("role", "content", "tool_call_id"), where)
    if isinstance(before, dict) and before.get("role") == "tool" and made:
        results = made[-1]["content"]
    else:
        results = []
        made.append({"role": "user", "content": results})
    at: Path = ("messages", len(made) - 1, "content", len(results))
    work.tie(where, at)
    block: Json = {"type": "tool_result"}
    if "tool_call_id" in message:
        work.tie((*where, "tool_call_id"), (*at, "tool_use_id"))
        block["tool_use_id"] = message["tool_call_id"]
    content = message.get("content")
    if isinstance(content, list):
        content = _parts(content, (*where, "content"), (*at, "content"), work)
    results.append({**block, "content": content})


def _parts(parts: list[Any], where: Path, at: Path, work: Work) -> list[Any]:
    blocks: list[Any] = []
    for n, part in enumerate(parts):
        block = _block(part, (*where, n), work)
        if block is not None:
            work.tie((*where, n), (*at, len(blocks)))
            blocks.append(block)
    return blocks


def _block(part: Any, where: Path, work: Work) -> Json | None:
    """A content block; None where the part has no counterpart."""
    kind = part.get("type") if isinstance(part, dict) else None
    inner = part.get(kind) if isinstance(part, dict) and isinstance(kind, str) else None
    if kind == "text":
        return {key: part[key] for key in ("type", "text") if key in part}
    if kind == "image_url" and isinstance(inner, dict):
        return {"type": "image", "source": _source(str(inner.get("url", "")))}
    if kind == "file" and isinstance(inner, dict) and isinstance(inner.get("file_data"), str):
        name = {"title": inner["filename"]} if "filename" in inner else {}
        return {"type": "document", "source": _source(inner["file_data"]), **name}
    work.lose(where, "refusal" if kind == "refusal" else "part")
    return None


def _source(address: str) -> Json:
    head, found, data = address.partition(";base64,")
    if address.startswith("data:") and found:
        return {"type": "base64", "media_type": head.removeprefix("data:"), "data": data}
    return {"type": "url", "url": address}


def _call(call: Any, where: Path, work: Work) -> Json | None:
    function = call.get("function") if isinstance(call, dict) else None
    if not isinstance(function, dict):
        work.lose(where, "custom" if isinstance(call, dict) and "custom" in call else "part")
        return None
    block: Json = {"type": "tool_use"}
    if "id" in call:
        block["id"] = call["id"]
    if "name" in function:
        block["name"] = function["name"]
    given = function.get("arguments")
    if "arguments" in function and not isinstance(given, str):
        work.lose((*where, "function", "arguments"), "arguments")
    return {**block, "input": parsed(given)}


def parsed(arguments: Any) -> Any:
    """What a call's arguments hold; text that is no JSON stays text."""
    try:
        return json.loads(arguments) if isinstance(arguments, str) else arguments
    except (ValueError, RecursionError):
        return arguments


def _tools(tools: Any, work: Work) -> Any:
    if not isinstance(tools, list):
        return tools
    made: list[Any] = []
    for n, tool in enumerate(tools):
        function = tool.get("function") if isinstance(tool, dict) else None
        if isinstance(tool, dict) and not isinstance(function, dict):
            work.lose(("tools", n), "custom")
            continue
        work.tie(("tools", n), ("tools", len(made)))
        if not isinstance(function, dict):
            made.append(tool)
            continue
        made.append(_described(function, ("tools", n, "function"), work))
    return made


def _described(function: Any, where: Path, work: Work) -> Any:
    """What a function is, as a tool."""
    if not isinstance(function, dict):
        return function
    known = ("name", "description", "parameters", "strict")
    work.lose_keys(function, known, where)
    names = {"parameters": "input_schema"}
    return {names.get(key, key): function[key] for key in known if key in function}


def _choice(request: Json) -> Any:
    """`tool_choice` with `parallel_tool_calls` in it."""
    choice = request.get("tool_choice", "auto")
    made: Any = choice
    if isinstance(choice, str):
        made = {"type": CHOICES.get(choice, choice)}
    elif isinstance(choice, dict) and isinstance(choice.get("function"), dict):
        made = {"type": "tool", **choice["function"]}
    if isinstance(parallel := request.get("parallel_tool_calls"), bool) and isinstance(made, dict):
        made = {**made, "disable_parallel_tool_use": not parallel}
    return made

"""A run saved as a lesson's folder: its replies as the script, its files as the workspace."""

import io
import zipfile
from pathlib import Path
from typing import Any

from ruamel.yaml import YAML
from ruamel.yaml.scalarstring import LiteralScalarString

from app.engine.script import PLACEHOLDER
from app.engine.steps import Json, Start, Trace, client_calls, senders
from app.harness import TOOLS
from app.live.cursor import Sent
from app.live.state import State
from app.live.subject import Subject

OWN_KEYS = ("model", "max_tokens", "system")  # of a request, with a place of their own
HELPER = "helper"  # the lane of the agent that is asked
MOST_FILES, MOST_BYTES = 500, 10_000_000  # of a workspace that is packed


def lesson_zip(state: State, folder: Path | None) -> bytes:
    """The folder as a zip file; `folder` is the workspace to pack, where there is one."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as file:
        file.writestr("lesson/lesson.yaml", lesson_yaml(state))
        for name, data in _files(folder) if folder else ():
            file.writestr(f"lesson/workspace/{name}", data)
    return packed.getvalue()


def lesson_yaml(state: State) -> str:
    """The lesson's file. What the model said stands in it as a script to edit."""
    settings, subject = state.run.settings, state.subject
    spec: Json = {
        "title": state.run.name,
        "language": "en",
        "task": _text(subject.task),
        "model": state.run.model,
        "max_tokens": settings["max_tokens"],
    }
    if subject.tools:
        spec["tools"] = [name for name in subject.tools if name in TOOLS]
    if settings.get("system"):
        spec["system"] = _text(str(settings["system"]))
    spec["cap"] = subject.cap
    if subject.handling.stops:
        spec["handling"] = {"stops": True}
    spec["lanes"] = [{"loop": subject.loop.name, **_sent_with(subject)}]
    if subject.helper:
        spec["helper"] = HELPER
        spec["lanes"].append(_helper_lane(subject.helper))
    spec["script"] = _script(state)
    written = io.StringIO()
    yaml = YAML()
    yaml.default_flow_style = False
    yaml.width = 100
    yaml.dump(spec, written)
    return written.getvalue()


def _helper_lane(helper: Subject) -> Json:
    return {
        "loop": helper.loop.name,
        "name": HELPER,
        "tools": list(helper.tools),
        "system": _text(str(helper.envelope["system"])),
        "cap": helper.cap,
        "harness": {"read_only": True},
        **_sent_with(helper),
    }


def _sent_with(by: Subject) -> Json:
    """The further keys of an agent's requests, and its beta headers, where there are any."""
    further = {key: value for key, value in by.envelope.items() if key not in OWN_KEYS}
    found: Json = {"request": further, "betas": list(by.betas)}
    return {key: value for key, value in found.items() if value}


def _script(state: State) -> list[Json]:
    """The replies; those of a helper come first, each for its own task."""
    agent, helpers, script = state.subject, dict[str, Trace](), list[Json]()
    who = senders(state.replayed.trace.steps)
    for run, sent in zip(who, state.replayed.sent, strict=False):
        if run is None or agent.helper is None or not isinstance(run.steps[0], Start):
            continue
        task = run.steps[0].task
        if helpers.setdefault(task, run) is run and (line := _line(sent, agent.helper)):
            system = str(agent.helper.envelope["system"])
            script.append({"when": [{"system": _text(system)}, {"task": _text(task)}], **line})
    script += [
        line
        for run, sent in zip(who, state.replayed.sent, strict=False)
        if run is None and (line := _line(sent, agent))
    ]
    return script or [{"text": "…"}]


def _line(sent: Sent, by: Subject) -> Json:
    """A reply as a line of a script; empty where nothing of it can stand there."""
    reply = sent.answer.body if sent.answer else None
    if reply is None:
        return {}
    said = "\n\n".join(block["text"] for block in reply["content"] if block.get("type") == "text")
    calls = [
        {"tool": call["name"], "input": call["input"]}
        for call in client_calls(reply["content"])
        if call["name"] in by.tools and call["name"] in TOOLS
    ]
    line: Json = {}
    if said.strip():
        line["text"] = _text(PLACEHOLDER.sub(r"{ \1 }", said))  # it names no call
    if calls:
        line["calls"] = calls
    return line


def _text(text: str) -> Any:
    return LiteralScalarString(text) if "\n" in text else text


def _files(folder: Path) -> list[tuple[str, bytes]]:
    """The plain files of a workspace, as far as they are few and small."""
    found: list[tuple[str, bytes]] = []
    size = 0
    for file in sorted(folder.rglob("*")):
        if file.is_symlink() or not file.is_file() or "__pycache__" in file.parts:
            continue
        size += file.stat().st_size
        if len(found) >= MOST_FILES or size > MOST_BYTES:
            break
        found.append((file.relative_to(folder).as_posix(), file.read_bytes()))
    return found

"""What the shape of a lesson file cannot tell: names that name nothing, paths that leave."""

import re
from collections.abc import Iterable, Iterator
from pathlib import Path

from app.engine.dialects import to_openai
from app.engine.script import names_in
from app.harness.tools import TOOLS
from app.lessons.files import files_of
from app.lessons.lesson import Lesson, LessonFault
from app.lessons.spec import HandlingSpec, HarnessSpec, LaneSpec, Spec
from app.loops import dialect_of
from app.loops import names as loop_names
from app.said import Said, quoted


def faults_of(lesson: Lesson) -> Iterator[LessonFault]:
    """All faults of a lesson whose shape is right."""
    yield from _tool_faults(lesson)
    yield from _lane_faults(lesson)
    yield from _harness_faults(lesson)
    yield from _handling_faults(lesson)
    yield from _prediction_faults(lesson)
    yield from _reply_faults(lesson)
    yield from _label_faults(lesson)
    yield from _workspace_faults(lesson)
    for pattern in lesson.spec.right.values():
        try:
            re.compile(pattern)
        except re.error as error:
            yield lesson.fault(
                Said("not a regular expression: %(words)s", words=str(error)), "right"
            )


def _tool_faults(lesson: Lesson) -> Iterator[LessonFault]:
    lists = [(("tools",), lesson.spec.tools)] + [
        (("lanes", n, "tools"), lane.tools or []) for n, lane in enumerate(lesson.spec.lanes)
    ]
    for where, tools in lists:
        for n, tool in enumerate(tools):
            if tool not in TOOLS:
                yield lesson.fault(_no_tool(tool), *where, n)


def _lane_faults(lesson: Lesson) -> Iterator[LessonFault]:
    for n, lane in enumerate(lesson.spec.lanes):
        if lane.loop not in loop_names():
            said = Said(
                "there is no loop %(name)s; %(choose)s",
                name=quoted(lane.loop),
                choose=_choose(loop_names()),
            )
            yield lesson.fault(said, "lanes", n, "loop")
        else:
            yield from _dialect_faults(lesson, n, lane)
        if lane.task is not None and not lesson.text(lane.task, lesson.language).strip():
            said = Said(
                "%(key)s holds no text in the lesson's language, %(language)s; write what this lane"
                " is asked, or leave %(key)s out",
                key="task",
                language=lesson.language,
            )
            yield lesson.fault(said, "lanes", n, "task")
    names = [lane.name for lane in lesson.lanes]
    for n, name in enumerate(names):
        if name in names[:n]:
            said = Said("two lanes are named %(lane)s; give one a name", lane=quoted(name))
            yield lesson.fault(said, "lanes", n)
    if lesson.spec.helper and lesson.spec.helper not in names:
        yield lesson.fault(_no_lane(lesson.spec.helper, names), "helper")
    for n, name in enumerate(lesson.spec.shown):
        if name not in names:
            yield lesson.fault(_no_lane(name, names), "shown", n)


def _dialect_faults(lesson: Lesson, n: int, lane: LaneSpec) -> Iterator[LessonFault]:
    """Options that the API of a lane's loop does not have."""
    chat = dialect_of(lane.loop) == "openai"
    if chat and (lane.system or lesson.spec.system):
        said = Said(
            "the loop %(name)s speaks chat completions, where the system text is a message of"
            " the loop's own; leave %(key)s out",
            name=lane.loop,
            key="system",
        )
        yield lesson.fault(said, "lanes", n, "loop")
    strange: list[tuple[str, ...]] = [
        (key,)
        for key in (("betas", "server_tools") if chat else ("functions",))
        if getattr(lane, key)
    ]
    if chat:
        strange += [
            ("request", key) for key in lane.request if to_openai({key: lane.request[key]}).lost
        ]
    for place in strange:
        said = Said(
            "the loop %(name)s speaks the other API, which has no %(key)s; leave it out",
            name=lane.loop,
            key=place[-1],
        )
        yield lesson.fault(said, "lanes", n, *place)
    for at, reply in enumerate(lesson.spec.script):
        if lane.functions and len(reply.calls) > 1:
            said = Said(
                "a reply of the older form makes one call, and a lane here has %(key)s; give each"
                " call a reply of its own",
                key="functions",
            )
            yield lesson.fault(said, "script", at, "calls")


def _harness_faults(lesson: Lesson) -> Iterator[LessonFault]:
    """Rules of a harness for what is not there: a tool, a parameter, a folder."""
    whole = lesson.spec.workspace
    specs: list[tuple[tuple[str | int, ...], HarnessSpec, str]] = [
        (("harness",), lesson.spec.harness, whole)
    ]
    specs += [
        (("lanes", n, "harness"), lane.harness, lane.workspace or whole)
        for n, lane in enumerate(lesson.spec.lanes)
        if lane.harness is not None
    ]
    for where, spec, workspace in specs:
        for key, names in (
            ("approve", spec.approve),
            ("limits", spec.limits),
            ("after", [*spec.after, *spec.after.values()]),
            ("until", [*spec.until, *spec.until.values()]),
            ("descriptions", [*spec.descriptions]),
        ):
            for name in names:
                if name not in TOOLS:
                    yield lesson.fault(_no_tool(name), *where, key)
        for name, limits in spec.limits.items():
            known = TOOLS[name].parameters.model_fields if name in TOOLS else limits
            for parameter in limits.keys() - known.keys():
                said = Said(
                    "%(tool)s has no parameter %(name)s; %(choose)s",
                    tool=name,
                    name=quoted(parameter),
                    choose=_choose(known),
                )
                yield lesson.fault(said, *where, "limits", name)
        inside = lesson.folder / workspace / spec.folder
        if spec.folder and (Path(spec.folder).name != spec.folder or not inside.is_dir()):
            said = Said(
                "there is no folder %(folder)s", folder=quoted(f"{workspace}/{spec.folder}")
            )
            yield lesson.fault(said, *where, "folder")


def _handling_faults(lesson: Lesson) -> Iterator[LessonFault]:
    """Troubles and hooks that name no tool, and hooks that want what the harness cannot give."""
    specs: list[tuple[tuple[str | int, ...], HandlingSpec]] = [((), lesson.spec.handling)]
    specs += [(("lanes", n), lane.handling) for n, lane in enumerate(lesson.spec.lanes)]
    for where, spec in specs:
        troubled = [trouble.tool for trouble in spec.troubles]
        run = [name for hooks in spec.hooks.values() for name in hooks]
        for key, names in (("troubles", troubled), ("hooks", [*spec.hooks, *run])):
            for name in names:
                if name not in TOOLS:
                    yield lesson.fault(_no_tool(name), *where, "handling", key)
        for name in run:
            if name in TOOLS and TOOLS[name].schema["input_schema"]["required"]:
                said = Said("the harness has no parameters to give to %(tool)s", tool=name)
                yield lesson.fault(said, *where, "handling", "hooks")


def _prediction_faults(lesson: Lesson) -> Iterator[LessonFault]:
    names = [lane.name for lane in lesson.lanes]
    for n, asked in enumerate(lesson.spec.predictions):
        if asked.lane not in names:
            yield lesson.fault(_no_lane(asked.lane, names), "predictions", n, "lane")
        if sum(option.right for option in asked.options) != 1:
            yield lesson.fault(Said("exactly one option is right"), "predictions", n, "options")


def _reply_faults(lesson: Lesson) -> Iterator[LessonFault]:
    offered = {tool for lane in lesson.lanes for tool in lane.tools}
    for n, reply in enumerate(lesson.spec.script):
        if not (
            reply.text
            or reply.calls
            or reply.lead
            or reply.blocks
            or reply.summary
            or reply.stop_reason
        ):
            said = Said("a reply has one of %(keys)s", keys="text, calls, blocks, stop_reason")
            yield lesson.fault(said, "script", n)
        for at, call in enumerate(reply.calls):
            if call.tool not in offered and not call.unoffered:
                said = Said(
                    "the script calls %(tool)s, which no lane offers; %(choose)s",
                    tool=quoted(call.tool),
                    choose=_choose(offered),
                )
                yield lesson.fault(said, "script", n, "calls", at, "tool")


def _label_faults(lesson: Lesson) -> Iterator[LessonFault]:
    script = lesson.spec.script
    labels = [call.label for reply in script for call in reply.calls if call.label]
    for n, reply in enumerate(script):
        for at, call in enumerate(reply.calls):
            if labels.count(call.label) > 1:
                said = Said(
                    "two calls are named %(call)s; give each its own name",
                    call=quoted(call.label),
                )
                yield lesson.fault(said, "script", n, "calls", at, "as")
        used: list[tuple[tuple[str | int, ...], str]] = [
            (("text",), name) for text in reply.text.values() for name in names_in(text)
        ]
        for at, when in enumerate(reply.when):
            named = (
                when.result or None,
                when.max_tokens_under,
                when.offers,
                when.system,
                when.task,
                when.told,
            )
            if sum(value is not None for value in named) != 1:
                said = Said(
                    "a condition names one of %(keys)s",
                    keys="result, max_tokens_under, offers, system, task, told",
                )
                yield lesson.fault(said, "script", n, "when", at)
            if when.result:
                used.append((("when", at, "result"), when.result))
            if when.more_than is not None:
                used.append((("when", at, "more_than"), when.more_than))
        for place, name in used:
            if name not in labels:
                said = Said(
                    "%(name)s names no call of the script; %(choose)s",
                    name=quoted(name),
                    choose=_choose(labels),
                )
                yield lesson.fault(said, "script", n, *place)


def _workspace_faults(lesson: Lesson) -> Iterator[LessonFault]:
    parts: list[tuple[tuple[str | int, ...], Spec | LaneSpec]] = [((), lesson.spec)]
    parts += [(("lanes", n), lane) for n, lane in enumerate(lesson.spec.lanes)]
    for where, part in parts:
        given = part.workspace
        if "workspace" not in part.model_fields_set:
            continue
        if Path(given).name != given or given in ("", ".", ".."):
            said = Said("the workspace is a folder inside the lesson's folder")
            yield lesson.fault(said, *where, "workspace")
        elif not (lesson.folder / given).is_dir():
            said = Said("there is no folder %(folder)s", folder=given)
            yield lesson.fault(said, *where, "workspace")
    for file in files_of(lesson.folder):
        if file.is_symlink():
            inside = file.relative_to(lesson.folder).as_posix()
            said = Said("%(file)s is a link; a lesson holds plain files and folders", file=inside)
            yield lesson.fault(said)


def _no_tool(name: str) -> Said:
    return Said("there is no tool %(name)s; %(choose)s", name=quoted(name), choose=_choose(TOOLS))


def _no_lane(name: str, names: Iterable[str]) -> Said:
    return Said("there is no lane %(name)s; %(choose)s", name=quoted(name), choose=_choose(names))


def _choose(names: Iterable[str]) -> Said:
    listed = ", ".join(sorted(names))
    if not listed:
        return Said("there are none to choose from")
    return Said("choose from %(names)s", names=listed)

"""A lesson that was read, and the lanes that it offers."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

from ruamel.yaml import YAML

from app.engine.script import ScriptedCall, ScriptedReply, When
from app.engine.steps import Json
from app.harness import Form, Handling, Policy, Trouble
from app.lessons.spec import OWN, HandlingSpec, HarnessSpec, Spec, Truth
from app.said import Said, quoted

FILE = "lesson.yaml"


class LessonFault(Exception):
    """A lesson that cannot be used: which file, which line, what is wrong, what would be right."""

    def __init__(self, file: Path, line: int, said: Said) -> None:
        self.sentence = Said(
            "%(file)s, line %(line)s: %(said)s",
            file=f"{file.parent.name}/{file.name}",
            line=line,
            said=said,
        )
        super().__init__(self.sentence)
        self.file, self.line, self.said = file, line, said


class UnknownLesson(LookupError):
    """No lesson of that name; the message lists those that exist."""

    def __init__(self, name: str, known: str) -> None:
        super().__init__(
            Said(
                "There is no lesson %(lesson)s. The lessons: %(known)s.",
                lesson=quoted(name),
                known=known,
            )
        )
        self.name = name


class UnknownLane(LookupError):
    """No lane of that name in a lesson; the message lists those that exist."""

    def __init__(self, lesson: "Lesson", name: str) -> None:
        known = ", ".join(lane.name for lane in lesson.lanes)
        super().__init__(
            Said(
                "Lesson %(lesson)s has no lane %(lane)s. Its lanes: %(known)s.",
                lesson=lesson.slug,
                lane=quoted(name),
                known=known,
            )
        )
        self.lesson, self.name = lesson, name


@dataclass(frozen=True)
class Lane:
    """A lane as a lesson offers it: a loop and its options."""

    name: str
    loop: str
    checked: bool
    tools: tuple[str, ...]
    server_tools: tuple[Json, ...]
    model: str
    cap: int | None  # the most turns; None leaves it to the loop's own default
    workspace: str
    guard: str  # what makes two calls the same; "" where nobody counts them
    request: Json
    betas: tuple[str, ...]  # the beta headers of each request
    functions: bool  # whether the tools are offered in the older form of chat completions
    policy: Policy
    decisions: tuple[str, ...]
    handling: Handling
    _task: dict[str, str]
    _system: dict[str, str] | None
    _truth: Truth = field(repr=False)
    _lesson: "Lesson" = field(repr=False, compare=False)

    def task(self, lang: str) -> str:
        """What this lane is asked to do."""
        return self._lesson.text(self._task, lang)

    def system(self, lang: str) -> str | None:
        """What the model is told beside the messages; None where it is told nothing."""
        return None if self._system is None else self._lesson.text(self._system, lang)

    def truth(self, lang: str, checked: bool) -> str:
        """What is true of this lane in one position of the switch; "" where nothing is said."""
        texts = self._truth.checked if checked else self._truth.unchecked
        return self._lesson.text(texts, lang)


@dataclass(frozen=True, eq=False)
class Lesson:
    """A lesson that was read. Texts come in the language asked for, else in the lesson's own.

    `number` orders the lessons; `digest` (hex) changes with any file of the folder.
    """

    slug: str
    folder: Path
    number: int
    digest: str
    spec: Spec
    _file: str = field(repr=False)

    @property
    def language(self) -> str:
        return self.spec.language

    @cached_property
    def languages(self) -> tuple[str, ...]:
        """The languages that the task is written in."""
        return tuple(sorted({key or self.language for key in self.spec.task}))

    def text(self, texts: dict[str, str], lang: str) -> str:
        """A text in a language, else in the lesson's own, else ""."""
        return next((texts[key] for key in (lang, OWN, self.language) if key in texts), "")

    def title(self, lang: str) -> str:
        return self.text(self.spec.title, lang)

    def point(self, lang: str) -> str:
        """What the lesson shows, in one sentence."""
        return self.text(self.spec.point, lang)

    def about(self, lang: str) -> str:
        return self.text(self.spec.about, lang)

    def task(self, lang: str) -> str:
        return self.text(self.spec.task, lang)

    def system(self, lang: str) -> str | None:
        return None if self.spec.system is None else self.text(self.spec.system, lang)

    @cached_property
    def lanes(self) -> tuple[Lane, ...]:
        """The lanes in their order; the first is the one that runs where none is named."""
        return tuple(
            Lane(
                name=lane.name or lane.loop,
                loop=lane.loop,
                checked=lane.checked,
                tools=tuple(self.spec.tools if lane.tools is None else lane.tools),
                server_tools=tuple(lane.server_tools),
                model=lane.model or self.spec.model,
                cap=lane.cap or self.spec.cap,
                workspace=lane.workspace or self.spec.workspace,
                guard=lane.guard,
                request={**self.spec.request, **lane.request},
                betas=tuple(lane.betas),
                functions=lane.functions,
                policy=_policy(lane.harness or self.spec.harness),
                decisions=tuple(lane.decisions),
                handling=_handling(self.spec.handling, lane.handling),
                _task=lane.task or self.spec.task,
                _system=self.spec.system if lane.system is None else lane.system,
                _truth=lane.truth,
                _lesson=self,
            )
            for lane in self.spec.lanes
        )

    @cached_property
    def shown(self) -> tuple[str, ...]:
        """The lanes that are shown first."""
        return tuple(self.spec.shown or [lane.name for lane in self.lanes[:3]])

    def lane(self, name: str) -> Lane:
        """Raises UnknownLane."""
        for lane in self.lanes:
            if lane.name == name:
                return lane
        raise UnknownLane(self, name)

    @property
    def helper(self) -> Lane | None:
        """The lane whose agent answers the tool ask_helper."""
        return self.lane(self.spec.helper) if self.spec.helper else None

    def right(self, answer: str, lang: str) -> bool:
        """Whether an answer is right; any answer is where the lesson names no pattern."""
        pattern = self.text(self.spec.right, lang)
        return not pattern or re.search(pattern, answer) is not None

    def script(self, lang: str) -> tuple[ScriptedReply, ...]:
        """The scripted replies in a language."""
        return tuple(
            ScriptedReply(
                text=self.text(reply.text, lang),
                calls=tuple(
                    ScriptedCall(c.label, c.tool, c.input, c.may_be_empty, c.seconds, c.unoffered)
                    for c in reply.calls
                ),
                when=tuple(
                    When(
                        result=when.result,
                        max_tokens_under=when.max_tokens_under,
                        offers=when.offers,
                        described=when.described,
                        system=self.text(when.system, lang) if when.system else None,
                        task=self.text(when.task, lang) if when.task else None,
                        contains=self.text(when.contains, lang) if when.contains else None,
                        lacks=self.text(when.lacks, lang) if when.lacks else None,
                        told=when.told,
                        more_than=when.more_than,
                    )
                    for when in reply.when
                ),
                stop_reason=reply.stop_reason,
                thinking=None if reply.thinking is None else self.text(reply.thinking, lang),
                summary=self.text(reply.summary, lang),
                lead=tuple(reply.lead),
                blocks=tuple(reply.blocks),
                seconds=reply.seconds,
                again=reply.again,
                more=reply.model_dump(include={"stop_sequence", "stop_details"}, exclude_none=True),
            )
            for reply in self.spec.script
        )

    def workspace(self, lang: str, name: str = "") -> Path:
        """The folder that tools see, by its own name or a lane's; `workspace.fa` beside it serves
        Persian, and so on."""
        plain = self.folder / (name or self.spec.workspace)
        own = plain.with_name(f"{plain.name}.{lang}")
        return own if own.is_dir() else plain

    def fault(self, said: Said, *place: str | int) -> LessonFault:
        """A fault at a place of the file, such as `"script", 2, "calls"`."""
        return LessonFault(self.folder / FILE, line_of(self._file, place), said)


def _policy(spec: HarnessSpec) -> Policy:
    return Policy(
        unchecked=frozenset(spec.unchecked),
        read_only=spec.read_only,
        folder=spec.folder,
        links=spec.links,
        approve=tuple(spec.approve),
        limits=spec.limits,
        after=spec.after,
        until=spec.until,
        narrows=spec.narrows,
        descriptions=spec.descriptions,
    )


def _handling(lessons: HandlingSpec, lanes: HandlingSpec) -> Handling:
    """How calls are carried out: as the lesson says, but for what the lane says."""
    spec = lessons.model_copy(update={key: getattr(lanes, key) for key in lanes.model_fields_set})
    return Handling(
        retry=spec.retry,
        stops=spec.stops,
        troubles=tuple(Trouble(**vars(trouble)) for trouble in spec.troubles),
        hooks={tool: tuple(hooks) for tool, hooks in spec.hooks.items()},
        form=Form(**vars(spec.results)),
    )


def line_of(text: str, place: Sequence[str | int]) -> int:
    """The line of a place in a lesson file, or of the nearest thing around it; counted from 1."""
    read, line = YAML(typ="rt").load(text), 0  # it knows the lines of what it reads
    for part in place:
        position = getattr(read, "lc", None)
        if position is None or not isinstance(read, dict | list):
            break
        if isinstance(read, dict) and part in read:
            line = position.key(part)[0]
        elif isinstance(read, list) and isinstance(part, int) and part < len(read):
            line = position.item(part)[0]
        else:
            break
        read = read[part]
    return int(line) + 1

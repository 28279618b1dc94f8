"""What a run is of: a lane of a lesson, or a task of one's own on a folder."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from app.engine.steps import Json
from app.harness import LIVE_TOOLS, Handling, Harness, Policy
from app.harness.calls import ASK, NEVER
from app.harness.policy import STRICT, answered_tools
from app.lessons import Lane, Lesson
from app.lessons.spec import LaneSpec, SaidReply, Spec
from app.said import Said, quoted
from app.source import Loop, loops
from app.store import Run

# A call that could do harm twice is tried again where a person agrees.
ASKING = Handling(retry=ASK)


ASK_HELPER = "ask_helper"
HELPER_LOOP, HELPER_TURNS = "every_stop_reason", 8
HELPER_SYSTEM = "You help another agent. Do the task with your tools, and answer in short."


class CannotGoOn(Exception):
    """A run whose lesson, loop or tools are gone; the message is one sentence."""


@dataclass(frozen=True)
class Subject:
    """The loop of a run with all that it is given. `guard` is what makes two of its calls the same,
    "" where nobody counts them; `helper` is the agent that it may ask, without a task yet."""

    loop: Loop
    task: str
    tools: tuple[str, ...]
    envelope: Json
    cap: int
    stream: bool
    right: Callable[[str], bool]
    policy: Policy = STRICT
    guard: str = ""
    handling: Handling = ASKING
    helper: "Subject | None" = None
    betas: tuple[str, ...] = ()  # the beta headers of each request

    def body(self, messages: Any) -> Json:
        """What a request with these messages holds beside them."""
        names = self.policy.listed(self.tools, messages)
        if not names:
            return dict(self.envelope)
        return {**self.envelope, "tools": [self._schema(name) for name in names]}

    def callable(self, request: Json) -> list[str]:
        """The names of the tools that the reply to a request may call."""
        answered = answered_tools(request.get("messages"))
        names = [str(tool.get("name")) for tool in request.get("tools") or ()]
        return [name for name in names if self.policy.offers(name, answered)]

    def _schema(self, name: str) -> Json:
        """What the model is told of a tool, in the lane's own words where it has some."""
        schema = LIVE_TOOLS[name].schema
        told = self.policy.descriptions.get(name)
        return {**schema, "description": told} if told else schema

    def asks(self, call: Mapping[str, Any]) -> bool:
        """Whether a person must approve a call, where nothing else speaks against it."""
        name = call.get("name")
        return name in self.tools and (LIVE_TOOLS[name].approval or name in self.policy.approve)

    def repeatable(self, call: Mapping[str, Any]) -> bool:
        """Whether a call may be made again though nobody knows whether it took effect."""
        name = call.get("name")
        return self.policy.read_only or name not in self.tools or LIVE_TOOLS[name].repeatable


def subject_of(run: Run, lesson: Lesson | None) -> Subject:
    """What a run is of; `lesson` is the one it names. Raises CannotGoOn."""
    settings = run.settings
    name = settings.get("loop")
    if not isinstance(name, str) or name not in loops():
        raise CannotGoOn(
            Said("The loop of this run, %(loop)s, is not here any more.", loop=quoted(str(name)))
        )
    tools = settings.get("tools")
    if not isinstance(tools, list) or not all(
        isinstance(t, str) and t in LIVE_TOOLS for t in tools
    ):
        raise CannotGoOn(Said("A tool of this run is not here any more."))
    task, cap, most = settings.get("task"), settings.get("cap"), settings.get("max_tokens")
    if not (isinstance(task, str) and isinstance(cap, int) and isinstance(most, int)):
        raise CannotGoOn(Said("The settings of this run are in no right form."))
    lang = str(settings.get("lang", "en"))
    lane = _lane(run, lesson)
    envelope: Json = {**_further(run, lane), "model": run.model, "max_tokens": most}
    if isinstance(settings.get("system"), str) and settings["system"]:
        envelope["system"] = settings["system"]
    subject = Subject(
        loop=loops()[name],
        task=task,
        tools=tuple(tools),
        envelope=envelope,
        cap=max(1, min(cap, 200)),
        stream=settings.get("stream") is not False,
        right=(lambda answer: lesson.right(answer, lang)) if lesson else (lambda answer: True),
        policy=_policy(lane),
        guard=lane.guard if lane else "",
        betas=lane.betas if lane else (),
        handling=_handling(lane, settings.get("stops") is True),
    )
    if ASK_HELPER not in subject.tools:
        return subject
    helper = lesson.helper if lesson else None
    return replace(subject, helper=_helper(subject, helper, lang, _further(run, helper)))


def _helper(asking: Subject, lane: Lane | None, lang: str, further: Json) -> Subject:
    """The helper of a run: the lesson's, else one with the tools of the agent that asks it that
    only read. It never writes and asks nobody, and it takes few turns."""
    read = tuple(name for name in asking.tools if not LIVE_TOOLS[name].writes)
    tools = lane.tools if lane else read
    system = (lane.system(lang) if lane else "") or HELPER_SYSTEM
    speaks = lane is not None and loops()[lane.loop].dialect == "anthropic"
    return Subject(
        loop=loops()[lane.loop if lane and speaks else HELPER_LOOP],
        task="",
        tools=tuple(name for name in tools if name != ASK_HELPER),
        envelope={
            **further,
            "model": asking.envelope["model"],
            "max_tokens": asking.envelope["max_tokens"],
            "system": system,
        },
        cap=min(lane.cap or HELPER_TURNS, HELPER_TURNS) if lane else HELPER_TURNS,
        stream=asking.stream,
        right=lambda answer: True,
        policy=replace(_policy(lane), read_only=True, approve=()),
        handling=_handling(lane, asking.handling.stops),
        betas=lane.betas if lane else (),
    )


def _lane(run: Run, lesson: Lesson | None) -> Lane | None:
    """The lane that a run is of, where it is one of a lesson's."""
    lanes = lesson.lanes if lesson else ()
    return next((lane for lane in lanes if lane.name == run.lane), None)


def _further(run: Run, lane: Lane | None) -> Json:
    """The further keys of a lane's requests; none in a run that began before these were sent."""
    return dict(lane.request) if lane and run.settings.get("lane_keys") is True else {}


def _policy(lane: Lane | None) -> Policy:
    """The rules of a lane, but that every check is made: here calls are real."""
    return replace(lane.policy, unchecked=frozenset()) if lane else STRICT


def _handling(lane: Lane | None, stops: bool) -> Handling:
    """The hooks and the form of results of a lane. What goes wrong here is real: nothing is
    simulated, and no call that could do harm twice is tried again unless a person agrees."""
    if lane is None:
        return replace(ASKING, stops=stops)
    retry = NEVER if lane.handling.retry == NEVER else ASK
    return replace(lane.handling, retry=retry, stops=stops, troubles=(), helper=None)


def shown_lesson(run: Run, subject: Subject) -> Lesson:
    """A run as a lesson of one lane, for the pages that show lessons."""
    name, betas = subject.loop.name, list(subject.betas)
    lane = LaneSpec(loop=name, name=name, checked=False, betas=betas)
    spec = Spec(
        title={"": run.name},
        task={"": subject.task},
        tools=list(subject.tools),
        lanes=[lane],
        script=[SaidReply(text={"": run.name})],  # a lesson has one; nobody asks it here
    )
    return Lesson(run.id, Path(), 0, run.id, spec, "")


def harness_of(subject: Subject, workspace: Path) -> Harness:
    """Runs the calls of a run in its workspace."""
    return Harness(workspace, subject.tools, LIVE_TOOLS, subject.handling, policy=subject.policy)

"""What a run is of: a lane of a lesson, or a task of one's own on a folder."""

from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from pydantic import TypeAdapter, ValidationError

from app.engine.steps import FAILURES, Attempt, Change, Check, Hook, Json, Result
from app.harness import LIVE_TOOLS, Handling, Harness, Policy
from app.harness.calls import NEVER, PLAINLY, SAFE
from app.harness.policy import STRICT, answered_tools
from app.harness.results import ToolError
from app.lessons import Lane, Lesson
from app.lessons.spec import LaneSpec, SaidReply, Spec
from app.said import Said, quoted
from app.source import Loop, loops
from app.store import Run

# What of a result is stored besides what the model gets and the checks: where there is any.
MORE: dict[str, TypeAdapter[Any]] = {
    "tries": TypeAdapter(tuple[Attempt, ...]),
    "changes": TypeAdapter(tuple[Change, ...]),
    "hooks": TypeAdapter(tuple[Hook, ...]),
}


class CannotGoOn(Exception):
    """A run whose lesson, loop or tools are gone; the message is one sentence."""


@dataclass(frozen=True)
class Subject:
    """The loop of a run with all that it is given. `guard` is what makes two of its calls the same,
    "" where nobody counts them."""

    loop: Loop
    task: str
    tools: tuple[str, ...]
    envelope: Json
    cap: int
    stream: bool
    right: Callable[[str], bool]
    policy: Policy = STRICT
    guard: str = ""
    handling: Handling = PLAINLY

    def body(self, messages: Any) -> Json:
        """What a request with these messages holds beside them."""
        answered = answered_tools(messages)
        names = [name for name in self.tools if self.policy.offers(name, answered)]
        if not names:
            return dict(self.envelope)
        return {**self.envelope, "tools": [self._schema(name) for name in names]}

    def _schema(self, name: str) -> Json:
        """What the model is told of a tool, in the lane's own words where it has some."""
        schema = LIVE_TOOLS[name].schema
        told = self.policy.descriptions.get(name)
        return {**schema, "description": told} if told else schema

    def asks(self, call: Mapping[str, Any]) -> bool:
        """Whether a person must decide about a call; one that cannot run anyway needs nobody."""
        name, given = call.get("name"), call.get("input")
        if name not in self.tools or not isinstance(given, Mapping):
            return False
        tool = LIVE_TOOLS[name]
        try:
            tool.values(given)
        except ToolError:
            return False
        return tool.approval or tool.name in self.policy.approve

    def result_of(self, body: Json) -> Result:
        """A stored result. Raises ValueError where it is in no right form."""
        checks = body.get("checks", [])
        content, failed = body.get("content"), body.get("is_error", False)
        if not (isinstance(content, str) and isinstance(failed, bool) and isinstance(checks, list)):
            raise ValueError("a stored result is in no right form")
        failure = body.get("failure", "")
        if failure not in ("", *FAILURES):
            raise ValueError("a stored result is in no right form")
        try:
            more = {key: kind.validate_python(body.get(key, ())) for key, kind in MORE.items()}
        except ValidationError as wrong:
            raise ValueError("a stored result is in no right form") from wrong
        made = tuple(_check(one) for one in checks)
        return Result(content, failed, made, failure=failure, **more)


def _check(stored: Any) -> Check:
    match stored:
        case [str(name), bool(passed), str(said)]:
            return Check(name, passed, said)
        case [str(name), bool(passed), str(said), bool(made)]:
            return Check(name, passed, said, made)
    raise ValueError("a stored check is in no right form")


def stored_result(result: Result) -> Json:
    """A result as it is stored."""
    return {
        "content": result.content,
        "is_error": result.is_error,
        "checks": [[one.name, one.passed, one.said, one.made] for one in result.checks],
        **({"failure": result.failure} if result.failure else {}),
        **{key: [asdict(one) for one in kept] for key in MORE if (kept := getattr(result, key))},
    }


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
    envelope: Json = {"model": run.model, "max_tokens": most}
    if isinstance(settings.get("system"), str) and settings["system"]:
        envelope["system"] = settings["system"]
    lang = str(settings.get("lang", "en"))
    return Subject(
        loop=loops()[name],
        task=task,
        tools=tuple(tools),
        envelope=envelope,
        cap=max(1, min(cap, 200)),
        stream=settings.get("stream") is not False,
        right=(lambda answer: lesson.right(answer, lang)) if lesson else (lambda answer: True),
        policy=_policy(lane := _lane(run, lesson)),
        guard=lane.guard if lane else "",
        handling=_handling(lane),
    )


def _lane(run: Run, lesson: Lesson | None) -> Lane | None:
    """The lane that a run is of, where it is one of a lesson's."""
    lanes = lesson.lanes if lesson else ()
    return next((lane for lane in lanes if lane.name == run.lane), None)


def _policy(lane: Lane | None) -> Policy:
    """The rules of a lane, but that every check is made: here calls are real."""
    return replace(lane.policy, unchecked=frozenset()) if lane else STRICT


def _handling(lane: Lane | None) -> Handling:
    """The hooks and the form of results of a lane. What goes wrong here is real: nothing is
    simulated, and no call is tried again that could do harm."""
    if lane is None:
        return PLAINLY
    retry = lane.handling.retry
    safe = retry if retry == NEVER else SAFE
    return replace(lane.handling, retry=safe, stops=False, troubles=(), helper=None)


def shown_lesson(run: Run, subject: Subject) -> Lesson:
    """A run as a lesson of one lane, for the pages that show lessons."""
    lane = LaneSpec(loop=subject.loop.name, name=subject.loop.name, checked=False)
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

"""Lessons and runs as JSON: what the pages show, for programs."""

import json
from collections.abc import Iterator, Sequence
from dataclasses import asdict, fields
from typing import Any

from pydantic import BaseModel, ConfigDict, Field

from app.engine.rules import RULES, Rule
from app.engine.steps import Helper, Step, Trace
from app.lessons import Lesson, LessonFault
from app.source import loops
from app.views.reading import Reading
from app.views.texts import visible

# --- lessons


class LaneJson(BaseModel):
    """A lane: one loop with its options. `truth` says what is true of it in each position of the
    server's switch, where the lesson says it."""

    name: str
    loop: str
    checked: bool = Field(description="Whether its server checks requests, where nothing is said")
    task: str = Field(description="The lesson's, where the lane has none of its own")
    tools: list[str]
    cap: int | None = Field(description="The most turns; null leaves it to the loop")
    slip: str = Field(description="How the loop differs from the correct one")
    truth: dict[str, str]


class LessonJson(BaseModel):
    """A lesson and its lanes."""

    lesson: str = Field(description="The name that addresses use")
    number: int
    title: str
    point: str
    about: str
    task: str
    language: str
    languages: list[str]
    cap: int | None = Field(description="The most turns; null leaves it to the loop")
    shown: list[str] = Field(description="The lanes that are shown first")
    lanes: list[LaneJson]


class LessonsJson(BaseModel):
    """All lessons, and why others cannot be used."""

    lessons: list[LessonJson]
    faults: list[str]


def lessons_json(
    lessons: Sequence[Lesson], faults: Sequence[LessonFault], lang: str
) -> LessonsJson:
    """The lessons in a language; each in its own where `lang` is ""."""
    return LessonsJson(
        lessons=[_lesson_json(lesson, lang or lesson.language) for lesson in lessons],
        faults=[str(fault) for fault in faults],
    )


def _lesson_json(lesson: Lesson, lang: str) -> LessonJson:
    return LessonJson(
        lesson=lesson.slug,
        number=lesson.number,
        title=lesson.title(lang),
        point=lesson.point(lang),
        about=lesson.about(lang),
        task=lesson.task(lang),
        language=lesson.language,
        languages=list(lesson.languages),
        cap=lesson.spec.cap,
        shown=list(lesson.shown),
        lanes=[
            LaneJson(
                name=lane.name,
                loop=lane.loop,
                checked=lane.checked,
                task=lane.task(lang),
                tools=list(lane.tools),
                cap=lane.cap,
                slip=loops()[lane.loop].slip,
                truth={
                    "checked": lane.truth(lang, True),
                    "unchecked": lane.truth(lang, False),
                },
            )
            for lane in lesson.lanes
        ],
    )


# --- runs


class StepJson(BaseModel):
    """One step; it also has what only its kind has, such as `reply`, `call` and `result`."""

    model_config = ConfigDict(extra="allow")

    step: int
    kind: str = Field(description="start, ask, reply, append, wait, helper, tool, edit or end")
    turn: int
    sentence: str = Field(description="What happened, and why")
    lines: tuple[int, int] = Field(description="The statement of the loop; 0, 0 is none")
    length: int = Field(description="How many messages the list holds after the step")
    joined: list[Any] = Field(
        description="The messages that joined the list with this step; in `inner` a helper's own"
    )


class EndingJson(BaseModel):
    """Why a run stopped."""

    kind: str = Field(description="answer, wrong, stopped, no_answer, refused, error or cut")
    text: str
    rules: list[str] = Field(description="The rules that refused the last request")
    status: int | None


class RunJson(BaseModel):
    """A whole run."""

    lesson: str
    lane: str
    checked: bool
    steps: list[StepJson]
    ending: EndingJson
    messages_sent: list[int] = Field(description="How many messages each request held")


def run_json(reading: Reading, checked: bool) -> RunJson:
    """A lane's whole run."""
    trace = reading.trace
    ending = trace.ending
    return RunJson(
        lesson=reading.lesson.slug,
        lane=reading.lane.name,
        checked=checked,
        steps=[_step_json(reading, number) for number in range(len(trace.steps))],
        ending=EndingJson(
            kind=ending.kind, text=ending.text, rules=ending.rules, status=ending.status
        ),
        messages_sent=trace.messages_sent,
    )


def run_lines(reading: Reading, checked: bool) -> Iterator[str]:
    """A lane's run as JSON Lines: one object for each step, each naming its lane."""
    run = run_json(reading, checked)
    for step in run.steps:
        own = {"lesson": run.lesson, "lane": run.lane, "checked": run.checked}
        yield json_text({**own, **step.model_dump()})


def _step_json(reading: Reading, number: int) -> StepJson:
    step = reading.trace.steps[number]
    told = reading.sentence(number)
    return StepJson(
        step=number,
        kind=step.kind,
        sentence=f"{told.said.striptags()} {told.why.striptags()}".strip(),
        joined=_joined(reading.trace, number),
        **_fields(step),
    )


def _fields(step: Step) -> dict[str, Any]:
    """What a step holds; of a helper's step its own, with what joined the helper's list by it."""
    if not isinstance(step, Helper):
        return asdict(step)
    shared = {field.name: getattr(step, field.name) for field in fields(Step)}
    joined = _joined(step.run, step.number)
    inner = {"kind": step.inner.kind, **_fields(step.inner), "joined": joined}
    return {**shared, "loop": step.loop, "number": step.number, "inner": inner}


def _joined(trace: Trace, number: int) -> list[Any]:
    """The messages that stand in the list after a step and did not before."""
    step = trace.steps[number]
    before: Step | None = trace.steps[number - 1] if number else None
    if before and before.version == step.version:
        return list(trace.messages(step)[before.length :])
    return [] if before else list(trace.messages(step))


# --- rules


class RuleJson(BaseModel):
    """A rule of the real APIs in short."""

    rule: str
    effect: str = Field(description="refuse, warn, accept or not judged")
    title: str


def rules_json() -> list[RuleJson]:
    """All rules in their order."""
    return [
        RuleJson(rule=rule.number, effect=rule.effect, title=rule.title) for rule in RULES.values()
    ]


class CheckJson(BaseModel):
    """One check of a rule."""

    name: str
    effect: str
    sentence: str = Field(description="What is wrong and what would be right; or what is allowed")
    api: str = Field(description="The identifying part of the API's own message, where it is known")
    status: int
    error: str
    certainty: str = Field(description="How sure that part is, where it differs from the rule")


class WholeRuleJson(RuleJson):
    """A rule with its checks, its sources and its examples."""

    checks: list[CheckJson]
    certainty: str = Field(description="How sure the verdict and the wording are")
    sources: list[str]
    accepted: dict[str, Any] | None = Field(description="A request that passes")
    refused: dict[str, Any] | None = Field(description="The same with one change, refused")
    believed: str = Field(description="What people wrongly believe is refused")
    looser: str = Field(description="What other checkers let pass")


def rule_json(rule: Rule) -> WholeRuleJson:
    """One rule, whole."""
    own = asdict(rule)
    return WholeRuleJson(rule=own.pop("number"), effect=rule.effect, **own)


def json_text(value: Any, indent: int | None = None) -> str:
    """JSON, models included, as text that any terminal and any encoding can take."""
    return visible(json.dumps(value, ensure_ascii=False, indent=indent, default=_plain))


def _plain(value: Any) -> Any:
    return value.model_dump() if isinstance(value, BaseModel) else str(value)

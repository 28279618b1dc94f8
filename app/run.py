"""One lane of one lesson, run to its end: its trace. Traces never change, so they are kept."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import replace
from functools import lru_cache
from itertools import chain
from pathlib import Path
from typing import Any

from app.engine.clock import Clock
from app.engine.dialects import from_older, to_anthropic
from app.engine.record import record
from app.engine.script import choose
from app.engine.server import ChatServer, ScriptedServer
from app.engine.steps import APPROVE, DENY, Ending, Helped, Helper, Json, Reply, Trace
from app.engine.timed import Runner, TimedRunner
from app.harness import TOOLS, AskHelper, Guard, Harness, Offer, scratch
from app.lessons import Lane, Lesson, LessonFault, Library, Read
from app.paths import SCENARIOS
from app.prices import SCRIPTED_AT, Prices
from app.said import Said
from app.source import loops

KEPT_TRACES = 512
Decisions = tuple[str, ...]
STEPS_OF_A_TURN = 50  # more than any turn of a lesson has
ALIKE = 20  # decisions of one kind that no lesson asks for more often
KEPT_LIBRARIES = 8
FEW_STEPS = 400
LONGEST_CAP = 40  # of the loops, where a lane names none
_read: dict[Path, Read] = {}


def trace_of(
    lesson: Lesson, lane: str, checked: bool, lang: str, decisions: Decisions = ()
) -> Trace:
    """The trace of a lane, on a server that checks requests or on one that does not.

    `decisions` are a person's, in the order in which they are asked; the lane's own where there are
    none. Raises UnknownLane. Texts that the lesson lacks in `lang` come in its own language.
    """
    return _trace(lesson, lesson.lane(lane).name, checked, lang, decisions)


@lru_cache(maxsize=KEPT_TRACES)
def _trace(lesson: Lesson, name: str, checked: bool, lang: str, decisions: Decisions) -> Trace:
    return run_lane(lesson, lesson.lane(name), checked, lang, decisions)


def watched(
    lesson: Lesson, name: str, checked: bool, lang: str, decisions: Decisions = ()
) -> Trace:
    """The same trace with the loop's variables at each statement, not kept. Raises UnknownLane."""
    return run_lane(lesson, lesson.lane(name), checked, lang, decisions, watch=True)


@lru_cache(maxsize=KEPT_TRACES)
def ending_of(lesson: Lesson, name: str) -> Ending:
    """How a lane ends as it starts, in whatever language. Raises UnknownLane.

    A loop that has passed its cap and goes on never ends by itself: it is run no further.
    """
    lane = lesson.lane(name)
    short = run_lane(lesson, lane, lane.checked, lesson.language, most_steps=FEW_STEPS)
    if short.ending.kind == "cut" and len(short.asks) <= (lane.cap or LONGEST_CAP):
        return trace_of(lesson, name, lane.checked, lesson.language).ending
    return short.ending


def run_lane(
    lesson: Lesson,
    lane: Lane,
    checked: bool,
    lang: str,
    decisions: Decisions = (),
    watch: bool = False,
    most_steps: int | None = None,
) -> Trace:
    """A lane on its lesson; not kept. `replace(lane, loop=…)` puts any other loop in its place."""
    clock = Clock()
    decided = iter(decisions or lane.decisions)
    with workspace_of(lesson, lane, lang) as workspace:
        offer = _offer(lane, workspace, clock, helper_of(lesson, lang, workspace, clock))
        tools: Runner = TimedRunner(offer, lesson.script(lang), clock)
        return record(
            loops()[lane.loop].run,
            lane.task(lang),
            server_of(lesson, lane, checked, lang, offer, clock),
            Guard(tools, lane.guard) if lane.guard else tools,
            max_turns=lane.cap,
            right=lambda answer: lesson.right(answer, lang),
            decide=lambda call: next(decided, ""),
            watch=watch,
            clock=clock,
            prices=Prices(lane.model, SCRIPTED_AT),
            most_steps=most_steps,
        )


def helper_of(lesson: Lesson, lang: str, workspace: Path, clock: Clock) -> AskHelper | None:
    """What runs the lesson's helper agent on a task, in the workspace of the agent that asks it. A
    helper has no helper."""
    lane = lesson.helper
    if lane is None:
        return None

    def ask(task: str) -> Helped:
        offer = _offer(lane, workspace, clock, None)
        trace = record(
            loops()[lane.loop].run,
            task,
            server_of(lesson, lane, lane.checked, lang, offer, clock),
            TimedRunner(offer, lesson.script(lang), clock),
            max_turns=lane.cap,
            right=lambda answer: lesson.right(answer, lang),
            clock=clock,
            prices=Prices(lane.model, SCRIPTED_AT),
        )
        return Helped(lane.loop, trace)

    return ask


def _offer(lane: Lane, workspace: Path, clock: Clock, helper: AskHelper | None) -> Offer:
    """The harness of one run of a lane."""
    handling = replace(lane.handling, helper=helper)
    return Offer(Harness(workspace, lane.tools, TOOLS, handling, clock, lane.policy))


def workspace_of(lesson: Lesson, lane: Lane, lang: str) -> AbstractContextManager[Path]:
    """The folder that tools see: the lesson's own, or a copy of it where a tool may write."""
    asked = {call.tool for reply in lesson.spec.script for call in reply.calls}
    writes = any(TOOLS[name].writes for name in {*lane.tools, *asked} if name in TOOLS)
    original = lesson.workspace(lang, lane.workspace)
    links, folder = lane.policy.links, lane.policy.folder
    if writes or links:
        return scratch(original, {str(Path(folder, name)): to for name, to in links.items()})
    return nullcontext(original)


def server_of(
    lesson: Lesson, lane: Lane, checked: bool, lang: str, offer: Offer, clock: Clock
) -> ScriptedServer:
    """The lesson's script behind the rules, with what the lane supplies to each request."""

    def tools(messages: Any) -> Sequence[Json]:
        return (*offer.schemas(messages), *lane.server_tools)

    more: dict[str, Any] = {"betas": lane.betas}
    speaks: Callable[..., ScriptedServer] = ScriptedServer
    if loops()[lane.loop].dialect == "openai":
        speaks, more = ChatServer, {"functions": lane.functions}
    return speaks(
        script=lesson.script(lang),
        checked=checked,
        tools=tools,
        system=lane.system(lang),
        model=lane.model,
        max_tokens=lesson.spec.max_tokens,
        more=lane.request,
        clock=clock,
        **more,
    )


def asked_of(request: Json, loop: str) -> Json:
    """A request as its script reads it: in the words of the Messages API."""
    return request if loops()[loop].dialect != "openai" else to_anthropic(from_older(request)).body


def unreachable(lesson: Lesson) -> LessonFault | None:
    """The first scripted reply that no shipped loop can reach, checked or not: nobody sees it."""
    script = lesson.script(lesson.language)
    reached: set[int | None] = set()
    options = {repr(replace(lane, name="", loop="", checked=True)): lane for lane in lesson.lanes}
    others = (replace(lane, loop=loop) for lane in options.values() for loop in loops())
    for lane in chain(lesson.lanes, others):  # the lesson's own lanes reach nearly all
        for checked in (True, False):
            for decisions in _decisions(lane):
                trace = run_lane(lesson, lane, checked, lesson.language, decisions)
                reached |= {choose(script, asked) for asked in _answered(lane, trace)}
                if len(reached) == len(script):
                    return None
    number = next(n for n in range(len(script)) if n not in reached)
    said = Said(
        "no loop can reach this reply; change its %(key)s, or leave the reply out", key="when"
    )
    return lesson.fault(said, "script", number)


def _answered(lane: Lane, trace: Trace) -> Iterator[Json]:
    """The requests of a run that got a reply, as their script reads them; a helper's too."""
    helpers = {id(s.run): (s.run, s.loop) for s in trace.steps if isinstance(s, Helper)}
    for run, loop in [(trace, lane.loop), *helpers.values()]:
        for ask in run.asks[: sum(isinstance(step, Reply) for step in run.steps)]:
            yield asked_of(run.request(ask), loop)


def _decisions(lane: Lane) -> Sequence[Decisions]:
    """What a person may decide in a lane, as far as a lesson can tell them apart."""
    return ((APPROVE,) * ALIKE, (DENY,) * ALIKE) if lane.policy.approve else ((),)


def misplaced(lesson: Lesson) -> LessonFault | None:
    """The first prediction about a step that its lane never reaches: nobody is asked."""
    for n, asked in enumerate(lesson.spec.predictions):
        lane = lesson.lane(asked.lane)
        for checked in (True, False) if asked.checked is None else (asked.checked,):
            # A loop without an end is run as far as the question.
            most = STEPS_OF_A_TURN * (asked.turn + 1)
            steps = run_lane(lesson, lane, checked, lesson.language, most_steps=most).steps
            turns = [step for step in steps if step.turn == asked.turn]
            if any(step.kind == asked.kind for step in turns):
                continue
            where, found = "turn", Said("it ends in turn %(turn)s", turn=steps[-1].turn)
            if turns:
                kinds = ", ".join(dict.fromkeys(step.kind for step in turns))
                where, found = "kind", Said("its steps there: %(kinds)s", kinds=kinds)
            absent = Said(
                "lane %(lane)s has no %(kind)s in turn %(turn)s",
                lane=lane.name,
                kind=asked.kind,
                turn=asked.turn,
            )
            words = {"absent": absent, "found": found}
            said = Said("%(absent)s on a server that does not check; %(found)s", **words)
            if checked:
                said = Said("%(absent)s on a server that checks; %(found)s", **words)
            return lesson.fault(said, "predictions", n, where)
    return None


def misfit(lesson: Lesson) -> LessonFault | None:
    """What running a lesson shows to be wrong with it: a reply or a question nobody can see."""
    return unreachable(lesson) or misplaced(lesson)


def library(folders: Sequence[Path]) -> Library:
    """The lessons of some folders; one with a reply or a question nobody sees counts as faulty.

    The same folders give the same library, which reads again only what has changed.
    """
    return _library(tuple(folders))


@lru_cache(maxsize=KEPT_LIBRARIES)
def _library(folders: tuple[Path, ...]) -> Library:
    return Library(folders, _judged, _read)


def _judged(lesson: Lesson) -> LessonFault | None:
    """The shipped lessons are judged by the tests, others as they are read."""
    return None if lesson.folder.parent == SCENARIOS else misfit(lesson)

"""What a person orders when a run starts, and what of it is allowed."""

from collections.abc import Sequence
from dataclasses import dataclass

from app.engine.steps import Json
from app.harness import TOOLS
from app.lessons import Lesson, UnknownLane
from app.said import Said, quoted
from app.settings import Settings
from app.source import loops

FOLDER_TOOLS = ("list_files", "read_file", "search_text")  # of a task of one's own
GRANTS = {"write_file": "--allow-write", "bash": "--allow-bash"}  # with the option for each
MOST_TASK = 20_000  # characters
MOST_NAME = 120
MOST_TOKENS = 128_000
# for a task of one's own, where nothing else is said
OWN_LOOP = "every_stop_reason"
OWN_TOKENS = 2_048
OWN_TURNS = 20


class BadOrder(ValueError):
    """An order that cannot be carried out; the message is one sentence."""


@dataclass(frozen=True)
class Order:
    """How to start a run. `lesson` is None for a task of one's own, which any loop may run; `stops`
    ends the run where the environment of a tool fails for good."""

    lesson: Lesson | None
    lane: str
    task: str
    model: str
    max_tokens: int
    system: str
    tools: tuple[str, ...]
    cap: int
    stream: bool = True
    lang: str = "en"
    stops: bool = False

    @property
    def loop(self) -> str:
        """The name of the loop. Raises BadOrder."""
        try:
            name = self.lesson.lane(self.lane).loop if self.lesson else self.lane
        except UnknownLane as unknown:
            raise BadOrder(unknown.args[0]) from unknown
        if name not in loops():
            raise BadOrder(
                Said(
                    "There is no loop %(loop)s; there are %(known)s.",
                    loop=quoted(name),
                    known=", ".join(loops()),
                )
            )
        if not speaks(name):
            raise BadOrder(
                Said(
                    "The loop %(loop)s speaks chat completions; a real call goes to the Messages"
                    " API.",
                    loop=name,
                )
            )
        return name

    @property
    def name(self) -> str:
        """What the run is called until a person gives it a name."""
        if self.lesson:
            return f"{self.lesson.title(self.lang)} · {self.lane}"[:MOST_NAME]
        return self.task.strip().partition("\n")[0][:MOST_NAME]


def speaks(loop: str) -> bool:
    """Whether a loop speaks the API that a real call goes to."""
    return loops()[loop].dialect == "anthropic"


def checked_order(order: Order, settings: Settings, folder_tools: Sequence[str]) -> Json:
    """The settings of the run; `folder_tools` are those of a task of one's own. Raises BadOrder."""
    loop = order.loop
    if not order.task.strip():
        raise BadOrder(Said("A task is missing; write what the agent is to do."))
    if len(order.task) > MOST_TASK:
        said = "The task is too long: %(number)s characters; it may have %(most)s."
        raise BadOrder(Said(said, number=len(order.task), most=MOST_TASK))
    if len(order.system) > MOST_TASK:
        said = "The system text is too long: %(number)s characters; it may have %(most)s."
        raise BadOrder(Said(said, number=len(order.system), most=MOST_TASK))
    if not order.model.strip() or len(order.model) > 200:
        raise BadOrder(
            Said("The name of a model is missing, such as %(example)s.", example="claude-opus-5")
        )
    if not 1 <= order.max_tokens <= MOST_TOKENS:
        raise BadOrder(
            Said("%(key)s is a number from 1 to %(most)s.", key="max_tokens", most=MOST_TOKENS)
        )
    if not 1 <= order.cap <= settings.live_turns:
        raise BadOrder(
            Said("The cap on turns is a number from 1 to %(most)s.", most=settings.live_turns)
        )
    _tools(order, folder_tools)
    return {
        "loop": loop,
        "task": order.task,
        "lang": order.lang,
        "system": order.system,
        "tools": list(order.tools),
        "max_tokens": order.max_tokens,
        "cap": order.cap,
        "stream": order.stream,
        "stops": order.stops,
        "lane_keys": order.lesson is not None,
    }


def offered(lesson: Lesson | None, folder_tools: Sequence[str]) -> Sequence[str]:
    """The tools that a run may be given; `folder_tools` are those of a task of one's own."""
    if lesson is not None:
        return [tool for tool in TOOLS if any(tool in lane.tools for lane in lesson.lanes)]
    return folder_tools


def _tools(order: Order, folder_tools: Sequence[str]) -> None:
    known = offered(order.lesson, folder_tools)
    unknown = [tool for tool in order.tools if tool not in known]
    if not unknown:
        return
    if order.lesson is None and unknown[0] in GRANTS and known:
        said = "%(tool)s needs a server that was started with %(option)s."
        raise BadOrder(Said(said, tool=unknown[0], option=GRANTS[unknown[0]]))
    if order.lesson is None and not known:
        raise BadOrder(
            Said(
                "There is no folder for tools; start with %(command)s.",
                command="halqa serve --workspace DIR",
            )
        )
    raise BadOrder(
        Said(
            "There is no tool %(tool)s here; there are %(known)s.",
            tool=quoted(unknown[0]),
            known=", ".join(known),
        )
    )

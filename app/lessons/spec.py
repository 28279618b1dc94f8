"""The shape of a lesson file."""

from math import inf
from typing import Annotated, Any, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field
from pydantic_core import PydanticCustomError

from app.harness.results import CEILING

OWN = ""  # the key of a text written in the lesson's own language

NO_TEXT = "no_text"  # the kind of fault where something else stands in a text's place


def _text(value: Any) -> Any:
    """A text as one per language."""
    given = {OWN: value} if isinstance(value, str) else value
    if not (isinstance(given, dict) and all(isinstance(text, str) for text in given.values())):
        raise PydanticCustomError(NO_TEXT, "no text")
    return given


Text = Annotated[dict[str, str], BeforeValidator(_text)]


# The name of a beta header: it stands in a header, and in a command to copy.
Beta = Annotated[str, Field(pattern=r"^[A-Za-z0-9._-]+$")]
Cap = Annotated[int | None, Field(ge=1, le=200)]  # the most turns


class _Part(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, populate_by_name=True)


class Call(_Part):
    """A call of the script; `as` names its result in conditions and texts.

    `seconds` is how long it takes on a lesson's clock.
    """

    tool: str
    input: dict[str, Any] = {}
    may_be_empty: bool = False  # an empty result answers it too
    label: str = Field("", alias="as", pattern=r"^([a-z][a-z0-9_]*)?$")
    seconds: float = Field(0.25, ge=0, le=86_400)
    unoffered: bool = False  # the model makes it whether or not its tool is offered


class Condition(_Part):
    """What must be true of a call's result: it holds a text, lacks one, or is the larger number.

    Or of the request: its `max_tokens` is under a number, it offers a tool, or its `system`, its
    `task` or a system message in its list (`told`) holds a text.
    """

    result: str = ""
    max_tokens_under: int | None = None
    offers: str | None = None
    described: str = ""  # the tool that is offered, in English
    system: Text | None = None
    task: Text | None = None
    told: str | None = None  # in English, as the harness tells it
    contains: Text | None = None
    lacks: Text | None = None
    more_than: str | None = None


class SaidReply(_Part):
    """A reply of the script: thinking, `lead`, text, `blocks`, calls; and when it fits.

    `summary` is what a compaction block says; `lead` and `blocks` stand as they are, such as a
    server's own call and its result. One that is said `again` comes as long as its conditions hold;
    `seconds` is how long it takes.
    """

    thinking: Text | None = None
    summary: Text = {}
    lead: list[dict[str, Any]] = []
    text: Text = {}
    blocks: list[dict[str, Any]] = []
    calls: list[Call] = []
    when: list[Condition] = []
    stop_reason: str = ""
    stop_sequence: str | None = None
    stop_details: dict[str, Any] | None = None
    again: bool = False
    seconds: float = Field(2, ge=0, le=86_400)


LinkName = Annotated[str, Field(pattern=r"^[A-Za-z0-9_][A-Za-z0-9_.-]*$")]


class HarnessSpec(_Part):
    """The rules of a harness: see app.harness.policy."""

    unchecked: list[Literal["exists", "parameters", "given", "inside"]] = []
    read_only: bool = False
    folder: str = ""
    links: dict[LinkName, str] = {}
    approve: list[str] = []
    limits: dict[str, dict[str, int]] = {}  # by tool and parameter
    after: dict[str, str] = {}
    until: dict[str, str] = {}
    narrows: Literal["list", "calls", "message", "removal"] = "list"
    descriptions: dict[str, str] = {}  # English, as the tools' own


class TroubleSpec(_Part):
    """Something that goes wrong with a tool, simulated: see app.harness.trouble.

    Seconds are those of the run's clock; `said` is what the harness hears of it.
    """

    tool: str
    kind: Literal["outage", "latency", "answer_lost"]
    since: float = Field(0.0, ge=0)
    until: float = Field(inf, gt=0)
    seconds: float = Field(1.0, ge=0, le=3_600)
    said: str = "it cannot be reached"


class ResultsSpec(_Part):
    """The form of results: see app.harness.results.Form."""

    look: Literal["words", "json", "raw", "own"] = "words"
    announced: bool = True
    lines: int | None = Field(None, ge=1)
    ceiling: int = Field(CEILING, ge=500, le=100_000)


class HandlingSpec(_Part):
    """How calls are carried out once they are allowed: see app.harness.calls.Handling."""

    retry: Literal["never", "safe", "ask", "always"] = "safe"
    stops: bool = False
    troubles: list[TroubleSpec] = []
    hooks: dict[str, list[str]] = {}  # by the tool after whose calls they run
    results: ResultsSpec = ResultsSpec()


class Truth(_Part):
    """What is true of a lane on a server that checks requests, and on one that does not."""

    checked: Text = {}
    unchecked: Text = {}


class LaneSpec(_Part):
    """A loop with its options. `name` is the loop's where it is left out; `task`, `model`,
    `system`, `cap` and `workspace` are the lesson's.

    `request` are further keys of the body, beside those of the lesson, and `betas` the beta headers
    sent with it; `functions` offers the tools in the older form of chat completions. `harness`
    stands in place of the lesson's, and so does each key of `handling`; a `guard` keeps the agent
    from making the same call again and again, see app.harness.repeats; `decisions` are a person's,
    in the order in which they are asked.
    """

    loop: str
    name: str = Field("", pattern=r"^[a-z0-9_-]*$")
    checked: bool = True
    task: Text | None = None
    tools: list[str] | None = None
    server_tools: list[dict[str, Any]] = []  # run by the API itself; only declared here
    model: str = ""
    system: Text | None = None
    cap: Cap = None
    workspace: str = ""
    guard: Literal["", "name", "call", "result"] = ""  # what makes two calls the same
    request: dict[str, Any] = {}
    betas: list[Beta] = []
    functions: bool = False
    harness: HarnessSpec | None = None
    decisions: list[Literal["approve", "deny"]] = []
    handling: HandlingSpec = HandlingSpec()
    truth: Truth = Truth()


class Option(_Part):
    """One answer to a prediction, with the reason it is right or wrong."""

    text: Text
    reason: Text
    right: bool = False


class Prediction(_Part):
    """A question asked before a step is shown: the first of its kind in that turn of that lane.

    `checked` is the position of the server's switch that it is asked in; both where left out.
    """

    lane: str
    turn: int = Field(ge=0)
    kind: Literal["ask", "reply", "append", "wait", "helper", "tool", "end"]
    checked: bool | None = None
    ask: Text
    options: list[Option] = Field(min_length=2, max_length=4)


class Card(_Part):
    """A question to look back with, and its answer."""

    question: Text
    answer: Text


class Myth(_Part):
    """What many believe, and what is so."""

    myth: Text
    truth: Text


class Spec(_Part):
    """A whole lesson file."""

    number: int | None = Field(None, ge=1)
    language: str = Field("en", pattern=r"^[a-z]{2,3}$")
    title: Text
    point: Text = {}
    about: Text = {}
    task: Text
    tools: list[str] = []
    helper: str = ""  # the lane whose agent ask_helper asks
    harness: HarnessSpec = HarnessSpec()
    handling: HandlingSpec = HandlingSpec()
    request: dict[str, Any] = {}  # further keys of the body, such as stop_sequences
    cap: Cap = None
    system: Text | None = None
    model: str = "claude-opus-5"
    max_tokens: int = Field(1024, ge=1)
    workspace: str = "workspace"
    lanes: list[LaneSpec] = Field(min_length=1)
    shown: list[str] = Field([], max_length=4)
    see: Literal["", "failures", "stop-reasons"] = ""  # the page that goes on from it
    script: list[SaidReply] = Field(min_length=1)
    right: Text = {}
    predictions: list[Prediction] = []
    recap: list[Card] = Field([], min_length=3, max_length=5)  # none at all where it is left out
    myth: Myth | None = None


KEYS = sorted(
    {
        field.alias or name
        for part in _Part.__subclasses__()
        for name, field in part.model_fields.items()
    }
)

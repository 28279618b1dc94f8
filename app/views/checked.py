"""A request that somebody pasted, judged: the verdict, and each fault at its place."""

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import takewhile

from app.engine.rules import check, dialect_of
from app.engine.steps import Fault, Json
from app.views.marked import ABSENT, WRONG, Line, Mark, Path, reached
from app.views.requests import Entry, entry, envelope, messages_of

MOST_FINDINGS = 60
FIRST, AROUND, LAST = 24, 1, 3  # messages shown at the begin, about a fault, and at the end
MOST_MESSAGES = 200
REQUEST = "envelope"  # the anchor of what is no message

FIELD_REQUIRED = ": Field required"  # how the API names a key that is missing
UNANSWERED = ("A40", "A41")  # a result belongs at the begin of the message

_QUOTED = re.compile(r"'(messages\[[\w.\[\]]*)'")  # how OpenAI names a place
_BRACKETS = re.compile(r"\[(\d+)\]")
_INDEX = re.compile(r"[0-9]{1,9}")


@dataclass(frozen=True)
class Options:
    """How a request is judged: a dialect that is "" is guessed, a model that is "" is its own;
    `betas` are the beta headers that are sent with it."""

    dialect: str = ""
    model: str = ""
    betas: tuple[str, ...] = ()
    strict: bool = False


@dataclass(frozen=True)
class Finding:
    """A fault with the number it has on the page; `anchor` is the element that it is about, and
    `after` that of the next finding elsewhere, or ""."""

    number: int
    fault: Fault
    anchor: str
    after: str


@dataclass(frozen=True)
class Shown:
    """A message with what was found there; `before` and `after` are its neighbours on the page,
    `next_fault` the next place with a fault; "" where there is none."""

    entry: Entry
    findings: tuple[Finding, ...]
    before: str
    after: str
    next_fault: str
    skipped: int  # messages that are left out before it


@dataclass(frozen=True)
class Answer:
    """A judged request. `mild` tells that only strict alternation refuses it."""

    dialect: str
    guessed: bool
    model: str
    betas: tuple[str, ...]
    strict: bool
    mild: bool
    refusals: int
    warnings: int
    unjudged: int
    findings: tuple[Finding, ...]
    more: int
    count: int
    envelope: tuple[Line, ...]
    about_request: tuple[Finding, ...]
    messages: tuple[Shown, ...]
    twice: tuple[str, ...]

    @property
    def refused(self) -> bool:
        return self.refusals > 0

    @property
    def first(self) -> Fault:
        """The fault that decides. Raises IndexError where there is none."""
        return self.findings[0].fault

    @property
    def begin(self) -> str:
        """Where stepping begins: the first message with a fault, else the first; "" for none."""
        faulty = next((shown.findings[0].anchor for shown in self.messages if shown.findings), "")
        return faulty or ("m-0" if self.messages else "")


def answer_to(request: Json, options: Options, twice: Sequence[str] = ()) -> Answer:
    """Judge a request and lay it out with its faults."""
    if options.model:
        request = {**request, "model": options.model}
    dialect = options.dialect or dialect_of(request)
    strict = options.strict and dialect == "anthropic"
    betas = options.betas if dialect == "anthropic" else ()
    faults = check(request, dialect, betas=betas, strict_alternation=strict)
    counts = {
        effect: sum(fault.effect == effect for fault in faults)
        for effect in ("refuse", "warn", "not judged")
    }
    messages = messages_of(request)
    kept = faults[:MOST_FINDINGS]
    places = [place_of(_where(fault), request) for fault in kept]
    findings = _findings(kept, [_anchor(path) for path in places])
    marks: dict[Path, Mark] = {}
    for path, fault in zip(places, kept, strict=True):
        if fault.effect == "refuse":
            for at, mark in _marks(request, path, fault):
                marks.setdefault(at, mark)
    return Answer(
        dialect=dialect,
        guessed=not options.dialect,
        model=request["model"] if isinstance(request.get("model"), str) else "",
        betas=betas,
        strict=strict,
        mild=strict and counts["refuse"] > 0 and not _refused(request, dialect, betas),
        refusals=counts["refuse"],
        warnings=counts["warn"],
        unjudged=counts["not judged"],
        findings=findings,
        more=len(faults) - len(kept),
        count=len(messages),
        envelope=envelope(request, marks),
        about_request=tuple(f for f in findings if f.anchor == REQUEST),
        messages=_messages(messages, dialect, marks, findings),
        twice=tuple(twice[:5]),
    )


def _refused(request: Json, dialect: str, betas: Sequence[str]) -> bool:
    return any(fault.effect == "refuse" for fault in check(request, dialect, betas=betas))


def _where(fault: Fault) -> str:
    """The dotted place of a fault; the API's own message may name it more closely."""
    path, colon, _ = fault.api.partition(": ")
    if quoted := _QUOTED.search(fault.api):
        path, colon = _BRACKETS.sub(r".\1", quoted[1]), ":"
    return path if colon and path.startswith(fault.where) else fault.where


def _marks(request: Json, path: Path, fault: Fault) -> Iterator[tuple[Path, Mark]]:
    """What to mark in a request: what is wrong, or what is missing where it belongs."""
    end, value = reached(request, path)
    if fault.api.endswith(FIELD_REQUIRED) and len(path) == len(end) + 1:
        yield path, Mark(ABSENT, str(path[-1]))
    elif len(end) == 2 and end[0] == "messages":
        # A fault of a whole message is told beside it: a mark at all of it would say no more.
        content = value.get("content") if isinstance(value, dict) else None
        if fault.rule in UNANSWERED and isinstance(content, list):
            answers = takewhile(lambda block: _is_result(block), content)
            yield (*end, "content", sum(1 for _ in answers)), Mark(ABSENT, "tool_result")
    elif end:
        yield end, Mark(WRONG)


def _is_result(block: object) -> bool:
    return isinstance(block, dict) and block.get("type") == "tool_result"


def place_of(where: str, request: Json) -> Path:
    """The path that a dotted place names. The API puts a block's type into it: `content.0.text`
    may be the block's key or its type."""
    path: list[str | int] = []
    value: object = request
    for part in where.split(".") if where else ():
        if isinstance(value, list) and _INDEX.fullmatch(part) and int(part) < len(value):
            path.append(int(part))
            value = value[int(part)]
        elif isinstance(value, dict) and part in value:
            path.append(part)
            value = value[part]
        elif isinstance(value, dict) and value.get("type") == part:
            continue
        else:
            path.append(part)
            break
    return tuple(path)


def _anchor(path: Path) -> str:
    if len(path) > 1 and path[0] == "messages" and isinstance(path[1], int):
        return f"m-{path[1]}"
    return REQUEST


def _findings(faults: Sequence[Fault], anchors: Sequence[str]) -> tuple[Finding, ...]:
    found = []
    for n, (fault, anchor) in enumerate(zip(faults, anchors, strict=True)):
        after = next((other for other in anchors[n + 1 :] if other != anchor), "")
        found.append(Finding(n + 1, fault, anchor, after))
    return tuple(found)


def _messages(
    messages: Sequence[object],
    dialect: str,
    marks: Mapping[Path, Mark],
    findings: Sequence[Finding],
) -> tuple[Shown, ...]:
    here: dict[int, list[Finding]] = defaultdict(list)
    for finding in findings:
        if finding.anchor != REQUEST:
            here[int(finding.anchor.removeprefix("m-"))].append(finding)
    kept = _kept(len(messages), here)
    shown = []
    for n, index in enumerate(kept):
        after = kept[n + 1] if n + 1 < len(kept) else None
        fault = next((other for other in kept[n + 1 :] if other in here), None)
        shown.append(
            Shown(
                entry=entry(index, messages[index], dialect, marks),
                findings=tuple(here.get(index, ())),
                before=f"m-{kept[n - 1]}" if n else "",
                after="" if after is None else f"m-{after}",
                next_fault="" if fault is None else f"m-{fault}",
                skipped=index - (kept[n - 1] + 1 if n else 0),
            )
        )
    return tuple(shown)


def _kept(count: int, faulty: Mapping[int, object]) -> list[int]:
    """The messages that are shown of many: the first, the last, those about a fault."""
    if count <= FIRST + LAST + 1:
        return list(range(count))
    kept = {*range(FIRST), *range(count - LAST, count)}
    for index in faulty:
        kept |= set(range(max(0, index - AROUND), min(count, index + AROUND + 1)))
    return sorted(kept)[:MOST_MESSAGES]

"""A request that somebody pasted, judged: the verdict, and each fault at its place."""

import re
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from app.engine.rules import check, dialect_of
from app.engine.steps import Fault, Json
from app.views.marked import Line, Mark, Path, reached
from app.views.requests import Entry, entry, envelope, messages_of

MOST_FINDINGS = 60
FIRST, AROUND, LAST = 24, 1, 3  # messages shown at the begin, about a fault, and at the end
MOST_MESSAGES = 200
REQUEST = "request"  # the anchor of what is no message

_INDEX = re.compile(r"[0-9]{1,9}")


@dataclass(frozen=True)
class Options:
    """How a request is judged: a dialect that is "" is guessed, a model that is "" is its own."""

    dialect: str = ""
    model: str = ""
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


def answer_to(request: Json, options: Options, twice: Sequence[str] = ()) -> Answer:
    """Judge a request and lay it out with its faults."""
    if options.model:
        request = {**request, "model": options.model}
    dialect = options.dialect or dialect_of(request)
    strict = options.strict and dialect == "anthropic"
    faults = check(request, dialect, strict_alternation=strict)
    counts = {
        effect: sum(fault.effect == effect for fault in faults)
        for effect in ("refuse", "warn", "not judged")
    }
    messages = messages_of(request)
    kept = faults[:MOST_FINDINGS]
    places = [place_of(fault.where, request) for fault in kept]
    findings = _findings(kept, [_anchor(path) for path in places])
    marks: dict[Path, Mark] = {}
    for path, fault in zip(places, kept, strict=True):
        if fault.effect == "refuse" and path:
            end, mark = reached(request, path)
            # A fault of a whole message is told beside it: a mark at all of it would say no more.
            if len(end) != 2 or end[0] != "messages":
                marks.setdefault(end, mark)
    return Answer(
        dialect=dialect,
        guessed=not options.dialect,
        model=request["model"] if isinstance(request.get("model"), str) else "",
        strict=strict,
        mild=strict and counts["refuse"] > 0 and not _refused(request, dialect),
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


def _refused(request: Json, dialect: str) -> bool:
    return any(fault.effect == "refuse" for fault in check(request, dialect))


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

"""The rules of the real APIs as pages: all of them, one of them whole, what the APIs forgive."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import groupby

from app.engine.rules import RULES, Check, Rule, check
from app.engine.rules.rule import EFFECTS
from app.engine.steps import Ask, End, Trace
from app.lessons import Lesson
from app.said import Said, quoted
from app.views.addresses import Choice, Place, View, address, listed
from app.views.pair import Side, Sign, dialect_of, pair_of
from app.views.sources import Source, source_of

APIS = ("anthropic", "openai")
WAYS = tuple(effect.replace(" ", "-") for effect in EFFECTS)  # effects as addresses write them

# The group of a rule by the begin of its number, in the order of the pages.
GROUPS = {
    "A0": "body",
    "A1": "roles",
    "A2": "content",
    "A3": "tools",
    "A4": "pairing",
    "A5": "pairing",
    "A6": "thinking",
    "A7": "server tools",
    "O": "chat completions",
}
_BRACES = re.compile(r"\{\w+\}")


class UnknownRule(LookupError):
    """No rule of that number; the message lists those that exist."""

    def __init__(self, number: str) -> None:
        super().__init__(
            Said(
                "There is no rule %(rule)s. The rules: %(known)s.",
                rule=quoted(number),
                known=listed(list(RULES)),
            )
        )
        self.number = number


def rule_named(number: str) -> Rule:
    """The rule of a number. Raises UnknownRule."""
    if number not in RULES:
        raise UnknownRule(number)
    return RULES[number]


# --- all rules


@dataclass(frozen=True)
class Filter:
    """One position of a filter; `name` is "" where it lets all through."""

    name: str
    page: str
    current: bool


@dataclass(frozen=True)
class Group:
    name: str
    rules: tuple[Rule, ...]


@dataclass(frozen=True)
class Listed:
    """The rules that the filters let through, by group."""

    groups: tuple[Group, ...]
    count: int
    apis: tuple[Filter, ...]
    ways: tuple[Filter, ...]


def list_of_rules(api: str, way: str, lang: str, theme: str = "") -> Listed:
    """All rules, or those of one API (of APIS) or one effect (of WAYS)."""
    view = {"lang": lang, "theme": theme}
    shown = [
        rule
        for rule in RULES.values()
        if (not api or dialect_of(rule) == api)
        and (not way or rule.effect == way.replace("-", " "))
    ]
    groups = [Group(name, tuple(rules)) for name, rules in groupby(shown, key=group_of)]
    return Listed(
        groups=tuple(groups),
        count=len(shown),
        apis=tuple(
            Filter(one, address("/rules", api=one, effect=way, **view), one == api)
            for one in ("", *APIS)
        ),
        ways=tuple(
            Filter(one, address("/rules", api=api, effect=one, **view), one == way)
            for one in ("", *WAYS)
        ),
    )


def group_of(rule: Rule) -> str:
    """The group that a rule belongs to."""
    return next(group for begin, group in GROUPS.items() if rule.number.startswith(begin))


# --- one rule


@dataclass(frozen=True)
class CheckShown:
    """A check of a rule; `api` is the API's wording, as the refused example gets it."""

    check: Check
    api: str


@dataclass(frozen=True)
class Scene:
    """A lane that breaks a rule, at the very step."""

    number: int
    title: str
    lane: str
    effect: str
    page: str


Scenes = Mapping[str, tuple[Scene, ...]]  # by the number of the rule


@dataclass(frozen=True)
class Shown:
    """A rule with all that its page shows; `before` and `after` are its neighbours' numbers."""

    rule: Rule
    api: str
    group: str
    said: tuple[CheckShown, ...]
    pair: tuple[Side, ...]
    sources: tuple[Source, ...]
    scenes: tuple[Scene, ...]
    before: str
    after: str


def shown_rule(rule: Rule, scenes: Iterable[Scene]) -> Shown:
    """A rule's page; `scenes` are those of this rule."""
    numbers = list(RULES)
    at = numbers.index(rule.number)
    return Shown(
        rule=rule,
        api=dialect_of(rule),
        group=group_of(rule),
        said=tuple(CheckShown(one, wording(rule, one)) for one in rule.checks),
        pair=pair_of(rule),
        sources=tuple(source_of(name) for name in rule.sources),
        scenes=tuple(scenes),
        before=numbers[at - 1] if at else "",
        after=numbers[at + 1] if at + 1 < len(numbers) else "",
    )


def wording(rule: Rule, one: Check) -> str:
    """The identifying part of the API's message for a check, with … where it depends on the
    request; as the refused example gets it where that breaks this very check. "" where it is not
    known."""
    if rule.refused is not None:
        first = check(rule.refused, dialect_of(rule))[0]
        if (first.rule, first.sentence) == (rule.number, one.sentence):
            return first.api
    api = _BRACES.sub("…", one.api)
    return api if re.search(r"\w", api) else ""


def scenes_of(runs: Iterable[tuple[Lesson, Choice, Trace]], view: View, lang: str) -> Scenes:
    """Where lessons show each rule, found in the recorded traces; the first place in each lane."""
    found: dict[str, dict[tuple[str, str], Scene]] = {}
    for lesson, choice, trace in runs:
        place = Place(lesson, (choice,), 0, view, "", lang)
        for number, step in enumerate(trace.steps):
            if isinstance(step, Ask):
                faults = [fault for fault in step.faults if fault.effect == "warn"]
            elif isinstance(step, End):
                faults = [fault for fault in step.ending.faults if fault.effect == "refuse"]
            else:
                continue
            for fault in faults:
                scene = Scene(
                    number=lesson.number,
                    title=lesson.title(lang),
                    lane=choice.lane,
                    effect=fault.effect,
                    page=place.at(number).page,
                )
                found.setdefault(fault.rule, {}).setdefault((lesson.slug, choice.lane), scene)
    return {rule: tuple(scenes.values()) for rule, scenes in found.items()}


# --- what the APIs forgive


@dataclass(frozen=True)
class Belief:
    """What people believe is refused, what is true, and the signs of an accepted request."""

    rule: Rule
    api: str
    truths: tuple[str, ...]
    strip: tuple[Sign, ...]


def beliefs() -> tuple[Belief, ...]:
    """All wrong beliefs that the rules name, those that are wholly wrong first."""
    found = []
    for rule in RULES.values():
        if rule.believed:
            pair = pair_of(rule)
            found.append(
                Belief(
                    rule=rule,
                    api=dialect_of(rule),
                    truths=tuple(one.sentence for one in rule.checks if one.effect == "accept"),
                    strip=pair[0].strip if pair else (),
                )
            )
    return tuple(sorted(found, key=lambda belief: belief.rule.effect != "accept"))

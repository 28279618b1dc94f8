"""Collects the faults of one request."""

from collections.abc import Mapping

from app.engine.rules.rule import Rule
from app.engine.steps import Fault

MOST = 20_000  # faults of one kind that are kept: a hostile request could hold any number
LONGEST = 80  # characters of the request's own text quoted in a fault


class Findings:
    """The faults found so far; each names a check of a table of rules."""

    def __init__(self, rules: Mapping[str, Rule]) -> None:
        self._rules = rules
        self._refusals: list[Fault] = []
        self._others: list[Fault] = []
        self._named: set[str] = set()

    def add(self, number: str, check: str, where: str, **words: str) -> None:
        """Note a fault at a dotted path; `words` fill the braces of the API's message."""
        self._named.add(number)
        rule = self._rules[number]
        row = rule.check(check)
        found = self._refusals if row.effect == "refuse" else self._others
        if len(found) == MOST:
            return
        fault = Fault(
            rule=number,
            effect=row.effect,
            where=where,
            sentence=row.sentence,
            api=_filled(row.api, words),
            certainty=row.certainty or rule.certainty,
            status=row.status,
            error=row.error,
        )
        found.append(fault)

    def add_once(self, number: str, check: str, where: str, **words: str) -> None:
        """Note a fault unless this rule has one: for what is said once about a whole request."""
        if number not in self._named:
            self.add(number, check, where, **words)

    @property
    def refused(self) -> bool:
        """Whether a fault so far refuses the request."""
        return bool(self._refusals)

    @property
    def faults(self) -> tuple[Fault, ...]:
        """The refusals in the order found, the first of which decides, then all others."""
        return (*self._refusals, *self._others)


def _filled(api: str, words: Mapping[str, str]) -> str:
    for name, word in words.items():
        api = api.replace("{" + name + "}", shown(word))
    return api


def shown(text: str) -> str:
    """A text of the request, short and printable: it may hold anything."""
    short = text if len(text) <= LONGEST else text[:LONGEST] + "…"
    if short.isprintable():
        return short
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in short)


def path(*parts: str | int) -> str:
    """The dotted path of a place in the request, such as `messages.2.content.0`."""
    return ".".join(str(part) if isinstance(part, int) else shown(part) for part in parts)

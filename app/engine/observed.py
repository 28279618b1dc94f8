"""`messages[]` as it is observed from outside: what a loop did to it, found by content."""

import copy
from dataclasses import dataclass, field
from typing import Any

from app.engine.steps import Json

PLAIN = (str, int, float, bool, type(None))


@dataclass(frozen=True)
class Grown:
    """Entries joined the list: `count` of them, the first at `index`."""

    index: int
    count: int


@dataclass(frozen=True)
class Edited:
    """What stood in the list from `index` on was `before` and is `after`."""

    index: int
    before: tuple[Json, ...]
    after: tuple[Json, ...]


@dataclass
class Observed:
    """The list that is handed to `model.create`, whatever its name.

    `versions` are deep copies of what it held, the last one current; only an edit starts a new one.
    """

    live: Any = None
    refs: list[Any] = field(default_factory=list)  # the very entries it held at the last look
    versions: list[list[Json]] = field(default_factory=lambda: [[]])

    def adopt(self, messages: Any) -> Grown | Edited | None:
        """Watch the list that is sent; one that the loop made anew is compared with the last."""
        if messages is self.live:
            return None
        first, self.live = self.live is None, messages
        if not first:
            return self.look(whole=True)
        self.versions[-1] = copied(list(messages))
        self.refs = list(messages)
        return None

    def same(self) -> bool:
        """Whether the list holds the same entries as at the last look, the last one unchanged."""
        live, kept = self.live, self.versions[-1]
        return live is None or bool(live == self.refs and (not kept or live[-1] == kept[-1]))

    def look(self, whole: bool = False) -> Grown | Edited | None:
        """What became of the list since the last look; None where nothing did.

        The entries' identities tell of everything but a change inside an entry; that is looked
        for in the last one at each statement, and in all of them when the list is sent.
        """
        live, kept = self.live, self.versions[-1]
        if live is None or (live == kept if whole else self.same()):
            return None
        same = len(kept)  # nearly always the list has just grown
        if live[:same] != (kept if whole else self.refs) or (same and live[same - 1] != kept[-1]):
            same = 0
            while same < min(len(live), len(kept)) and live[same] == kept[same]:
                same += 1
        after = copied(list(live[same:]))
        before = kept[same:]
        self.refs = list(live)
        if before:
            self.versions.append(kept[:same] + after)
            while before and after and before[-1] == after[-1]:
                before.pop(), after.pop()
            return Edited(same, tuple(before), tuple(after))
        kept.extend(after)
        return Grown(same, len(after)) if after else None


def copied(value: Any) -> Any:
    """A deep copy. JSON's own types, which is nearly all there is, are copied here: many times
    faster than by `copy.deepcopy`, which is left with the rest."""
    kind = type(value)
    if kind is dict:
        return {key: copied(item) for key, item in value.items()}
    if kind is list:
        return [copied(item) for item in value]
    return value if kind in PLAIN else copy.deepcopy(value)

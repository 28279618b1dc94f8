"""What a conversion gives back, and why a part may have no counterpart."""

from dataclasses import dataclass, field
from typing import Any, NamedTuple

from app.engine.steps import Json

Path = tuple[str | int, ...]

# Why a part has no counterpart. Sources: the types of the packages anthropic 2.14 and openai 3.57.
WHY = {
    "thinking": "Chat completions hold no thinking blocks: the reasoning stays with the server.",
    "is_error": "A tool message has no mark for a failure; only its text can say so.",
    "cache_control": "Chat completions have no cache marks: the server caches by itself.",
    "server tool": "Chat completions have no blocks for tools that the server runs.",
    "block": "Chat completions have no such part.",
    "part": "Messages have no such block.",
    "key": "The other API has no such key.",
    "image": "A tool message holds text only.",
    "split": "Each result is a message of its own there, so that it stands apart cannot be seen.",
    "order": "Text stands before the calls there: what came after them moves up.",
    "pause": "No finish_reason means that the server itself will go on.",
    "reason": "The other API knows no such reason to stop.",
    "stopped by": "The finish_reason stop does not say which text ended the reply.",
    "details": "The other API gives no details of a refusal.",
    "refusal": "In Messages a refusal is a stop_reason, and no part of a message.",
    "legacy": "The older form gives a call no id, and Messages want one.",
    "custom": "The input of a call is an object in Messages, never free text.",
    "arguments": "Arguments must be text in chat completions; in Messages an object is right.",
    "empty": "A list of calls that is empty has no counterpart.",
}


class Lost(NamedTuple):
    """A part of the source that has no counterpart: where it stands, and one of WHY."""

    where: Path
    why: str


class Tie(NamedTuple):
    """Two parts that are the same: where one stands in the source, the other in what was made."""

    here: Path
    there: Path


@dataclass(frozen=True)
class Converted:
    """A request or a reply in the other dialect."""

    body: Json
    lost: tuple[Lost, ...] = ()
    ties: tuple[Tie, ...] = ()


@dataclass
class Work:
    """What a conversion notes on its way."""

    lost: list[Lost] = field(default_factory=list)
    ties: list[Tie] = field(default_factory=list)

    def lose(self, where: Path, why: str) -> None:
        self.lost.append(Lost(where, WHY[why]))

    def tie(self, here: Path, there: Path) -> None:
        self.ties.append(Tie(here, there))

    def lose_keys(self, value: Json, known: tuple[str, ...], where: Path) -> None:
        """Name the keys of an object that are not carried over; one that is null says nothing."""
        for key in value:
            if key not in known and value[key] is not None:
                why = key if key in ("cache_control", "thinking") else "key"
                self.lose((*where, key), why)

    def done(self, body: Json) -> Converted:
        return Converted(body, tuple(self.lost), tuple(self.ties))


def renamed(value: Any, names: dict[str, str]) -> Any:
    """A word in the other dialect; one that it does not know stays."""
    return names.get(value, value) if isinstance(value, str) else value

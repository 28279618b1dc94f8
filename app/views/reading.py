"""A recorded lane with what its pages show of it, made once and not at each step."""

from dataclasses import dataclass, replace
from functools import cached_property
from itertools import accumulate

from markupsafe import Markup

from app.engine.steps import WAITS, Helper, Step, Trace
from app.lessons import Lane, Lesson
from app.source import Loop, loops
from app.views import messages
from app.views.addresses import View
from app.views.chat import Chat
from app.views.controls import Scrubber
from app.views.fates import Fate, fates_of
from app.views.picture import Piece
from app.views.plot import Bytes, Plot
from app.views.sentences import Sentence, sentence
from app.views.source import Code, code_of
from app.views.spent import spent_of
from app.views.terminal import Terminal, terminals_of
from app.views.texts import Words, size_of


@dataclass(frozen=True)
class Reading:
    """A recorded lane with all that its page shows of it; made once for each trace.

    `scripted` is False where real replies were recorded, whose cost is no guess.
    """

    lesson: Lesson
    lane: Lane
    trace: Trace
    words: Words
    lang: str
    scripted: bool = True

    @cached_property
    def loop(self) -> Loop:
        return loops()[self.lane.loop]

    @cached_property
    def code(self) -> Code:
        return code_of(self.lane.loop)

    @cached_property
    def fates(self) -> dict[int, Fate]:
        return fates_of(self.trace)

    @property
    def waits(self) -> bool:
        """Whether the run waits for a person's decision, or for a real call."""
        return self.trace.ending.kind == WAITS

    @cached_property
    def last(self) -> int:
        """The number of the last step."""
        return len(self.trace.steps) - 1

    @cached_property
    def firsts(self) -> list[int]:
        """The number of each turn's first step; turn 0 holds the start alone."""
        firsts = [0]
        for number, step in enumerate(self.trace.steps):
            if step.turn == len(firsts):
                firsts.append(number)
        return firsts

    @cached_property
    def _sizes(self) -> list[list[int]]:
        """For each version of the list: the bytes of its first 0, 1, 2 … messages."""
        return [
            list(accumulate((size_of(message) + 1 for message in kept), initial=1))
            for kept in self.trace.lists
        ]

    def bytes_of(self, step: Step, first: int = 0, end: int | None = None) -> int:
        """The bytes of `messages[first:end]` after a step, as compact JSON."""
        sums = self._sizes[step.version]
        stop = step.length if end is None else end
        return max(2, sums[stop] - sums[first] + 1)

    @cached_property
    def sent(self) -> tuple[Bytes, ...]:
        """The bytes of each request: what was sent before, and what is new."""
        sent, before = [], None
        for ask in self.trace.asks:
            envelope = size_of(ask.envelope) + len(',"messages":')
            old = self.bytes_of(ask, 0, ask.fresh) if ask.fresh else 0
            old += envelope if before == ask.envelope else 0
            offered = ask.envelope.get("tools") or ask.envelope.get("functions")
            tools = size_of(offered) if offered else 0
            sent.append(Bytes(old, envelope + self.bytes_of(ask) - old, tools))
            before = ask.envelope
        return tuple(sent)

    @cached_property
    def helpers(self) -> dict[int, "Reading"]:
        """The runs of helper agents, each read as a run of its own, by their first steps here."""
        return {
            number: replace(self, trace=step.run, lane=replace(self.lane, loop=step.loop))
            for number, step in enumerate(self.trace.steps)
            if isinstance(step, Helper) and step.number == 0
        }

    # What the page draws of it is made once, not at each step.

    @cached_property
    def chat(self) -> Chat:
        return Chat(self.trace, self.fates, lambda: self.spent)

    @cached_property
    def spent(self) -> Markup:
        """What the whole run would have cost."""
        return spent_of(self.trace, self.words) if self.scripted else Markup("")

    @cached_property
    def plot(self) -> Plot:
        return Plot(self.trace.asks, self.sent)

    @cached_property
    def scrubber(self) -> Scrubber:
        return Scrubber(self.trace.steps, self.firsts)

    @cached_property
    def terminals(self) -> tuple[Terminal, ...]:
        """What the loop has printed after each step."""
        return terminals_of(self.trace.steps)

    @cached_property
    def _entries(self) -> dict[bool, list[tuple[Piece, ...]]]:
        """The entries of each version of the list, cut and whole."""
        return {
            whole: [messages.entries(kept, whole) for kept in self.trace.lists]
            for whole in (False, True)
        }

    def messages(self, number: int, view: View) -> tuple[Piece, ...]:
        """The list after a step."""
        drawn = self._entries[view.tab == "request"][self.trace.steps[number].version]
        return messages.message_pieces(self.trace, number, self.fates, self.bytes_of, view, drawn)

    def pending(self, number: int, view: View) -> tuple[Piece, ...]:
        """What the program holds after a step and the list does not."""
        return messages.pending_pieces(self.trace, number, self.fates, view)

    def sentence(self, number: int) -> Sentence:
        return sentence(self.trace, number, self.loop, self.fates, self.words)

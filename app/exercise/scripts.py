"""What the fake model of the exercise will write: one script for each thing a loop must do."""

from dataclasses import dataclass

from app.engine.script import ScriptedCall, ScriptedReply
from app.engine.server import ScriptedServer
from app.exercise.tools import SCHEMAS


@dataclass(frozen=True)
class Case:
    """One script with its task. `about` says in a few words what it looks at."""

    name: str
    about: str
    task: str
    script: tuple[ScriptedReply, ...]
    max_turns: int = 10

    @property
    def server(self) -> ScriptedServer:
        """The scripted server, with strict alternation."""
        return ScriptedServer(script=self.script, tools=SCHEMAS, strict=True)


def _add(label: str, a: object, b: object, may_be_empty: bool = False) -> ScriptedCall:
    return ScriptedCall(label, "add", {"a": a, "b": b}, may_be_empty)


def _count(label: str, text: str) -> ScriptedCall:
    return ScriptedCall(label, "word_count", {"text": text})


CASES: tuple[Case, ...] = (
    Case(
        "one_call",
        "one call, then the answer",
        "What is 2 + 3?",
        (ScriptedReply(calls=(_add("sum", 2, 3),)), ScriptedReply("2 + 3 is {sum}.")),
    ),
    Case(
        "two_calls",
        "two calls in one reply",
        'How many words are in "one loop, many turns", and what is 20 + 22?',
        (
            ScriptedReply(
                "I will do both at once.",
                (_count("words", "one loop, many turns"), _add("sum", 20, 22)),
            ),
            ScriptedReply("There are {words} words, and the sum is {sum}."),
        ),
    ),
    Case(
        "three_turns",
        "a call that needs the result of the one before",
        "What is 1 + 2, and that plus 4?",
        (
            ScriptedReply("First 1 + 2.", (_add("first", 1, 2),)),
            ScriptedReply("Now 4 more.", (_add("second", 3, 4),)),
            ScriptedReply("First {first}, then {second}."),
        ),
    ),
    Case(
        "thinking",
        "a reply that thinks, with a signature",
        "How many words are in the sentence: a loop is small?",
        (
            ScriptedReply(
                thinking="The tool counts better than I do.",
                calls=(_count("words", "a loop is small"),),
            ),
            ScriptedReply("It has {words} words.", thinking="The tool says so."),
        ),
    ),
    Case(
        "at_once",
        "an answer without a call, in two text blocks",
        "Say hello.",
        (
            ScriptedReply(
                "Hello, ", blocks=({"type": "text", "text": "world."},), stop_reason="end_turn"
            ),
        ),
    ),
    Case(
        "cut_off",
        "max_tokens in the middle of a call",
        "How many words does the poem have?",
        (
            ScriptedReply(
                "I will count them.", (_count("words", "Once upon a ti"),), stop_reason="max_tokens"
            ),
        ),
    ),
    Case(
        "refusal",
        "the model declines",
        "Add two numbers that you must not add.",
        (ScriptedReply("I will not", (_add("sum", 6, 6),), stop_reason="refusal"),),
    ),
    Case(
        "unknown_reason",
        "a stop_reason that nobody has heard of yet",
        "What is 5 + 5?",
        (ScriptedReply("One moment.", (_add("sum", 5, 5),), stop_reason="power_nap"),),
    ),
    Case(
        "never_stops",
        "a model that never stops asking",
        "Add 1 for ever.",
        tuple(ScriptedReply(calls=(_add(f"sum_{n}", n, 1),)) for n in range(12)),
        max_turns=4,
    ),
    Case(
        "last_turn",
        "an answer in the very last turn",
        "What is 7 + 8?",
        (ScriptedReply(calls=(_add("sum", 7, 8),)), ScriptedReply("It is {sum}.")),
        max_turns=2,
    ),
    Case(
        "failing_tool",
        "a tool that fails",
        "What is 2 + three?",
        (
            ScriptedReply(calls=(_add("wrong", 2, "three"),)),
            ScriptedReply("That failed; I will try a number.", (_add("sum", 2, 3),)),
            ScriptedReply("2 + three is {sum}."),
        ),
    ),
    Case(
        "empty_result",
        "a tool that answers with nothing",
        "What do you get from two empty texts?",
        (
            ScriptedReply(calls=(_add("joined", "", "", may_be_empty=True),)),
            ScriptedReply("Two empty texts make an empty text."),
        ),
    ),
)

ABOUT = tuple(case.about for case in CASES)  # for the translators


def case_named(name: str) -> Case | None:
    """A case by its name; None where there is none."""
    return next((case for case in CASES if case.name == name), None)

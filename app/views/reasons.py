"""Why a model stops, what a loop should do then, and the step of a lesson that shows it.

Source: the API's page on handling stop reasons, and the types of both client libraries.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from markupsafe import Markup

from app.engine.dialects.parts import reason_of
from app.engine.steps import Reply, Trace
from app.lessons import Lesson
from app.views.addresses import Choice, Place, View
from app.views.texts import Words

ANTHROPIC, OPENAI = "anthropic", "openai"
UNKNOWN = "…"  # any reason that no table names


@dataclass(frozen=True)
class Seen:
    """A step of a lesson whose reply stops for a reason."""

    title: str
    lane: str
    page: str


@dataclass(frozen=True)
class Reason:
    """A value of `stop_reason` or `finish_reason`: what it says, and what a loop should do."""

    name: str
    says: Markup
    do: Markup
    seen: tuple[Seen, ...]


def reasons(words: Words, seen: Mapping[str, tuple[Seen, ...]]) -> dict[str, tuple[Reason, ...]]:
    """All reasons by dialect; `seen` by the name of a reason: no name is one of both."""
    tables = {ANTHROPIC: tuple(_anthropic(words)), OPENAI: tuple(_openai(words))}
    named = {name for rows in tables.values() for name, _, _ in rows}
    unknown = tuple(place for name in seen if name not in named for place in seen[name])
    shown = {**seen, UNKNOWN: unknown}
    return {
        dialect: tuple(Reason(*row, shown.get(row[0], ())) for row in rows)
        for dialect, rows in tables.items()
    }


def said_by(words: Words, reason: str) -> Markup:
    """What a reason of either API says; one that no table names is unknown."""
    says = {name: text for name, text, _ in (*_anthropic(words), *_openai(words))}
    return says.get(reason, says[UNKNOWN])


def _anthropic(words: Words) -> Iterable[tuple[str, Markup, Markup]]:
    _ = words.gettext
    run_nothing = _("Stop, run no call of this reply, and say so.")
    send_back = _("Append the reply unchanged, send it back, and cap how often.")
    return (
        ("end_turn", _("The model has finished."), _("Show the text and stop.")),
        (
            "tool_use",
            _("One call or more waits for its result."),
            _("Append the whole reply, run or refuse every call, send all results at once."),
        ),
        (
            "max_tokens",
            _("The reply reached its largest size; its last call may be cut off."),
            _("Stop and say what is missing, or ask again with more room. Run no call."),
        ),
        (
            "stop_sequence",
            _("A text that the request named came up."),
            _("Take it as an ending: show the text and stop."),
        ),
        ("pause_turn", _("The server's own tools need more time."), send_back),
        ("refusal", _("The model declines, for reasons of safety."), run_nothing),
        (
            "model_context_window_exceeded",
            _("The context window is full."),
            _("Shorten the history; a larger max_tokens does not help."),
        ),
        ("compaction", _("The server summed up the history and paused (beta)."), send_back),
        (
            UNKNOWN,
            _("A reason that this loop does not know."),
            _("Stop, run nothing, and show the value."),
        ),
    )


def _openai(words: Words) -> Iterable[tuple[str, Markup, Markup]]:
    _ = words.gettext
    return (
        (
            "stop",
            _("Finished, or a text that the request named came up."),
            _("Look for a refusal in the message, then show the text and stop."),
        ),
        (
            "tool_calls",
            _("One call or more waits for its result."),
            _("Append the message, and answer every call with a message of its own."),
        ),
        (
            "length",
            _("The reply reached its largest size; its last call may be cut off."),
            _("Stop and say what is missing, or ask again with more room. Run no call."),
        ),
        (
            "content_filter",
            _("A filter left something out."),
            _("Stop, run no call of this reply, and say so."),
        ),
        (
            "function_call",
            _("The older form of tool_calls."),
            _("Answer it with a message of the role function."),
        ),
    )


def seen_in(
    runs: Iterable[tuple[Lesson, Choice, Trace]], view: View, lang: str
) -> dict[str, tuple[Seen, ...]]:
    """By reason, the first step of each lesson whose reply stops for it."""
    found: dict[str, dict[str, Seen]] = {}
    for lesson, choice, trace in runs:
        for number, step in enumerate(trace.steps):
            if isinstance(step, Reply):
                found.setdefault(reason_of(step.reply), {}).setdefault(
                    lesson.slug,
                    Seen(
                        title=lesson.title(lang),
                        lane=choice.lane,
                        page=Place(lesson, (choice,), 0, view, "", lang).at(number).page,
                    ),
                )
    return {reason: tuple(places.values()) for reason, places in found.items()}

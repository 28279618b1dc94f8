"""The one form in which every tool answers. A model reads it, so the words are English always.

    Done: notes.txt, 412 lines           the outcome in words, with the size
    Monday: buy bread                    the main part
    … 5,210 characters left out          what is missing, if anything is

A failure starts with `Error: `. An answer that is one value is that value alone: `5`.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass

CEILING = 2_500  # characters in one result, its notice included
NOTICE_ROOM = 160  # characters kept free for the notice of what was left out
QUOTE_LIMIT = 80  # characters of the model's own words that an error repeats
NAMES_LIMIT = 20  # names that an error lists

# What breaks a line or cannot be UTF-8. Bidi marks and joiners stay: names need them.
_UNPRINTABLE = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]")


class ToolError(Exception):
    """A call cannot be carried out. Its text is the sentence that the model reads."""


@dataclass(frozen=True)
class Report:
    """The answer of a tool that has more to say than one value.

    `outcome` is one line without the `Done: `; `left_out` names what the tool itself left out, such
    as "2 files that are not text".
    """

    outcome: str
    body: str = ""
    left_out: str = ""


def done(answer: object) -> str:
    """The text of a success: a Report in the form above, any other answer as itself."""
    if isinstance(answer, Report):
        head = f"Done: {answer.outcome}"
        return _cut(f"{head}\n{answer.body}" if answer.body else head, answer.left_out)
    text = str(answer)
    return _cut(text) if text.strip() else "Done: no output"


def error(sentence: str) -> str:
    """The text of a failure."""
    return _cut(f"Error: {sentence}")


def _cut(text: str, left_out: str = "") -> str:
    """The text within the ceiling, followed by a notice of everything that is missing."""
    missing = [left_out] if left_out else []
    if len(text) + NOTICE_ROOM * bool(missing) > CEILING:
        kept = text[: CEILING - NOTICE_ROOM]
        line_end = kept.rfind("\n")
        if line_end > len(kept) // 2:  # half a file name would be a wrong one
            kept = kept[:line_end]
        missing.insert(0, f"{len(text) - len(kept):,} characters")
        text = kept
    return f"{text}\n… {' and '.join(missing)} left out" if missing else text


def count(number: int, one: str, many: str) -> str:
    """A number with its noun: `1 line`, `1,200 lines`."""
    return f"{number:,} {one if number == 1 else many}"


def short(text: str, limit: int) -> str:
    """The text, or its first part and how much more there is."""
    rest = len(text) - limit
    return f"{text[:limit]}… ({rest:,} more characters)" if rest > 0 else text


def visible(text: str) -> str:
    r"""The text on one line: a line break in a file name is shown as `\n`."""
    return _UNPRINTABLE.sub(lambda found: ascii(found[0])[1:-1], text)


def quoted(text: str) -> str:
    """What the model wrote, in quotes, on one line, cut."""
    return f'"{visible(text[:QUOTE_LIMIT])}{"…" if len(text) > QUOTE_LIMIT else ""}"'


def listed(names: Sequence[str]) -> str:
    """Names with commas between them; of a long list the first, and how many more there are."""
    more = len(names) - NAMES_LIMIT
    return ", ".join(names[:NAMES_LIMIT]) + (f" and {more:,} more" if more > 0 else "")

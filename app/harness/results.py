"""The one form in which every tool answers. A model reads it, so the words are English always.

    Done: notes.txt, lines 1-100 of 412  the outcome in words, with the size
    Monday: buy bread                    the main part
    … 312 lines left out; …              what is missing, if anything is, and how to get it

A failure starts with `Error: `. An answer that is one value is that value alone: `5`.
"""

import json
import re
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import accumulate

CEILING = 2_500  # characters in one result, its notice included
EDIT_CEILING = 20_000  # of a file that the agent may be about to change: it must see all of it
HEAD_ROOM = 50  # characters of the first line besides a file's name
NOTICE_ROOM = 160  # characters kept free for the notice of what was left out
QUOTE_LIMIT = 80  # characters of the model's own words that an error repeats
NAMES_LIMIT = 20  # names that an error lists
OWN_WORDS = {
    "write_file": "OK",
    "append_line": "done",
    "delete_file": "1",
}  # where each has its own

# What breaks a line or cannot be UTF-8. Bidi marks and joiners stay: names need them.
_UNPRINTABLE = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]")


class ToolError(Exception):
    """A call cannot be carried out. Its text is the sentence that the model reads."""


@dataclass(frozen=True)
class Report:
    """The answer of a tool that has more to say than one value.

    `outcome` is one line without the `Done: `; `left_out` names what the tool itself left out, such
    as "2 files that are not text". Of a long output `main` are the lines that matter. Where the
    body is a file's own lines, `first` is the number of the first, `of` how many there are, and the
    outcome is the file's name: which lines are shown is added.
    `failed` where the tool did its work and what it tried out failed.
    """

    outcome: str
    body: str = ""
    left_out: str = ""
    main: str = ""
    first: int = 0
    of: int = 0
    failed: bool = False


@dataclass(frozen=True)
class Form:
    """How answers are put. The defaults are the one form; all else shows a lesson its absence.

    `look` is `words` (the one form), `json` (the same as JSON), `raw` (what came, and nothing
    else) or `own` (each tool has its own word for success); `lines` and `ceiling` are the most of a
    body, and `announced` says whether a cut is told. `edits` is for an agent that may change files:
    it reads them whole.
    """

    look: str = "words"
    announced: bool = True
    lines: int | None = None
    ceiling: int = CEILING
    edits: bool = False


WORDS = Form()


def done(answer: object, form: Form = WORDS, tool: str = "") -> str:
    """The text of a success: a Report in its form, any other answer as itself."""
    report = answer if isinstance(answer, Report) else None
    if report and report.main:
        rest = report.body.count("\n") - report.main.count("\n")
        less = f"{count(rest, 'line', 'lines')} that matter less" if rest else ""
        report = replace(report, left_out=less)
    match form.look:
        case "json":
            return _json(not (report and report.failed), report or Report(str(answer)))
        case "own" if report and not report.body:
            return OWN_WORDS.get(tool, "")
        case "raw" | "own":
            return _cut(report.body if report else str(answer), Report(""), form)
    if report and report.of and (told := _file(report, form)):
        return told
    if report and report.of:  # a line so long that not even one fits
        report = replace(report, outcome=f"{report.outcome}, line {report.first:,}")
    if report is None:
        text = str(answer)
        return _cut(text, Report(""), form) if text.strip() else "Done: no output"
    body = report.main or report.body
    head = f"{'Error' if report.failed else 'Done'}: {report.outcome}"
    return _cut(f"{head}\n{body}" if body else head, report, form, head=1)


def error(sentence: str, form: Form = WORDS) -> str:
    """The text of a failure."""
    if form.look == "json":
        return _json(False, Report(sentence))
    return _cut(f"Error: {sentence}", Report(""), WORDS)


def _file(report: Report, form: Form) -> str:
    """Whole lines of a file, as many as fit, and how to get the others; "" where none fits."""
    lines = report.body.split("\n")
    most = (EDIT_CEILING if form.edits else form.ceiling) - HEAD_ROOM - len(report.outcome)
    sizes = [*accumulate(len(line) + 1 for line in lines)]
    fits = len(lines) if sizes[-1] <= most else bisect_right(sizes, most - NOTICE_ROOM + HEAD_ROOM)
    kept = lines[: min(fits, form.lines or fits)]
    if not kept:
        return ""
    last = report.first + len(kept) - 1
    whole = (report.first, last) == (1, report.of)
    size = count(last, "line", "lines") if whole else f"lines {report.first:,}-{last:,}"
    of = "" if whole else f" of {report.of:,}"
    body = "\n".join([f"Done: {report.outcome}, {size}{of}", *kept])
    if len(kept) == len(lines) or not form.announced:
        return body
    rest = count(len(lines) - len(kept), "line", "lines")
    return f"{body}\n… {rest} left out; read on with start_line {last + 1}"


def _cut(text: str, report: Report, form: Form, head: int = 0) -> str:
    """The text within its limits, followed by a notice of everything that is missing; `head` are
    its lines that stand above the body."""
    missing = [report.left_out] if report.left_out else []
    kept = text
    if form.lines is not None:
        kept = "\n".join(text.split("\n")[: form.lines + head])
    if len(kept) + NOTICE_ROOM * bool(missing or kept != text) > form.ceiling:
        kept = text[: form.ceiling - NOTICE_ROOM]
        line_end = kept.rfind("\n")
        if line_end > len(kept) // 2:  # half a file name would be a wrong one
            kept = kept[:line_end]
    if not form.announced:
        return kept
    if kept != text:
        missing.insert(0, f"{len(text) - len(kept):,} characters")
    return f"{kept}\n… {' and '.join(missing)} left out" if missing else kept


def _json(ok: bool, report: Report) -> str:
    said = {"ok": ok, "outcome" if ok else "error": report.outcome}
    body = report.main or report.body
    lines = body.split("\n") if body else []
    return json.dumps({**said, "lines": lines, "left_out": report.left_out}, ensure_ascii=False)


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

"""What came of a call besides its result, in a few words: its tries and what it changed."""

from markupsafe import Markup

from app.engine.steps import Change, Result
from app.views.texts import Words, code

MOST_NAMED = 3  # changed files


def in_short(w: Words, result: Result) -> Markup:
    """As a cell has room for: "2 tries · log.txt +1"; "" where there is nothing to say."""
    said = [w.ngettext("%(num)s try", "%(num)s tries", len(result.tries))] if result.tries else []
    said += [code(f"{change.path} {_counts(change)}") for change in result.changes[:MOST_NAMED]]
    said += [w.gettext("no change")] if untouched(result) else []
    said += [code(hook.name) + (" ✓" if hook.passed else " ✗") for hook in result.hooks]
    return Markup(" · ").join(said)


def untouched(result: Result) -> bool:
    """Whether a call that may write left the workspace as it was, whatever it says."""
    return result.watched and not result.changes


def changed(w: Words, result: Result) -> Markup:
    """What became of the workspace, as a sentence; "" where nobody looked."""
    files = [change.path for change in result.changes]
    if untouched(result):
        return w.gettext("In the workspace it changed nothing.")
    if not files:
        return Markup()
    named = w.listed(code(file) for file in files[:MOST_NAMED])
    more = len(files) - MOST_NAMED
    if more > 0:
        return w.ngettext(
            "In the workspace it changed %(files)s and %(num)s file more.",
            "In the workspace it changed %(files)s and %(num)s files more.",
            more,
            files=named,
        )
    return w.gettext("In the workspace it changed %(files)s.", files=named)


def _counts(change: Change) -> str:
    came = sum(line.startswith("+") for line in change.lines)
    went = sum(line.startswith("-") for line in change.lines)
    return " ".join([f"+{came}"] * bool(came) + [f"−{went}"] * bool(went)) or "+0"

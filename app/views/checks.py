"""The checks before a call where there is little room: a mark for each, with its name."""

from collections.abc import Iterable
from dataclasses import dataclass

from app.engine.steps import Check, Helper, Step, Tool, Wait
from app.views.texts import Words


@dataclass(frozen=True)
class CheckMark:
    """One check: `look` is `passed`, `failed` or `skipped`."""

    look: str
    name: str


def marks_of(w: Words, step: Step) -> tuple[CheckMark, ...]:
    """The checks of a step, or of a helper's, in their order; none where there are none."""
    if isinstance(step, Helper):
        return marks_of(w, step.inner)
    if isinstance(step, Tool):
        return _marks(w, step.result.checks)
    return _marks(w, step.checks) if isinstance(step, Wait) and not step.tries else ()


def _marks(w: Words, checks: Iterable[Check]) -> tuple[CheckMark, ...]:
    names = {
        "exists": w.gettext("exists"),
        "parameters": w.gettext("parameters"),
        "given": w.gettext("given"),
        "writes": w.gettext("may write"),
        "inside": w.gettext("inside"),
        "limits": w.gettext("limits"),
        "approved": w.gettext("approval"),
        "repeated": w.gettext("not again"),
    }
    return tuple(CheckMark(_look(one), names.get(one.name, one.name)) for one in checks)


def _look(check: Check) -> str:
    if not check.made:
        return "skipped"
    return "passed" if check.passed else "failed"

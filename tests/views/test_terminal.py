"""The terminal of a run: its last lines, and which of them came with a step."""

from app.engine.steps import Start
from app.views.terminal import MOST_LINES, Terminal, terminals_of


def steps(*printed: str) -> tuple[Start, ...]:
    return tuple(Start(turn=0, lines=(0, 0), task="Go.", printed=text) for text in printed)


def test_a_run_that_prints_nothing_has_no_terminal() -> None:
    assert terminals_of(steps("", "")) == (Terminal(prints=False), Terminal(prints=False))


def test_lines_stay_and_those_of_the_step_are_fresh() -> None:
    assert terminals_of(steps("", "a\n", "b\nc\n", "")) == (
        Terminal(True),
        Terminal(True, ("a",), fresh=1),
        Terminal(True, ("a", "b", "c"), fresh=2),
        Terminal(True, ("a", "b", "c")),
    )


def test_of_many_lines_the_last_are_shown_and_the_others_counted() -> None:
    lines = [str(n) for n in range(MOST_LINES + 3)]
    (shown,) = terminals_of(steps("\n".join(lines)))
    assert (shown.lines, shown.fresh, shown.earlier) == (tuple(lines[3:]), MOST_LINES, 3)

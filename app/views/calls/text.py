"""The calls as a table for a terminal."""

from app.views.calls.table import Row, Spent, Table
from app.views.texts import compact, one_line

COLUMNS = ("#", "turn", "tool", "arguments", "result", "took", "tokens", "dollars", "so far")
NUMBERS = (0, 1, 5, 6, 7, 8)  # columns that are set to the right
GIVEN_LIMIT, RESULT_LIMIT = 40, 44  # characters of a cell


def table_text(name: str, table: Table) -> str:
    """A lane's calls, a line for each, with a line for the whole run. A helper's calls stand
    further in, under the call that asked it, with its own turns."""
    lines = [COLUMNS, *map(_cells, table.rows), _total(table)]
    wide = [max(len(line[n]) for line in lines) for n in range(len(COLUMNS))]
    return "\n".join([f"lane {name}", *(_line(cells, wide) for cells in lines)])


def _line(cells: tuple[str, ...], wide: list[int]) -> str:
    set_in = (
        cell.rjust(width) if n in NUMBERS else cell.ljust(width)
        for n, (cell, width) in enumerate(zip(cells, wide, strict=True))
    )
    return "  ".join(set_in).rstrip()


def _cells(row: Row) -> tuple[str, ...]:
    return (
        row.name,
        str(row.turn),
        "  " * row.depth + one_line(row.tool, GIVEN_LIMIT),
        one_line(compact(row.arguments), GIVEN_LIMIT),
        one_line(row.result, RESULT_LIMIT) if row.ran is not None else _unrun(row),
        f"{row.seconds:.2f} s" if row.ran is not None else "-",
        _tokens(row.turn_spent),
        _dollars(row.turn_spent),
        f"{row.so_far.seconds:.2f} s",
    )


def _unrun(row: Row) -> str:
    if row.helping:
        return "ended by Halqa"
    return "waits for a person" if row.decision == "" else "never run"


def _total(table: Table) -> tuple[str, ...]:
    turns, helpers, total = len(table.turns), table.helpers_turns, table.total
    whole = f"in {turns} {'turn' if turns == 1 else 'turns'}"
    if helpers:
        whole += f" and {helpers} of helpers"
    took = f"{total.seconds:.2f} s"
    return ("", "", "all", whole, "", took, _tokens(total), _dollars(total), took)


def _tokens(spent: Spent) -> str:
    return f"{spent.tokens_in:,}+{spent.tokens_out:,}"


def _dollars(spent: Spent) -> str:
    return "?" if spent.dollars is None else f"{spent.dollars:.4f}"

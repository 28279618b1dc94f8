"""The loops: plain, small, and different from their base by what they declare."""

import ast
from pathlib import Path

import pytest

from app import loops as package
from app.loops import names
from app.source import difference, loops

LOOPS = list(loops().values())
# What the loops are given that count something else than turns.
BUDGETS = {"by_time": ("clock", "seconds", 30), "by_money": ("prices", "dollars", 0.02)}
HERE = Path(package.__file__).parent


@pytest.mark.parametrize("loop", LOOPS, ids=names())
def test_a_loop_fits_beside_two_panes(loop) -> None:
    assert len(loop.lines) <= 24
    assert max(map(len, loop.lines)) <= 56


@pytest.mark.parametrize("loop", LOOPS, ids=names())
def test_a_loop_is_one_plain_function_that_needs_nothing_but_json(loop) -> None:
    tree = ast.parse((HERE / f"{loop.name}.py").read_text(encoding="utf-8"))
    function, *facts = tree.body
    assert isinstance(function, ast.FunctionDef)
    assert (function.name, function.lineno) == ("run_agent", 1)
    taken = [argument.arg for argument in function.args.args]
    assert taken[:3] == ["task", "model", "tools"]
    default = ast.literal_eval(function.args.defaults[0])
    assert (*taken[3:], default) == BUDGETS.get(loop.name, ("max_turns", 40))
    assert all(isinstance(fact, ast.Assign) for fact in facts)
    imported = [node for node in ast.walk(tree) if isinstance(node, ast.Import)]
    assert [name.name for node in imported for name in node.names] == ["json"] * len(imported)
    forbidden = (ast.ImportFrom, ast.Yield, ast.YieldFrom, ast.Await, ast.Global)
    assert not [node for node in ast.walk(tree) if isinstance(node, forbidden)]


@pytest.mark.parametrize("loop", LOOPS, ids=names())
def test_a_loop_differs_from_its_base_by_what_it_declares(loop) -> None:
    base = loops()[loop.base or loop.name]
    assert difference(base, loop) == (loop.left_out, loop.put_in)
    assert bool(loop.base) == bool(loop.left_out or loop.put_in)


@pytest.mark.parametrize("loop", LOOPS, ids=names())
def test_a_slip_is_told_in_one_sentence(loop) -> None:
    assert loop.slip.endswith(".")
    assert loop.slip.count(".") == 1

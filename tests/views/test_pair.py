"""A minimal pair side by side: the difference is marked, in both."""

from typing import Any

import pytest

from app.engine.rules import RULES, Rule
from app.views.marked import Line
from app.views.pair import Difference, Side, differences, pair_of

PAIRS = [rule for rule in RULES.values() if rule.refused is not None]


def runs(side: Side) -> list[tuple[str, str]]:
    """The marked runs of a side: look and text."""
    lines: list[Line] = [*side.envelope, *(line for e in side.entries for line in e.lines)]
    return [
        (run.mark, "".join(token.text for token in run.tokens))
        for line in lines
        for run in line.runs
        if run.mark
    ]


@pytest.mark.parametrize("rule", PAIRS, ids=lambda rule: rule.number)
def test_every_pair_has_a_mark_in_the_refused_request_and_no_wrong_in_the_accepted(
    rule: Rule,
) -> None:
    accepted, refused = pair_of(rule)
    assert accepted.fault is None
    assert refused.fault is not None
    assert refused.fault.rule == rule.number
    marks = {mark for mark, _ in runs(refused)} | {e.mark.look for e in refused.entries}
    assert marks & {"wrong", "absent"}
    assert {mark for mark, _ in runs(accepted)} <= {"right"}
    whole = len(refused.entries) != sum(1 for entry in refused.entries if entry.lines)
    assert whole or runs(refused)


@pytest.mark.parametrize(
    ("number", "accepted", "refused", "strips"),
    [
        ("A01", [("right", '"max_tokens": 1024')], [("absent", "max_tokens")], ("U", "U")),
        (
            "A59",
            [("right", '"tool_use_id": "toolu_1"')],
            [("absent", "tool_use_id")],
            ("UAR", "UA?"),
        ),
        (
            "A40",
            [
                ("right", '{"type": "tool_result", "tool_use_id": "toolu_1",'),
                ("right", '"content": "5"}'),
            ],
            [("absent", "tool_result")],
            ("UAR", "UAU"),
        ),
        ("A43", [], [("wrong", '{"type": "text", "text": "It says:"}')], ("UAR", "UAR")),
        ("A51", [("right", '"id": "toolu_3"')], [("wrong", '"id": "toolu_2"')], None),
        ("A04", [("right", '{"role": "user",'), ("right", None)], [], ("U", "")),
        ("A18", [], [("wrong", '{"role": "system",'), ("wrong", None)], ("UAR", "UASR")),
        ("O27", [], [("wrong", '{"role": "tool",'), ("wrong", None), ("wrong", None)], None),
    ],
)
def test_what_stands_in_one_and_not_in_the_other_is_marked(
    number: str,
    accepted: list[tuple[str, str | None]],
    refused: list[tuple[str, str | None]],
    strips: tuple[str, str] | None,
) -> None:
    sides = pair_of(RULES[number])
    for side, expected in zip(sides, (accepted, refused), strict=True):
        found = runs(side)
        assert [mark for mark, _ in found] == [mark for mark, _ in expected]
        for (_, text), (_, said) in zip(found, expected, strict=True):
            assert said is None or text == said
    if strips:
        assert tuple("".join(s.glyph.letter for s in side.strip) for side in sides) == strips


def test_a_message_that_is_absent_is_a_hole_in_the_strip() -> None:
    _, refused = pair_of(RULES["A04"])
    (sign,) = refused.strip
    assert (sign.glyph.look, sign.mark) == ("absent", "absent")


def test_of_many_tools_the_marked_one_and_one_more_are_shown() -> None:
    _, refused = pair_of(RULES["O14"])
    assert len(refused.envelope) < 30
    assert runs(refused)


@pytest.mark.parametrize(
    ("left", "right", "found"),
    [
        ({"a": 1}, {"a": 1}, []),
        ({"a": 1}, {"a": 2}, [(("a",), True, True)]),
        ({"a": 1}, {}, [(("a",), True, False)]),
        ({}, {"a": 1}, [(("a",), False, True)]),
        ({"a": [1, 2]}, {"a": [1, 3, 2]}, [(("a", 1), False, True)]),
        ({"a": [1, 2, 3]}, {"a": [3]}, [(("a", 0), True, False), (("a", 1), True, False)]),
        ({"a": [{"b": 1}]}, {"a": [{"b": 2}]}, [(("a", 0, "b"), True, True)]),
        ({"a": 1}, {"a": True}, [(("a",), True, True)]),
    ],
)
def test_differences(left: Any, right: Any, found: list[tuple[Any, bool, bool]]) -> None:
    assert list(differences(left, right)) == [Difference(*one) for one in found]

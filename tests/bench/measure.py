"""Medians, percentiles, and cases that take turns."""

import random
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass


@dataclass(frozen=True)
class Figure:
    """What was measured `n` times."""

    median: float
    p95: float
    n: int


def percentile(values: Iterable[float], share: float) -> float:
    """The value below which `share` (0 to 1) of the values lie, between neighbours by distance."""
    ordered = sorted(values)
    place = share * (len(ordered) - 1)
    below = int(place)
    above = min(below + 1, len(ordered) - 1)
    return ordered[below] + (ordered[above] - ordered[below]) * (place - below)


def median(values: Iterable[float]) -> float:
    """The middle value."""
    return percentile(values, 0.5)


def figure(values: Iterable[float]) -> Figure:
    """The median and the p95 of some measurements."""
    known = list(values)
    return Figure(median(known), percentile(known, 0.95), len(known))


def count(value: float) -> Figure:
    """A number that is exact: counted once, or the result of a whole run."""
    return Figure(value, value, 1)


def by_turns(
    cases: Mapping[str, Callable[[], Iterable[float]]], rounds: int
) -> dict[str, list[float]]:
    """All measurements of each case. Every round runs each case once, in another order, so that
    whatever else the machine does falls on all of them alike."""
    order, chance = list(cases), random.Random(1)
    found: dict[str, list[float]] = {name: [] for name in cases}
    for _ in range(rounds):
        chance.shuffle(order)
        for name in order:
            found[name] += cases[name]()
    return found

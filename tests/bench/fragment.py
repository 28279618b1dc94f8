"""A step's answer on one core, against the least that FastAPI can answer."""

from collections.abc import Callable, Iterable
from itertools import cycle, islice, permutations
from itertools import product as product_of
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.bench.load import time_of
from tests.bench.measure import by_turns, figure, median
from tests.bench.servers import Server, floor, one_core, product
from tests.bench.table import Row
from tests.bench.walks import ONE, THREE, last_step, page, write_lessons
from tests.steps import Get, ahead

KEPT = 12  # steps that are asked for again and again
TAIL = 30  # the steps before the end that are asked for of a long run
# Enough steps for all rounds, so that none is asked for twice: the server keeps what it drew.
ONE_LANE = ("correct", "correct:checked", "split_results", "forgot_results")
THREE_LANES = [",".join(order) for order in permutations(THREE.split(","))]
VIEWS = [
    "".join(keys)
    for keys in product_of(
        ("", "&theme=light", "&theme=dark"), ("", "&keys=off"), ("", "&predict=off")
    )
]


def rows(quick: bool) -> list[Row]:
    """Requests of eight connections at once; a figure is the time of one of them."""
    with TemporaryDirectory() as folder:
        write_lessons(Path(folder))
        with product(Path(folder)) as halqa, floor("hello") as hello:
            paths = _paths(halqa.get)
            with one_core(halqa, hello):
                batch = 40 if quick else 100
                cases = {"hello": _case(hello, ["/"], batch)}
                cases |= {case: _case(halqa, known, batch) for case, known in paths.items()}
                taken = by_turns(cases, 3 if quick else 10)
    rerender = "re-render 0.01×"
    return [
        _speed("a step once made, 10 messages", taken, "10 again", "hello", 0.6, rerender),
        _speed("a step once made, 202 messages", taken, "202 again", "hello", 0.6, rerender),
        _speed("a step the first time, 10 messages", taken, "10 new", "hello", 0.3, rerender),
        _speed("a step the first time, 202 messages", taken, "202 new", "hello", 0.3, rerender),
        _speed("three lanes once made, 202 messages", taken, "three again", "hello", 0.6, ""),
        _speed("three lanes the first time, 202 messages", taken, "three new", "hello", 0.3, ""),
        _speed("once made, 202 messages over 10", taken, "202 again", "10 again", 0.8, "0.09×"),
        _speed("the first time, 202 messages over 10", taken, "202 new", "10 new", 0.8, "0.09×"),
    ]


def _paths(get: Get) -> dict[str, list[str]]:
    """What is asked for in each case; steps of a long run are those of its end."""
    return {
        "10 again": _tail(get, 10, ONE)[-KEPT:],
        "202 again": _tail(get, 200, ONE)[-KEPT:],
        "three again": _tail(get, 200, THREE)[-KEPT:],
        "10 new": _new(get, 10, ONE_LANE),
        "202 new": _new(get, 200, ONE_LANE),
        "three new": _new(get, 200, THREE_LANES),
    }


def _new(get: Get, size: int, lanes: Iterable[str]) -> list[str]:
    return [
        address for shown in lanes for view in VIEWS for address in _tail(get, size, shown, view)
    ]


def _tail(get: Get, size: int, lanes: str, view: str = "") -> list[str]:
    start = page(size, lanes)
    first = max(0, last_step(get, start) - TAIL)
    return [*ahead(get(f"{start}&step={first}{view}"))]


def _case(server: Server, paths: list[str], batch: int) -> Callable[[], list[float]]:
    """Batches of requests, each going on where the one before it stopped."""
    endless = cycle(paths)
    return lambda: [time_of(server.port, list(islice(endless, batch)))]


def _speed(
    name: str, taken: dict[str, list[float]], product: str, floor: str, least: float, field: str
) -> Row:
    """A row whose ratio is of speeds: how many answers in the time of one of the floor's."""
    pairs = zip(taken[floor], taken[product], strict=True)
    return Row(
        name,
        figure(taken[product]),
        "ms",
        figure(taken[floor]),
        ratio=median(floor_time / time for floor_time, time in pairs),
        least=least,
        field=field,
    )

"""From a press of Step to the paint of what it brought, and the nodes that come and go."""

import random
import time
from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from playwright.sync_api import Browser, Page

from tests.bench.measure import Figure, count, figure
from tests.bench.servers import CHECKOUT, Server, floor, product
from tests.bench.table import Row, against
from tests.bench.walks import LANES, SIZES, kind_of, last_step, page, write_lessons
from tests.pages import chromium
from tests.steps import walk

HERE = CHECKOUT / "tests" / "bench"
STILL = 60  # milliseconds without a change until the next press: the next step is there by then
MOST_PRESSES = 25
LONG = SIZES[-1]


@dataclass
class Case:
    """A page that is pressed: the product at some length, or the floor."""

    name: str
    address: str
    answers: list[str] = field(default_factory=list)  # what a floor puts in
    fetches: bool = False  # whether the floor fetches it first
    ahead: bool = True  # whether the product fetches the next step ahead
    presses: list[dict[str, float]] = field(default_factory=list)
    kinds: dict[str, set[int]] = field(default_factory=lambda: defaultdict(set))

    @property
    def paint(self) -> Figure:
        return figure(press["paint"] - press["start"] for press in self.presses)

    @property
    def lost(self) -> float:
        """The most nodes outside the controls that one press took away."""
        return max(press["lost"] for press in self.presses)


def rows(quick: bool) -> list[Row]:
    """Presses of each page by turns, in one browser."""
    with TemporaryDirectory() as top:
        lessons, files = Path(top, "lessons"), Path(top, "files")
        write_lessons(lessons)
        with product(lessons) as halqa:
            answers = _write_floor(halqa, files)
            with floor("files", str(files)) as least, chromium() as browser:
                cases = _cases(halqa, least, answers)
                _take_turns(browser, cases, 1 if quick else 3, 4 if quick else 8)
                nodes = _nodes(browser, halqa, 6 if quick else 12)
    return _paint_rows(cases) + nodes


def _write_floor(halqa: Server, files: Path) -> dict[str, list[str]]:
    """The real answers of steps, one file each, for the floors; by the number of lanes."""
    files.mkdir()
    (files / "index.html").write_bytes((HERE / "floor.html").read_bytes())
    answers = {}
    for lanes, names in LANES.items():
        walked = walk(halqa.get, page(40, names))
        answers[lanes] = [html for _, html in walked][-MOST_PRESSES:]
        for n, html in enumerate(answers[lanes]):
            (files / f"{lanes[0]}{n}").write_text(html, encoding="utf-8")
    return answers


def _cases(halqa: Server, least: Server, answers: dict[str, list[str]]) -> dict[str, Case]:
    cases = []
    for lanes, names in LANES.items():
        known = answers[lanes]
        files = [f"{lanes[0]}{n}" for n in range(len(known))]
        cases.append(Case(f"{lanes} inserted", least.address, known))
        cases.append(Case(f"{lanes} fetched", least.address, files, fetches=True))
        for size in SIZES:
            start = page(size, names)
            first = max(0, last_step(halqa.get, start) - MOST_PRESSES)
            address = f"{halqa.address}{start}&step={first}"
            cases.append(Case(f"{lanes} {size}", address))
            if size != SIZES[0]:
                cases.append(Case(f"{lanes} {size} late", address, ahead=False))
    return {case.name: case for case in cases}


def _take_turns(browser: Browser, cases: dict[str, Case], rounds: int, presses: int) -> None:
    """Each round presses on each page, in another order and with nothing kept from before."""
    chance, order = random.Random(1), list(cases.values())
    for _ in range(rounds):
        chance.shuffle(order)
        for case in order:
            with _opened(browser, case) as shown:
                for n in range(presses + 1):
                    press = _press(shown)
                    if n:  # the first press of a page is not counted
                        case.presses.append(press)


@contextmanager
def _opened(browser: Browser, case: Case) -> Iterator[Page]:
    context = browser.new_context(viewport={"width": 1280, "height": 720})
    context.add_init_script(path=HERE / "watch.js")
    shown = context.new_page()
    if not case.ahead:
        shown.add_init_script("halqaBench.hold()")
    shown.goto(case.address, wait_until="networkidle")
    if case.answers:
        shown.evaluate("([a, f]) => { answers = a; fetches = f; }", [case.answers, case.fetches])
    try:
        yield shown
    finally:
        context.close()


def _press(shown: Page) -> dict[str, float]:
    """One press, at no fixed time between two frames. Raises RuntimeError where nothing comes."""
    time.sleep(random.uniform(0, 0.017))
    box = shown.locator("#step").first.bounding_box()
    assert box is not None
    shown.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    press: dict[str, float] | None = shown.evaluate("(still) => halqaBench.landed(still)", STILL)
    if press is None:
        raise RuntimeError(f"a press on {shown.url} brought nothing")
    return press


def _nodes(browser: Browser, halqa: Server, presses: int) -> list[Row]:
    """The most nodes that each kind of step adds, in a long run and in a short one."""
    found = []
    for lanes, names in LANES.items():
        added: dict[int, dict[str, float]] = {}
        lost = 0.0
        for size in (SIZES[0], LONG):
            start = page(size, names)
            first = last_step(halqa.get, start) - presses - 1
            case = Case("", f"{halqa.address}{start}&step={first}")
            kinds: dict[str, float] = defaultdict(float)
            with _opened(browser, case) as shown:
                for _ in range(presses):
                    press = _press(shown)
                    kind = kind_of(shown.locator("#now").evaluate("(now) => now.outerHTML"))
                    kinds[kind] = max(kinds[kind], press["added"])
                    lost = max(lost, press["lost"])
            added[size] = dict(kinds)
        found += _node_rows(lanes, added[SIZES[0]], added[LONG], lost)
    return found


def _node_rows(lanes: str, few: dict[str, float], many: dict[str, float], lost: float) -> list[Row]:
    both = [kind for kind in many if few.get(kind)]
    kind = max(both, key=lambda kind: many[kind] / few[kind])
    return [
        Row(
            f"nodes of a step, {lanes}, 202 messages over 10 ({kind})",
            count(many[kind]),
            "",
            count(few[kind]),
            ratio=many[kind] / few[kind],
            most=1,
            field="Python Tutor 6,000 to 64,000",
        ),
        Row(f"nodes taken away but the controls', {lanes}", count(lost), "", most=0),
    ]


def _paint_rows(cases: dict[str, Case]) -> list[Row]:
    found = []
    local, late = "React simulator 1.4×, a round trip 2.5×", "rig 1.14×, p95 1.19×"
    for lanes in LANES:
        few, *_, many = (cases[f"{lanes} {size}"].paint for size in SIZES)
        inserted, fetched = (cases[f"{lanes} {how}"].paint for how in ("inserted", "fetched"))
        for size in SIZES:
            name = f"press to paint, {lanes}, {size + 2} messages, fetched ahead"
            shown: dict[str, Any] = {"most": 1.3, "field": local}
            found.append(against(name, cases[f"{lanes} {size}"].paint, inserted, "ms", **shown))
        name = f"press to paint, {lanes}, 202 messages over 10"
        found.append(against(name, many, few, "ms", most=1.1))
        for size in SIZES[1:]:
            name = f"press to paint, {lanes}, {size + 2} messages, not ahead"
            shown = {"most": 1.25, "most_p95": 1.3, "field": late}
            paint = cases[f"{lanes} {size} late"].paint
            found.append(against(name, paint, fetched, "ms", **shown))
    return found

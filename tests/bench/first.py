"""The first page: what it weighs, and when it can be used."""

from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory

from playwright.sync_api import Browser

from tests.bench.measure import by_turns, count, figure
from tests.bench.press import HERE
from tests.bench.servers import floor, product
from tests.bench.table import Row, against
from tests.pages import chromium

PAGES = {
    "overview": "/",
    "a lane": "/lessons/how-many-python-files?lanes=correct",
    "three lanes": "/lessons/how-many-python-files",
}
FONTS = (".woff2", ".woff")
WEIGHT = "agent-anatomy 19 kB, learn-claude-code 349–811 kB"


def rows(quick: bool) -> list[Row]:
    """Each page loaded with nothing kept from before, by turns with a bare one."""
    with TemporaryDirectory() as top:
        for name, kept in (("bare.html", "index.html"), ("bare.css", "bare.css")):
            Path(top, kept).write_bytes((HERE / name).read_bytes())
        with product() as halqa, floor("files", top) as bare, chromium() as browser:
            weights: dict[str, tuple[int, int]] = {}
            longs = dict.fromkeys(PAGES, 0)
            cases: dict[str, Callable[[], list[float]]] = {
                "bare": lambda: [_load(browser, bare.address)[0]]
            }
            for name, path in PAGES.items():

                def load(name: str = name, address: str = halqa.address + path) -> list[float]:
                    ready, tasks, weights[name] = _load(browser, address)
                    longs[name] += tasks
                    return [ready]

                cases[name] = load
            _load(browser, bare.address)  # the browser's own first page
            ready = by_turns(cases, 2 if quick else 6)
    found = []
    for name in PAGES:
        size, requests = weights[name]
        found += [
            Row(f"{name}: bytes without fonts", count(size), "B", most=30_000, field=WEIGHT),
            Row(f"{name}: requests without fonts", count(requests), "", most=6),
            Row(f"{name}: long tasks in {len(ready[name])} loads", count(longs[name]), "", most=0),
            against(
                f"{name}: interactive", figure(ready[name]), figure(ready["bare"]), "ms", most=1.5
            ),
        ]
    return found


def _load(browser: Browser, address: str) -> tuple[float, int, tuple[int, int]]:
    """When a page can be used, its long tasks, and its bytes and requests without the fonts."""
    context = browser.new_context(viewport={"width": 1280, "height": 720})
    try:
        context.add_init_script(path=HERE / "watch.js")
        shown = context.new_page()
        wire = context.new_cdp_session(shown)
        wire.send("Network.enable")
        names: dict[str, str] = {}
        sizes: dict[str, int] = {}
        wire.on(
            "Network.requestWillBeSent",
            lambda sent: names.update({sent["requestId"]: sent["request"]["url"]}),
        )
        wire.on(
            "Network.loadingFinished",
            lambda got: sizes.update({got["requestId"]: int(got["encodedDataLength"])}),
        )
        answer = shown.goto(address, wait_until="networkidle")
        if answer is None or not answer.ok:
            raise RuntimeError(f"{address} answered {answer and answer.status}")
        loaded = shown.evaluate("() => halqaBench.loaded()")
        counted = [
            size
            for request, size in sizes.items()
            if not names[request].startswith("data:")
            and not names[request].endswith(FONTS)
            and "/steps/" not in names[request]  # the next step, fetched ahead
        ]
        return loaded["interactive"], loaded["longs"], (sum(counted), len(counted))
    finally:
        context.close()

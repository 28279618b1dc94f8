"""`python -m tests.bench`: measure, print the table, write it as JSON to bench.json."""

import argparse
import json
import os
import platform
import sys
import time
from collections.abc import Callable

from tests.bench import classroom, first, fragment, live, press, recorder, start, weight
from tests.bench.servers import CHECKOUT
from tests.bench.table import Row, table

FAMILIES: dict[str, Callable[[bool], list[Row]]] = {
    "start": start.rows,
    "recorder": recorder.rows,
    "bytes": weight.rows,
    "fragment": fragment.rows,
    "press": press.rows,
    "page": first.rows,
    "class": classroom.rows,
    "live": live.rows,
}
FILE = CHECKOUT / "bench.json"


def main() -> None:
    """Measure what was asked for, each family of rows in turn."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench", description=__doc__)
    parser.add_argument("--quick", action="store_true", help="fewer rounds, rougher figures")
    parser.add_argument("--only", nargs="+", choices=FAMILIES, default=[*FAMILIES])
    options = parser.parse_args()
    began, rows = time.perf_counter(), []
    seconds: dict[str, float] = {}
    failed: dict[str, str] = {}
    load = os.getloadavg()[0] if hasattr(os, "getloadavg") else 0.0
    for family in options.only:
        since = time.perf_counter()
        try:
            rows += FAMILIES[family](options.quick)
        except Exception as error:  # the other families are still worth their minutes
            failed[family] = f"{type(error).__name__}: {error}"
        seconds[family] = round(time.perf_counter() - since, 1)
    print(table(rows))
    for family, said in failed.items():
        print(f"\n{family} was not measured: {said}")
    print("\nMedians, the p95 in brackets; product and floor by turns in one run.")
    print(f"{time.perf_counter() - began:.0f} s; written to {FILE.name}")
    if load > 1:
        print(f"Other work ran on this machine (load {load:.1f} before): even ratios are rough.")
    written = {
        "python": platform.python_version(),
        "cores": os.cpu_count(),
        "load_before": round(load, 1),
        "quick": options.quick,
        "seconds": seconds,
        "failed": failed,
        "rows": [row.as_json() for row in rows],
    }
    FILE.write_text(json.dumps(written, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")
    if failed:
        sys.exit(1)


if __name__ == "__main__":
    main()

"""Compiles the catalogues of a checkout, so that tests see the languages as they are written."""

import runpy
from pathlib import Path

CHECKOUT = Path(__file__).resolve().parents[1]


def compile_catalogues(locales: Path = CHECKOUT / "locales") -> None:
    """Write what the build writes beside each .po."""
    runpy.run_path(str(CHECKOUT / "catalogues.py"))["compile_catalogues"](locales)

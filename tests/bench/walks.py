"""The lessons that are measured, and the addresses that a person's presses ask for."""

import re
from pathlib import Path

from tests.long_lesson import write_long_lesson
from tests.steps import Get

ONE = "correct"
THREE = "correct,forgot_results,split_results"
LANES = {"one lane": ONE, "three lanes": THREE}
SIZES = (10, 40, 200)  # messages before the last reply; a run ends with two more than that


def write_lessons(top: Path) -> None:
    """One lesson of each size."""
    for size in SIZES:
        write_long_lesson(top, size)


def page(size: int, lanes: str, query: str = "") -> str:
    """The address of a lesson at its start."""
    return f"/lessons/long-{size}?lanes={lanes}{query}"


def last_step(get: Get, page: str) -> int:
    """The number of the last step: one past the end is the last one."""
    return int(get(f"{page}&step=999999").partition("<title>Step ")[2].split()[0])


def kind_of(html: str) -> str:
    """The kind of step that an answer shows, as its sentence names it."""
    found = re.search(r'<p id="now"[^>]*><span class="kind">([^<]*)', html)
    return found[1] if found else ""

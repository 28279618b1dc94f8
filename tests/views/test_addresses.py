"""Addresses: short, in a fixed order, and read back as they were written."""

from urllib.parse import parse_qs, urlsplit

import pytest

from app import paths
from app.run import library
from app.views.addresses import Choice, Place, View, read_choices, read_step, read_view

FOUR = library([paths.SCENARIOS]).find("4")
PATH = "/lessons/how-many-python-files"


def place(lanes: str | None, step: int = 0, view: View | None = None) -> Place:
    return Place(FOUR, read_choices(lanes, FOUR), step, view or View(), "d1", "en")


@pytest.mark.parametrize(
    ("lanes", "step", "view", "address"),
    [
        (None, 0, View(), PATH),
        ("correct,forgot_results,missing_tool_use_id", 0, View(), PATH),
        (None, 7, View(), f"{PATH}?step=7"),
        ("correct", 0, View(), f"{PATH}?lanes=correct"),
        ("correct:checked", 7, View(), f"{PATH}?lanes=correct&step=7"),
        ("forgot_results:checked", 0, View(), f"{PATH}?lanes=forgot_results:checked"),
        ("forgot_results:unchecked", 0, View(), f"{PATH}?lanes=forgot_results"),
        (
            "correct,forgot_results:checked",
            3,
            View("en", "dark", "request", keys=False),
            f"{PATH}?lanes=correct,forgot_results:checked&step=3"
            "&lang=en&theme=dark&tab=request&keys=off",
        ),
    ],
)
def test_what_is_the_default_is_left_out(
    lanes: str | None, step: int, view: View, address: str
) -> None:
    assert place(lanes, step, view).page == address


def test_an_address_is_read_back_as_it_was_written() -> None:
    written = place(
        "correct:unchecked,forgot_results", 12, View("en", "dark", "request", keys=False)
    )
    asked = {key: value[0] for key, value in parse_qs(urlsplit(written.page).query).items()}
    assert read_choices(asked.get("lanes"), FOUR) == (
        Choice("correct", False),
        Choice("forgot_results", False),
    )
    assert read_step(asked.get("step")) == 12
    assert read_view(asked.get, ["en"]) == written.view


def test_fragments_name_all_that_they_depend_on() -> None:
    here = place("correct,forgot_results:checked", 6, View(tab="request"))
    head = "/steps/d1/en/how-many-python-files/correct,forgot_results:checked"
    assert here.fragments == f"{head}/"

"""What a scripted run would have cost is said where it comes to a cent."""

import gettext

import pytest
from markupsafe import Markup

from app.paths import SCENARIOS
from app.run import library, trace_of
from app.views.spent import spent_of
from app.views.texts import Words

WORDS = Words(gettext.NullTranslations())


@pytest.mark.parametrize(
    ("slug", "lane", "said"),
    [
        ("for-ever", "correct", "simulated cost: $0.23 for 209,905 tokens, 125 s"),
        ("budgets", "by_turns", "simulated cost: $0.01 for 2,283 tokens, 38 s"),
        ("budgets", "by_time", ""),  # less than a cent
    ],
)
def test_the_cost_of_a_run(slug: str, lane: str, said: str) -> None:
    lesson = library([SCENARIOS]).find(slug)
    assert Markup(spent_of(trace_of(lesson, lane, True, "en"), WORDS)).striptags() == said

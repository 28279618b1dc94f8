"""The plot of what is sent each turn, and the ring that shows where the loop is."""

import gettext

import pytest

from app.paths import SCENARIOS
from app.run import library, trace_of
from app.views.plot import HEIGHT, Bar, Plot, newest
from app.views.reading import Reading
from app.views.ring import ring
from app.views.texts import Words, size_of

SHELF = library([SCENARIOS])
LANES = [
    (lesson.slug, lane.name, checked)
    for lesson in SHELF.lessons()
    for lane in lesson.lanes
    for checked in (True, False)
]


def reading(slug: str, lane: str, checked: bool) -> Reading:
    lesson = SHELF.find(slug)
    trace = trace_of(lesson, lane, checked, "en")
    return Reading(lesson, lesson.lane(lane), trace, Words(gettext.NullTranslations()), "en")


def plot(read: Reading, turn: int) -> list[Bar]:
    return [piece.data for piece in Plot(read.trace.asks, read.sent).pieces(turn)]


@pytest.mark.parametrize(("slug", "lane", "checked"), LANES)
def test_a_bar_stands_for_the_bytes_of_its_whole_request(
    slug: str, lane: str, checked: bool
) -> None:
    read = reading(slug, lane, checked)
    sizes = [size_of(read.trace.request(ask)) for ask in read.trace.asks]
    assert [sent.total for sent in read.sent] == sizes
    assert read.sent[0].again == 0
    shown = plot(read, len(sizes))
    assert max(bar.again + bar.new for bar in shown) == HEIGHT
    for bar, size in zip(shown, sizes, strict=True):
        assert bar.again + bar.new == pytest.approx(HEIGHT * size / max(sizes), abs=1)


def test_the_bars_of_turns_to_come_tell_nothing() -> None:
    read = reading("how-many-python-files", "correct", True)
    assert plot(read, 0) == [Bar(1), Bar(2), Bar(3)]
    assert [bar.messages for bar in plot(read, 2)] == [1, 3, 0]
    assert plot(read, 2)[2] == Bar(3)
    assert plot(read, 1)[0].new == plot(read, 3)[0].new  # one scale from the begin


def test_what_is_sent_again_is_all_that_the_request_before_held() -> None:
    read = reading("how-many-python-files", "correct", True)
    for before, after in zip(read.sent, read.sent[1:], strict=False):
        assert after.again == pytest.approx(before.total, abs=2)
    sent = newest(read.trace.asks, read.sent, 2)
    assert (sent.turn, sent.messages) == (2, 3)
    assert sent.tokens == -(-read.sent[1].total // 4)


@pytest.mark.parametrize(
    ("slug", "lane", "turn", "kind", "looks"),
    [
        ("how-many-python-files", "correct", 1, "ask", "now next next next"),
        ("how-many-python-files", "correct", 1, "reply", "done now next next"),
        ("how-many-python-files", "correct", 2, "tool", "done done now done"),
        ("how-many-python-files", "correct", 2, "append", "done done next now"),
        ("how-many-python-files", "correct", 3, "end", "done done next done"),
        ("how-many-python-files", "forgot_results", 1, "tool", "done done now done"),
        ("how-many-python-files", "forgot_results", 2, "ask", "now next next open"),
        ("how-many-python-files", "forgot_results", 2, "append", "done done next now"),
        ("lose-the-thread", "forgot_round", 2, "ask", "now next next open"),
        ("lose-the-thread", "forgot_assistant", 2, "ask", "now next next open"),
        ("lose-the-thread", "swapped_ids", 2, "ask", "now next next next"),
    ],
)
def test_the_ring_is_open_where_a_turn_left_its_append_out(
    slug: str, lane: str, turn: int, kind: str, looks: str
) -> None:
    read = reading(slug, lane, SHELF.find(slug).lane(lane).checked)
    number = next(
        n for n, step in enumerate(read.trace.steps) if (step.turn, step.kind) == (turn, kind)
    )
    shown = ring(read.trace, number, read.fates)
    assert [arc.name for arc in shown] == ["ask", "reply", "tool", "append"]
    assert " ".join(arc.look for arc in shown) == looks


def test_a_bar_shows_how_much_of_it_are_tools() -> None:
    read = reading("how-many-python-files", "correct", True)
    for ask, sent in zip(read.trace.asks, read.sent, strict=True):
        assert sent.tools == size_of(ask.envelope["tools"])
    bar = plot(read, 1)[0]
    assert 0 < bar.tools < bar.new
    assert bar.tools_size.endswith("B")
    assert newest(read.trace.asks, read.sent, 1).tools == bar.tools_size

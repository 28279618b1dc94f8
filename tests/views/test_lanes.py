"""Several lanes as rows: what each does, what it lacks, and how that is said."""

import gettext
import re
from itertools import pairwise

import pytest

from app.paths import SCENARIOS
from app.run import library, trace_of
from app.source import loops
from app.views.addresses import Choice, Place, View, read_choices
from app.views.lanes.cells import Cell, RowShown
from app.views.lanes.endings import HEIGHTS, ending
from app.views.lanes.excerpt import excerpts
from app.views.lanes.picture import Reading, frame, picture
from app.views.lanes.shown import Lanes, Shown, same_turn
from app.views.picture import changes
from app.views.texts import Words

SHELF = library([SCENARIOS])
FOUR, FIVE, TWO = "how-many-python-files", "lose-the-thread", "which-note"
THREE = "correct,forgot_results,missing_tool_use_id"
WORDS = Words(gettext.NullTranslations())


def lanes_of(slug: str, names: str) -> Lanes:
    lesson = SHELF.find(slug)
    return Lanes(
        lesson,
        tuple(
            Shown(lesson.lane(name), checked, trace_of(lesson, name, checked, "en"))
            for name, checked in (
                (choice.lane, choice.checked) for choice in read_choices(names, lesson)
            )
        ),
        "en",
    )


def reading(slug: str, names: str) -> Reading:
    return Reading(lanes_of(slug, names), WORDS)


def place(read: Reading, at: int) -> Place:
    choices = tuple(Choice(lane.name, lane.checked) for lane in read.lanes.shown)
    return Place(read.lanes.lesson, choices, at, View(), "digest", "en")


def first(read: Reading) -> RowShown:
    number = read.lanes.comparison.first_difference
    assert number is not None
    return read.rows[number]


def cell(read: Reading, turn: int, kind: str, lane: str) -> Cell:
    """A lane's cell in the last row of a kind in a turn."""
    row = [row for row in read.rows if (row.turn, row.kind) == (turn, kind)][-1]
    return next(cell for cell in row.cells if cell.lane == lane)


def letters(shown: Cell) -> str:
    """A strip in letters; what is absent is a dot."""
    assert shown.strip is not None
    strip = shown.strip
    cut = f"+{strip.left_out}" if strip.left_out else ""
    first, last = ("".join(g.letter or "." for g in part) for part in (strip.first, strip.last))
    return first + cut + last


def plain(text: object) -> str:
    return re.sub(r"<[^>]+>", "", str(text))


def json_of(shown: Cell) -> list[str]:
    """The lines of the entry that a cell shows in full; what is drawn as absent in brackets."""
    return [
        "".join(
            f"[no {token.text}]" if token.look in ("absent", "no-call") else token.text
            for token in line
        )
        for entry in shown.entries
        for line in entry.lines
    ]


@pytest.mark.parametrize(
    ("lesson", "lanes", "lane", "turn", "signs", "word"),
    [
        (FOUR, THREE, "correct", 2, "UAR", ""),
        (FOUR, THREE, "correct", 3, "UARAR", ""),
        (FOUR, THREE, "forgot_results", 2, "UA.", "result missing"),
        (FOUR, THREE, "forgot_results", 3, "UA.A.", "2 fewer"),
        (FOUR, THREE, "forgot_results", 6, "UA.+2A.A.A.", ""),
        (FOUR, THREE, "missing_tool_use_id", 2, "UA?", "no id"),
        (FIVE, "correct,forgot_round", "forgot_round", 2, "U..", "round missing"),
        (FIVE, "correct,forgot_assistant", "forgot_assistant", 2, "U.R", "reply missing"),
        (FIVE, "correct,text_only", "text_only", 2, "UAR", "calls missing"),
        (FIVE, "correct,swapped_ids", "swapped_ids", 2, "UAR", "ids swapped"),
        (FIVE, "correct,split_results", "split_results", 2, "UARR", "1 more"),
        (TWO, "correct,one_round", "one_round", 2, "UAR", "no tools offered"),
    ],
)
def test_a_request_shows_what_is_sent_and_what_is_absent(
    lesson: str, lanes: str, lane: str, turn: int, signs: str, word: str
) -> None:
    asked = cell(reading(lesson, lanes), turn, "ask", lane)
    assert (letters(asked), asked.word) == (signs, word)


@pytest.mark.parametrize("order", [THREE, "forgot_results,missing_tool_use_id,correct"])
def test_the_correct_loop_is_never_marked_wrong_whatever_its_place(order: str) -> None:
    shown = [c for row in reading(FOUR, order).rows for c in row.cells if c.lane == "correct"]
    assert {c.look for c in shown} <= {
        "start", "ask", "reply", "append", "tool", "end", "ended", "blank",
    }  # fmt: skip
    assert not any(c.word for c in shown)


def test_the_first_difference_shows_the_entry_the_hole_and_the_missing_key() -> None:
    row = first(reading(FOUR, THREE))
    assert (row.number, row.kind) == (5, "append")
    correct, forgot, missing = row.cells
    assert json_of(correct) == [
        '{"role": "user", "content": [',
        '{"type": "tool_result", "tool_use_id": "toolu_01", "content": "Done: 3 entries…"}',
    ]
    assert (forgot.look, forgot.title) == ("hole", "Nothing appended")
    assert plain(forgot.text) == "messages[] stays at 2: the result is lost"
    assert json_of(missing)[1].startswith('{"type": "tool_result", [no tool_use_id], "content"')


def test_swapped_ids_show_whose_result_each_one_is() -> None:
    _, swapped = first(reading(FIVE, "correct,swapped_ids")).cells
    marked = [
        (token.look, token.text)
        for line in swapped.entries[0].lines
        for token in line
        if token.look in ("wrong", "owner")
    ]
    assert marked == [
        ("wrong", '"toolu_02"'),
        ("owner", "toolu_01"),
        ("wrong", '"toolu_01"'),
        ("owner", "toolu_02"),
    ]


def test_calls_that_were_dropped_are_drawn_in_the_reply_that_lost_them() -> None:
    _, dropped = first(reading(FIVE, "correct,text_only")).cells
    assert json_of(dropped)[-2:] == ["[no tool_use toolu_01]", "[no tool_use toolu_02]"]
    assert dropped.entries[0].glyph.look == "no-call"


def test_messages_of_chat_completions_are_drawn_in_their_own_words() -> None:
    sound, toy = first(reading("the-other-api", "chat,toy_history")).cells
    assert '"tool_calls": [' in "".join(json_of(sound))
    assert json_of(toy)[-1] == "[no tool_calls call_01]"
    sound, wrong = first(reading("the-other-api", "chat,wrong_tool_call_id")).cells
    assert "".join(json_of(sound)).startswith('{"role": "tool", "tool_call_id": "call_01"')
    assert [
        t.text for e in wrong.entries for line in e.lines for t in line if t.look == "owner"
    ] == ["call_01"]


def test_two_apis_differ_in_their_words_alone() -> None:
    compared = reading("the-other-api", "messages_api,chat").lanes.comparison
    assert compared.first_difference is None


def test_a_base_that_lacks_a_row_gets_a_note_and_no_hole() -> None:
    correct, split = first(reading(FIVE, "correct,split_results")).cells
    assert (correct.look, correct.title) == ("note", "Nothing yet")
    assert correct.text == "all results go in one message"
    assert split.entries
    asked = cell(reading(FIVE, "correct,split_results"), 2, "ask", "split_results")
    assert [fault.rule for fault in asked.warnings] == ["A46"]


def test_a_loop_that_offers_other_tools_shows_them_beside_those_of_the_others() -> None:
    one_round, correct = first(reading(TWO, "one_round,correct")).cells
    assert [(key.name, key.input) for key in one_round.changed] == [("tools", "[]")]
    assert [(key.name, key.input) for key in correct.changed] == [("tools", '["read_file"]')]


def test_a_lost_result_is_said_once_in_each_turn() -> None:
    read = reading(FOUR, "correct,forgot_results")
    lost = {
        turn: [
            c.word
            for row in read.rows
            if row.turn == turn
            for c in row.cells
            if c.lane == "forgot_results" and "lost" in c.word
        ]
        for turn in range(1, 7)
    }
    assert lost == {1: ["the result is lost"], 2: ["the result is lost"]} | {
        turn: ["result lost"] for turn in range(3, 7)
    }


@pytest.mark.parametrize(
    ("lanes", "row", "said"),
    [
        (THREE, 0, "The same task in each lane. Nothing is sent yet."),
        (THREE, 1, "Each lane sends 1 message."),
        (THREE, 3, "Each lane appends the reply: messages[] holds 2."),
        (
            "correct,forgot_results",
            5,
            "Here they part. correct appends one result: messages[] holds 3."
            " forgot_results appends nothing: the result is lost.",
        ),
        (
            THREE,
            7,
            "correct gets the next question, for list_files."
            " forgot_results is asked for list_files again, the same as before."
            " missing_tool_use_id is refused."
            " A tool_result must name the call it answers: tool_use_id is missing.",
        ),
        (
            "correct,forgot_results,missing_tool_use_id:unchecked",
            99,
            "forgot_results and missing_tool_use_id stop after 6 turns without an answer.",
        ),
    ],
)
def test_one_sentence_says_what_the_lanes_do_alike_and_where_they_part(
    lanes: str, row: int, said: str
) -> None:
    read = reading(FOUR, lanes)
    sentence = picture(read, place(read, min(row, read.last))).single["now"].data.sentence
    assert " ".join(plain(f"{sentence.said} {sentence.why}").split()) == said


LONG = 20  # rows at each end that are drawn of a run that never stops by itself


def test_every_row_of_a_lane_beside_the_first_and_the_next_can_be_drawn_and_said() -> None:
    for lesson in SHELF.lessons():
        first, *others = (lane.name for lane in lesson.lanes)
        pairs = {*((first, lane) for lane in others), *((lane, first) for lane in others)}
        for one, other in sorted({*pairs, *pairwise(others)}):
            for switch in (":checked", ":unchecked"):
                read = reading(lesson.slug, f"{one},{other}{switch}")
                ends = {*range(LONG), *range(max(0, read.last - LONG), read.last)}
                for at in range(read.last + 1) if read.last < 3 * LONG else sorted(ends):
                    made = picture(read, place(read, at))
                    assert made.single["now"].data.sentence, (lesson.slug, one, other, at)
                    assert made.lists["rows"][-1].id == f"row-{at}"


@pytest.mark.parametrize(
    ("shown", "lines"),
    [
        (
            ["correct", "forgot_results", "missing_tool_use_id"],
            [
                ["18", "20", "21"],
                ["18", "20 left-out", "21 left-out"],
                ["18 left-out", "19", "20"],
            ],
        ),
        (
            ["correct", "swapped_ids"],
            [["16", "18"], ["16 left-out", "16 put-in", "18 left-out", "18 put-in"]],
        ),
        (["one_round", "correct"], [["4 left-out", "4 put-in", "5 put-in"], ["4"]]),
    ],
)
def test_heads_show_the_same_lines_of_the_base_in_each_lane(
    shown: list[str], lines: list[list[str]]
) -> None:
    made = excerpts([loops()[name] for name in shown])
    assert [
        [f"{line.number}{'' if line.look == 'same' else ' ' + line.look}" for line in excerpt]
        for excerpt in made
    ] == lines
    for excerpt, name in zip(made, shown, strict=True):
        for line in excerpt:
            own = loops()["correct" if line.look == "left-out" else name].lines
            assert line.text.strip() == own[line.number - 1].strip()


def test_bars_are_on_one_scale_and_later_turns_are_empty() -> None:
    read = reading(FOUR, THREE)
    at = read.firsts[3]
    shown = [[piece.data for piece in bars.pieces(at)] for bars in read.bars]
    heights = [[bar.height for bar in lane] for lane in shown]
    assert [[bar.messages for bar in lane] for lane in shown] == [
        [1, 3, 5, 0, 0, 0],
        [1, 2, 3, 0, 0, 0],
        [1, 3, 0, 0, 0, 0],
    ]
    assert heights[0] == [2, 6, 10, 0, 0, 0]
    assert max(piece.data.height for piece in read.bars[1].pieces(read.last)) == HEIGHTS


@pytest.mark.parametrize(
    ("lane", "kind", "title", "about"),
    [
        (0, "answer", "“3 Python files.”", "the answer, after 3 turns, 14 steps"),
        (1, "no_answer", "stopped: no answer after 6 turns", "6 turns, 25 steps"),
        (
            2,
            "refused",
            "A tool_result must name the call it answers: tool_use_id is missing.",
            "2 turns, 7 steps",
        ),
    ],
)
def test_an_ending_is_shown_when_its_lane_has_ended_and_not_before(
    lane: int, kind: str, title: str, about: str
) -> None:
    lanes = lanes_of(FOUR, THREE)
    ends = next(row for row in range(lanes.last + 1) if lanes.has_ended(row, lane))
    assert ending(WORDS, lanes, ends - 1, lane, View()).kind == "running"
    shown = ending(WORDS, lanes, ends, lane, View())
    assert (shown.kind, shown.title, shown.about) == (kind, title, about)
    assert (shown.fault is not None) == (kind == "refused")


@pytest.mark.parametrize(
    ("before", "row", "after", "kept"),
    [
        (THREE, 5, "correct,forgot_results", 5),  # the same row where it is of that turn
        (THREE, 28, "correct,missing_tool_use_id", 11),  # the last turn there is
        (THREE, 20, "correct,forgot_results", 20),
        (THREE, 11, "forgot_results", 9),  # alone, a lane stays at its own step
        (THREE, 5, "forgot_results", 4),
        (THREE, 0, "correct,forgot_results:checked", 0),
    ],
)
def test_other_lanes_keep_the_turn(before: str, row: int, after: str, kept: int) -> None:
    assert same_turn(lanes_of(FOUR, before), row, lanes_of(FOUR, after)) == kept


def test_heads_offer_every_other_lane_and_never_more_than_four() -> None:
    read = reading(FIVE, "correct,swapped_ids")
    made = frame(read, place(read, 0))
    others = {"forgot_round", "forgot_assistant", "text_only", "split_results"}
    assert {option.name for option in made.more} == others
    swapped = made.heads[1]
    assert {option.value for option in swapped.instead} == {f"correct,{name}" for name in others}
    assert swapped.flipped == "correct,swapped_ids:unchecked"
    assert swapped.alone == "swapped_ids"
    assert swapped.without == ""  # one lane alone is no comparison
    four = reading(FIVE, "correct,swapped_ids,text_only,split_results")
    assert frame(four, place(four, 0)).more == ()
    assert frame(four, place(four, 0)).heads[1].without == "correct,text_only,split_results"


def test_a_lane_that_goes_on_where_another_ends_says_so() -> None:
    read = reading("not-finished-yet", "every_stop_reason,stops_at_a_pause")
    sound, ended = first(read).cells
    assert (sound.look, sound.text, ended.look) == ("note", "goes on", "end")


def test_a_lane_that_prints_says_so_beside_the_result() -> None:
    read = reading("why-is-it-late", "correct,prints_each_call")
    assert cell(read, 1, "tool", "correct").text == ""
    assert cell(read, 1, "tool", "prints_each_call").text == "prints 1 line"
    assert read.lanes.comparison.first_difference is None


@pytest.mark.parametrize(
    ("slug", "lanes", "said"),
    [
        (FOUR, THREE, ["one result", "", "the result without its id"]),
        (FIVE, "correct,swapped_ids", ["2 results", "each result under the other call&#39;s id"]),
        ("done-or-asking", "correct,edits_thinking", ["the reply", "the reply, changed"]),
        ("no-such-tool", "listed,crashes,not_given", ["", "", "another tool"]),
        ("what-day-is-it", "told_in_system,not_told", ["", "other parameters"]),
        ("wrong-parameters", "checked_first,handed_on", ["", "another result"]),
        ("whose-fault", "as_it_is,other_task", ["", "another task"]),
        (
            "again-and-again",
            "no_guard,guard",
            [
                "",
                "another result: “You made this call 2 times and nothing new came of it. "
                "Try another way, or ask.”",
            ],
        ),
    ],
)
def test_where_lanes_part_it_is_said_in_words_how(slug, lanes, said):
    words = [plain(one.parting) for one in first(reading(slug, lanes)).cells]
    assert [text.removesuffix(" in one message") for text in words] == said


def test_a_long_stretch_of_equal_steps_folds_to_one_row_and_unfolds():
    read = reading("again-and-again", "no_guard,guard")
    parted = read.lanes.comparison.first_difference
    assert parted == 24
    for at in range(read.last + 1):
        shown = picture(read, place(read, at)).lists["rows"]
        ids = [piece.id for piece in shown]
        if at < 9:
            assert ids == [f"row-{n}" for n in range(at + 1)]
            continue
        fold = min(at, parted - 1) - 6
        assert ids == ["row-0", "fold", *(f"row-{n}" for n in range(fold + 1, at + 1))]
        assert shown[1].data.count == fold
        assert all(row.same for row in read.rows[1 : fold + 1])
    here = place(read, 26)
    address = picture(read, here).lists["rows"][1].data.page
    assert address.endswith("?step=26&rows=all#row-1")
    unfolded = picture(read, here.seen(rows="all"))
    assert [piece.id for piece in unfolded.lists["rows"]] == [f"row-{n}" for n in range(27)]
    assert unfolded.single["folding"].data.page == here.page


def test_a_step_through_equal_steps_brings_as_much_as_any_other():
    read = reading("again-and-again", "no_guard,guard")
    pictures = [picture(read, place(read, at)) for at in range(12, 22)]
    for before, after in pairwise(pictures):
        for one, other in ((before, after), (after, before)):
            rows = [change for change in changes(one, other) if "row" in change.target]
            assert len(rows) <= 3


def test_what_lanes_do_not_do_alike_is_never_folded():
    for slug, lanes in ((FOUR, THREE), ("whose-fault", "as_it_is,other_task")):
        read = reading(slug, lanes)
        ids = [piece.id for piece in picture(read, place(read, read.last)).lists["rows"]]
        assert ids == [f"row-{n}" for n in range(read.last + 1)]

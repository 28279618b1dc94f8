"""Lesson 4 as a screen reader says it: what each step announces, and what stands in the tree of
names and roles."""

import re

import pytest
from playwright.sync_api import Page, expect

from tests.web.browsing import arrive, open_at, press, settle

FOUR = "/lessons/how-many-python-files"

# ruff: noqa: E501 (a line is what is announced at once)
# One lane: what is announced when a step is shown.
CORRECT = """
 1 | ask The first request leaves. All that the model gets to know is in it: 1 message. With it goes the description of 1 tool.
 2 | reply The model asks for a tool: list_files {"path": "."}. It can only ask. Its reply is in a variable, not in messages[] yet.
 3 | append The reply joins messages[] as [1]. It holds 2 messages now.
 4 | tool The harness runs list_files {"path": "."}. The result is in a variable; messages[] still holds 2 messages.
 5 | append The result joins messages[], under the id of its call. Only now can the model get to know it.
 6 | ask Request 2 leaves, with all of messages[] again. 3 messages: 1 sent again, 2 new. The model keeps nothing between two requests.
 7 | reply The model asks for a tool: list_files {"path": "app"}. It can only ask. Its reply is in a variable, not in messages[] yet.
 8 | append The reply joins messages[] as [3]. It holds 4 messages now.
 9 | tool The harness runs list_files {"path": "app"}. The result is in a variable; messages[] still holds 4 messages.
10 | append The result joins messages[], under the id of its call. Only now can the model get to know it.
11 | ask Request 3 leaves, with all of messages[] again. 5 messages: 3 sent again, 2 new. The model keeps nothing between two requests.
12 | reply The model answers and asks for no tool. stop_reason is end_turn: this is the loop's sign to stop.
13 | append The reply joins messages[] as [5]. It holds 6 messages now.
14 | end The loop returns the answer. 3 requests were sent.
"""
# Several lanes: what all do is said once, and where they part each is named.
COMPARED = """
 1 | ask Each lane sends 1 message.
 2 | reply Each lane gets a reply that asks for list_files.
 3 | append Each lane appends the reply: messages[] holds 2.
 4 | tool Each lane runs list_files: “Done: 3 entries”
 5 | append Here they part. correct appends one result: messages[] holds 3. forgot_results appends nothing: the result is lost. missing_tool_use_id appends the result without its id: messages[] holds 3.
 6 | ask correct sends 3 messages. forgot_results sends 2 messages, without the result. missing_tool_use_id sends 3 messages, the result without its id.
 7 | reply correct gets the next question, for list_files. forgot_results is asked for list_files again, the same as before. missing_tool_use_id is refused. A tool_result must name the call it answers: tool_use_id is missing.
 8 | append correct appends the reply: messages[] holds 4. forgot_results appends the reply: messages[] holds 3.
 9 | tool correct runs list_files: “Done: 2 entries” forgot_results runs list_files: “Done: 3 entries”
10 | append correct appends one result: messages[] holds 5. forgot_results appends nothing: the result is lost.
11 | ask correct sends 5 messages. forgot_results sends 3 messages, without the result.
12 | reply correct gets the answer “3 Python files.” forgot_results is asked for list_files again, the same as before.
13 | append correct appends the reply: messages[] holds 6. forgot_results appends the reply: messages[] holds 4.
14 | end correct ends with the answer “3 Python files.”
15 | tool forgot_results runs list_files: “Done: 3 entries”
"""
WALKS = [("?lanes=correct&predict=off", CORRECT), ("?predict=off", COMPARED)]
ids = ["one lane", "three lanes"]

# Each change of a live region, as the text that is read then.
_LISTEN = """() => {
  window.heard = [];
  for (const region of document.querySelectorAll("[role=status], [role=alert], [aria-live]")) {
    new MutationObserver(() => {
      const text = region.hidden ? "" : region.textContent.trim().replace(/\\s+/g, " ");
      if (text) window.heard.push(text);
    }).observe(region, { childList: true, subtree: true, characterData: true, attributes: true });
  }
}"""


def table(rows: str) -> list[str]:
    """The announcements of a table, in order."""
    lines = [line.split(" | ", 1) for line in rows.strip().splitlines()]
    assert [int(number) for number, _ in lines] == [*range(1, len(lines) + 1)]
    return [text for _, text in lines]


def listening(page: Page, address: str) -> Page:
    """A page that keeps what its live regions say."""
    open_at(page, address)
    page.evaluate(_LISTEN)
    return page


def heard(page: Page) -> list[str]:
    """What was announced since the page was opened, punctuation joined to its word."""
    said: list[str] = page.evaluate("window.heard")
    return [re.sub(r" ([.,:])(?= |$)", r"\1", text) for text in said]


@pytest.mark.parametrize(("address", "rows"), WALKS, ids=ids)
def test_each_step_is_announced_once_and_in_order(
    page: Page, server: str, address: str, rows: str
) -> None:
    listening(page, f"{server}{FOUR}{address}")
    for step in range(1, len(table(rows)) + 1):
        page.keyboard.press("ArrowRight")
        arrive(page, step)
    assert heard(page) == table(rows)


@pytest.mark.parametrize(("address", "rows"), WALKS, ids=ids)
def test_step_back_announces_the_step_that_it_shows(
    page: Page, server: str, address: str, rows: str
) -> None:
    listening(page, f"{server}{FOUR}{address}&step=4")
    for step in (3, 2, 3):
        page.keyboard.press("ArrowLeft" if step != 3 or not heard(page) else "ArrowRight")
        arrive(page, step)
    texts = table(rows)
    assert heard(page) == [texts[2], texts[1], texts[2]]


def test_fast_presses_announce_what_is_shown_and_nothing_twice(page: Page, server: str) -> None:
    """A press while a step is under way is dropped, so nothing is announced for it."""
    listening(page, f"{server}{FOUR}?lanes=correct&predict=off")
    for _ in range(12):
        page.keyboard.press("ArrowRight")
    settle(page)
    said = heard(page)
    assert said == table(CORRECT)[: len(said)]
    assert len(said) == int(page.locator(".count b").inner_text())


def test_play_announces_each_step_once(page: Page, server: str) -> None:
    listening(page, f"{server}{FOUR}?lanes=correct&step=7&predict=off")
    page.locator("#speed").select_option("800")
    page.keyboard.press("p")
    arrive(page, 10)
    page.keyboard.press("p")
    settle(page)
    said = heard(page)
    assert said == table(CORRECT)[7 : 7 + len(said)]
    assert len(said) >= 3


def test_a_question_is_heard_and_then_its_step(page: Page, server: str) -> None:
    listening(page, f"{server}{FOUR}?lanes=correct&step=4")
    for step in range(5, 8):
        press(page, "ArrowRight")
        arrive(page, step)
    said = [text for text in heard(page) if not text.startswith(("Right:", "Wrong:"))]
    assert said == table(CORRECT)[4:7]


# --- the tree


def headings(page: Page) -> list[str]:
    """The headings that are heard, with their levels."""
    found: list[str] = page.locator("h1, h2, h3, h4").evaluate_all(
        """found => found.filter(one => one.checkVisibility())
           .map(one => `${one.localName} ${one.innerText.trim().replace(/\\s+/g, " ")}`)"""
    )
    return found


@pytest.mark.parametrize(
    ("address", "said"),
    [
        (
            "?lanes=correct&step=4",
            [
                "h1 How many Python files?",
                "h2 Chat",
                "h2 The loop",
                "h3 Sent to the model, each turn",
            ],
        ),
        (
            "?step=4",
            [
                "h1 How many Python files?",
                "h2 correct",
                "h2 forgot_results",
                "h2 missing_tool_use_id",
            ],
        ),
    ],
    ids=ids,
)
def test_headings_are_in_order(page: Page, server: str, address: str, said: list[str]) -> None:
    page.goto(f"{server}{FOUR}{address}")
    assert headings(page) == said


def test_one_lane_is_read_from_its_sentence_over_its_panes_to_the_controls(
    page: Page, server: str
) -> None:
    page.goto(f"{server}{FOUR}?lanes=correct&step=3&predict=off")
    expect(page.locator("body")).to_match_aria_snapshot(
        r"""
        - banner:
          - link "Halqa"
          - heading "How many Python files?" [level=1]
          - navigation "Lanes"
          - button "Settings"
        - main:
          - status
          - heading "Chat" [level=2]
          - region "Chat":
            - list:
              - listitem:
                - paragraph: How many Python files are here?
              - listitem:
                - paragraph: I will look at the top folder first.
              - listitem:
                - code: 'list_files {"path": "."}'
                - paragraph: ○ asked for, not run yet
          - heading "The loop" [level=2]
          - region "The loop"
          - region "Sent to the model, each turn":
            - list:
              - listitem:
                - img /turn 1. 1 message, 440 B, tools \d+ B/
          - 'switch "Server checks requests: on" [checked]'
          - navigation "What is sent"
          - region "messages[]":
            - list:
              - listitem:
                - group: '[0] {"role": "user", "content": "How many Python files are here?"}'
              - listitem:
                - group: /assistant/
        - contentinfo:
          - link "To the start"
          - link "Step back"
          - link "Step"
          - navigation "Steps"
        """
    )


def test_several_lanes_are_read_row_by_row_under_the_names_of_the_lanes(
    page: Page, server: str
) -> None:
    page.goto(f"{server}{FOUR}?step=6")
    expect(page.get_by_role("table")).to_match_aria_snapshot(
        """
        - table "The lanes side by side, a row for each step":
          - rowgroup:
            - row:
              - columnheader "correct":
                - heading "correct" [level=2]
                - switch "server checks on" [checked]
                - paragraph: Appends every reply and every result.
              - columnheader "forgot_results"
              - columnheader "missing_tool_use_id"
          - rowgroup "Steps so far":
            - row:
              - rowheader "start"
              - cell "How many Python files are here?"
            - row:
              - rowheader "turn 1 ask"
              - cell "user 1 message"
              - cell "user 1 message"
              - cell "user 1 message"
            - row:
              - rowheader "reply"
              - 'cell /list_files/'
              - 'cell /list_files/'
              - 'cell /list_files/'
            - row:
              - rowheader "append"
              - cell "+ assistant [1]"
              - cell "+ assistant [1]"
              - cell "+ assistant [1]"
            - row:
              - rowheader "tool"
              - 'cell "Done: 3 entries The checks before the call"'
              - 'cell "Done: 3 entries The checks before the call"'
              - 'cell "Done: 3 entries The checks before the call"'
            - row:
              - rowheader "First difference append"
              - cell /\\+ user, tool_result \\[2\\] .*toolu_01/
              - 'cell "Nothing appended messages[] stays at 2: the result is lost"'
              - cell /\\+ user, tool_result without tool_use_id \\[2\\] .*no tool_use_id/
            - row:
              - rowheader "turn 2 ask"
              - cell "user, assistant, user, tool_result 3 messages"
              - cell /2 messages result missing/
              - cell /3 messages no id/
          - rowgroup:
            - row:
              - rowheader "Ending messages sent each turn"
              - cell /still running/
              - cell /still running/
              - cell /still running/
        """
    )
    # each cell stands under its lane: the corner and a header a lane, a header and a cell a lane
    rows = page.locator("#rows > .row").evaluate_all("rows => rows.map(row => row.children.length)")
    columns = page.get_by_role("columnheader").count() + 1
    assert rows == [2] + [columns] * 6
    assert page.locator("#rows [aria-colspan='3']").count() == 1


def test_an_ending_is_read_with_what_it_is(page: Page, server: str) -> None:
    page.goto(f"{server}{FOUR}?step=99")
    expect(page.get_by_role("table").get_by_role("row").last).to_match_aria_snapshot(
        """
        - row:
          - rowheader "Ending messages sent each turn"
          - cell:
            - paragraph: “3 Python files.”
            - paragraph: the answer, after 3 turns, 14 steps
            - list "messages sent each turn"
          - cell:
            - paragraph: "stopped: no answer after 6 turns"
          - cell:
            - paragraph:
              - link "A59"
              - text: "A tool_result must name the call it answers: tool_use_id is missing."
        """
    )


def test_a_picture_that_says_nothing_more_is_not_read(page: Page, server: str) -> None:
    for address in ("?lanes=correct&step=7", "?step=99"):
        page.goto(f"{server}{FOUR}{address}")
        tree = page.locator("body").aria_snapshot()
        assert "- img\n" not in tree
        assert not re.search(r"- listitem\n", tree), "an empty entry"

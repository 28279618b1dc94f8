"""`messages[]` under a reader's hand: calls tied to their results, entries folded."""

from playwright.sync_api import Page, expect

from tests.web.browsing import arrive, document, open_at, settle

FOUR = "/lessons/how-many-python-files"


def test_a_call_is_tied_to_its_result_while_it_has_the_pointer_or_the_focus(
    page: Page, server: str
) -> None:
    open_at(page, f"{server}{FOUR}?lanes=correct&step=10")
    fresh = document(page)
    call, tied = page.locator("#m-1 .j-id"), page.locator(".tied")
    call.hover()
    expect(tied).to_have_text(['"toolu_01"', '"toolu_01"'])
    expect(page.locator("#tie")).to_be_visible()
    page.mouse.move(0, 0)
    expect(tied).to_have_count(0)
    page.locator("#m-4 .j-id").focus()
    expect(tied).to_have_text(['"toolu_02"', '"toolu_02"'])
    page.locator("#step").focus()
    expect(page.locator("#tie")).to_have_count(0)
    assert document(page) == fresh


def test_a_call_without_a_result_is_open(page: Page, server: str) -> None:
    open_at(page, f"{server}{FOUR}?lanes=correct&step=8")
    is_open = page.locator(".messages .open")
    expect(is_open).to_have_text(['"toolu_02"'])
    for step in (9, 10):
        page.locator("#step").click()
        arrive(page, step)
    expect(is_open).to_have_count(0)
    open_at(page, f"{server}{FOUR}?lanes=forgot_results&step=10")
    expect(is_open).to_have_count(page.locator(".messages .j-id").count())


def test_a_folded_entry_stays_folded_through_steps_and_jumps(page: Page, server: str) -> None:
    open_at(page, f"{server}{FOUR}?lanes=correct&step=6")
    page.locator("#m-1 summary").click()
    expect(page.locator("#m-1 .json")).to_be_hidden()
    page.locator("#step").click()
    arrive(page, 7)
    page.locator("#end").click()
    arrive(page, 14)
    settle(page)
    expect(page.locator("#m-1 .json")).to_be_hidden()
    expect(page.locator("#m-2 .json")).to_be_visible()
    page.locator("#m-1 summary").press("Enter")
    expect(page.locator("#m-1 .json")).to_be_visible()

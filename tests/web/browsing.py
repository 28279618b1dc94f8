"""A page of the running application in a real browser, and what a person does there."""

import time

from playwright.sync_api import Error, Page, expect

from tests.pages import SIZES

EVERY_SIZE = [*SIZES.values(), (320, 640), (640, 360)]  # the last is a laptop at 200 % zoom
PATIENCE = 10_000  # milliseconds; a busy machine is slow

# The whole document as text: attributes sorted, without what a fresh page cannot have.
_DOCUMENT = """() => {
  const write = (node) => {
    if (node.nodeType === 3) return node.data;
    if (node.nodeType !== 1) return "";
    const attributes = [...node.attributes].map((a) => ` ${a.name}=${JSON.stringify(a.value)}`);
    return `<${node.localName}${attributes.sort().join("")}>` +
      [...node.childNodes].map(write).join("") + `</${node.localName}>`;
  };
  return write(document.documentElement);
}"""


# Whether a page that htmx listens to shows the step that its address names.
_SETTLED = """() => {
  const step = Number(new URLSearchParams(location.search).get("step") ?? 0);
  const shown = Number(document.querySelector(".count b")?.textContent ?? -1);
  return step === shown && document.readyState === "complete" &&
    document.querySelector("[data-htmx-powered]") !== null &&
    document.querySelector(".htmx-request, .htmx-swapping") === null;
}"""


class Watched:
    """What a page's console said and which addresses it asked for."""

    def __init__(self, page: Page) -> None:
        self.said: list[str] = []
        self.asked: list[str] = []
        page.on("console", lambda message: self.said.append(f"{message.type}: {message.text}"))
        page.on("pageerror", lambda error: self.said.append(f"error: {error}"))
        page.on("request", lambda request: self.asked.append(request.url))


def document(page: Page) -> str:
    """The document of a page at rest."""
    text: str = page.evaluate(_DOCUMENT)
    return text


def at(page: Page) -> int:
    """The number of the step that is shown."""
    return int(page.locator(".count b").inner_text())


def arrive(page: Page, step: int) -> None:
    """Wait until a step is shown, and what swapped it in has settled."""
    expect(page.locator(".count b")).to_have_text(str(step), timeout=PATIENCE)
    expect(page.locator(".htmx-request, .htmx-swapping")).to_have_count(0, timeout=PATIENCE)


def press(page: Page, key: str) -> None:
    """Press a key that steps; where a question comes first, once more to pass it over."""
    page.keyboard.press(key)
    if page.locator("#predict.open").count():
        page.keyboard.press(key)


def open_at(page: Page, address: str) -> None:
    """Open a page, and wait until its scripts listen."""
    page.goto(address)
    expect(page.locator("html.scripted")).to_have_count(1, timeout=PATIENCE)
    expect(page.locator("#end[data-htmx-powered], #start[data-htmx-powered]").first).to_be_attached(
        timeout=PATIENCE
    )


def until(page: Page, holds: str, arg: object = None) -> None:
    """Wait until an expression holds. Asked again and again from outside, as a page's strict policy
    forbids what Playwright's own waiting evaluates inside it."""
    patience = time.monotonic() + PATIENCE / 1000
    while not page.evaluate(holds, arg):
        assert time.monotonic() < patience, f"this never came true: {holds}"
        page.wait_for_timeout(20)


def settle(page: Page) -> None:
    """Wait until nothing is under way: the page shows the step of its address, twice in a row.

    Raises AssertionError where it does not come to rest.
    """
    rested, give_up = 0, time.monotonic() + PATIENCE / 1000
    while rested < 2:
        assert time.monotonic() < give_up, f"{page.url} does not come to rest"
        try:
            rested = rested + 1 if page.evaluate(_SETTLED) else 0
        except Error:  # the page is just being replaced by another
            rested = 0
        page.wait_for_timeout(30)

"""`make pictures`: every page at three sizes, as PNG files in pictures/."""

import re
from pathlib import Path

from tests.pages import SIZES, chromium, page_addresses
from tests.serving import serving

FOLDER = Path(__file__).resolve().parents[1] / "pictures"


def name_of(address: str) -> str:
    """A file name for an address."""
    return re.sub(r"[^a-z0-9_]+", "-", address.lower()).strip("-") or "overview"


def main() -> None:
    """Photograph all pages of a server of our own; an answer that is no page stops it."""
    FOLDER.mkdir(exist_ok=True)
    with serving() as server, chromium() as browser:
        for address in page_addresses():
            for size, (width, height) in SIZES.items():
                page = browser.new_page(viewport={"width": width, "height": height})
                answer = page.goto(server + address, wait_until="networkidle")
                assert answer is not None
                assert answer.ok, f"{address} answered {answer.status}"
                file = FOLDER / f"{name_of(address)}.{size}.png"
                page.screenshot(path=file)
                page.close()
                print(file.relative_to(FOLDER.parent))


if __name__ == "__main__":
    main()

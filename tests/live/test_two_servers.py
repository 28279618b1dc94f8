"""Two `halqa serve` on one database: one call, one reply, and both show it."""

import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from pathlib import Path

import httpx2
import pytest

from tests.live.conftest import KEY
from tests.live.messages import Played, call, gated, text
from tests.live.test_live import wait_for
from tests.live.test_pages import form_of, start, words
from tests.serving import serving


@pytest.fixture
def browsers(api: Played, tmp_path: Path, database: str) -> Iterator[list[httpx2.Client]]:
    """One person's two tabs, each on a server of its own."""
    environment = {
        "ANTHROPIC_API_KEY": KEY,
        "ANTHROPIC_BASE_URL": api.address,
        "HALQA_DATABASE_URL": database,
        "HALQA_DATA": str(tmp_path / "data"),
    }
    with ExitStack() as stack:
        addresses = [stack.enter_context(serving(env=environment)) for _ in range(2)]
        yield [
            stack.enter_context(httpx2.Client(base_url=address, follow_redirects=True, timeout=60))
            for address in addresses
        ]


def test_presses_on_two_servers_at_once_make_one_call_and_both_show_its_reply(
    browsers: list[httpx2.Client], api: Played
) -> None:
    gate = threading.Event()
    api.plans = [
        call("add", {"a": 2, "b": 3}),
        gated(text("Two and three make five."), gate, after=3),
    ]
    one, other = browsers
    path = start(one)  # type: ignore[arg-type]
    other.cookies.update(dict(one.cookies))

    def shown() -> list[str]:
        return [browser.get(f"{path}?step=999").text for browser in browsers]

    def press_everywhere() -> None:
        forms = [form_of(html) for html in shown()]
        assert forms[0] == forms[1] != {}
        ready = threading.Barrier(4)

        def press(browser: httpx2.Client) -> None:
            ready.wait()
            assert browser.post(f"{path}/step", data=forms[0]).status_code == 200

        threads = [threading.Thread(target=press, args=(b,)) for b in (*browsers, *browsers)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()

    def rest() -> None:
        wait_for(lambda: not any("under-way" in html for html in shown()), 60)

    press_everywhere()  # the first call
    rest()
    assert len(api.sent) == 1
    press_everywhere()  # the tool
    rest()
    assert len(api.sent) == 1
    press_everywhere()  # the second call, which takes its time
    wait_for(lambda: len(api.sent) == 2, 60)
    assert all("under-way" in html for html in shown())
    with ThreadPoolExecutor() as pool:
        streams = [pool.submit(browser.get, f"{path}/stream") for browser in browsers]
        threading.Timer(3, gate.set).start()
        for stream in streams:  # whichever server makes the call, both tell what has come
            told = stream.result().text
            assert 'data: {"seconds"' in told
            assert '"text": "Two"' in told
            assert told.endswith("event: done\ndata: {}\n\n")
    rest()
    first, second = shown()
    assert "Two and three make five." in words(first)
    assert words(first) == words(second)
    assert len(api.sent) == 2
    kinds = [entry["kind"] for entry in one.get(f"{path}/recording.json").json()["entries"]]
    assert kinds == ["intent", "reply", "intent", "tool result", "intent", "reply"]

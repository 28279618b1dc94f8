"""`kill -9` of a real server at any point: at most the reply in flight is lost, and nothing is
ever asked again by itself."""

import time
from functools import partial
from pathlib import Path
from typing import Any

import httpx2
import pytest
from sqlalchemy import update

from app.live.effects import LEASE
from app.store.store import Store
from app.store.tables import LeaseRow
from tests.live.conftest import KEY
from tests.live.killing import kill_itself
from tests.live.messages import Played, call, slow, text
from tests.live.test_pages import form_of, start, words
from tests.serving import serving


def press(client: httpx2.Client, path: str, presses: list[dict[str, str]]) -> str:
    """Press Step, wait until nothing is under way, and return the last page."""
    form = form_of(client.get(f"{path}?step=999").text)
    assert form, "there is nothing to press"
    presses.append(form)
    client.post(f"{path}/step", data=form)
    give_up = time.monotonic() + 60
    while "under-way" in (html := client.get(f"{path}?step=999").text):
        assert time.monotonic() < give_up
        time.sleep(0.05)
    return html


def press_three_times(client: httpx2.Client, path: str, presses: list[dict[str, str]]) -> None:
    for _ in range(3):
        press(client, path, presses)


def let_time_pass(database: str) -> None:
    """As if the time had passed in which a worker that lives shows a sign of it."""
    store = Store(database)
    with store._write() as session:
        session.execute(update(LeaseRow).values(until=LeaseRow.until - LEASE))
    store.close()


POINTS = [
    # the point, how many calls had left when it died, whether one is lost, what is stored by then
    ("before the intent", 0, False, "Step 1 of 1"),
    ("after the intent", 0, True, "Step 1 of 1"),
    ("request out", 1, True, "Step 1 of 1"),
    ("streaming", 1, True, "Step 1 of 1"),
    ("before the reply is stored", 1, True, "Step 1 of 1"),
    ("after the reply is stored", 1, False, "Step 3 of 3"),
    ("while a tool runs", 1, True, "Step 3 of 3"),
    ("after its result is stored", 1, False, "Step 6 of 6"),
]


@pytest.mark.parametrize(("point", "left", "lost", "shown"), POINTS)
def test_a_killed_server_loses_at_most_the_reply_in_flight(
    api: Played,
    tmp_path: Path,
    database: str,
    point: str,
    left: int,
    lost: bool,
    shown: str,
) -> None:
    def answer(body: Any, headers: dict[str, str]) -> Any:
        api.sent.append(body)
        arrived.touch()
        first = len(body["messages"]) == 1
        reply = call("add", {"a": 2, "b": 3}) if first else text("2 + 3 is 5.")
        # Only the call that the server dies in has to last.
        return slow(reply, pauses.get(point, 0) if len(api.sent) == 1 else 0)

    pauses = {"request out": 0.6, "streaming": 0.12}
    api.next = answer  # type: ignore[method-assign]
    arrived = tmp_path / "arrived"
    environment = {
        "ANTHROPIC_API_KEY": KEY,
        "ANTHROPIC_BASE_URL": api.address,
        "HALQA_DATABASE_URL": database,
        "HALQA_DATA": str(tmp_path / "data"),
    }
    presses: list[dict[str, str]] = []
    with (
        serving(before=partial(kill_itself, point, arrived), env=environment) as address,
        httpx2.Client(base_url=address, follow_redirects=True, timeout=60) as client,
    ):
        path = start(client)  # type: ignore[arg-type]
        with pytest.raises(httpx2.TransportError):
            press_three_times(client, path, presses)
        cookies = dict(client.cookies)
    assert len(api.sent) == left
    with (
        serving(env=environment) as address,
        httpx2.Client(
            base_url=address, follow_redirects=True, timeout=60, cookies=cookies
        ) as client,
    ):
        html = client.get(f"{path}?step=999").text
        assert ("under-way" in html) is lost, "nobody can know yet that the worker is gone"
        let_time_pass(database)
        html = client.get(f"{path}?step=999").text
        assert shown in words(html)
        assert ("A call was under way when Halqa stopped" in words(html)) is lost
        if point != "before the intent":  # a browser may send a form again whose answer was lost
            for form in presses:
                client.post(f"{path}/step", data=form)
        assert client.get(f"{path}?step=999").text == html
        time.sleep(0.3)
        assert len(api.sent) == left, "it was asked again by itself"
        while form_of(html):
            html = press(client, path, presses)
        assert "2 + 3 is 5." in words(html)
        assert "The loop returns the answer." in words(html)
        assert len(api.sent) == 2 + (1 if lost and point != "while a tool runs" and left else 0)

"""`kill -9` of a real server at any point: at most the reply in flight is lost, and nothing is
ever asked again by itself."""

import stat
import sys
import time
from pathlib import Path
from typing import Any

import httpx2
import pytest
from sqlalchemy import update

from app.live.effects import LEASE
from app.store.store import Store
from app.store.tables import LeaseRow
from tests.conftest import CHECKOUT
from tests.live.conftest import KEY
from tests.live.messages import Played, call, slow, text
from tests.live.test_pages import form_of, start, words
from tests.serving import serving

# A `halqa` that kills itself at one point.
KILLABLE = """#!{python}
import os, signal, sys
sys.path.insert(0, {checkout!r})
from app.harness import Harness
from app.live import effects
from app.store.store import Store

point = {point!r}

def die(*_):
    os.kill(os.getpid(), signal.SIGKILL)

def at(owner, name, which, when=lambda *a, **k: True):
    inner = getattr(owner, name)
    def method(self, *a, **k):
        if which == "before" and when(*a, **k):
            die()
        found = inner(self, *a, **k)
        if which == "after" and when(*a, **k):
            die()
        return found
    setattr(owner, name, method)

is_reply = lambda id, effect, attempt, kind, *_, **__: kind == "reply"
is_result = lambda id, effect, attempt, kind, *_, **__: kind == "tool result"
if point == "before the intent": at(Store, "claim", "before")
elif point == "after the intent": at(Store, "claim", "after")
elif point == "request out": at(Store, "renew", "before",
    lambda i, e, a, partial, **_: not partial and os.path.exists({arrived!r}))
elif point == "streaming": at(Store, "renew", "after", lambda i, e, a, partial, **_: partial)
elif point == "before the reply is stored": at(Store, "finish", "before", is_reply)
elif point == "after the reply is stored": at(Store, "finish", "after", is_reply)
elif point == "while a tool runs":
    class Dying(Harness):
        run = die
    effects.harness_of = lambda subject, folder: Dying(folder, subject.tools)
elif point == "after its result is stored": at(Store, "finish", "after", is_result)

from app.cli import main
main()
"""


def halqa(folder: Path, point: str) -> Path:
    """The command, as a program of its own."""
    file = folder / f"halqa-{len(list(folder.iterdir()))}"
    source = KILLABLE.format(
        python=sys.executable,
        checkout=str(CHECKOUT),
        point=point,
        arrived=str(folder / "arrived"),
    )
    file.write_text(source, encoding="utf-8")
    file.chmod(file.stat().st_mode | stat.S_IXUSR)
    return file


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
        (programs / "arrived").touch()
        first = len(body["messages"]) == 1
        return slow(call("add", {"a": 2, "b": 3}) if first else text("2 + 3 is 5."), pause)

    pause = 0.6 if point == "request out" else 0.12
    api.next = answer  # type: ignore[method-assign]
    programs = tmp_path / "programs"
    programs.mkdir()
    environment = {
        "ANTHROPIC_API_KEY": KEY,
        "ANTHROPIC_BASE_URL": api.address,
        "HALQA_DATABASE_URL": database,
        "HALQA_DATA": str(tmp_path / "data"),
    }
    presses: list[dict[str, str]] = []
    with (
        serving(command=halqa(programs, point), env=environment) as address,
        httpx2.Client(base_url=address, follow_redirects=True, timeout=60) as client,
    ):
        path = start(client)  # type: ignore[arg-type]
        with pytest.raises(httpx2.TransportError):
            press_three_times(client, path, presses)
        cookies = dict(client.cookies)
    assert len(api.sent) == left
    with (
        serving(command=halqa(programs, "none"), env=environment) as address,
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

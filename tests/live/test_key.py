"""A planted key, on a real server that logs all it can: it is nowhere but in the calls."""

import io
import itertools
import logging
import zipfile
from pathlib import Path
from typing import Any

import httpx2
from sqlalchemy import create_engine, text

from app.live import api as real
from app.settings import Settings
from app.store.tables import Table
from tests.live.conftest import KEY
from tests.live.messages import Played, breaking, call, cut, error, raw
from tests.live.messages import text as reply
from tests.live.test_pages import form_of, press, start, words
from tests.serving import serving

PASSWORD = "planted-password-91"


def loud() -> None:
    """Log everything, and let the first call go wrong with the key in its words."""
    logging.basicConfig(level=logging.DEBUG)
    call, calls = real.call, itertools.count()

    def failing(request: Any, settings: Settings, watch: Any, betas: Any = ()) -> Any:
        if next(calls) == 0:
            assert settings.anthropic_api_key is not None
            raise RuntimeError("a fault with " + settings.anthropic_api_key.get_secret_value())
        return call(request, settings, watch, betas)

    real.call = failing


def pages(path: str) -> list[str]:
    """Every page that could show something of a run, and its files."""
    views = ("", "&tab=request", "&view=present")
    return [
        *(f"{path}?step={step}{view}" for step in range(10) for view in views),
        *(f"{path}/{name}" for name in ("recording.json", "trace.jsonl", "stream")),
        *(f"{path}/request.{form}?step=99" for form in ("json", "sh", "py")),
        *("/", "/live", "/runs", "/help", "/nowhere", "/runs/nowhere", "/openapi.json"),
    ]


def tables(database: str) -> dict[str, str]:
    """All that the database holds."""
    engine = create_engine(database.replace("postgresql:", "postgresql+psycopg:"))
    with engine.connect() as connection:
        found = {
            f"table {name}": repr(connection.execute(text(f"select * from {name}")).all())
            for name in Table.metadata.tables
        }
    engine.dispose()
    return found


def test_the_key_is_in_no_log_page_database_or_export(
    api: Played, tmp_path: Path, database: str
) -> None:
    folder, data, log = tmp_path / "mine", tmp_path / "data", tmp_path / "log"
    folder.mkdir()
    (folder / "env.txt").write_text(f"ANTHROPIC_API_KEY={KEY}\n", encoding="utf-8")
    api.plans = [
        error(401, "authentication_error", f"bad key {KEY}"),
        error(429, "rate_limit_error", f"slow down, {KEY}", retry_after="1"),
        error(500, "api_error", KEY),
        raw(KEY.encode(), "text/plain"),
        cut(reply(f"Half of {KEY} and more"), 4),
        breaking(reply(f"Half of {KEY} and more"), 4),
        call("read_file", {"path": "env.txt"}),
        reply(f"Your key is {KEY}, and the password {PASSWORD}."),
    ]
    environment = {
        "ANTHROPIC_API_KEY": KEY,
        "ANTHROPIC_BASE_URL": api.address,
        "ANTHROPIC_LOG": "debug",
        "HALQA_DATABASE_URL": database,
        "HALQA_DATA": str(data),
        "HALQA_LIVE_PASSWORD": PASSWORD,
    }
    options = ("--workspace", str(folder))
    with (
        serving(*options, before=loud, env=environment, log=log) as address,
        httpx2.Client(base_url=address, follow_redirects=True, timeout=60) as client,
    ):
        client.post("/live/password", data={"password": PASSWORD})
        path = start(
            client,  # type: ignore[arg-type]
            lesson="",
            lane="every_stop_reason",
            tools="read_file",
            task="What is in env.txt?",
        )
        seen: dict[str, str] = {}
        for number in range(10):
            seen[f"after press {number}"] = press(client, path, 60)  # type: ignore[arg-type]
        html = seen["after press 9"]
        assert "Your key is [secret], and the password [secret]." in words(html)
        assert form_of(html) == {}
        seen |= {page: client.get(page).text for page in pages(path)}
        packed = zipfile.ZipFile(io.BytesIO(client.get(f"{path}/lesson.zip").content))
        seen |= {n: packed.read(n).decode("utf-8", "replace") for n in packed.namelist()}
        seen |= tables(database)
    files = [*tmp_path.glob("runs.db*"), *data.rglob("*"), log]
    seen |= {str(f): f.read_bytes().decode("latin-1") for f in files if f.is_file()}
    assert KEY in str(api.headers), "it is sent where it belongs"
    assert "[secret]" in seen["table entries"]
    assert "DEBUG" in seen[str(log)]
    assert "RuntimeError" in seen[str(log)]
    for secret in (KEY, PASSWORD):
        assert [place for place, said in seen.items() if secret in said] == []

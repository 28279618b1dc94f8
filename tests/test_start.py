"""What a start of the server must not do."""

import re
from pathlib import Path

import pytest

from tests.serving import HALQA, serving


def test_a_server_that_has_shown_a_page_has_not_loaded_anthropic(tmp_path: Path) -> None:
    log = tmp_path / "log"
    told = {"PYTHONPROFILEIMPORTTIME": "1"}  # it prints what it imports
    with serving(command=HALQA, log=log, env=told):
        loaded = log.read_text(encoding="utf-8")
    assert "| fastapi" in loaded
    assert not re.search(r"\| +anthropic\b", loaded)


@pytest.mark.parametrize(
    ("host", "password", "warned"),
    [("0.0.0.0", "", True), ("0.0.0.0", "open sesame", False), ("127.0.0.1", "", False)],
)
def test_a_shared_server_with_a_key_and_no_password_warns(
    host: str, password: str, warned: bool, tmp_path: Path
) -> None:
    log = tmp_path / "log"
    known = {"ANTHROPIC_API_KEY": "sk-none"}
    if password:
        known["HALQA_LIVE_PASSWORD"] = password
    with serving("--host", host, log=log, env=known):
        said = log.read_text(encoding="utf-8")
    assert said.startswith(f"Halqa is at http://{host}:")
    assert ("can make calls with your key" in said) == warned

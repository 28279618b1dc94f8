"""What a start of the server must not do."""

import re
from pathlib import Path

from tests.serving import serving


def test_a_server_that_has_shown_a_page_has_not_loaded_anthropic(tmp_path: Path) -> None:
    log = tmp_path / "log"
    with serving(log=log, env={"PYTHONPROFILEIMPORTTIME": "1"}):  # it prints what it imports
        loaded = log.read_text(encoding="utf-8")
    assert "| fastapi" in loaded
    assert not re.search(r"\| +anthropic\b", loaded)

"""The names that a server answers to, where it listens for this machine alone and for others."""

import socket
from pathlib import Path

import httpx2
import pytest
from fastapi.testclient import TestClient

from app.main import create_app
from app.settings import Settings
from tests.serving import serving

HERE = socket.gethostname()

ROWS = [
    # where it listens, HALQA_HOSTS, the request's Host, whether it is answered
    ("127.0.0.1", "", "localhost:8000", True),
    ("127.0.0.1", "", "127.0.0.1:8000", True),
    ("127.0.0.1", "", "[::1]:8000", True),
    ("127.0.0.1", "", "LOCALHOST", True),
    ("127.0.0.1", "", "evil.example", False),
    ("127.0.0.1", "", "localhost.evil.example", False),
    ("127.0.0.1", "", "127.0.0.1.evil.example", False),
    ("127.0.0.1", "", "127.0.0.1:80@evil.example", False),
    ("127.0.0.1", "", "[", False),
    ("127.0.0.1", "", "", False),
    ("127.0.0.1", "halqa.example.org, other.example", "halqa.example.org", True),
    ("127.0.0.1", "halqa.example.org, other.example", "other.example.:443", True),
    ("127.0.0.1", "halqa.example.org", "evil.example", False),
    ("0.0.0.0", "", "192.168.1.20:8000", True),
    ("0.0.0.0", "", f"{HERE}:8000", True),
    ("0.0.0.0", "", "localhost", True),
    ("0.0.0.0", "", "evil.example", False),
    ("room-12.school.example", "", "room-12.school.example:8000", True),
    ("room-12.school.example", "", "evil.example", False),
    ("::", "", "[2001:db8::7]:8000", True),
    ("::", "", "evil.example", False),
    ("0.0.0.0", "*", "evil.example", True),
]


@pytest.mark.parametrize(("host", "names", "asked", "answered"), ROWS)
def test_a_server_answers_to_its_own_names_and_to_numbers(
    host: str, names: str, asked: str, answered: bool
) -> None:
    app = create_app(host=host, settings=Settings(HALQA_HOSTS=names))
    status = TestClient(app).get("/help", headers={"Host": asked}).status_code
    assert status == (200 if answered else 400)


def test_a_server_for_others_refuses_forms_of_other_sites_and_foreign_names(tmp_path: Path) -> None:
    environment = {"ANTHROPIC_API_KEY": "k", "HALQA_DATA": str(tmp_path)}
    with (
        serving("--host", "0.0.0.0", env=environment) as address,
        httpx2.Client(base_url=address) as client,
    ):
        form = {"task": "x"}
        for headers in (
            {"Origin": "http://evil.example"},
            {"Sec-Fetch-Site": "cross-site"},
            {"Origin": "null"},
        ):
            assert client.post("/live", data=form, headers=headers).status_code == 403
        rebound = {"Origin": "http://evil.example", "Host": "evil.example"}
        assert client.post("/live", data=form, headers=rebound).status_code == 400
        assert client.post("/live", data=form, headers={"Origin": address}).status_code == 422

"""A fragment is made once; what may change is made anew."""

import pytest
from fastapi.testclient import TestClient

from app.main import create_app
from app.web import lessons
from tests import steps


@pytest.fixture
def made(monkeypatch: pytest.MonkeyPatch) -> list[object]:
    """What the server made, one entry an answer."""
    real, calls = lessons.fragment, []

    def counted(*facts: object) -> object:
        calls.append(facts)
        return real(*facts)  # type: ignore[arg-type]

    monkeypatch.setattr(lessons, "fragment", counted)
    return calls


def fragment_of(client: TestClient) -> str:
    page = client.get("/lessons/two-and-three").text
    return steps.fragment_of(page)


def test_a_fragment_is_made_once_and_its_headers_stay(made: list[object]) -> None:
    client = TestClient(create_app())
    address = fragment_of(client)
    first, second = client.get(address), client.get(address)
    assert len(made) == 1
    assert first.text == second.text
    assert first.headers == second.headers
    assert "immutable" in second.headers["cache-control"]
    assert "content-security-policy" in second.headers
    assert second.headers["content-encoding"] == "gzip"


def test_a_client_without_gzip_gets_a_plain_one(made: list[object]) -> None:
    client = TestClient(create_app())
    address = fragment_of(client)
    packed = client.get(address)
    plain = client.get(address, headers={"accept-encoding": "identity"})
    assert "content-encoding" not in plain.headers
    assert plain.text == packed.text
    assert len(made) == 2


@pytest.mark.parametrize("other", ["/steps/nothing/en/two-and-three/correct/0-1", "/steps/x"])
def test_an_answer_that_is_no_fragment_is_not_kept(other: str) -> None:
    client = TestClient(create_app(), follow_redirects=False)
    assert client.get(other).status_code == 404
    assert "immutable" not in client.get(other).headers.get("cache-control", "")


def test_a_foreign_host_gets_no_kept_answer() -> None:
    client = TestClient(create_app())
    address = fragment_of(client)
    client.get(address)
    assert client.get(address, headers={"host": "evil.example"}).status_code == 400

"""Fixtures that several test files share."""

import os
import secrets
import shutil
import socket
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
from hypothesis import settings

from app.engine import record
from catalogues import compile_catalogues
from tests.databases import new_database, postgresql
from tests.pages import ARGUMENTS, CHROMIUMS, chromium_path
from tests.serving import serving

CHECKOUT = Path(__file__).resolve().parents[1]
CI = os.environ.get("CI", "").lower() not in ("", "0", "false")

# What the tests start speaks English whatever this machine does, stores in a folder of theirs, and
# has no key but those that a test plants.
os.environ["LANGUAGE"] = "en"
os.environ["HALQA_DATA"] = tempfile.mkdtemp(prefix="halqa-data-")
for name in ("ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN", "ANTHROPIC_BASE_URL"):
    os.environ.pop(name, None)

# A loop without an end says no more in 2,000 steps than in these, and many tests run every lane.
record.MOST_STEPS = 600

# No deadline: a shared machine is slow at times. The same examples each time where a build decides.
settings.register_profile("halqa", deadline=None, derandomize=CI, print_blob=True)
settings.load_profile("halqa")


def pytest_configure(config: pytest.Config) -> None:
    """Compile the catalogues as a build does, once, so that the languages are those of now."""
    if not hasattr(config, "workerinput"):
        compile_catalogues(CHECKOUT / "locales")


@pytest.hookimpl(trylast=True)
def pytest_sessionstart(session: pytest.Session) -> None:
    """Let the plugin that runs a failed test again send at once: else each test waits 40 ms."""
    if hasattr(session.config, "workerinput") and hasattr(session.config, "failures_db"):
        session.config.failures_db.sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)


@pytest.fixture(scope="session", autouse=True)
def data_folder() -> Iterator[None]:
    """Takes away what was stored."""
    yield
    shutil.rmtree(os.environ["HALQA_DATA"], ignore_errors=True)


@pytest.fixture(scope="session")
def browser_type_launch_args(browser_type_launch_args: dict[str, Any]) -> dict[str, Any]:
    """The system's Chromium for pytest-playwright, kept from calling home.

    Without a Chromium the tests that ask for a page are skipped, and fail in CI.
    """
    chromium = chromium_path()
    if chromium is None:
        sentence = f"no Chromium on the PATH (looked for {', '.join(CHROMIUMS)})"
        pytest.fail(sentence) if CI else pytest.skip(sentence)
    return {
        **browser_type_launch_args,
        "executable_path": chromium,
        "args": [*ARGUMENTS],
    }


@pytest.fixture(scope="session")
def server() -> Iterator[str]:
    """The address of one real `halqa serve` with the shipped lessons, without a slash."""
    with serving() as address:
        yield address


@pytest.fixture(scope="session")
def axe() -> str:
    """The source of axe-core, which finds faults of accessibility in a page."""
    source = CHECKOUT / "tests" / "node_modules" / "axe-core" / "axe.min.js"
    assert source.is_file(), "axe-core is missing; `make test` brings it"
    return source.read_text(encoding="utf-8")


@pytest.fixture(scope="session")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel, built once from the files that git knows or would add, with no npm on the PATH."""
    clean = tmp_path_factory.mktemp("checkout")
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=CHECKOUT,
        check=True,
        capture_output=True,
        text=True,
    ).stdout.split("\0")
    for name in filter(None, listed):
        if (CHECKOUT / name).is_file():  # git still lists a file that was just removed
            (clean / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(CHECKOUT / name, clean / name)
    built = tmp_path_factory.mktemp("wheel")
    nothing = tmp_path_factory.mktemp("empty-path")
    pip = subprocess.run(
        [sys.executable, "-m", "pip", "wheel", "--no-deps", "--wheel-dir", built, clean],
        env={**os.environ, "PATH": str(nothing)},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    assert pip.returncode == 0, pip.stdout
    (file,) = built.iterdir()
    return file


@pytest.fixture(scope="session")
def postgres(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a PostgreSQL of the tests' own.

    Where it is not installed the tests that ask for it are skipped, and fail in CI.
    """
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="halqa-pg-")))
        try:
            address = stack.enter_context(postgresql(folder))
        except LookupError as missing:
            pytest.fail(str(missing)) if CI else pytest.skip(str(missing))
        yield address


@pytest.fixture(params=["sqlite", "postgresql"])
def database(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """The address of a new, empty database; each test runs on both kinds."""
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path / 'runs.db'}"
    return new_database(request.getfixturevalue("postgres"), f"t{secrets.token_hex(6)}")

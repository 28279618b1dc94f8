"""The built wheel serves everything, from any folder, in an environment that holds nothing else."""

import json
import os
import re
import subprocess
import sys
import urllib.request
import zipfile
from pathlib import Path
from urllib.parse import urljoin

import pytest

from app.paths import VENDOR
from tests.serving import HALQA, free_port, serving

CHECKOUT = Path(__file__).resolve().parents[1]
LESSON = "how-many-python-files"
LOADED = re.compile(r'<(?:link|script)\b[^>]*\b(?:href|src)="([^"]+)"')
FONT = re.compile(r"""url\(["']?([^"')]+\.woff2[^"')]*)["']?\)""")
PIP = (sys.executable, "-m", "pip")
TRAP = "raise SystemExit('the app.py of the folder was imported instead of Halqa')\n"


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The `halqa` command of an environment that was empty before the wheel came."""
    environment = tmp_path_factory.mktemp("environment")
    python = environment / "bin" / "python"
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", environment], check=True)
    options = ("--no-compile", "-c", CHECKOUT / "constraints.txt")
    pip = subprocess.run(
        [*PIP, "--python", python, "install", *options, wheel],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    assert pip.returncode == 0, pip.stdout
    # What pip would do for all packages, where it takes most of the time.
    compile = [python, "-m", "compileall", "-q", *environment.glob("lib/python3.*/*/app")]
    subprocess.run(compile, check=True)
    return python.with_name("halqa")


@pytest.fixture(scope="module", params=["an empty folder", "a folder with its own app.py"])
def elsewhere(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder that is not the checkout."""
    folder = tmp_path_factory.mktemp("elsewhere")
    if request.param == "a folder with its own app.py":
        (folder / "app.py").write_text(TRAP)
    return folder


def get(address: str) -> tuple[str, bytes]:
    """Content type and body of a page that answers 200."""
    with urllib.request.urlopen(address, timeout=30) as answer:
        return answer.headers["content-type"], answer.read()


def test_the_wheel_holds_the_package_its_data_and_licences_and_nothing_else(wheel: Path) -> None:
    names = zipfile.ZipFile(wheel).namelist()
    assert {name.split("/")[0] for name in names} == {"app", f"{wheel.stem[:11]}.dist-info"}
    assert {f"app/_data/static/vendor/{name}" for name in VENDOR} <= set(names)
    assert "app/py.typed" in names
    assert [name for name in names if name.startswith(f"app/_data/scenarios/{LESSON}/")]
    assert [name for name in names if name.endswith("/licenses/LICENSE")]
    assert not [name for name in names if "__pycache__" in name]
    translations = (po.relative_to(CHECKOUT) for po in CHECKOUT.glob("locales/*/LC_MESSAGES/*.po"))
    assert {f"app/_data/{po.with_suffix('.mo').as_posix()}" for po in translations} <= set(names)


def test_the_command_explains_itself(installed: Path, elsewhere: Path) -> None:
    told = subprocess.run(
        [installed, "--help"], cwd=elsewhere, capture_output=True, text=True, timeout=60
    )
    assert told.returncode == 0, told.stderr
    assert "serve" in told.stdout


def test_the_server_shows_its_pages_and_their_files(installed: Path, elsewhere: Path) -> None:
    with serving(command=installed, cwd=elsewhere) as address:
        kind, overview = get(f"{address}/")
        assert kind.startswith("text/html")
        assert f"/lessons/{LESSON}" in overview.decode()
        page = f"{address}/lessons/{LESSON}?lanes=correct"
        kind, lesson = get(page)
        assert kind.startswith("text/html")
        assert "run_agent" in lesson.decode()  # the source of the loop is on the page
        loaded = {urljoin(page, link): b"" for link in LOADED.findall(lesson.decode())}
        for link in loaded:
            loaded[link] = get(link)[1]
        assert [link for link in loaded if "htmx.min.js" in link]
        assert all(loaded.values())
        fonts = {
            urljoin(link, font)
            for link, text in loaded.items()
            if ".css" in link
            for font in FONT.findall(text.decode())
        }
        assert fonts
        for font in fonts:
            kind, data = get(font)
            assert (kind, data[:4]) == ("font/woff2", b"wOF2")


def test_an_installed_lesson_runs_exactly_as_in_the_checkout(
    installed: Path, elsewhere: Path
) -> None:
    # pip leaves __pycache__ beside every .py it installs, in a lesson's workspace too
    runs = [
        subprocess.run(
            [command, "run", LESSON, "--format", "json"],
            cwd=elsewhere,
            capture_output=True,
            text=True,
            timeout=60,
        )
        for command in (HALQA, installed)
    ]
    assert [run.returncode for run in runs] == [0, 0], [run.stderr for run in runs]
    assert json.loads(runs[0].stdout)["lesson"] == LESSON
    assert runs[0].stdout == runs[1].stdout


def test_an_installed_exercise_is_written_and_graded(installed: Path, elsewhere: Path) -> None:
    def run(*words: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [installed, *words], cwd=elsewhere, capture_output=True, text=True, timeout=300
        )

    assert run("exercise", "mine").returncode == 0
    played = subprocess.run(
        [sys.executable, "-S", "exercise.py"],
        cwd=elsewhere / "mine",
        capture_output=True,
        text=True,
    )
    assert played.stdout == "result: None\nmessages sent each turn: none\n", played.stderr
    graded = run("grade", "mine/exercise.py")
    assert (graded.returncode, graded.stderr) == (1, "")
    assert "0 of 12 scripts right" in graded.stdout
    assert (elsewhere / "mine" / "exercise.html").is_file()


def test_a_missing_asset_is_one_sentence_at_the_start(installed: Path, tmp_path: Path) -> None:
    (vendor,) = installed.parents[1].glob("lib/python3.*/site-packages/app/_data/static/vendor")
    htmx, away = vendor / "htmx.min.js", vendor / "away.js"
    htmx.rename(away)
    try:
        told = subprocess.run(
            [installed, "serve", "--port", str(free_port())],
            cwd=tmp_path,
            env={**os.environ, "COLUMNS": "500"},  # one sentence, however long, on one line
            capture_output=True,
            text=True,
            timeout=60,
        )
    finally:
        away.rename(htmx)
    assert told.returncode == 1
    assert "htmx.min.js is missing; this command brings it: " in told.stderr
    assert "Traceback" not in told.stderr


@pytest.mark.parametrize("lock", ["package-lock.json", "tests/package-lock.json"])
def test_a_lock_file_pins_by_hash_and_names_no_registry(lock: str) -> None:
    packages = json.loads((CHECKOUT / lock).read_text())["packages"]
    brought = [package for name, package in packages.items() if name]
    assert brought
    assert all(package["integrity"].startswith("sha512-") for package in brought)
    assert not [package for package in brought if "resolved" in package]


def test_the_constraints_are_exact_and_name_no_address() -> None:
    lines = (CHECKOUT / "constraints.txt").read_text().splitlines()
    pins = [line for line in lines if line and not line.startswith("#")]
    assert pins
    assert [pin for pin in pins if not re.fullmatch(r"[A-Za-z0-9._-]+==[A-Za-z0-9.]+", pin)] == []

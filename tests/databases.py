"""The databases that the tests run on: SQLite, and a PostgreSQL of their own."""

import os
import pwd
import shutil
import signal
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.serving import free_port

DEBIAN = sorted(Path("/usr/lib/postgresql").glob("*/bin"))


def program(name: str) -> str | None:
    """A program of PostgreSQL; Debian keeps them off the PATH."""
    return shutil.which(name) or next(
        (str(folder / name) for folder in reversed(DEBIAN) if (folder / name).is_file()), None
    )


@contextmanager
def postgresql(folder: Path) -> Iterator[str]:
    """A new PostgreSQL that keeps its files in `folder`; yields its address.

    Raises LookupError, saying what is missing, where it cannot be run.
    """
    initdb, server = program("initdb"), program("postgres")
    if not (initdb and server):
        raise LookupError("PostgreSQL is not installed (Debian's package is postgresql)")
    become: dict[str, int] = {}
    if os.geteuid() == 0:  # PostgreSQL refuses to be run by root
        try:
            user = pwd.getpwnam("postgres")
        except KeyError:
            raise LookupError("PostgreSQL needs the user postgres") from None
        become = {"user": user.pw_uid, "group": user.pw_gid}
        os.chown(folder, user.pw_uid, user.pw_gid)
    data, port = folder / "data", free_port()
    environment = {**os.environ, "LC_ALL": "C"}
    subprocess.run(
        [initdb, "-D", data, "-U", "halqa", "-A", "trust", "-N", "-E", "UTF8"],
        check=True,
        capture_output=True,
        cwd="/",
        env=environment,
        **become,
    )
    options = [
        "-p",
        str(port),
        "-c",
        "fsync=off",
        "-c",
        "listen_addresses=127.0.0.1",
        "-c",
        f"unix_socket_directories={folder}",
    ]
    with (folder / "log").open("wb") as log:
        process = subprocess.Popen(
            [server, "-D", data, *options],
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=log,
            cwd="/",
            env=environment,
            **become,
        )
    address = f"postgresql://halqa@127.0.0.1:{port}/postgres"
    try:
        _wait(address, process)
        yield address
    finally:
        process.send_signal(signal.SIGQUIT)  # at once: nobody needs what it holds
        process.wait(timeout=20)


def _wait(address: str, process: "subprocess.Popen[bytes]") -> None:
    import time

    import psycopg

    give_up = time.monotonic() + 30
    while True:
        try:
            psycopg.connect(address).close()
            return
        except psycopg.OperationalError:
            assert process.poll() is None, "PostgreSQL ended by itself"
            assert time.monotonic() < give_up, "PostgreSQL gave no answer"
            time.sleep(0.05)


def new_database(address: str, name: str) -> str:
    """An empty database on a server; yields its address."""
    import psycopg

    with psycopg.connect(address, autocommit=True) as connection:
        connection.execute(f'create database "{name}"')  # type: ignore[arg-type]
    return address.rsplit("/", 1)[0] + f"/{name}"

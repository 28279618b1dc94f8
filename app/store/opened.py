"""Opens the database, and brings its tables to this version."""

from contextlib import closing
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, Engine, create_engine, event, inspect, text
from sqlalchemy.engine import make_url
from sqlalchemy.exc import ArgumentError, SQLAlchemyError

from app.said import Said
from app.store.records import NoStore

HEAD = "0001"  # the newest migration
LOCK = 0x48414C5141  # of PostgreSQL, while one worker migrates
CLAIMS = LOCK + 1  # of PostgreSQL, while one worker counts the calls under way
PATIENCE = 15  # seconds to wait for another writer
WRITES = "writes"  # the option of a connection that will write


def opened(url: str) -> Engine:
    """An engine with the newest tables. Raises NoStore."""
    try:
        engine = _engine(url)
        with engine.connect() as connection:
            current = _version(connection)
        if current != HEAD:
            with engine.execution_options(**{WRITES: True}).begin() as connection:
                if engine.dialect.name == "postgresql":
                    connection.execute(text("select pg_advisory_xact_lock(:n)"), {"n": LOCK})
                if _version(connection) != HEAD:  # another worker may have been quicker
                    _migrate(connection)
    except (SQLAlchemyError, ModuleNotFoundError, OSError) as error:
        raise NoStore(_said(error)) from error
    return engine


def _engine(url: str) -> Engine:
    parsed = make_url(url)
    if parsed.get_backend_name() == "postgresql":
        return create_engine(parsed.set(drivername="postgresql+psycopg"), pool_pre_ping=True)
    if parsed.get_backend_name() != "sqlite":
        raise ArgumentError("the address of a database begins with sqlite: or postgresql:")
    if parsed.database:
        Path(parsed.database).parent.mkdir(parents=True, exist_ok=True)
    engine = create_engine(parsed, connect_args={"timeout": PATIENCE})

    @event.listens_for(engine, "connect")
    def connected(connection: Any, _: Any) -> None:
        connection.isolation_level = None  # we begin transactions ourselves
        with closing(connection.cursor()) as cursor:
            cursor.execute("pragma journal_mode = wal")
            cursor.execute("pragma foreign_keys = on")

    @event.listens_for(engine, "begin")
    def began(connection: Connection) -> None:
        # A transaction that reads first and writes later could find another writer between.
        writes = connection.get_execution_options().get(WRITES)
        connection.exec_driver_sql("begin immediate" if writes else "begin")

    return engine


def _version(connection: Connection) -> str | None:
    if not inspect(connection).has_table("alembic_version"):
        return None
    found: str | None = connection.execute(text("select version_num from alembic_version")).scalar()
    return found


def _migrate(connection: Connection) -> None:
    from alembic import command  # takes long, and is needed once
    from alembic.config import Config
    from alembic.util import CommandError

    config = Config()
    config.set_main_option("script_location", str(Path(__file__).with_name("migrations")))
    config.attributes["connection"] = connection
    try:
        command.upgrade(config, "head")
    except CommandError as error:
        raise NoStore(Said("The database was made by a newer Halqa; use that one.")) from error


def _said(error: Exception) -> Said:
    """Why the database cannot be used, without its address: that may hold a password."""
    if isinstance(error, ModuleNotFoundError):
        return Said("PostgreSQL needs one more package; install halqa[postgres].")
    if isinstance(error, ArgumentError):
        return Said(
            "HALQA_DATABASE_URL is no address of a database, such as %(example)s.",
            example="sqlite:///runs.db",
        )
    return Said("The database cannot be opened (%(error)s).", error=type(error).__name__)

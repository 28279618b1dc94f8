"""The tables. A change of them needs a migration beside, in `migrations/versions`."""

from sqlalchemy import Boolean, Float, ForeignKey, Index, Integer, MetaData, String, Text
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column

NAMES = {
    "ix": "ix_%(column_0_label)s",
    "pk": "pk_%(table_name)s",
    "fk": "fk_%(table_name)s_%(column_0_name)s_%(referred_table_name)s",
}


class Table(DeclarativeBase):
    """What all tables share. Times are seconds since 1970; JSON is ASCII text, so that any
    character a model writes fits into any database."""

    metadata = MetaData(naming_convention=NAMES)


class RunRow(Table):
    """A run: how it was started, and until when it is kept."""

    __tablename__ = "runs"

    id: Mapped[str] = mapped_column(String(40), primary_key=True)
    created: Mapped[float] = mapped_column(Float)
    expires: Mapped[float] = mapped_column(Float, index=True)
    owner: Mapped[str] = mapped_column(String(64), index=True)
    name: Mapped[str] = mapped_column(Text)
    lesson: Mapped[str] = mapped_column(Text)
    lane: Mapped[str] = mapped_column(Text)
    model: Mapped[str] = mapped_column(Text)
    settings: Mapped[str] = mapped_column(Text)


class EntryRow(Table):
    """What cannot be recomputed. An effect is a reply, a tool's result or a person's decision;
    each attempt at it has at most one intent and at most one outcome."""

    __tablename__ = "entries"
    __table_args__ = (Index("ix_entries_created_cost", "created", "cost"),)

    run: Mapped[str] = mapped_column(ForeignKey("runs.id", ondelete="CASCADE"), primary_key=True)
    effect: Mapped[int] = mapped_column(Integer, primary_key=True, autoincrement=False)
    attempt: Mapped[int] = mapped_column(Integer, primary_key=True, autoincrement=False)
    outcome: Mapped[bool] = mapped_column(Boolean, primary_key=True, autoincrement=False)
    kind: Mapped[str] = mapped_column(String(20))
    digest: Mapped[str] = mapped_column(String(64))
    body: Mapped[str] = mapped_column(Text)
    created: Mapped[float] = mapped_column(Float)
    cost: Mapped[float | None] = mapped_column(Float)


class LeaseRow(Table):
    """The one call of a run that is under way; whoever makes it renews the lease."""

    __tablename__ = "leases"

    run: Mapped[str] = mapped_column(ForeignKey("runs.id", ondelete="CASCADE"), primary_key=True)
    effect: Mapped[int] = mapped_column(Integer)
    attempt: Mapped[int] = mapped_column(Integer)
    started: Mapped[float] = mapped_column(Float)
    until: Mapped[float] = mapped_column(Float, index=True)
    cancelled: Mapped[bool] = mapped_column(Boolean)
    partial: Mapped[str] = mapped_column(Text)

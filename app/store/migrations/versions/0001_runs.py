"""Runs, their entries, and the calls under way."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "runs",
        sa.Column("id", sa.String(40), primary_key=True),
        sa.Column("created", sa.Float, nullable=False),
        sa.Column("expires", sa.Float, nullable=False, index=True),
        sa.Column("owner", sa.String(64), nullable=False, index=True),
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("lesson", sa.Text, nullable=False),
        sa.Column("lane", sa.Text, nullable=False),
        sa.Column("model", sa.Text, nullable=False),
        sa.Column("settings", sa.Text, nullable=False),
    )
    run = sa.ForeignKey("runs.id", ondelete="CASCADE")
    op.create_table(
        "entries",
        sa.Column("run", sa.String(40), run, primary_key=True),
        sa.Column("effect", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("attempt", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("outcome", sa.Boolean, primary_key=True, autoincrement=False),
        sa.Column("kind", sa.String(20), nullable=False),
        sa.Column("digest", sa.String(64), nullable=False),
        sa.Column("body", sa.Text, nullable=False),
        sa.Column("created", sa.Float, nullable=False),
        sa.Column("cost", sa.Float),
    )
    op.create_index("ix_entries_created_cost", "entries", ["created", "cost"])
    op.create_table(
        "leases",
        sa.Column(
            "run", sa.String(40), sa.ForeignKey("runs.id", ondelete="CASCADE"), primary_key=True
        ),
        sa.Column("effect", sa.Integer, nullable=False),
        sa.Column("attempt", sa.Integer, nullable=False),
        sa.Column("started", sa.Float, nullable=False),
        sa.Column("until", sa.Float, nullable=False, index=True),
        sa.Column("cancelled", sa.Boolean, nullable=False),
        sa.Column("partial", sa.Text, nullable=False),
    )


def downgrade() -> None:
    for table in ("leases", "entries", "runs"):
        op.drop_table(table)

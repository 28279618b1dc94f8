"""Alembic's way in: the connection comes from `app.store.opened`."""

from alembic import context

from app.store.tables import Table

context.configure(
    connection=context.config.attributes["connection"], target_metadata=Table.metadata
)
context.run_migrations()

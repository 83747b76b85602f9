"""What Alembic runs: the scripts, on the connection that :func:`migrate` hands over."""

from __future__ import annotations

from alembic import context

from treeline.core.record.tables import METADATA

context.configure(
    connection=context.config.attributes["connection"], target_metadata=METADATA, render_as_batch=True
)
with context.begin_transaction():
    context.run_migrations()

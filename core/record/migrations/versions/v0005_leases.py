"""Leases of the processes that work on runs, and who asked each run."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"


def upgrade() -> None:
    """Make the table of leases; whoever asked before was the one local person."""
    op.create_table(
        "leases",
        sa.Column("owner", sa.String(64), primary_key=True),
        sa.Column("host", sa.String(256), nullable=False),
        sa.Column("beat", sa.Float, nullable=False),
    )
    op.add_column("runs", sa.Column("person", sa.String(128), nullable=False, server_default="local"))

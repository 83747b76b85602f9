"""Leases of the processes that work on runs."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"


def upgrade() -> None:
    """Make the table."""
    op.create_table(
        "leases",
        sa.Column("owner", sa.String(64), primary_key=True),
        sa.Column("host", sa.String(256), nullable=False),
        sa.Column("beat", sa.Float, nullable=False),
    )

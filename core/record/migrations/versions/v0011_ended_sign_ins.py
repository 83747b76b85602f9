"""Sign-ins that their person has ended."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0011"
down_revision = "0010"


def upgrade() -> None:
    """Make the table."""
    op.create_table(
        "ended_sign_ins",
        sa.Column("mark", sa.String(64), primary_key=True),
        sa.Column("time", sa.Float, nullable=False),
    )

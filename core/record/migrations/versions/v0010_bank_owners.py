"""Items of the memory bank belong to a person of a team; those from before to nobody."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0010"
down_revision = "0009"


def upgrade() -> None:
    """Add the column."""
    with op.batch_alter_table("memory_bank") as batch:
        batch.add_column(sa.Column("owner", sa.String(128), nullable=False, server_default=""))
    op.create_index("ix_memory_bank_owner", "memory_bank", ["owner"])

"""Answers that are pinned and asked again."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0009"
down_revision = "0008"


def upgrade() -> None:
    """Make the table."""
    op.create_table(
        "pins",
        sa.Column("id", sa.String(32), primary_key=True),
        sa.Column("person", sa.String(128), nullable=False),
        sa.Column("workspace", sa.String(512), nullable=False),
        sa.Column("run", sa.String(32), nullable=False),
        sa.Column("before", sa.String(32), nullable=False),
        sa.Column("every", sa.Integer, nullable=False),
        sa.Column("looked", sa.Float, nullable=False),
        sa.Column("files", sa.String(80), nullable=False),
        sa.Column("created", sa.Float, nullable=False),
    )
    op.create_index("ix_pins_person", "pins", ["person"])

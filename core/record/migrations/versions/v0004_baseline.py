"""The tables that a store had when revisions began.

Stores of that time hold a table ``schema`` with a number from 1 to 4 and some or all of these tables: what is
there is kept, what is missing is made.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = None


def upgrade() -> None:
    """Make the tables that are missing."""
    _create_runs()
    _create_failure_memory()
    _create_bank()
    _create_faults()
    op.drop_table("schema", if_exists=True)


def _create_runs() -> None:
    op.create_table(
        "runs",
        sa.Column("id", sa.String(32), primary_key=True),
        sa.Column("workspace", sa.String(512), nullable=False),
        sa.Column("question", sa.Text, nullable=False),
        sa.Column("options", sa.Text, nullable=False),
        sa.Column("status", sa.String(16), nullable=False),
        sa.Column("owner", sa.String(64), nullable=False),
        sa.Column("parent", sa.String(32), nullable=True),
        sa.Column("created", sa.Float, nullable=False),
        sa.Column("updated", sa.Float, nullable=False),
        if_not_exists=True,
    )
    op.create_table(
        "events",
        sa.Column("run", sa.String(32), sa.ForeignKey("runs.id"), primary_key=True),
        sa.Column("number", sa.Integer, primary_key=True),
        sa.Column("time", sa.Float, nullable=False),
        sa.Column("kind", sa.String(24), nullable=False),
        sa.Column("body", sa.Text, nullable=False),
        if_not_exists=True,
    )
    _create_indexes("runs", "workspace", "parent")


def _create_failure_memory() -> None:
    op.create_table(
        "memory_entries",
        sa.Column("id", sa.String(32), primary_key=True),
        sa.Column("instance", sa.String(64), nullable=False),
        sa.Column("question", sa.Text, nullable=False),
        sa.Column("workspace", sa.String(512), nullable=False),
        sa.Column("owner", sa.String(128), nullable=False),
        sa.Column("shared", sa.Boolean, nullable=False),
        sa.Column("root", sa.String(32), nullable=False),
        sa.Column("run", sa.String(32), nullable=False),
        sa.Column("round", sa.Integer, nullable=False),
        sa.Column("created", sa.Float, nullable=False),
        sa.Column("content", sa.Text, nullable=False),
        sa.Column("pinned", sa.Boolean, nullable=False),
        sa.Column("muted", sa.Boolean, nullable=False),
        sa.Column("deleted", sa.Boolean, nullable=False),
        if_not_exists=True,
    )
    op.create_table(
        "memory_versions",
        sa.Column("entry", sa.String(32), primary_key=True),
        sa.Column("number", sa.Integer, primary_key=True),
        sa.Column("time", sa.Float, nullable=False),
        sa.Column("content", sa.Text, nullable=False),
        if_not_exists=True,
    )
    op.create_table(
        "memory_uses",
        sa.Column("entry", sa.String(32), primary_key=True),
        sa.Column("run", sa.String(32), primary_key=True),
        sa.Column("time", sa.Float, nullable=False),
        sa.Column("tokens", sa.Integer, nullable=False),
        sa.Column("helped", sa.Boolean, nullable=True),
        if_not_exists=True,
    )
    _create_indexes("memory_entries", "instance", "root", "run")


def _create_bank() -> None:
    op.create_table(
        "memory_bank",
        sa.Column("key", sa.String(64), primary_key=True),
        sa.Column("kind", sa.String(16), nullable=False),
        sa.Column("topic", sa.Text, nullable=False),
        sa.Column("content", sa.Text, nullable=False),
        sa.Column("provenance", sa.Text, nullable=False),
        sa.Column("uses", sa.Integer, nullable=False),
        sa.Column("successes", sa.Integer, nullable=False),
        sa.Column("muted", sa.Boolean, nullable=False),
        sa.Column("created", sa.Float, nullable=False),
        if_not_exists=True,
    )


def _create_faults() -> None:
    op.create_table(
        "faults",
        sa.Column("id", sa.Integer, primary_key=True, autoincrement=True),
        sa.Column("run", sa.String(32), nullable=False),
        sa.Column("code", sa.String(16), nullable=False),
        sa.Column("subject", sa.Text, nullable=False),
        sa.Column("error", sa.String(128), nullable=False),
        sa.Column("place", sa.Text, nullable=False),
        sa.Column("traceback", sa.Text, nullable=False),
        sa.Column("time", sa.Float, nullable=False),
        if_not_exists=True,
    )
    _create_indexes("faults", "run", "code")


def _create_indexes(table: str, *columns: str) -> None:
    for column in columns:
        op.create_index(f"ix_{table}_{column}", table, [column], if_not_exists=True)

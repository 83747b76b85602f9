"""People, what they own and share, and the trail of what they did, which only grows."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"


def upgrade() -> None:
    """Make the tables."""
    op.create_table(
        "people",
        sa.Column("id", sa.String(128), primary_key=True),
        sa.Column("name", sa.String(256), nullable=False),
        sa.Column("role", sa.String(16), nullable=False),
        sa.Column("blocked", sa.Boolean, nullable=False),
        sa.Column("created", sa.Float, nullable=False),
        sa.Column("seen", sa.Float, nullable=False),
    )
    op.create_table(
        "group_members",
        sa.Column("group", sa.String(128), primary_key=True),
        sa.Column("person", sa.String(128), primary_key=True),
    )
    op.create_table(
        "owners",
        sa.Column("kind", sa.String(16), primary_key=True),
        sa.Column("thing", sa.String(512), primary_key=True),
        sa.Column("person", sa.String(128), nullable=False),
    )
    op.create_table(
        "grants",
        sa.Column("kind", sa.String(16), primary_key=True),
        sa.Column("thing", sa.String(512), primary_key=True),
        sa.Column("grantee", sa.String(160), primary_key=True),
        sa.Column("allows", sa.String(8), nullable=False),
    )
    op.create_table(
        "audit",
        sa.Column("id", sa.Integer, primary_key=True, autoincrement=True),
        sa.Column("time", sa.Float, nullable=False),
        sa.Column("person", sa.String(128), nullable=False),
        sa.Column("action", sa.String(32), nullable=False),
        sa.Column("kind", sa.String(16), nullable=False),
        sa.Column("thing", sa.String(512), nullable=False),
        sa.Column("detail", sa.Text, nullable=False),
    )
    for table, column in (
        ("group_members", "person"),
        ("owners", "person"),
        ("grants", "grantee"),
        ("audit", "time"),
        ("audit", "person"),
    ):
        op.create_index(f"ix_{table}_{column}", table, [column])
    _make_append_only("audit")


def _make_append_only(table: str) -> None:
    if op.get_bind().dialect.name == "postgresql":
        op.execute(
            f"CREATE FUNCTION {table}_is_append_only() RETURNS trigger AS $$ BEGIN "
            f"RAISE EXCEPTION 'the table {table} is append-only'; END $$ LANGUAGE plpgsql"
        )
        op.execute(
            f"CREATE TRIGGER {table}_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON {table} "
            f"FOR EACH STATEMENT EXECUTE FUNCTION {table}_is_append_only()"
        )
        return
    for change in ("UPDATE", "DELETE"):
        op.execute(
            f"CREATE TRIGGER {table}_no_{change.lower()} BEFORE {change} ON {table} "
            f"BEGIN SELECT RAISE(ABORT, 'the table {table} is append-only'); END"
        )

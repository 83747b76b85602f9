"""Lessons by the expression of their question, with helps, harms and review."""

from __future__ import annotations

import json

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"

_BANK = sa.table(
    "memory_bank",
    sa.column("key", sa.String),
    sa.column("kind", sa.String),
    sa.column("content", sa.Text),
    sa.column("review", sa.String),
    sa.column("reviewer", sa.String),
)


def upgrade() -> None:
    """Add the columns.

    Earlier patterns were lists of tools without a key: no policy without a model follows them any more, and
    they are found by their words. Earlier guardrails were never reviewed, some are about missing data: they
    wait for a person.
    """
    with op.batch_alter_table("memory_entries") as batch:
        batch.add_column(sa.Column("expression", sa.Text, nullable=False, server_default=""))
    with op.batch_alter_table("memory_bank") as batch:
        batch.add_column(sa.Column("expression", sa.Text, nullable=False, server_default=""))
        batch.add_column(sa.Column("harms", sa.Integer, nullable=False, server_default="0"))
        batch.add_column(sa.Column("review", sa.String(16), nullable=False, server_default="accepted"))
        batch.add_column(sa.Column("reviewer", sa.String(128), nullable=False, server_default="judge"))
        batch.alter_column("successes", new_column_name="helps", existing_type=sa.Integer)
    connection = op.get_bind()
    rows = connection.execute(sa.select(_BANK.c.key, _BANK.c.kind, _BANK.c.content)).all()
    for key, kind, content in rows:
        told = {"text": json.loads(content)["text"]}
        waits = {"review": "proposed", "reviewer": ""} if kind == "guardrail" else {}
        values = {"content": json.dumps(told), **waits}
        connection.execute(sa.update(_BANK).where(_BANK.c.key == key).values(**values))

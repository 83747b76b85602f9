"""The table of the memory bank, a part of the store."""

from __future__ import annotations

from sqlalchemy import Boolean, Column, Connection, Float, Integer, MetaData, String, Table, Text

_METADATA = MetaData()

BANK = Table(
    "memory_bank",
    _METADATA,
    Column("key", String(64), primary_key=True),
    Column("kind", String(16), nullable=False),
    Column("topic", Text, nullable=False),
    Column("content", Text, nullable=False),
    Column("provenance", Text, nullable=False),
    Column("uses", Integer, nullable=False, default=0),
    Column("successes", Integer, nullable=False, default=0),
    Column("muted", Boolean, nullable=False, default=False),
    Column("created", Float, nullable=False),
)


def create_bank_table(connection: Connection) -> None:
    """Create the table where it is not there."""
    _METADATA.create_all(connection)

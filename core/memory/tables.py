"""The tables of the failure memory and of the memory bank, parts of the store."""

from __future__ import annotations

from sqlalchemy import Boolean, Column, Connection, Float, Integer, MetaData, String, Table, Text

_METADATA = MetaData()

ENTRIES = Table(
    "memory_entries",
    _METADATA,
    Column("id", String(32), primary_key=True),
    Column("instance", String(64), nullable=False, index=True),
    Column("question", Text, nullable=False),
    Column("workspace", String(512), nullable=False),
    Column("owner", String(128), nullable=False),
    Column("shared", Boolean, nullable=False),
    Column("root", String(32), nullable=False, index=True),
    Column("run", String(32), nullable=False, index=True),
    Column("round", Integer, nullable=False),
    Column("created", Float, nullable=False),
    Column("content", Text, nullable=False),
    Column("pinned", Boolean, nullable=False, default=False),
    Column("muted", Boolean, nullable=False, default=False),
    Column("deleted", Boolean, nullable=False, default=False),
)

# What an entry said before it was edited.
VERSIONS = Table(
    "memory_versions",
    _METADATA,
    Column("entry", String(32), primary_key=True),
    Column("number", Integer, primary_key=True),
    Column("time", Float, nullable=False),
    Column("content", Text, nullable=False),
)

USES = Table(
    "memory_uses",
    _METADATA,
    Column("entry", String(32), primary_key=True),
    Column("run", String(32), primary_key=True),
    Column("time", Float, nullable=False),
    Column("tokens", Integer, nullable=False),
    Column("helped", Boolean, nullable=True),
)

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


def create_memory_tables(connection: Connection) -> None:
    """Create the tables of the failure memory where they are not there."""
    _METADATA.create_all(connection, tables=[ENTRIES, VERSIONS, USES])


def create_bank_table(connection: Connection) -> None:
    """Create the table of the memory bank where it is not there."""
    _METADATA.create_all(connection, tables=[BANK])

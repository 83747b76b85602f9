"""How a store of an earlier version becomes one of this version, step by step."""

from __future__ import annotations

from collections.abc import Callable

from sqlalchemy import Connection, func, insert, inspect, select

from treeline.core.record.tables import BANK, ENTRIES, EVENTS, METADATA, RUNS, SCHEMA, USES, VERSIONS

Migration = Callable[[Connection], None]


def _create_runs(connection: Connection) -> None:
    METADATA.create_all(connection, tables=[RUNS, EVENTS, SCHEMA])


def _create_failure_memory(connection: Connection) -> None:
    METADATA.create_all(connection, tables=[ENTRIES, VERSIONS, USES])


def _create_bank(connection: Connection) -> None:
    METADATA.create_all(connection, tables=[BANK])


# Numbered from 1; a store of version n runs those after n. Never edit one that was released.
MIGRATIONS: tuple[Migration, ...] = (_create_runs, _create_failure_memory, _create_bank)


def version_of(connection: Connection) -> int:
    """Return the number of the last migration that a store has seen; 0 for a new one."""
    known = inspect(connection).has_table("schema")
    return (connection.execute(select(func.max(SCHEMA.c.version))).scalar() or 0) if known else 0


def migrate(connection: Connection) -> None:
    """Bring a store to this version."""
    for number in range(version_of(connection) + 1, len(MIGRATIONS) + 1):
        MIGRATIONS[number - 1](connection)
        connection.execute(insert(SCHEMA).values(version=number))

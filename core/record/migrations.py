"""How a store of an earlier version becomes one of this version, step by step."""

from __future__ import annotations

import logging
from collections.abc import Callable

from sqlalchemy import Connection, func, insert, inspect, select

from treeline.core.record.tables import BANK, ENTRIES, EVENTS, FAULTS, METADATA, RUNS, SCHEMA, USES, VERSIONS

_LOG = logging.getLogger(__name__)

Migration = Callable[[Connection], None]


def _create_runs(connection: Connection) -> None:
    METADATA.create_all(connection, tables=[RUNS, EVENTS, SCHEMA])


def _create_failure_memory(connection: Connection) -> None:
    METADATA.create_all(connection, tables=[ENTRIES, VERSIONS, USES])


def _create_bank(connection: Connection) -> None:
    METADATA.create_all(connection, tables=[BANK])


def _create_faults(connection: Connection) -> None:
    METADATA.create_all(connection, tables=[FAULTS])


# Numbered from 1; a store of version n runs those after n. Never edit one that was released.
MIGRATIONS: tuple[Migration, ...] = (_create_runs, _create_failure_memory, _create_bank, _create_faults)


def version_of(connection: Connection) -> int:
    """Return the number of the last migration that a store has seen; 0 for a new one."""
    known = inspect(connection).has_table("schema")
    return (connection.execute(select(func.max(SCHEMA.c.version))).scalar() or 0) if known else 0


def migrate(connection: Connection) -> None:
    """Bring a store to this version."""
    for number in range(version_of(connection) + 1, len(MIGRATIONS) + 1):
        MIGRATIONS[number - 1](connection)
        _LOG.info("The store is brought to version %d.", number)
        connection.execute(insert(SCHEMA).values(version=number))

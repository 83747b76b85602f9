"""How a store of an earlier version becomes one of this version: Alembic's scripts, run when it is opened.

A script is a file of ``versions`` whose name begins with its revision, four digits: the next number, with
the one before as ``down_revision``. Never edit one that was released.
"""

from __future__ import annotations

import logging
import threading
from functools import cache
from pathlib import Path

from sqlalchemy import Connection, Engine, inspect, text

from treeline.core.errors import RecordError

_LOG = logging.getLogger(__name__)

FOLDER = Path(__file__).parent
_TABLE = "alembic_version"
_DIGITS = 4
# Any number that nothing else of the database locks by.
_LOCK = 4_763_915
# Alembic keeps the script that runs in a variable of its module.
_running = threading.Lock()


@cache
def newest_revision() -> str:
    """Return the revision of this version; by the names of the files, as Alembic takes long to import."""
    return max(path.stem[1 : 1 + _DIGITS] for path in (FOLDER / "versions").glob("v[0-9]*.py"))


def revision_of(connection: Connection) -> str:
    """Return the revision of a store; empty for a new one, and for one from before revisions."""
    if not inspect(connection).has_table(_TABLE):
        return ""
    return connection.execute(text(f"SELECT version_num FROM {_TABLE}")).scalar() or ""


def migrate(engine: Engine) -> None:
    """Bring a store to this version; of several processes that open it at once, one does.

    Raises
    ------
    RecordError
        It is of a later version.
    """
    newest = newest_revision()
    with engine.connect() as connection:
        if revision_of(connection) == newest:
            return
    with _running, engine.begin() as connection:
        _keep_others_out(connection)
        found = revision_of(connection)
        if found > newest:
            raise RecordError(
                f"The record was written by a later version of Treeline (revision {found}, this one knows "
                f"{newest}).",
                "Install that version, or restore a backup into another home.",
            )
        if found < newest:
            _upgrade(connection)
            _LOG.info("The store is brought from revision %s to %s.", found or "none", newest)


def _keep_others_out(connection: Connection) -> None:
    if connection.dialect.name == "sqlite":
        connection.exec_driver_sql("BEGIN IMMEDIATE")
    elif connection.dialect.name == "postgresql":
        connection.execute(text("SELECT pg_advisory_xact_lock(:key)"), {"key": _LOCK})


def _upgrade(connection: Connection) -> None:
    # Most stores are of this version, and Alembic would be a fifth of a command's start.
    from alembic import command
    from alembic.config import Config

    config = Config()
    config.set_main_option("script_location", str(FOLDER).replace("%", "%%"))
    config.attributes["connection"] = connection
    command.upgrade(config, "head")

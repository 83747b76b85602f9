"""Whether the file of a SQLite record is still the one that was opened.

A file that is deleted, moved away or replaced while it is open goes on to be written to, though nobody finds
it again; and a journal of the one file would be read into the other.
"""

from __future__ import annotations

import os
import sqlite3
from typing import Any

from sqlalchemy import Engine, event

GONE = "was deleted, moved or replaced"


class OwnFile:
    """Refuses the connections of an engine while another file, or none, lies in the place of its own.

    It is refused as a database that cannot be used now, so that it is waited for: who puts the file back
    loses nothing.
    """

    def __init__(self, engine: Engine) -> None:
        # In full: SQLite opens it so, and the folder of the process may change.
        self._path = os.path.abspath(engine.url.database or "")
        self._opened: tuple[int, int] | None = None
        # Before a connection too: SQLite would make an empty file in the place of one that is gone.
        event.listen(engine, "do_connect", self._check)
        event.listen(engine, "connect", self._remember)
        event.listen(engine, "checkout", self._check)
        # Without connections nothing is held of the file, and any other will do.
        event.listen(engine, "engine_disposed", self._forget)

    def _remember(self, *_: Any) -> None:
        self._opened = self._opened or self._find()

    def _forget(self, _: Engine) -> None:
        self._opened = None

    def _check(self, *_: Any) -> None:
        if self._opened is not None and self._find() != self._opened:
            raise sqlite3.OperationalError(f"The file {GONE}")

    def _find(self) -> tuple[int, int] | None:
        """Return what tells the file in this place from any other; ``None`` where there is none."""
        try:
            found = os.stat(self._path)
        except OSError:
            return None
        return found.st_dev, found.st_ino

"""Faults in the record: kept with their run, and read back by it."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, delete, insert

from treeline.core.errors import RecordError
from treeline.core.faults import Fault, log_fault
from treeline.core.home import store_url
from treeline.core.record.store import Store, moment_of, now
from treeline.core.record.tables import FAULTS

_LOG = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class StoredFault:
    """A fault with the run that it belongs to, empty for none, and the moment it was recorded."""

    run: str
    time: datetime
    fault: Fault


def record_fault(store: Store, error: BaseException, subject: str, run: str = "") -> Fault:
    """Log a fault, keep it in the record, and return it; where the record is at fault the log has it."""
    fault = log_fault(error, subject)
    keep_fault(store, fault, run)
    return fault


def record_in_home(error: BaseException, subject: str) -> Fault:
    """Log a fault of no run, and keep it in the record of the settings, where there is one."""
    fault = log_fault(error, subject)
    address = store_url()
    if "://" in address or Path(address).exists():
        try:
            keep_fault(Store(address), fault)
        except RecordError as problem:
            _LOG.error("The fault %s could not be recorded.", fault.code, exc_info=problem)
    return fault


def keep_fault(store: Store, fault: Fault, run: str = "") -> None:
    """Keep a fault that is in the log already."""
    row = {
        "run": run,
        "code": fault.code,
        "subject": fault.subject,
        "error": fault.error,
        "place": fault.where,
        "traceback": fault.traceback,
        "time": now(),
    }
    try:
        store.write(lambda connection: _put(connection, row))
    except RecordError as problem:
        _LOG.error("The fault %s could not be recorded.", fault.code, exc_info=problem)


def _put(connection: Connection, row: Mapping[str, Any]) -> None:
    # Those of pages can be brought about without end by whoever has an account: of each the last is kept.
    if not row["run"]:
        same = (FAULTS.c.run == "") & (FAULTS.c.code == row["code"])
        connection.execute(delete(FAULTS).where(same))
    connection.execute(insert(FAULTS).values(row))


def faults_of(store: Store, run: str) -> list[StoredFault]:
    """Return the faults of a run, its rounds and its members, the oldest first."""
    rows = store.fault_rows(run)
    return [
        StoredFault(
            row.run,
            moment_of(row.time),
            Fault(row.code, row.subject, row.error, row.place, row.traceback),
        )
        for row in rows
    ]

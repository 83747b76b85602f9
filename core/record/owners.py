"""Which process works on a run, and which runs are left behind by one that is gone."""

from __future__ import annotations

import os
import uuid
from collections.abc import Container

import psutil

from treeline.core.record.store import Store


def owner_of_this_process() -> str:
    """Return what names this process even when its number is given to another one later."""
    process = psutil.Process()
    return f"{process.pid}-{process.create_time():.2f}-{uuid.uuid4().hex[:8]}"


def mark_interrupted(store: Store, live: Container[str] = ()) -> list[str]:
    """Mark runs as interrupted whose process is gone; return their identifiers.

    Parameters
    ----------
    store : Store
    live : container of str
        The runs that this process works on.
    """
    lost = [r.id for r in store.unfinished_runs() if r.id not in live and not _is_alive(r.owner)]
    for run in lost:
        store.set_status(run, "interrupted")
    return lost


def _is_alive(owner: str) -> bool:
    """Return whether the process of a run's owner still lives on this machine."""
    number, _, rest = owner.partition("-")
    if not number.isdigit() or int(number) == os.getpid():
        return False
    try:
        return f"{psutil.Process(int(number)).create_time():.2f}" == rest.partition("-")[0]
    except psutil.Error:
        return False

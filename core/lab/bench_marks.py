"""How benches are marked in the record."""

from __future__ import annotations

from treeline.core.record.store import RunRecord

WORKSPACE = "(lab)"
"""Stands where a run's workspace does; no workspace can have the name."""


def is_bench(record: RunRecord) -> bool:
    """Return whether a run is a bench."""
    return record.workspace == WORKSPACE

"""What of a run an export is made of."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path

from treeline.core.engine.journal import StoredEvent, events_of
from treeline.core.engine.rundata import RunData
from treeline.core.record.store import RunRecord, Store
from treeline.core.runs.reporting import record_of_question, run_result
from treeline.core.runs.result import RunResult, StepResult
from treeline.core.workspace import Workspace
from treeline.toolkit.recognition import Correction


@dataclass(frozen=True)
class ExportedRun:
    """A run as the record has it.

    Attributes
    ----------
    record : RunRecord
    result : RunResult
    events : sequence of StoredEvent
        Of the run itself.
    roots : tuple of Path
        Folders and files of rasters that the run read.
    corrections : mapping
        What a person said of the rasters, by file or band.
    data : callable, optional
        Gives what it read and wrote, to whom it belongs.
    """

    record: RunRecord
    result: RunResult
    events: Sequence[StoredEvent]
    roots: tuple[Path, ...]
    corrections: Mapping[str, Correction] = field(default_factory=dict)
    data: Callable[[], RunData] | None = None

    @property
    def creation_time(self) -> datetime:
        """When it was asked."""
        return self.record.created

    @property
    def calls(self) -> list[StepResult]:
        """The calls that gave a result."""
        return [s for s in self.result.steps if s.action == "call" and s.observation.kind == "result"]

    @property
    def products(self) -> list[Path]:
        """The files that it wrote and that are still there."""
        return [path for path in map(Path, self.result.products) if path.is_file()]


def take(
    store: Store, run: str, workspace: Workspace | None = None, data: Callable[[], RunData] | None = None
) -> ExportedRun:
    """Return what an export of a run is made of.

    Parameters
    ----------
    workspace : Workspace, optional
        Of the run; the roots of a run that was asked on paths are those paths.
    data : callable, optional
        Gives what the run read and wrote.

    Raises
    ------
    InputError
        There is no such run.
    """
    record = record_of_question(store, run)
    given = map(Path, record.options.get("data") or (workspace.places if workspace else ()))
    corrections = workspace.corrections if workspace else {}
    events = events_of(store, record.id)
    return ExportedRun(
        record, run_result(store, run), events, tuple(filter(_holds_something, given)), corrections, data
    )


def _holds_something(root: Path) -> bool:
    """Return whether a place is of use to whoever runs the calls again: an empty folder is not."""
    return not root.is_dir() or any(path.is_file() for path in root.rglob("*"))


def digest_of(path: Path) -> str:
    """Return the SHA-256 of a file."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()

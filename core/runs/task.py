"""A run that is being worked on, as rounds and teams are handed it."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from pathlib import Path
from typing import Any

from treeline.core.confinement import is_confining
from treeline.core.engine.disclosure import Disclosure
from treeline.core.engine.events import Draft, RunFinished
from treeline.core.engine.loop import Emit, Policy
from treeline.core.engine.rundata import RunData
from treeline.core.faults import Fault
from treeline.core.policies.reading_choice import HowToRead, how_to_read
from treeline.core.record.faults import record_fault
from treeline.core.record.store import RunRecord, Store
from treeline.core.runs.options import RunOptions
from treeline.core.runs.parts import RunParts
from treeline.core.runs.threads import tell_thread
from treeline.core.runs.workers import WORKERS, Job
from treeline.core.settings import Endpoint
from treeline.core.teams.names import SOLO
from treeline.core.workspace import Workspace


@dataclass(frozen=True, slots=True)
class Place:
    """Where a run is recorded and what it reads, for another process.

    Attributes
    ----------
    confined : bool
        Files are opened and tools work in processes without network.
    """

    store: str
    folder: Path
    sources: tuple[Path, ...]
    confined: bool

    @classmethod
    def of(cls, store: Store, workspace: Workspace) -> Place:
        """Return the place of the runs in a workspace, under the rules that hold here."""
        return cls(store.address, workspace.folder, workspace.sources, is_confining())


@dataclass(frozen=True)
class Task:
    """A run to be worked on to its end; for a team its :class:`~treeline.core.teams.work.Work`.

    Attributes
    ----------
    parts : RunParts
    is_resumed : bool
        Whether it goes on from its record.
    work : callable
        Works on another recorded run to its end, in this thread.
    work_at : callable
        The same in another process, which is given the place.
    policy : Policy, optional
        Chooses the actions in place of the one that the options name.
    draft : callable
        Takes what a language model is writing, now and then.
    """

    parts: RunParts
    run: str
    options: RunOptions
    endpoint: Endpoint | None
    emit: Emit
    stop: threading.Event
    is_resumed: bool
    work: Callable[[str, Endpoint | None, threading.Event], RunFinished]
    work_at: Callable[[Place, str, Endpoint | None, threading.Event], None]
    policy: Policy | None = None
    draft: Callable[[Draft], None] = lambda draft: None

    @cached_property
    def record(self) -> RunRecord:
        """The run as it was when work on it began."""
        return self.parts.record(self.run)

    @property
    def lineage(self) -> tuple[str, ...]:
        """The run and the one that it is a part of."""
        return (self.run, self.record.parent) if self.record.parent else (self.run,)

    @property
    def store(self) -> Store:
        """Where the run is recorded."""
        return self.parts.store

    @property
    def may_part(self) -> bool:
        """Whether members may work in processes of their own; a language model's only wait for it."""
        return self.options.policy == "planner" and self.parts.surroundings.apart

    def report(self, error: BaseException, subject: str) -> Fault:
        """Log a fault and keep it with the run."""
        return record_fault(self.store, error, subject, self.run)

    def data(self) -> RunData:
        """Return what the run reads and writes."""
        return self.parts.data(self.run)

    def disclosure(self) -> Disclosure:
        """Return how tool information reaches the run."""
        return self.parts.disclosure(self.run)

    def how_to_read(self) -> HowToRead:
        """Return how the question is to be read, with the expression of the one that it follows."""
        return how_to_read(self.store, self.record.options)

    def before(self) -> str:
        """Return what was asked before in the thread of the question, and how that ended."""
        # A member has a question of its own; what came before it is what came before its team's.
        record = self.parts.record(self.record.parent) if self.record.parent else self.record
        return tell_thread(self.store, record)

    def hire(
        self,
        question: str,
        member: dict[str, Any],
        data: Sequence[str],
        out: str,
        choices: tuple[str, ...],
        disclosure: str,
    ) -> str:
        """Record the run of a member inside this one and return its identifier."""
        options = replace(
            self.options,
            team=SOLO,
            member=member,
            data=tuple(data),
            out=out,
            choices=choices,
            disclosure=disclosure,
            # The attempts and the memory are those of the whole run, not of each member.
            rounds=1,
            round=0,
            memory="off",
        )
        return self.parts.create(self.record.workspace, question, options, self.run, self.endpoint)

    def work_here(self, run: str) -> None:
        """Work on a member's run to its end in this thread."""
        self.work(run, self.endpoint, self.stop)

    def work_apart(self, run: str, begun: Callable[[int], None]) -> int | None:
        """Work on a member's run in a process; return its exit code where it died before the end."""
        own = self.parts.workspace_of(self.record.workspace)
        place = Place.of(self.store, own)
        with WORKERS.lend() as worker:
            begun(worker.pid)
            return worker.work(Job(partial(self.work_at, place, run, self.endpoint)), self.stop)

    def prepare(self, count: int) -> None:
        """Start so many processes for members, without waiting for them."""
        WORKERS.prepare(count)

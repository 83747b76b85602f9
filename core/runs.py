"""Runs in the background: start, stop, resume, find after a kill. One manager for a process."""

from __future__ import annotations

import os
import threading
import uuid
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import psutil

from treeline.core.cards import card_of_run
from treeline.core.disclosure import Disclosure, make_disclosure
from treeline.core.engine import drive
from treeline.core.events import Event, RunFinished, RunResumed, RunStarted
from treeline.core.memory.learning import learn, remembered
from treeline.core.memory.rounds import work_rounds
from treeline.core.options import RunOptions, check_options
from treeline.core.rundata import RunData
from treeline.core.settings import Endpoint
from treeline.core.state import State, state_of
from treeline.core.store import RunRecord, Store
from treeline.core.surroundings import Surroundings
from treeline.core.teams.joining import context_of, part_of, policy_of, work_as_team
from treeline.core.teams.names import SOLO
from treeline.core.workspace import Workspace
from treeline.toolkit import SkillTree, registry
from treeline.toolkit.errors import InputError
from treeline.toolkit.perception.backends.endpoint import use_vision


@dataclass
class _Live:
    thread: threading.Thread
    stop: threading.Event


class RunManager:
    """Runs questions in threads of this process and records everything in the store.

    Parameters
    ----------
    store : Store
    workspace_of : callable
        Returns the workspace of a name that a run was started in; used to resume.
    surroundings : Surroundings
        What the runs work in; by default real rasters.

    Attributes
    ----------
    on_event : callable, optional
        Told of each event after it is stored.
    """

    def __init__(
        self, store: Store, workspace_of: Callable[[str], Workspace], surroundings: Surroundings | None = None
    ) -> None:
        self.store = store
        self.workspace_of = workspace_of
        self.surroundings = surroundings or Surroundings()
        self.on_event: Callable[[Event], None] | None = None
        self.owner = _owner()
        self._with_data: dict[tuple[str, tuple[str, ...]], Workspace] = {}
        self._live: dict[str, _Live] = {}
        self._lock = threading.Lock()

    def start(
        self, workspace: str, question: str, options: RunOptions, endpoint: Endpoint | None = None
    ) -> str:
        """Start working on a question and return the run's identifier at once.

        Raises
        ------
        InputError
            The question is empty, or an option has no such value.
        """
        run = self.create(workspace, question, options, endpoint=endpoint)
        self.launch(run, lambda stop: self._work(run, options, endpoint, stop, resumed=False))
        return run

    def create(
        self,
        workspace: str,
        question: str,
        options: RunOptions,
        parent: str | None = None,
        endpoint: Endpoint | None = None,
    ) -> str:
        """Record a run without starting it."""
        check_options(question, options, endpoint)
        run = uuid.uuid4().hex[:12]
        self.store.create_run(run, workspace, question.strip(), options.to_json(), parent)
        return run

    def work(
        self, run: str, endpoint: Endpoint | None = None, stop: threading.Event | None = None
    ) -> RunFinished:
        """Work on a recorded run in this thread, to the end."""
        record = self.record(run)
        options = RunOptions.from_json(record.options)
        return self._work(
            run, options, endpoint, stop or threading.Event(), resumed=bool(self.store.events(run))
        )

    def resume(self, run: str, endpoint: Endpoint | None = None) -> None:
        """Go on with a run that was stopped or interrupted, from its last event.

        Raises
        ------
        InputError
            There is no such run, or it has an answer already.
        """
        record = self.check_resumable(run)
        options = RunOptions.from_json(record.options)
        self.launch(run, lambda stop: self._work(run, options, endpoint, stop, resumed=True))

    def check_resumable(self, run: str) -> RunRecord:
        """Return the record of a run that can go on.

        Raises
        ------
        InputError
            There is no such run, it is being worked on, or it has an answer already.
        """
        record = self.record(run)
        if record.status not in ("stopped", "interrupted", "failed"):
            raise InputError(
                f"The run is {record.status}.", "Only a stopped, failed or interrupted run can be resumed."
            )
        return record

    def stop(self, run: str) -> None:
        """Ask a run to stop; it ends at the next block or the next step."""
        live = self._live.get(run)
        if live is not None:
            live.stop.set()

    def wait(self, run: str, timeout: float | None = None) -> None:
        """Wait until a run of this process has ended."""
        live = self._live.get(run)
        if live is not None:
            live.thread.join(timeout)

    def recover(self) -> list[str]:
        """Mark runs as interrupted whose process is gone; return their identifiers."""
        lost = [r.id for r in self.store.unfinished() if r.id not in self._live and not _alive(r.owner)]
        for run in lost:
            self.store.set_status(run, "interrupted")
        return lost

    def record(self, run: str) -> RunRecord:
        """Return a run's record.

        Raises
        ------
        InputError
            There is none.
        """
        record = self.store.run(run)
        if record is None:
            raise InputError(f"There is no run {run!r}.", "The Runs page lists those that exist.")
        return record

    def data(self, run: str) -> RunData:
        """Return the data of a run, with the products that it wrote."""
        record = self.record(run)
        options = RunOptions.from_json(record.options)
        workspace = self.workspace(record.workspace, options.data)
        data = self.surroundings.data(workspace, run, Path(options.out) if options.out else None)
        for step in state_of(e.event for e in self.store.events(run)).steps:
            data.restore(step.observation.products)
        return data

    def workspace(self, name: str, data: tuple[str, ...] = ()) -> Workspace:
        """Return a workspace, with files or folders beside it that are read in place."""
        if not data:
            return self.workspace_of(name)
        if (name, data) not in self._with_data:
            own = self.workspace_of(name)
            sources = [*own.sources, *(Path(folder) for folder in data)]
            self._with_data[name, data] = self.surroundings.workspace(own.folder, sources)
        return self._with_data[name, data]

    def disclosure(self, run: str) -> Disclosure:
        """Return how tool information reaches the policy of a run."""
        record = self.record(run)
        options = RunOptions.from_json(record.options)
        tree = part_of(SkillTree.of(registry()), options)
        return make_disclosure(options.disclosure, tree, record.question, options.seed)

    def launch(self, run: str, work: Callable[[threading.Event], Any]) -> None:
        """Work on a recorded run in a thread of its own; what works is told when to stop.

        Raises
        ------
        InputError
            The run is being worked on already.
        """
        stop = threading.Event()

        def target() -> None:
            try:
                work(stop)
            finally:
                self._live.pop(run, None)

        thread = threading.Thread(target=target, name=f"run-{run}", daemon=True)
        with self._lock:
            if run in self._live:
                raise InputError("The run is being worked on already.", "Stop it first.")
            self._live[run] = _Live(thread, stop)
        # Recorded before the thread starts, so that a page that asks at once sees it running.
        self.store.set_status(run, "running", self.owner)
        thread.start()

    def _work(
        self,
        run: str,
        options: RunOptions,
        endpoint: Endpoint | None,
        stop: threading.Event,
        *,
        resumed: bool,
    ) -> RunFinished:
        self.store.set_status(run, "running", self.owner)

        def emit(event: Event) -> None:
            self.store.append(run, event)
            if self.on_event is not None:
                self.on_event(event)

        try:
            finished = self._drive(run, options, endpoint, emit, stop, resumed=resumed)
            if options.memory != "off" and options.rounds == 1:
                learn(self, run, finished, endpoint, emit, stop)
        except Exception as error:  # whatever it was, the record must not say "running" for ever
            finished = RunFinished("failed", reason=str(error) or type(error).__name__)
            emit(finished)
        self.store.set_status(run, finished.status)
        return finished

    def _drive(
        self, run: str, options: RunOptions, endpoint: Endpoint | None, emit: Callable[[Event], None],
        stop: threading.Event, *, resumed: bool,
    ) -> RunFinished:  # fmt: skip
        if options.rounds > 1:
            return work_rounds(self, run, options, endpoint, emit, stop, resumed=resumed)
        if options.team != SOLO:
            return work_as_team(self, run, options, endpoint, emit, stop, resumed=resumed)
        record = self.record(run)
        data = self.data(run)
        disclosure = self.disclosure(run)
        environment = self.surroundings.environment(data, disclosure, registry(), options.profile)
        if resumed:
            state = state_of(e.event for e in self.store.events(run))
            emit(RunResumed(len(state.steps)))
        if not resumed or not state.question:
            context = {**disclosure.context(), "catalogue": data.catalogue(), **context_of(options)}
            context |= remembered(self.store, record, options.memory)
            advice, notes = card_of_run(record.question, options.card, context)
            context |= advice
            state = State(record.question, options.choices, context)
            emit(RunStarted(record.question, options.choices, context))
            for note in notes:
                emit(note)
        policy = policy_of(options, data, endpoint, disclosure)
        with use_vision(endpoint.vision if endpoint else None):
            return drive(state, policy, environment, options.budget, emit, stop)


def _owner() -> str:
    """Return what names this process even when its number is given to another one later."""
    process = psutil.Process()
    return f"{process.pid}-{process.create_time():.2f}-{uuid.uuid4().hex[:8]}"


def _alive(owner: str) -> bool:
    """Return whether the process of a run's owner still lives on this machine."""
    number, _, rest = owner.partition("-")
    if not number.isdigit() or int(number) == os.getpid():
        return False
    try:
        return f"{psutil.Process(int(number)).create_time():.2f}" == rest.partition("-")[0]
    except psutil.Error:
        return False

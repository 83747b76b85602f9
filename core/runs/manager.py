"""Runs in the background: start, wait in turn, stop, resume, find after a kill. One manager for a process."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import lru_cache, partial
from typing import Any

from treeline.core.confinement import confine
from treeline.core.engine.actions import Action
from treeline.core.engine.events import DecisionAwaited, Event, RunFinished, StepStarted
from treeline.core.engine.journal import record_event
from treeline.core.engine.loop import Policy
from treeline.core.engine.waiting import give
from treeline.core.errors import LeaseLost, RecordError
from treeline.core.metrics import RUN_SECONDS, TOKENS
from treeline.core.policies.form import Form
from treeline.core.policies.registry import POLICIES
from treeline.core.record.faults import record_fault
from treeline.core.record.leases import (
    WATCH_SECONDS,
    Heartbeat,
    claim,
    hold,
    mark_interrupted,
    owner_of_this_process,
    take_away,
)
from treeline.core.record.store import LOCAL, RunRecord, Store
from treeline.core.runs.approval import read_remembered, remember, set_approval
from treeline.core.runs.names import OFF
from treeline.core.runs.options import RunOptions
from treeline.core.runs.parts import RunParts
from treeline.core.runs.queue import QueuedRun, RunQueue
from treeline.core.runs.quotas import Quotas, check_asking, check_disk, room_of
from treeline.core.runs.recording import Recording
from treeline.core.runs.spending import raise_budget
from treeline.core.runs.surroundings import Surroundings
from treeline.core.runs.task import Place, Task
from treeline.core.runs.task_work import work_and_record
from treeline.core.runs.usage import count_tokens_used
from treeline.core.runs.workers import WORKERS, Job
from treeline.core.settings import Endpoint
from treeline.core.teams.names import SOLO
from treeline.core.workspace import Workspace
from treeline.core.workspace.workspace import set_room
from treeline.toolkit.errors import InputError, TreelineError

_LOG = logging.getLogger(__name__)


# How often it is looked whether runs of other processes have ended, as long as one waits here.
TURN_SECONDS = 1.0
LEFT_QUEUE = "The run left the queue before it began."
ENDED_BY_STOP = "The run was stopped in the middle of a call, which can be made again."
STOPPED_ELSEWHERE = "The run was stopped while another process of the server worked on it."


@dataclass
class _Live:
    thread: threading.Thread
    stop: threading.Event
    ended: threading.Event


class RunManager(RunParts):
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
    patience : float
        Seconds for which the end of a run is tried to be recorded, beyond the store's own.
    apart : bool
        Whether runs work in processes of their own, which have a limit of memory and leave this one quick.
    """

    def __init__(
        self, store: Store, workspace_of: Callable[[str], Workspace], surroundings: Surroundings | None = None
    ) -> None:
        super().__init__(store, workspace_of, surroundings)
        self.on_event: Callable[[Event], None] | None = None
        self.patience = 0.0
        self.apart = False
        self._recordings: dict[str, Recording] = {}
        self.owner = owner_of_this_process()
        self.queue = RunQueue(recorded=self._queue)
        # Held by the one thread that looks for turns, see :meth:`_take_turns`.
        self._turns = threading.Lock()
        self._live: dict[str, _Live] = {}
        # Runs of which the record says that they wait here; only these can have been stopped in another
        # process.
        self._shown_waiting: set[str] = set()
        self._heart = Heartbeat(
            store, self.owner, lambda: bool(self._live or self._recordings), self._stop_what_is_stopped
        )
        self._lock = threading.Lock()

    def start(
        self, workspace: str, question: str, options: RunOptions, endpoint: Endpoint | None = None
    ) -> str:
        """Start working on a question, or queue it, and return the run's identifier at once.

        Parameters
        ----------
        workspace : str
            Its name in the library; the run's products go into its folder, whatever ``options.data`` names.
        question : str
            In plain words, as the person wrote it.
        endpoint : Endpoint, optional
            The model that a language policy asks; that of the environment where it is left out. Its key is
            not recorded.

        Raises
        ------
        InputError
            The question is empty, or an option has no such value.
        QuotaReached
            The person, or the workspace, has used up what may be used.
        """
        self._prepare(workspace, options)
        run = self.create(workspace, question, options, endpoint=endpoint)
        kept = self._options_of(run)
        self.launch(run, lambda stop: self._work_out(run, kept, endpoint, stop, resumed=False))
        return run

    def play(
        self,
        workspace: str,
        question: str,
        options: RunOptions,
        policy: Policy,
        endpoint: Endpoint | None = None,
    ) -> str:
        """Start a run whose actions a given policy chooses, and return its identifier at once.

        Parameters
        ----------
        policy : Policy
            Is used in this process and not recorded: a run that is interrupted goes on by the policy that
            ``options`` name.

        Raises
        ------
        InputError, QuotaReached
            As for :meth:`start`.
        """
        self._prepare(workspace, options)
        run = self.create(workspace, question, options, endpoint=endpoint)
        kept = self._options_of(run)
        self.launch(run, lambda stop: self._work_out(run, kept, endpoint, stop, resumed=False, policy=policy))
        return run

    def _options_of(self, run: str) -> RunOptions:
        """Return the options of a run as they are kept: with what its question and its former add to them."""
        return RunOptions.from_json(self.record(run).options)

    def _prepare(self, workspace: str, options: RunOptions) -> None:
        """Check what may be used, and keep the workspace's handles: the record and exports name them."""
        quotas = Quotas.from_environment()
        check_asking(self.store, options.person or LOCAL, options.budget.seconds, quotas)
        if quotas.disk:
            check_disk(self.workspace_of(workspace).folder, 0, quotas)
        if not options.data:
            self.workspace_of(workspace).keep_handles()

    def work(
        self,
        run: str,
        endpoint: Endpoint | None = None,
        stop: threading.Event | None = None,
        policy: Policy | None = None,
    ) -> RunFinished:
        """Work on a recorded run in this thread, to the end; a policy chooses where one is given.

        Parameters
        ----------
        stop : threading.Event, optional
            Is looked at before each step and each block of a raster.

        Returns
        -------
        RunFinished
            Also where the run failed: only what stops this process is raised.
        """
        stop = stop or threading.Event()
        try:
            options = self._options_of(run)
            resumed = bool(self.store.event_rows(run))
        except RecordError as error:
            return self._fail(run, stop, str(error))
        return self._work(run, options, endpoint, stop, resumed=resumed, policy=policy)

    def resume(
        self, run: str, endpoint: Endpoint | None = None, more: Mapping[str, float] | None = None
    ) -> None:
        """Go on with a run that was stopped or interrupted, from its last event.

        Parameters
        ----------
        endpoint : Endpoint, optional
            As for :meth:`start`; the key is not recorded, so that it has to be given again.
        more : mapping, optional
            What it may use above its budget, as for :meth:`raise_budget`.

        Raises
        ------
        InputError
            There is no such run, it has an answer already, or its budget cannot be raised so.
        QuotaReached
            More is wanted, and the person has used up what may be used.
        """
        record = self.check_resumable(run)
        options = RunOptions.from_json(record.options)
        if more:
            self.raise_budget(run, more)
        self.launch(run, lambda stop: self._work_out(run, options, endpoint, stop, resumed=True))

    def raise_budget(self, run: str, more: Mapping[str, float]) -> None:
        """Let a run that can go on use more than it was asked with.

        Parameters
        ----------
        more : mapping
            How much is added, by the name of the limit: ``{"steps": 60}``.

        Raises
        ------
        InputError
            There is no such limit, nothing is added, or the run cannot go on.
        QuotaReached
            The person has used up what may be used.
        """
        record = self.check_resumable(run)
        options = RunOptions.from_json(record.options)
        check_asking(self.store, record.person, options.budget.seconds, Quotas.from_environment())
        raise_budget(self.store, record, more)

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

    def trouble(self, run: str) -> str:
        """Return why a run of this process cannot be recorded, for people; empty while it can."""
        recording = self._recordings.get(run)
        return recording.trouble if recording is not None else ""

    def stop(self, run: str) -> None:
        """Ask a run to stop; it ends at the next block or the next step, or leaves the queue.

        One of another process is recorded as stopped at once; that process sees it when it next writes of
        the run, or within seconds.
        """
        live = self._live.get(run)
        if live is None:
            if take_away(self.store, run):
                record_event(self.store, run, RunFinished("stopped", reason=STOPPED_ELSEWHERE))
            return
        live.stop.set()
        if self.queue.leave(run):
            try:
                Recording(self.store, run, live.stop, self.on_event).leave(LEFT_QUEUE)
            except RecordError as error:
                _LOG.error("That run %s left the queue is not recorded: %s", run, error.message)
            finally:
                self._forget(run)

    def is_stopping(self, run: str) -> bool:
        """Return whether a run of this process was asked to stop and has not yet."""
        live = self._live.get(run)
        return live is not None and live.stop.is_set()

    def give(self, run: str, step: int, action: Action | None = None, denied: str = "") -> None:
        """Tell a run what is to be done at the step for which it waits, see :func:`give`.

        Parameters
        ----------
        step : int
            From 1.
        action : Action, optional
            What is to be done in place of what was proposed; ``None`` agrees to that.
        denied : str
            Why it is not to be done, which the policy is told; empty agrees.

        Raises
        ------
        InputError
            It does not wait for that step.
        """
        give(self.store, run, step, action, denied=denied)

    def set_approval(self, run: str, ask: str) -> None:
        """Change what a run asks a person about, from its next call on.

        Parameters
        ----------
        ask : str
            One of the ways to ask of :mod:`treeline.core.runs.approval`.

        Raises
        ------
        InputError
            There is no such way to ask.
        """
        set_approval(self.store, run, ask)

    def remember_tool(self, run: str, tool: str) -> None:
        """Ask no more about a tool in the workspace of a run."""
        folder = self.workspace_of(self.record(run).workspace).folder
        remember(folder, read_remembered(folder) | {tool})

    def wait(self, run: str, timeout: float | None = None) -> None:
        """Wait until a run of this process has ended.

        Parameters
        ----------
        timeout : float, optional
            Seconds, after which it returns although the run goes on; none waits without end. A run of another
            process, or none, is not waited for.
        """
        live = self._live.get(run)
        if live is not None:
            live.ended.wait(timeout)

    def recover(self) -> list[str]:
        """Mark runs as interrupted whose process is gone; return their identifiers."""
        return mark_interrupted(self.store, [*self._live, *self._recordings])

    def watch(self, seconds: float = WATCH_SECONDS) -> None:
        """Look again and again, as long as this process lives, for runs whose process is gone."""

        def look() -> None:
            pause = threading.Event()
            while not pause.wait(seconds):
                with suppress(RecordError):
                    self.recover()

        threading.Thread(target=look, name="watch", daemon=True).start()

    def launch(self, run: str, work: Callable[[threading.Event], Any]) -> None:
        """Work on a recorded run in a thread of its own, once it is its turn; an event says when to stop.

        Raises
        ------
        InputError
            The run is being worked on already.
        """
        stop = threading.Event()

        def target() -> None:
            try:
                self._see_to_the_end(run, work, stop)
            except RecordError as error:
                _LOG.error("The end of run %s is not recorded: %s", run, error.message)
            finally:
                self._forget(run)
                self.queue.end(run)

        thread = threading.Thread(target=target, name=f"run-{run}", daemon=True)
        with self._lock:
            if run in self._live:
                raise InputError("The run is being worked on already.", "Stop it first.")
            self._live[run] = _Live(thread, stop, threading.Event())
        self._heart.start()
        if not self.queue.enter(self._queue_entry(run), partial(self._begin, run, thread)):
            self._show_waiting(run)

    def _see_to_the_end(
        self, run: str, work: Callable[[threading.Event], Any], stop: threading.Event
    ) -> None:
        try:
            work(stop)
        except RecordError:
            raise
        except Exception as error:  # whatever it was, the record must not say "running" for ever
            self._fail(run, stop, record_fault(self.store, error, "The run", run).sentence)

    def _queue_entry(self, run: str) -> QueuedRun:
        """Return a run as the queue knows it; where the record cannot be read it is anybody's."""
        with suppress(RecordError):
            record = self.store.run(run)
            if record is not None:
                return QueuedRun.of(record)
        return QueuedRun(run, LOCAL, time.time())

    def _begin(self, run: str, thread: threading.Thread) -> None:
        # Recorded before the thread starts, so that a page that asks at once sees it running. Where that
        # cannot be, the thread says so and goes on trying.
        with suppress(RecordError):
            record = self.store.run(run) if run in self._shown_waiting else None
            if record is not None and record.status == "stopped":
                self._forget(run)
                # Not here: who lets it begin may hold on to what ends it.
                threading.Thread(target=self.queue.end, args=(run,), daemon=True).start()
                return
            claim(self.store, run, self.owner)
        thread.start()

    def _stop_what_is_stopped(self) -> None:
        """Stop runs here that were stopped in another process meanwhile."""
        for run, live in list(self._live.items()):
            record = self.store.run(run) if live.thread.is_alive() else None
            if record is not None and record.status == "stopped":
                live.stop.set()

    def _show_waiting(self, run: str) -> None:
        """Record that a run waits here, so that no other process takes it for lost."""
        with suppress(RecordError):
            hold(self.store, run, self.owner)
            self._shown_waiting.add(run)
        threading.Thread(target=self._take_turns, name="turns", daemon=True).start()

    def _take_turns(self) -> None:
        """Look again and again, as long as runs wait here, whether another process has made room."""
        if not self._turns.acquire(blocking=False):
            return
        try:
            pause = threading.Event()
            while self.queue.waiting:
                pause.wait(TURN_SECONDS)
                self.queue.look()
        finally:
            self._turns.release()

    def _queue(self) -> list[RunRecord]:
        """Return the runs of every process; none where the record cannot be read."""
        try:
            return self.store.queue()
        except RecordError:
            return []

    def _forget(self, run: str) -> None:
        self._shown_waiting.discard(run)
        live = self._live.pop(run, None)
        if live is not None:
            live.ended.set()

    def _work(
        self,
        run: str,
        options: RunOptions,
        endpoint: Endpoint | None,
        stop: threading.Event,
        *,
        resumed: bool,
        policy: Policy | None = None,
    ) -> RunFinished:
        with self._recording(run, stop) as recording:

            def emit(event: Event) -> None:
                recording.emit(event)
                if isinstance(event, DecisionAwaited):
                    self.queue.rest(run)
                elif isinstance(event, StepStarted):
                    self.queue.go_on(run)

            task = Task(
                self, run, options, endpoint, emit, stop, resumed, self.work, work_at, policy, recording.draft
            )
            return work_and_record(task, recording)

    def _work_out(
        self,
        run: str,
        options: RunOptions,
        endpoint: Endpoint | None,
        stop: threading.Event,
        *,
        resumed: bool,
        policy: Policy | None = None,
    ) -> None:
        if self.apart and may_part(options, policy):
            self._work_apart(run, endpoint, stop, policy)
        else:
            self._work(run, options, endpoint, stop, resumed=resumed, policy=policy)

    def _work_apart(
        self, run: str, endpoint: Endpoint | None, stop: threading.Event, policy: Policy | None
    ) -> None:
        """Work on a run in a process of its own, and record it where that one is lost."""
        began, memory = time.monotonic(), Quotas.from_environment().memory
        own = self.workspace_of(self.record(run).workspace)
        place = Place.of(self.store, own)
        with WORKERS.lend() as worker:
            # The other process takes the run, which this one has held while it waited.
            self.store.set_status(run, "running", held_by=self.owner)
            job = Job(partial(work_at, place, run, endpoint, policy=policy), memory)
            try:
                code = worker.work(job, stop)
            except LeaseLost:
                raise
            except TreelineError as error:  # what it could not record itself
                code = None
                worker.kill()  # or it would hold the run for as long as it waits for another
                self._fail(run, stop, str(error))
        record = self.record(run)
        if code is not None and not record.is_finished:
            if stop.is_set():
                with self._recording(run, stop) as recording:
                    recording.leave(ENDED_BY_STOP)
            else:
                self._fail(run, stop, _describe_loss(code, memory))
        # The metrics of the other process end with it, so that what it used is counted here, from the record.
        used = count_tokens_used(self.store, run)
        TOKENS.labels("input").inc(used.input)
        TOKENS.labels("output").inc(used.output)
        RUN_SECONDS.labels(record.status).observe(time.monotonic() - began)

    def _fail(self, run: str, stop: threading.Event, reason: str) -> RunFinished:
        """Record that a run could not be worked on, as soon as anything can be recorded."""
        with self._recording(run, stop) as recording:
            recording.trouble = reason
            return recording.end(RunFinished("failed", reason=reason))

    @contextmanager
    def _recording(self, run: str, stop: threading.Event) -> Iterator[Recording]:
        recording = Recording(self.store, run, stop, self.on_event, self.patience, self.owner)
        self._recordings[run] = recording
        self._heart.start()
        try:
            yield recording
        finally:
            self._recordings.pop(run, None)


def may_part(options: RunOptions, policy: Policy | None = None) -> bool:
    """Return whether a run may work in a process of its own: a person who is asked is in this one.

    A team has processes for its members, and a process has none of its own.
    """
    chosen = isinstance(policy, Form) if policy is not None else options.policy in POLICIES
    return options.team == SOLO and chosen and options.approve == OFF


def _describe_loss(code: int, memory: int) -> str:
    return (
        f"The process that worked on the run ended with {code}; it may have needed more than "
        f"{memory / 2**30:.3g} GiB of memory. Ask of fewer or smaller rasters, or resume the run."
    )


def work_at(
    place: Place,
    run: str,
    endpoint: Endpoint | None,
    stop: threading.Event,
    policy: Policy | None = None,
) -> None:
    """Work on a recorded run in a process that knows no more of it than where it is."""
    if place.confined:
        confine(Quotas.from_environment().memory)
        set_room(partial(room_of, _store_at(place.store)))
    manager = RunManager(_store_at(place.store), lambda name: Workspace(place.folder, place.sources))
    manager.work(run, endpoint, stop, policy)


@lru_cache(maxsize=1)
def _store_at(address: str) -> Store:
    return Store(address)

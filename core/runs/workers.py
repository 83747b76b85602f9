"""Processes that do one job after the other; where one dies, the others go on.

They are forked from a server that has every module loaded, and kept for the next job: what they
know of files, cards and words stays warm. This module is light, so that the server can be started
before anything else is loaded.
"""

from __future__ import annotations

import atexit
import os
import queue
import signal
import sys
import threading
import time
import weakref
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess

from treeline.core.logs import set_up_logging
from treeline.core.processes import (
    close_memory,
    give_way,
    limit_memory,
    process_context,
    share_fork_server,
    without_main,
)
from treeline.toolkit import cluster
from treeline.toolkit.errors import TreelineError
from treeline.toolkit.secret_settings import keep_secrets, kept_secrets

# The event that stops a job is of this process, and no wait for a pipe ends with it.
_STOP_INTERVAL = 0.05
# A job looks at its event between blocks; one that hangs in a library never does.
_GRACE_SECONDS = 10.0
# A process keeps every kit in memory; a person who reads an answer asks again within minutes.
_IDLE_SECONDS = 300.0
# Each has its share of the memory although it does nothing.
MOST_PREPARED = 4
_SETTINGS = "TREELINE_"
_STOP = "stop"


@dataclass(frozen=True, slots=True)
class Job:
    """What a process does, told when to stop, under the settings that hold now; it is pickled.

    Attributes
    ----------
    memory : int
        Bytes that it may take beyond what the process has; 0 for no limit.
    secrets : mapping
        Settings that are not in the environment.
    """

    work: Callable[[threading.Event], object]
    memory: int = 0
    settings: dict[str, str] = field(default_factory=lambda: _settings_of_job())
    secrets: Mapping[str, str] = field(default_factory=kept_secrets, repr=False)


_STARTED: weakref.WeakSet[Worker] = weakref.WeakSet()


@atexit.register
def _end_all() -> None:
    for worker in list(_STARTED):
        worker.kill()


class Worker:
    """A process that does one job after the other."""

    def __init__(self) -> None:
        context = process_context()
        self._pipe, theirs = context.Pipe()
        # Not a daemon, as it has confined processes of its own; it ends with this one all the same.
        self._process: BaseProcess = context.Process(target=_serve, args=(theirs,), daemon=False)
        with without_main():
            self._process.start()
        # While this process holds that end too, the death of the other one does not close the pipe.
        theirs.close()
        _STARTED.add(self)

    @property
    def pid(self) -> int:
        """Number of the process."""
        assert self._process.pid is not None
        return self._process.pid

    @property
    def alive(self) -> bool:
        """True while the process lives."""
        return self._process.is_alive()

    def work(self, job: Job, stop: threading.Event) -> int | None:
        """Do a job to its end and return ``None``; the exit code where the process died before it.

        Parameters
        ----------
        stop : threading.Event
            Stops the job; a process that does not obey it is ended.

        Raises
        ------
        TreelineError
            That ended the job.
        """
        given_up = float("inf")
        try:
            self._pipe.send(job)
            while not wait([self._pipe, self._process.sentinel], _STOP_INTERVAL):
                if stop.is_set() and given_up == float("inf"):
                    given_up = time.monotonic() + _GRACE_SECONDS
                    self._pipe.send(_STOP)
                if time.monotonic() > given_up:
                    self._process.kill()
            error = self._pipe.recv()
        except (EOFError, OSError):
            self._process.join()
            return self._process.exitcode
        if error is not None:
            raise error
        return None

    def end(self) -> None:
        """End an idle process."""
        self._pipe.close()

    def kill(self) -> None:
        """End the process at once, whatever it does; it is gone then, for whoever looks for it too."""
        if self._process.is_alive():
            self._process.kill()
            self._process.join(_GRACE_SECONDS)


class Workers:
    """Processes that wait for a job, and those that are lent for one."""

    def __init__(self) -> None:
        self._idle: list[Worker] = []
        self._coming = 0
        self._changed = threading.Condition()

    def prepare(self, count: int) -> None:
        """See to it that so many processes are idle or on their way, without waiting for them."""
        with self._changed:
            missing = max(min(count, MOST_PREPARED) - len(self._idle) - self._coming, 0)
            self._coming += missing
        for _ in range(missing):
            threading.Thread(target=self._bring, daemon=True).start()

    @contextmanager
    def lend(self) -> Iterator[Worker]:
        """Lend a process, a new one where none is idle or on its way."""
        worker = self._take()
        try:
            yield worker
        finally:
            self._give_back(worker)

    def _bring(self) -> None:
        try:
            self._give_back(Worker())
        finally:
            with self._changed:
                self._coming -= 1
                self._changed.notify_all()

    def _take(self) -> Worker:
        with self._changed:
            while self._idle or self._coming:
                if not self._idle:
                    # One that is on its way is there sooner than a new one would be.
                    self._changed.wait()
                elif (worker := self._idle.pop()).alive:
                    return worker
        return Worker()

    def _give_back(self, worker: Worker) -> None:
        with self._changed:
            kept = worker.alive and len(self._idle) < MOST_PREPARED
            if kept:
                self._idle.append(worker)
                self._changed.notify_all()
        if not kept:
            worker.end()


WORKERS = Workers()


def _settings_of_job() -> dict[str, str]:
    """Return the settings that hold here, and where the workers of this process are reached."""
    # What cannot be started is told by the tool that needs it, in the run; most need no workers.
    with suppress(TreelineError):
        return _settings() | cluster.shared_settings()
    return _settings()


def _settings() -> dict[str, str]:
    return {name: value for name, value in os.environ.items() if name.startswith(_SETTINGS)}


def _serve(pipe: Connection) -> None:
    # Ctrl-C reaches every process of a terminal; whoever gave the job says what is to stop.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    give_way()
    if sys.platform != "win32":
        share_fork_server()
    jobs: queue.SimpleQueue[Job | None] = queue.SimpleQueue()
    stop, busy = threading.Event(), threading.Event()
    threading.Thread(target=_listen, args=(pipe, jobs, stop, busy), daemon=True).start()
    try:
        while (job := jobs.get(timeout=_IDLE_SECONDS)) is not None:
            busy.set()
            error = _work(job, stop)
            busy.clear()
            pipe.send(error)
    except (queue.Empty, OSError):
        return


def _listen(
    pipe: Connection, jobs: queue.SimpleQueue[Job | None], stop: threading.Event, busy: threading.Event
) -> None:
    while True:
        try:
            said = pipe.recv()
        except (EOFError, OSError):  # whoever gave the jobs is gone
            if busy.is_set():  # a run is interrupted with it: nobody has stopped it
                os._exit(1)
            jobs.put(None)
            return
        except Exception:  # a job that cannot be read here would be waited for without end
            os._exit(1)
        if said == _STOP:
            stop.set()
        else:
            stop.clear()
            jobs.put(said)


def _work(job: Job, stop: threading.Event) -> TreelineError | None:
    """Do a job; return what ended it."""
    # The process is kept from job to job: a setting of the last one that this one leaves out must go.
    for name in _settings():
        del os.environ[name]
    os.environ.update(job.settings)
    keep_secrets(job.secrets)
    if job.secrets:
        close_memory()
    set_up_logging()
    limit_memory(job.memory)
    try:
        job.work(stop)
    except TreelineError as error:
        return error
    return None

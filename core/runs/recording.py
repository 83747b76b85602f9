"""The recording of a run while it is worked on, also where the record cannot be written for a while."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable

from treeline.core.engine.events import Draft, Event, RunFinished, StepStarted
from treeline.core.engine.journal import forget_draft, record_draft, record_event
from treeline.core.errors import LeaseLost, RecordError
from treeline.core.metrics import TOKENS
from treeline.core.record.leases import claim
from treeline.core.record.store import Store, now
from treeline.core.runs.spans import spans_of

_LOG = logging.getLogger(__name__)

# A lock is gone in a moment, and a full disk takes a person, whom a retry each moment would not help.
_FIRST_PAUSE, _LONGEST_PAUSE = 0.5, 10.0


class Recording:
    """Writes the events of a run; where they cannot be written, the run is stopped.

    A fault of the record inside a tool must not pass for one of the tool, so nothing is raised: what could
    not be written is kept, and written when the run ends.

    Parameters
    ----------
    stop : threading.Event
        Stops the run.
    tell : callable, optional
        Told of each event after it is written.
    patience : float
        Seconds for which the end of a run is tried to be written.
    owner : str
        The process that holds the run; once another one does, nothing more is written. Empty for whoever.

    Attributes
    ----------
    trouble : str
        Why the record cannot be written, for people; empty while it can.
    lost : bool
        Whether another process works on the run now.
    """

    def __init__(
        self,
        store: Store,
        run: str,
        stop: threading.Event,
        tell: Callable[[Event], None] | None = None,
        patience: float = 0.0,
        owner: str = "",
    ) -> None:
        self.trouble = ""
        self.lost = False
        self._held = not owner
        self._store = store
        self._run = run
        self._stop = stop
        self._tell = tell
        self._patience = patience
        self._owner = owner
        self._kept: list[Event] = []
        self._spans = spans_of(run)
        # What is told of how long a run took must not follow a clock that is set meanwhile.
        self._begun, self._ticks = now(), time.monotonic()
        self._drafted = True  # by a process that was killed, perhaps

    def begin(self) -> None:
        """Record that the run is worked on here.

        Raises
        ------
        RecordError
            It cannot be written, or another process works on the run.
        """
        if not self._held:
            claim(self._store, self._run, self._owner)
            self._held = True

    def emit(self, event: Event) -> None:
        """Write an event, or keep it and stop the run."""
        if not self.trouble:
            try:
                self._write(event)
                return
            except RecordError as error:
                _LOG.error("Run %s cannot be recorded and is stopped: %s", self._run, error.message)
                self.trouble = str(error)
                self.lost = isinstance(error, LeaseLost)
                self._stop.set()
        # How it ended is written by :meth:`end`, which may make another ending of it.
        if not isinstance(event, RunFinished):
            self._kept.append(event)

    def draft(self, draft: Draft) -> None:
        """Keep what the policy is writing until the next event; it is no part of the record."""
        if self.trouble:
            return
        try:
            record_draft(self._store, self._run, draft)
            self._drafted = True
        except RecordError as error:
            _LOG.info("What the model of run %s writes cannot be shown: %s", self._run, error.message)

    def leave(self, reason: str) -> None:
        """Record that a run was stopped before it began."""
        self.emit(RunFinished("stopped", reason=reason))
        self._store.set_status(self._run, "stopped")

    def end(self, finished: RunFinished) -> RunFinished:
        """Write how a run ended, and what was kept of it; return the ending.

        Raises
        ------
        RecordError
            It cannot be written for as long as there is patience.
        LeaseLost
            Another process works on the run.
        """
        waited, pause = 0.0, _FIRST_PAUSE
        while True:
            try:
                return self._record_end(finished)
            except LeaseLost:
                raise
            except RecordError as error:
                self.trouble = str(error)
                if waited >= self._patience:
                    raise
            threading.Event().wait(pause)
            waited, pause = waited + pause, min(2 * pause, _LONGEST_PAUSE)

    def _record_end(self, finished: RunFinished) -> RunFinished:
        self.begin()
        # One is dropped only once it is written, so that the next attempt goes on where this one failed.
        while self._kept:
            self._write(self._kept[0])
            del self._kept[0]
        if self.trouble:
            # It was this process that stopped the run, because of the trouble; nobody asked for it.
            if finished.status == "stopped":
                finished = RunFinished("failed", reason=self.trouble)
            self._write(finished)
        self._store.set_status(self._run, finished.status, held_by=self._owner)
        self.trouble = ""
        return finished

    def _write(self, event: Event) -> None:
        self.begin()
        moment = self._begun + time.monotonic() - self._ticks
        record_event(self._store, self._run, event, self._owner, moment)
        if self._drafted:
            forget_draft(self._store, self._run)
            self._drafted = False
        if isinstance(event, StepStarted):
            TOKENS.labels("input").inc(event.tokens.input)
            TOKENS.labels("output").inc(event.tokens.output)
        if self._spans is not None:
            self._spans.tell(event)
        if self._tell is not None:
            self._tell(event)

"""The queue of runs: so many at once in all processes of a store, people in turn.

Whoever has the fewest runs at work comes first; among those, whose last run began longest ago, and then who
has waited longest. A person who asks twenty questions so delays another one by a single run. One's place
follows from the record alone, so that a page shows it without asking the process that works.
"""

from __future__ import annotations

import itertools
import threading
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

from treeline.core.record.store import RunRecord, Store
from treeline.core.runs.quotas import Quotas


@dataclass(frozen=True, slots=True)
class QueuedRun:
    """A run that waits: of whom, and since when."""

    run: str
    person: str
    since: float


def in_turn(
    waiting: Iterable[QueuedRun], at_work: Mapping[str, int], last: Mapping[str, int] = MappingProxyType({})
) -> list[QueuedRun]:
    """Return runs that wait in the order in which they will begin.

    Parameters
    ----------
    waiting : iterable of Waiting
    at_work : mapping
        How many runs each person has at work.
    last : mapping
        The number of each person's last turn, from 1.
    """
    ahead: Counter[str] = Counter(at_work)
    ranked = []
    for each in sorted(waiting, key=lambda each: (each.since, each.run)):
        turn = (ahead[each.person], last.get(each.person, 0), each.since, each.run)
        ranked.append((turn, each))
        # A run that waits counts like one at work, so that ten of one person do not all go before the first
        # of another.
        ahead[each.person] += 1
    return [each for _, each in sorted(ranked, key=lambda row: row[0])]


def place_of(store: Store, record: RunRecord) -> int | None:
    """Return how many runs begin before a run, and itself; ``None`` where it does not wait in a queue."""
    if record.status != "waiting" or not record.owner:
        return None
    waiting, at_work = _lines(store.queue())
    order = [each.run for each in in_turn(waiting, at_work)]
    return order.index(record.id) + 1 if record.id in order else None


def _lines(records: Iterable[RunRecord]) -> tuple[list[QueuedRun], Counter[str]]:
    """Return the runs that wait, and how many runs of each person are at work."""
    waiting, at_work = [], Counter[str]()
    for record in records:
        if record.status == "waiting":
            waiting.append(QueuedRun(record.id, record.person, record.created.timestamp()))
        else:
            at_work[record.person] += 1
    return waiting, at_work


class RunQueue:
    """Runs of this process that wait for their turn, and how many are at work.

    Parameters
    ----------
    quotas : callable
        Returns how many runs may be at work, as the settings are now.
    recorded : callable
        Returns the runs that wait or work in every process; those of others count, and go before those
        here that come after them.
    """

    def __init__(
        self,
        quotas: Callable[[], Quotas] = Quotas.from_environment,
        recorded: Callable[[], Iterable[RunRecord]] = tuple,
    ) -> None:
        self._quotas = quotas
        self._recorded = recorded
        self._waiting: dict[str, tuple[QueuedRun, Callable[[], None]]] = {}
        self._at_work: dict[str, str] = {}
        self._resting: dict[str, str] = {}
        self._last: dict[str, int] = {}
        self._turns = itertools.count(1)
        self._lock = threading.Lock()

    @property
    def waiting(self) -> int:
        """How many runs wait."""
        return len(self._waiting)

    @property
    def at_work(self) -> int:
        """How many runs are at work."""
        return len(self._at_work)

    def enter(self, waiting: QueuedRun, begin: Callable[[], None]) -> bool:
        """Take a run in and return whether it begins at once; ``begin`` is called when it does.

        Parameters
        ----------
        begin : callable
            Called in the thread that lets it begin, so it must not wait.
        """
        with self._lock:
            self._waiting[waiting.run] = (waiting, begin)
        self.look()
        with self._lock:
            return waiting.run not in self._waiting

    def leave(self, run: str) -> bool:
        """Take a run out that has not begun; return whether it was there."""
        with self._lock:
            return self._waiting.pop(run, None) is not None

    def end(self, run: str) -> None:
        """Make room: a run has ended."""
        with self._lock:
            self._at_work.pop(run, None)
            self._resting.pop(run, None)
        self.look()

    def rest(self, run: str) -> None:
        """Make room while a run waits for a person, who may be away for hours."""
        with self._lock:
            person = self._at_work.pop(run, None)
            if person is not None:
                self._resting[run] = person
        self.look()

    def go_on(self, run: str) -> None:
        """Count a run as at work again, at once: a person who has answered does not wait for others."""
        with self._lock:
            person = self._resting.pop(run, None)
            if person is not None:
                self._at_work[run] = person

    def look(self) -> None:
        """Let those begin whose turn it is; what others have made room for is seen by looking again."""
        # Called without the lock: what begins may end at once and come back here.
        for begin in self._next():
            begin()

    def _next(self) -> Sequence[Callable[[], None]]:
        # The record is read before the lock is taken: a slow database holds nobody up who enters or ends.
        quotas, begins, recorded = self._quotas(), [], list(self._recorded())
        with self._lock:
            own = {*self._waiting, *self._at_work, *self._resting}
            waiting, elsewhere = _lines(record for record in recorded if record.id not in own)
            at_work = elsewhere + Counter(self._at_work.values())
            waiting += [each for each, _ in self._waiting.values()]
            while at_work.total() < quotas.runs:
                allowed = [each for each in waiting if at_work[each.person] < quotas.runs_each]
                first = next(iter(in_turn(allowed, at_work, self._last)), None)
                if first is None:
                    break
                waiting.remove(first)
                at_work[first.person] += 1
                # A run of another process takes its room here too, although only that process can begin it.
                if first.run in self._waiting:
                    self._at_work[first.run] = first.person
                    self._last[first.person] = next(self._turns)
                    begins.append(self._waiting.pop(first.run)[1])
        return begins

"""The queue of runs: so many at once in all processes of a store, people in turn.

Whoever has the fewest runs at work comes first; among those, whose last run began longest ago, and then who
has waited longest. A person who asks twenty questions so delays another one by a single run. One's place
follows from the record alone, so that a page shows it without asking the process that works.

Runs of a language model, which mostly wait for its replies, stand in a line of their own: one that takes
minutes keeps no place from a question that takes a second.
"""

from __future__ import annotations

import itertools
import threading
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

from treeline.core.policies.names import LANGUAGE
from treeline.core.record.store import RunRecord, Store
from treeline.core.runs.quotas import Quotas


@dataclass(frozen=True, slots=True)
class QueuedRun:
    """A run that waits: of whom, since when, and whether a language model chooses its actions."""

    run: str
    person: str
    since: float
    of_model: bool = False

    @classmethod
    def of(cls, record: RunRecord) -> QueuedRun:
        """Return a run of the record."""
        return cls(record.id, record.person, record.created.timestamp(), _is_of_model(record))


def _is_of_model(record: RunRecord) -> bool:
    return record.options.get("policy") == LANGUAGE


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
    of_model = _is_of_model(record)
    waiting, at_work = _lines(each for each in store.queue() if _is_of_model(each) == of_model)
    order = [each.run for each in in_turn(waiting, at_work)]
    return order.index(record.id) + 1 if record.id in order else None


def _lines(records: Iterable[RunRecord]) -> tuple[list[QueuedRun], Counter[str]]:
    """Return the runs that wait, and how many runs of each person are at work."""
    waiting, at_work = [], Counter[str]()
    for record in records:
        if record.status == "waiting":
            waiting.append(QueuedRun.of(record))
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
        self._at_work: dict[str, QueuedRun] = {}
        self._resting: dict[str, QueuedRun] = {}
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
            resting = self._at_work.pop(run, None)
            if resting is not None:
                self._resting[run] = resting
        self.look()

    def go_on(self, run: str) -> None:
        """Count a run as at work again, at once: a person who has answered does not wait for others."""
        with self._lock:
            rested = self._resting.pop(run, None)
            if rested is not None:
                self._at_work[run] = rested

    def look(self) -> None:
        """Let those begin whose turn it is; what others have made room for is seen by looking again."""
        # Called without the lock: what begins may end at once and come back here.
        for begin in self._next():
            begin()

    def _next(self) -> Sequence[Callable[[], None]]:
        # The record is read before the lock is taken: a slow database holds nobody up who enters or ends.
        quotas, recorded = self._quotas(), list(self._recorded())
        with self._lock:
            own = {*self._waiting, *self._at_work, *self._resting}
            others = [record for record in recorded if record.id not in own]
            return [
                *self._next_of(others, quotas.runs, quotas.runs_each, of_model=False),
                *self._next_of(others, quotas.model_runs, quotas.model_runs_each, of_model=True),
            ]

    def _next_of(
        self, others: Iterable[RunRecord], most: int, each: int, *, of_model: bool
    ) -> Iterable[Callable[[], None]]:
        """Yield what begins in one of the two lines."""
        waiting, at_work = _lines(record for record in others if _is_of_model(record) == of_model)
        at_work.update(run.person for run in self._at_work.values() if run.of_model == of_model)
        waiting += [run for run, _ in self._waiting.values() if run.of_model == of_model]
        while at_work.total() < most:
            allowed = [run for run in waiting if at_work[run.person] < each]
            first = next(iter(in_turn(allowed, at_work, self._last)), None)
            if first is None:
                break
            waiting.remove(first)
            at_work[first.person] += 1
            # A run of another process takes its room here too, although only that process can begin it.
            if first.run in self._waiting:
                self._at_work[first.run] = first
                self._last[first.person] = next(self._turns)
                yield self._waiting.pop(first.run)[1]

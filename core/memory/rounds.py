"""Rounds: a failed question is tried again, with what was learned; the latest success counts.

RSMem, section 4.1 (R@N). The run that was asked for holds no steps of its own: each round is a run with
that one as its parent, so that it is shown, resumed and replayed like any other.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from treeline.core.events import Event, Note, RunFinished, RunStarted
from treeline.core.memory import guardrails
from treeline.core.memory.failure import FailureMemory
from treeline.core.memory.learning import Judgement, judgement_of
from treeline.core.settings import Endpoint
from treeline.core.state import state_of
from treeline.core.store import RunRecord, Store

if TYPE_CHECKING:
    from treeline.core.options import RunOptions
    from treeline.core.runs import RunManager

# Policies that take the same way again unless a guardrail forbids it.
_DETERMINISTIC = frozenset({"planner"})


@dataclass(frozen=True, slots=True)
class Round:
    """One attempt: the run, how it ended, what the critic said."""

    number: int
    run: str
    finished: RunFinished | None
    judgement: Judgement | None

    @property
    def succeeded(self) -> bool:
        """Whether it ended without a sign of failure."""
        return self.judgement is not None and not self.judgement.failed and self.finished is not None


def rounds_of(store: Store, run: str) -> list[Round]:
    """Return the rounds of a run in their order; none for a run that has none."""
    children = [record for record in store.runs(parent=run) if record.options.get("round")]
    children.sort(key=lambda record: int(record.options["round"]))
    return [_round(store, record) for record in children]


def counting(rounds: list[Round]) -> Round:
    """Return the round that counts: the latest success, else the latest with an answer, else the last."""
    succeeded = [r for r in rounds if r.succeeded]
    answered = [r for r in rounds if r.finished is not None and r.finished.status == "answered"]
    return (succeeded or answered or rounds)[-1]


def shown_run(store: Store, run: str) -> str:
    """Return the run whose steps are shown for a run: the round that counts, or itself."""
    rounds = rounds_of(store, run)
    if not rounds:
        return run
    return rounds[-1].run if rounds[-1].finished is None else counting(rounds).run


def work_rounds(
    manager: RunManager,
    run: str,
    options: RunOptions,
    endpoint: Endpoint | None,
    emit: Callable[[Event], None],
    stop: threading.Event,
    *,
    resumed: bool,
) -> RunFinished:
    """Work on a question in rounds until one succeeds, there is nothing new to try, or all are used up."""
    if not resumed:
        emit(RunStarted(manager.record(run).question, options.choices, {}))
    number = max(len(rounds_of(manager.store, run)), 1)
    while True:
        finished = _work_round(manager, run, number, options, endpoint, emit, stop)
        judgement = judgement_of(manager.store, _child(run, number))
        if finished.status == "stopped" or judgement is None or not judgement.failed:
            break
        if number >= options.rounds or not _new(manager.store, run, number, options):
            break
        number += 1
    rounds = rounds_of(manager.store, run)
    best = counting(rounds) if finished.status != "stopped" else rounds[-1]
    ended = best.finished or finished
    emit(ended)
    return ended


def _work_round(
    manager: RunManager,
    run: str,
    number: int,
    options: RunOptions,
    endpoint: Endpoint | None,
    emit: Callable[[Event], None],
    stop: threading.Event,
) -> RunFinished:
    child = _child(run, number)
    record = manager.store.run(child)
    if record is None:
        asked = manager.record(run)
        scope = options.memory if options.memory != "off" else "own"
        out = str(Path(options.out) / f"round-{number}") if options.out else ""
        kept = replace(options, rounds=1, round=number, memory=scope, out=out)
        manager.store.create_run(child, asked.workspace, asked.question, kept.to_json(), run)
        emit(Note(f"Round {number} begins.", {"round": number, "run": child}))
    elif judgement_of(manager.store, child) is not None:
        ended = _ending(manager.store, child)
        if ended is not None and _stands(ended, last=number >= options.rounds):
            return ended
    return manager.work(child, endpoint, stop)


def _stands(ended: RunFinished, last: bool) -> bool:
    """Return whether a judged round is not worked on again when the run is resumed."""
    return ended.status != "stopped" and (ended.status != "failed" or not last)


def _new(store: Store, run: str, number: int, options: RunOptions) -> bool:
    """Return whether the next round would be another one than the last."""
    if options.policy not in _DETERMINISTIC:
        return True
    child = _child(run, number)
    known = guardrails.of_context(state_of(stored.event for stored in store.events(child)).context)
    judgement = judgement_of(store, child)
    if judgement is None or not judgement.entry:
        return False
    return len(FailureMemory(store).get(judgement.entry).lesson.guardrails) > len(known)


def _child(run: str, number: int) -> str:
    return f"{run}-r{number}"


def _round(store: Store, record: RunRecord) -> Round:
    judgement = judgement_of(store, record.id)
    return Round(int(record.options["round"]), record.id, _ending(store, record.id), judgement)


def _ending(store: Store, run: str) -> RunFinished | None:
    endings = [s.event for s in store.events(run) if isinstance(s.event, RunFinished)]
    return endings[-1] if endings else None

"""Rounds: a failed question is tried again, with what was learned; the latest success counts.

RSMem, section 4.1 (R@N). The run that was asked for holds no steps of its own: each round is a run with
that one as its parent, so that it is shown, resumed and replayed like any other.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from treeline.core.context import guardrails
from treeline.core.engine.events import Note, RunFinished, RunStarted
from treeline.core.engine.journal import ending_of, recorded_state
from treeline.core.memory.failure import FailureMemory
from treeline.core.memory.learning import judgement_of
from treeline.core.memory.model_reflection import REFLECTIONS
from treeline.core.memory.rounds import counting_round, rounds_of
from treeline.core.record.store import Store
from treeline.core.runs.options import RunOptions
from treeline.core.runs.task import Task

# Policies that take the same way again unless a guardrail forbids it.
_DETERMINISTIC = frozenset({"planner"})


def work_rounds(task: Task) -> RunFinished:
    """Work on a question in rounds until one succeeds, there is nothing new to try, or all are used up."""
    run, options, store = task.run, task.options, task.store
    if not task.is_resumed:
        task.emit(RunStarted(task.record.question, options.choices, {}))
    number = max(len(rounds_of(store, run)), 1)
    while True:
        finished = _work_round(task, number)
        judgement = judgement_of(store, _child(run, number))
        if finished.status == "stopped" or judgement is None or not judgement.is_failure:
            break
        if number >= options.rounds or not _new(store, run, number, options):
            break
        number += 1
    rounds = rounds_of(store, run)
    # A run that a person stopped has ended as stopped, whatever an earlier round gave.
    best = counting_round(rounds) if finished.status != "stopped" else rounds[-1]
    ended = best.finished or finished
    task.emit(ended)
    return ended


def _work_round(task: Task, number: int) -> RunFinished:
    options, store, child = task.options, task.store, _child(task.run, number)
    if store.run(child) is None:
        asked = task.record
        # A round learns from the one before by way of the memory, so it needs one.
        scope = options.memory if options.memory != "off" else "own"
        out = str(Path(options.out) / f"round-{number}") if options.out else ""
        kept = replace(options, rounds=1, round=number, memory=scope, out=out)
        store.create_run(child, asked.workspace, asked.question, kept.to_json(), task.run)
        task.emit(Note(f"Round {number} begins.", {"round": number, "run": child}))
    elif judgement_of(store, child) is not None:
        ended = ending_of(store, child)
        if ended is not None and _stands(ended, last=number >= options.rounds):
            return ended
    return task.work(child, task.endpoint, task.stop)


def _stands(ended: RunFinished, last: bool) -> bool:
    """Return whether a judged round is not worked on again when the run is resumed."""
    return ended.status != "stopped" and (ended.status != "failed" or not last)


def _new(store: Store, run: str, number: int, options: RunOptions) -> bool:
    """Return whether the next round would be another one than the last."""
    if options.policy not in _DETERMINISTIC:
        return True
    if not REFLECTIONS[options.reflection].guards:
        return False
    child = _child(run, number)
    known = guardrails.of_context(recorded_state(store, child).context)
    judgement = judgement_of(store, child)
    if judgement is None or not judgement.entry:
        return False
    return len(FailureMemory(store, options.person).get(judgement.entry).lesson.guardrails) > len(known)


def _child(run: str, number: int) -> str:
    return f"{run}-r{number}"

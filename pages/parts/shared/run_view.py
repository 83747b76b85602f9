"""What a run's record says at a moment: the state, the step under way, the end."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import takewhile
from typing import Any

from treeline.core.context.cards import card_of_note
from treeline.core.engine.actions import ProductRecord
from treeline.core.engine.events import (
    BudgetRaised,
    DecisionAwaited,
    Draft,
    Event,
    Note,
    Progress,
    RunFinished,
    RunResumed,
    StepFinished,
    StepStarted,
)
from treeline.core.engine.journal import StoredEvent
from treeline.core.engine.state import State, Step, state_of
from treeline.core.engine.waiting import find_awaited
from treeline.core.policies.reading_choice import PLANNER_ANSWERS, PLANNER_READS
from treeline.core.runs.second_answer import planners_answer


@dataclass(frozen=True)
class RunView:
    """A run as pages show it.

    Attributes
    ----------
    pending : StepStarted, optional
        The step that was chosen and is not answered yet.
    progress : Progress, optional
        How far the pending step is.
    finished : RunFinished, optional
        How it ended; ``None`` while it goes on.
    card : dict, optional
        The task card that it was told: id, title, version, match.
    planner_reads : str
        How the planner reads the question that something else works on.
    planner_answers : dict, optional
        What it answers, and whether that differs.
    awaited : Awaited, optional
        What it waits for a person's word on.
    draft : Draft, optional
        What a language model is writing at the moment.
    """

    state: State = field(default_factory=lambda: State(""))
    pending: StepStarted | None = None
    progress: Progress | None = None
    notes: tuple[str, ...] = ()
    finished: RunFinished | None = None
    seconds: float = 0.0
    card: dict[str, Any] | None = None
    planner_reads: str = ""
    awaited: DecisionAwaited | None = None
    draft: Draft | None = None
    planner_answers: dict[str, Any] | None = None

    @property
    def steps(self) -> tuple[Step, ...]:
        """The steps that were answered."""
        return self.state.steps

    @property
    def products(self) -> list[tuple[int, ProductRecord]]:
        """What was written, with the number of the step; the last writing of a name counts."""
        found = {p.name: (step.number, p) for step in self.steps for p in step.observation.products}
        return list(found.values())

    def step(self, number: int | None) -> Step | None:
        """Return the step of a number."""
        return next((step for step in self.steps if step.number == number), None)


def run_view(events: Sequence[StoredEvent], last_step: int | None = None) -> RunView:
    """Return what a record says; up to and with a step, if one is given."""
    kept = _events_until(events, last_step)
    happened = [stored.event for stored in kept]
    pending: StepStarted | None = None
    progress: Progress | None = None
    finished: RunFinished | None = None
    for event in happened:
        match event:
            case StepStarted():
                pending, progress, finished = event, None, None
            case StepFinished() | RunResumed() | BudgetRaised():
                pending, progress, finished = None, None, None
            case Progress():
                progress = event
            case RunFinished():
                pending, progress, finished = None, None, event
            case _:
                pass
    told = [event for event in happened if isinstance(event, Note)]
    card = next((found for note in told if (found := card_of_note(note))), None)
    planner_reads = next((note.data[PLANNER_READS] for note in told if PLANNER_READS in note.data), "")
    # The notes of a team are on its board.
    notes = tuple(note.text for note in told if not _is_shown_elsewhere(note))
    # The clock may have been set back meanwhile.
    seconds = max(0.0, (kept[-1].time - kept[0].time).total_seconds()) if kept else 0.0
    return RunView(
        state_of(happened),
        pending,
        progress,
        notes,
        finished,
        seconds,
        card,
        planner_reads,
        find_awaited(happened),
        planner_answers=planners_answer(happened),
    )


def _is_shown_elsewhere(note: Note) -> bool:
    return card_of_note(note) is not None or bool({"team", PLANNER_READS, PLANNER_ANSWERS} & note.data.keys())


def _events_until(events: Sequence[StoredEvent], last_step: int | None) -> list[StoredEvent]:
    if last_step is None:
        return list(events)
    return list(takewhile(lambda stored: not _is_later(stored.event, last_step), events))


def _is_later(event: Event, last_step: int) -> bool:
    return isinstance(event, StepStarted) and event.step > last_step

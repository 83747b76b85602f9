"""Which of the ways was chosen that a run had asked back: told to a language model that starts again."""

from __future__ import annotations

from treeline.core.engine.actions import Reading
from treeline.core.engine.journal import ending_of
from treeline.core.record.store import RunRecord, Store
from treeline.toolkit.errors import InputError

CONTEXT_PART = "meant"


def earlier_choice(store: Store, record: RunRecord, reading: int) -> dict[str, str]:
    """Return what a person chose of the last run that asked this question back, as part of the context.

    Raises
    ------
    InputError
        No run asked it back, or not in so many ways.
    """
    if not reading:
        return {}
    asked = next(filter(None, (_readings(store, run) for run in _same_question(store, record))), ())
    chosen = [each.read_as for each in asked if each.number == reading]
    if not chosen:
        found = f"{len(asked)} ways" if asked else "no run that asked back"
        raise InputError(
            f"There is no reading {reading} of this question: there is {found}.", "Ask it without a reading."
        )
    return {CONTEXT_PART: f"The question was asked back; meant is: {chosen[0]}"}


def _same_question(store: Store, record: RunRecord) -> list[str]:
    runs = store.runs(record.workspace)
    return [run.id for run in runs if run.question == record.question and run.id != record.id]


def _readings(store: Store, run: str) -> tuple[Reading, ...]:
    ended = ending_of(store, run)
    return ended.answer.readings if ended and ended.answer else ()

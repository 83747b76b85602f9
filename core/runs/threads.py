"""What was asked before a question that follows another: a fragment means little without it.

The planner edits the expression of the question before. A language model is told that question and how it was
answered, and so are the members of a team; the tools that are opened and the task card are chosen by both
questions.
"""

from __future__ import annotations

from treeline.core.engine.journal import ending_of
from treeline.core.record.store import RunRecord, Store
from treeline.core.runs.options import RunOptions

CONTEXT_PART = "before"

# A thread may be long; what a fragment leaves out is seldom further back.
_MOST = 3
_LONGEST_ANSWER = 600


def runs_before(store: Store, record: RunRecord) -> list[RunRecord]:
    """Return the runs before one in its thread, the oldest first, some at most."""
    found: list[RunRecord] = []
    after = RunOptions.from_json(record.options).after
    while after and len(found) < _MOST and (earlier := store.run(after)) is not None:
        found.insert(0, earlier)
        after = RunOptions.from_json(earlier.options).after
    return found


def question_in_thread(store: Store, record: RunRecord) -> str:
    """Return the question of a run behind the one that it follows: by what both say its task is found.

    A member of a team has a question that leaves out nothing.
    """
    if RunOptions.from_json(record.options).member:
        return record.question
    return " ".join([*(run.question for run in runs_before(store, record)[-1:]), record.question])


def tell_thread(store: Store, record: RunRecord) -> str:
    """Return what was asked before a run and how that ended, in words; empty where nothing was."""
    earlier = runs_before(store, record)
    if not earlier:
        return ""
    told = [f"{run.question}\n-> {_ending(store, run.id)}" for run in earlier]
    return "\n\n".join(
        [*told, "The question follows these: what it leaves out is as there. Only results of this run count."]
    )


def _ending(store: Store, run: str) -> str:
    finished = ending_of(store, run)
    if finished is None or finished.answer is None:
        return f"({finished.status if finished else 'not ended'})"
    text = finished.answer.words.strip()
    if len(text) > _LONGEST_ANSWER:
        text = f"{text[:_LONGEST_ANSWER]} ..."
    return f"{text} ({finished.status})"

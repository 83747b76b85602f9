"""Rounds of a run as the record has them: each attempt with its judgement; the latest success counts.

RSMem, section 4.1 (R@N). The run that was asked for holds no steps of its own: each round is a run with
that one as its parent, so that it is shown, resumed and replayed like any other.
"""

from __future__ import annotations

from dataclasses import dataclass

from treeline.core.engine.events import RunFinished
from treeline.core.engine.journal import ending_of
from treeline.core.memory.learning import Judgement, judgement_of
from treeline.core.record.store import RunRecord, Store


@dataclass(frozen=True, slots=True)
class Round:
    """One attempt: the run, how it ended, what the critic said."""

    number: int
    run: str
    finished: RunFinished | None
    judgement: Judgement | None

    @property
    def is_success(self) -> bool:
        """Whether it ended with an answer that its evidence carries and without a sign of failure."""
        answered = self.finished is not None and self.finished.status == "answered"
        return answered and self.judgement is not None and not self.judgement.is_failure


def rounds_of(store: Store, run: str) -> list[Round]:
    """Return the rounds of a run in their order; none for a run that has none."""
    children = [record for record in store.runs(parent=run) if record.options.get("round")]
    children.sort(key=lambda record: int(record.options["round"]))
    return [_round(store, record) for record in children]


def counting_round(rounds: list[Round]) -> Round:
    """Return the round that counts: the latest success, else the latest with an answer, else the last.

    An answer that its evidence does not carry counts where there is no other.
    """
    succeeded = [r for r in rounds if r.is_success]
    answered, unverified = (
        [r for r in rounds if r.finished is not None and r.finished.status == status]
        for status in ("answered", "unverified")
    )
    return (succeeded or answered or unverified or rounds)[-1]


def shown_run(store: Store, run: str) -> str:
    """Return the run whose steps are shown for a run: the round that counts, or itself."""
    rounds = rounds_of(store, run)
    if not rounds:
        return run
    return rounds[-1].run if rounds[-1].finished is None else counting_round(rounds).run


def _round(store: Store, record: RunRecord) -> Round:
    judgement = judgement_of(store, record.id)
    return Round(int(record.options["round"]), record.id, ending_of(store, record.id), judgement)

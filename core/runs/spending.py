"""What a run may spend: at the prices of the model that it asks, and once a person lets it go on."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field

from treeline.core.engine.budget import Budget, Spent, go_on_with_more
from treeline.core.engine.events import BudgetRaised
from treeline.core.engine.journal import events_of, record_event
from treeline.core.engine.state import State
from treeline.core.model_settings import ModelSettings
from treeline.core.record.store import RunRecord, Store
from treeline.core.runs.options import RunOptions
from treeline.core.teams.names import SOLO
from treeline.toolkit.errors import InputError


@dataclass(frozen=True, slots=True)
class PricedBudget(Budget):
    """Limits of a run of which money is one."""

    prices: ModelSettings = field(default_factory=ModelSettings)

    def find_spent_limit(self, state: State, seconds: float) -> Spent | None:
        """Return which limit is used up; ``None`` while there is room."""
        used = state.tokens
        cost = self.prices.cost_of(used.input, used.cached, used.output)
        if self.money is not None and cost >= self.money:
            spent = f"The budget of {self.money:g} of money is used up ({cost:.4g} spent)."
            return Spent("money", f"{spent} {go_on_with_more('money')}")
        # Named, since a dataclass with slots is made a second time, and super() would look for the first one.
        return Budget.find_spent_limit(self, state, seconds)


def raise_budget(store: Store, record: RunRecord, more: Mapping[str, float]) -> None:
    """Record that a run may use more than it was asked with.

    Raises
    ------
    InputError
        There is no such limit, or nothing is added; or the run is one of rounds or of a team, whose parts
        have budgets of their own.
    """
    options = RunOptions.from_json(record.options)
    if options.rounds > 1 or options.team != SOLO:
        whose = "team" if options.team != SOLO else "run in rounds"
        raise InputError(
            f"The parts of a {whose} have budgets of their own, which have ended.",
            f"Ask again with a budget of more {' and '.join(more)}.",
        )
    # Refuses what cannot be added before it is recorded.
    options.budget.with_more(more)
    record_event(store, record.id, BudgetRaised(dict(more)))


def budget_of(store: Store, record: RunRecord) -> Budget:
    """Return the limits of a run: those that it was asked with, and what was added since."""
    budget = RunOptions.from_json(record.options).budget
    for stored in events_of(store, record.id):
        if isinstance(stored.event, BudgetRaised):
            budget = budget.with_more(stored.event.more)
    return budget


def at_prices(budget: Budget, prices: ModelSettings) -> Budget:
    """Return limits that hold money too, where there is a limit of it.

    Raises
    ------
    InputError
        Money is limited, and what tokens cost is not known.
    """
    if budget.money is None:
        return budget
    if not prices.has_prices:
        raise InputError(
            f"The run may spend {budget.money:g}, and what tokens cost is not set.",
            "Set the prices of the model beside it, or take the limit of money away.",
        )
    return PricedBudget(**asdict(budget), prices=prices)

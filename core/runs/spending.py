"""What a run may spend, at the prices of the model that it asks."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field

from treeline.core.engine.budget import Budget, ask_with_more
from treeline.core.engine.state import State
from treeline.core.model_settings import ModelSettings
from treeline.toolkit.errors import InputError


@dataclass(frozen=True, slots=True)
class PricedBudget(Budget):
    """Limits of a run of which money is one."""

    prices: ModelSettings = field(default_factory=ModelSettings)

    def limit_reached(self, state: State, seconds: float) -> str:
        """Return which limit is reached, in a sentence; empty while there is room."""
        used = state.tokens
        cost = self.prices.cost_of(used.input, used.cached, used.output)
        if self.money is not None and cost >= self.money:
            spent = f"The budget of {self.money:g} of money is used up ({cost:.4g} spent)."
            return f"{spent} {ask_with_more('money')}"
        # Named, since a dataclass with slots is made anew, and super() would look for the first one.
        return Budget.limit_reached(self, state, seconds)


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

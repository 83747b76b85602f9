"""The limit of money: reached at the prices of the model, and refused where there are none."""

from __future__ import annotations

import pytest

from treeline.core.engine.actions import Call, Observation, TokenUse
from treeline.core.engine.budget import Budget
from treeline.core.engine.state import State, Step
from treeline.core.model_settings import ModelSettings
from treeline.core.runs.options import RunOptions
from treeline.core.runs.spending import at_prices
from treeline.toolkit.errors import InputError

PRICES = ModelSettings(price_input=2.0, price_cached=0.5, price_output=10.0)


def after(tokens: TokenUse) -> State:
    return State("?").after(Step(1, Call("mean"), Observation("result", "1"), tokens=tokens))


def test_a_run_ends_once_its_tokens_cost_what_they_may():
    budget = at_prices(Budget(money=0.01), PRICES)
    # 1,000 read, of which 200 from the cache, and 800 written: (800 * 2 + 200 * 0.5 + 800 * 10) / 1e6.
    assert budget.find_spent_limit(after(TokenUse(input=1000, cached=200, output=800)), 0.0) is None
    spent = budget.find_spent_limit(after(TokenUse(input=1000, cached=200, output=831)), 0.0)
    assert spent is not None and spent.limit == "money"
    assert spent.text.startswith("The budget of 0.01 of money is used up (0.01001 spent). Go on with more")


def test_the_other_limits_hold_beside_money():
    budget = at_prices(Budget(steps=1, money=5.0), PRICES)
    spent = budget.find_spent_limit(after(TokenUse(input=1)), 0.0)
    assert spent is not None and "1 step is" in spent.text


def test_money_without_prices_is_refused_and_no_limit_needs_none():
    assert at_prices(Budget(), ModelSettings()) == Budget()
    with pytest.raises(InputError, match="what tokens cost is not set"):
        at_prices(Budget(money=1.0), ModelSettings())


@pytest.mark.parametrize("money", [0.0, -1.0, float("inf")])
def test_a_limit_that_allows_nothing_is_refused(money: float):
    with pytest.raises(InputError, match="money allows nothing"):
        Budget(money=money).check()


def test_the_limit_is_kept_with_the_run():
    options = RunOptions(budget=Budget(money=0.5))
    assert RunOptions.from_json(options.to_json()) == options
    older = options.to_json()
    del older["budget"]["money"]
    assert RunOptions.from_json(older).budget == Budget()

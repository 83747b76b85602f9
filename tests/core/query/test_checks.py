"""What a finished expression must not do: add up rates."""

from __future__ import annotations

import pytest

from treeline.core.query.checks import sums_rates
from treeline.core.query.expression import Aggregate, Variable
from treeline.core.query.inventory import Holding, Inventory
from treeline.core.query.kinds import kind_of
from treeline.core.query.reading import read


@pytest.mark.parametrize("unit", ["mm/day", "mm/h", "mm/month", "mm d-1", "kg m-2 s-1", "mm day**-1"])
@pytest.mark.parametrize("over", ["pixel", "date"])
def test_rates_are_not_added_up(unit: str, over: str) -> None:
    rain = Variable("precipitation", unit=unit)
    assert sums_rates(Aggregate("sum", rain, over))  # type: ignore[arg-type]
    assert not sums_rates(Aggregate("mean", rain, over))  # type: ignore[arg-type]


def test_rates_of_known_times_are_added_up_over_dates() -> None:
    rain = Variable("precipitation", unit="mm/day", periods=True)
    assert sums_rates(Aggregate("sum", rain, "pixel"))
    total = Aggregate("sum", Aggregate("mean", rain, "pixel"), "date")
    assert not sums_rates(total) and kind_of(total).unit == "mm"


def test_a_total_of_a_rate_is_declined_with_its_reason() -> None:
    reading = read("What is the total precipitation?", Inventory((Holding("precipitation", "mm/day"),)))
    assert reading.status == "declined" and "is a rate here (mm/day)" in " ".join(reading.notes)


@pytest.mark.parametrize("unit", ["mm", "m", "persons", "1", "kg/m2", "degree"])
def test_depths_and_counts_are(unit: str) -> None:
    assert not sums_rates(Aggregate("sum", Variable("precipitation", unit=unit), "pixel"))

"""Whether numbers lie beyond a limit, of which quantity and unit they are."""

from __future__ import annotations

from treeline.core.engine.verification.columns import Column
from treeline.core.engine.verification.limits import judge_limits
from treeline.core.engine.verification.sentence_grounds import Grounds

DATES = Column({"2022-06-15": 301.7, "2022-07-18": 305.9}, dated=True, unit="K")
SIZES = Column({"forest": 12.0, "cropland": 150.0})


def test_no_degrees_are_held_against_numbers_without_a_unit_where_others_are_temperatures():
    units = dict.fromkeys(DATES.numbers.values(), ("K",))
    told = "All classes lay above 26 °C."
    assert not [*judge_limits(Grounds([DATES, SIZES], units), told)]
    assert [verdict.true for verdict in judge_limits(Grounds([SIZES], {}), told)] == [False]


def test_a_series_of_which_some_units_are_known_is_counted_in_one_unit():
    shares = Column({f"2016-0{n}-01": share for n, share in enumerate((0.0, 0.02, 0.5, 1.0), 1)}, dated=True)
    (verdict,) = judge_limits(Grounds([shares], {0.02: ("1",)}), "Two of the dates lie below 10 %.")
    assert verdict.true and verdict.count == 2

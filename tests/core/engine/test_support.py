"""Which numbers follow from a result without another call."""

from __future__ import annotations

import math

import pytest

from treeline.core.engine.actions import Observation, ProductRecord
from treeline.core.engine.support import (
    Evidence,
    _counts,
    _counts_beyond,
    _series,
    _shares,
    _single,
    _spans,
    _summaries,
    names_listed,
)


def summaries(values: list[float]) -> list[float]:
    return [*_summaries(values), *_spans(values), *_shares(values)]


def test_a_series_gives_its_sum_mean_ends_range_and_change():
    found = summaries([2.0, 5.0, 3.0])
    assert found[:8] == [10.0, 10 / 3, 5.0, 2.0, 3.0, 3.0, 1.0, -1.0]
    assert found[8] == 50.0, "the change in per cent of the first value"
    assert found[9:] == [20.0, 50.0, 30.0], "shares of the sum in per cent"
    assert summaries([]) == []


def test_a_series_that_begins_with_zero_has_no_change_in_per_cent_and_one_of_sum_zero_no_shares():
    assert len(summaries([0.0, 1.0])) == 8 + 2
    assert len(summaries([1.0, -1.0])) == 8 + 1


@pytest.mark.parametrize(
    ("values", "limits", "count"),
    [
        ([-1.0, 0.05, 1.0, 2.0], (), 3),  # above zero
        ([1.0, 1.0, 1.0, 9.0], (), 1),  # above the mean of 3
        ([3.0, 3.0, 5.0], (3.0,), 1),  # above a limit
        ([10.0, 11.0, 12.5, 100.0, 1.0], (20.0,), 4),  # at most 1.2 x the mean of 26.9
        ([0.1, 0.3, 0.4, 0.2, 0.25], (20.0,), 3),  # above 20 % as a share
        ([290.0, 300.0, 310.0, 311.0], (30.0,), 2),  # above 30 degrees Celsius, in kelvin
    ],
)
def test_how_many_of_a_series_lie_on_one_side_of_a_limit(values, limits, count):
    found = set(_counts_beyond(values, limits))
    assert float(count) in found and float(len(values) - count) in found
    assert 100 * count / len(values) in found


def test_a_limit_itself_is_counted_on_either_side():
    values = [1.0, 3.0, 3.0, 8.0, 9.0, 9.0, 9.0]
    assert {1.0, 3.0, 4.0, 6.0} <= set(_counts_beyond(values, (3.0,))), "above, at least, at most, below"
    assert list(_counts_beyond([1.0], (0.0,))) == []
    assert list(_counts_beyond([1.0, 2.0], ())) != []


def test_two_numbers_give_difference_sum_mean_ratio_and_change():
    def pair(*values):
        return {number for number, _ in Evidence()._pair(values)}

    assert pair(6.0, 4.0) == {2.0, -2.0, 10.0, 5.0, 1.5, 2 / 3, 50.0, 100 * -2.0 / 6.0}
    assert not any(math.isinf(number) for number in pair(6.0, 0.0))


def test_a_record_of_up_to_three_numbers_counts_as_single_ones():
    def single(value):
        return _single(Observation("result", "", value=value))

    assert single([1, 2, 3]) == [1.0, 2.0, 3.0] and single([1, 2, 3, 4]) == []
    assert single({"slope": 0.5, "method": "sen"}) == [0.5] and single(True) == []


def test_lists_and_columns_are_series_from_two_numbers_on():
    assert list(_series([1, 2, "three", 4])) == [[1.0, 2.0, 4.0]]
    assert list(_series({"a": 1.0, "b": 2.0})) == [[1.0, 2.0]] and list(_series({"a": 1.0})) == []
    assert [0.1, 0.2] in list(_series([{"date": "x", "ndvi": 0.1}, {"date": "y", "ndvi": 0.2}]))


@pytest.mark.parametrize(
    ("value", "names"),
    [
        ({"Forest": 12.5, "Water": 3.0}, ["forest", "water"]),
        ({"Forest": {"mean": 0.8}, "Water": {"mean": 0.1}}, ["forest", "water"]),
        ({"Forest": 12.5}, []),
        ({"2021-07-12": 0.6, "2021-08-20": 0.4}, []),
        ({"mean": 0.6, "Forest": 0.4}, []),
        ([{"class": "Forest", "area": 12.5}, {"class": "Water", "area": 3.0}], ["forest", "water"]),
    ],
)
def test_names_are_listed_where_several_have_numbers(value: object, names: list[str]):
    assert list(names_listed(value)) == names


def test_a_table_gives_the_columns_that_have_two_numbers_at_least():
    assert [0.1] not in list(_series([{"ndvi": 0.1}, {"ndvi": "none"}])) and list(_series([1])) == []
    assert list(_series([[1, 2], [3]])) == [[1.0, 2.0]]
    assert list(_series({"a": 1.0, "b": {"c": 2.0, "d": 3.0}})) == [[2.0, 3.0]]


def test_a_result_counts_what_it_lists_read_wrote_and_left_empty():
    def counts(**said: object) -> list[float]:
        return sorted(_counts(Observation("result", "", **said)))  # type: ignore[arg-type]

    whole = ProductRecord("a.tif", "/a.tif", "", "", valid_share=1.0)
    empty = ProductRecord("b.tif", "/b.tif", "", "", valid_share=0.0)
    assert counts(value=[1, 2, 3]) == [3.0] and counts(value={"a": 1}) == [1.0] and counts(value="x") == []
    assert counts(products=(whole, whole, empty)) == [1.0, 3.0] and counts(products=(whole,)) == [1.0]
    assert counts(value=3, arguments={"files": ["a"] * 12, "one": "b"}) == [12.0, 25.0]
    assert counts(value=3, arguments={"files": []}) == [0.0]

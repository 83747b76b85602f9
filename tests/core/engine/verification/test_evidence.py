"""Which numbers follow from a result without another call."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest

from tests.core.engine.verification.test_cheats import MEANS, NDVI_FILES, Told, result, series
from treeline.core.engine.actions import Call, Observation, ProductRecord
from treeline.core.engine.state import Step
from treeline.core.engine.verification.claims import Claim, claims_in
from treeline.core.engine.verification.evidence import Evidence, _counts_beyond, _shares, _spans, _summaries
from treeline.core.engine.verification.evidence_of_steps import (
    _counts,
    _implied_numbers,
    _series,
    _single,
    _units_of_inputs,
    evidence_of,
    names_in_result,
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


def test_two_numbers_give_difference_sum_ratio_and_change():
    def pair(*values):
        return {number for number, _ in Evidence()._pair(values)}

    assert pair(6.0, 4.0) == {2.0, -2.0, 10.0, 1.5, 2 / 3, 50.0, 100 * -2.0 / 6.0}
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
    assert list(names_in_result(value)) == names


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


@pytest.mark.parametrize(("number", "units"), [(3.0, ()), (4.0, ()), (3.5, ("K",))])
def test_a_whole_number_that_is_once_without_a_unit_may_be_anything(number: float, units: tuple[str, ...]):
    steps = [
        Step(n, Call("mean", {}), Observation("result", "", value=number, unit=unit))
        for n, unit in enumerate(("", "K"), 1)
    ]
    assert evidence_of(steps).units.get(number, ()) == units


def test_a_single_number_is_no_series_from_which_others_follow():
    alone = Step(1, Call("mean", {}), Observation("result", "", value=5.0, unit="ha"))
    more = Step(2, Call("mean", {}), Observation("result", "", value=7.0, unit="ha"))
    assert not list(evidence_of([alone])._derive())
    assert 12.0 in [number for number, _ in evidence_of([alone, more])._derive()]


def claim(text: str) -> Claim:
    (found,) = claims_in(text)
    return found


AREAS = [{"name": name, "area": ha} for name, ha in {"Forest": 412.6, "Meadow": 204.5, "Water": 55.9}.items()]
FOUND = evidence_of([Step(1, Call("areas", {}), Observation("result", "", value=AREAS, unit="ha"))])


@pytest.mark.parametrize(
    ("text", "follows"),
    [
        ("412.6 ha", True),
        ("412.7 ha", False),
        ("about 413 ha", True),
        ("4.126 km2", True),
        ("412.6 km2", False),
        ("412.6 K", False),
        ("673.0 ha", True),  # the sum
        ("673.2 ha", False),
        ("224.3 ha", True),  # the mean
        ("224.6 ha", False),
        ("356.7 ha", True),  # the range
        ("61.31 %", True),  # parts of the sum
        ("30.39 %", True),
        ("61.41 %", False),
        ("3", True),  # so many rows
        ("3.00", False),  # a count has no decimals
        ("1", True),  # above the mean
        ("66.7 %", True),  # below it
        ("208.1 ha", False),  # of two that nobody states
    ],
)
def test_what_follows_from_a_table(text: str, follows: bool):
    assert FOUND.gives(claim(text)) is follows


@pytest.mark.parametrize(
    ("text", "follows"),
    [
        ("208.1 ha", True),
        ("617.1 ha", True),
        ("308.55 ha", False),  # the middle of two is told of none
        ("2.018", True),
        ("0.4956", True),
        ("101.8 %", True),
        ("-50.4 %", True),
        ("50.4 %", False),  # a fall is told as one
        ("208.2 ha", False),
        ("2.028", False),
    ],
)
def test_what_follows_from_two_numbers_that_are_stated(text: str, follows: bool):
    assert FOUND.gives(claim(text), stated=[412.6, 204.5]) is follows


def test_what_fell_may_be_written_without_its_sign():
    assert FOUND.gives(claim("50.4 %"), stated=[412.6, 204.5], falls=True)


def test_parts_in_per_cent():
    shares = Evidence(numbers=(30.0, 0.2, 7.0), units={30.0: ("%",), 0.2: ("1",), 7.0: ("ha",)})
    assert shares.per_cents() == pytest.approx([30.0, 20.0])
    of_counts = Evidence(single=(1.0, 0.0, 5.0), counts=(4.0, 5.0))
    assert of_counts.per_cents() == pytest.approx([25, 20, 0, 0, 100])


@pytest.mark.parametrize(
    ("value", "found"),
    [
        ({"pearson": 0.8, "n": 12}, {0.64}),
        ({"min": 2.0, "max": 5.0}, {3.0, -3.0}),
        ({"name": "Bled"}, set()),
        ([1.0, 2.0], set()),
    ],
)
def test_what_a_record_implies(value: object, found: set[float]):
    numbers = [number for number, _ in _implied_numbers(Observation("result", "", value=value))]
    assert {round(number, 9) for number in numbers} == found


@pytest.mark.parametrize(
    ("value", "single"),
    [
        (5.0, [5.0]),
        ({"sum": 5.0}, [5.0]),
        ({"forest": 5.0, "water": 2.0, "meadow": 1.0}, [5.0, 2.0, 1.0]),
        ({"forest": 5.0, "water": 2.0, "meadow": 1.0, "town": 1.0}, []),
        ({"min": 5.0, "max": 6.0}, []),
        ([{"forest": 5.0}], []),
    ],
)
def test_few_numbers_of_a_result_are_told_each_for_itself(value: object, single: list[float]):
    assert _single(Observation("result", "", value=value)) == single


@pytest.mark.parametrize(
    ("numbers", "units"),
    [
        ([300.5], ("K",)),
        ([300.5, 301.5], ("K",)),
        ([300.5, 12.5], ("",)),  # of two units
        ([7.5], ("",)),  # of one of two units
        ([300.5, 99.5], ("",)),  # and of none that is known
        ([], ("",)),
        ([40.0], ("count", "ha")),  # where a pixel is a hectare
        ([40.0, 12.5], ("ha",)),
    ],
)
def test_numbers_that_a_call_was_handed_have_a_unit_where_all_have_the_same(
    numbers: list[float], units: tuple[str, ...]
):
    known = {300.5: {"K"}, 301.5: {"K"}, 12.5: {"ha"}, 7.5: {"K", "degC"}, 40.0: {"ha", "count"}}
    step = Step(1, Call("difference", {}), Observation("result", "", arguments={"a": numbers}))
    assert _units_of_inputs(step, known) == units


def test_what_follows_from_two_areas_is_an_area_and_their_ratio_none():
    found = [(round(number, 2), units) for number, units in FOUND._pair([412.6, 204.5])]
    assert [units for number, units in found if number == 208.1] == [("ha",)]
    assert [units for number, units in found if number == 617.1] == [("ha",)] * 2
    assert [units for number, units in found if number == 2.02] == [("1",)]


@pytest.mark.parametrize(
    ("text", "value", "right"),
    [
        ("The mean NDVI was 1.", None, False),
        ("It is this.", 1.0, False),
        ("The mean NDVI was 0.6.", 0.6, True),
        ("The mean NDVI was 0.6134.", 0.6134, True),
    ],
)
def test_one_is_no_rounding_of_an_index_and_no_ratio_of_two(text: str, value: float | None, right: bool):
    held = {"catalogue": "@ndvi; 1 raster; 600 x 600 pixels", "holdings": ""}
    ndvi = (MEANS, series([0.6134, 0.4127], NDVI_FILES[1:], "index"))
    told = Told("What is the mean NDVI on 2021-07-12?", text, (ndvi,), value, context=held)
    assert (told.why() == "") == right


def test_two_numbers_are_taken_together_where_that_is_said():
    assert FOUND.gives(claim("617.1 ha"), stated=[412.6, 204.5])
    assert not replace(FOUND, adds=False).gives(claim("617.1 ha"), stated=[412.6, 204.5])


def test_a_large_whole_number_is_of_its_own_unit():
    fit = {"r": 0.3, "p": 0.001, "n": 40500}
    assert evidence_of([Step(1, Call("raster_correlation", {}), result("raster_correlation", fit))]).gives(
        claim("40,500 pixels")
    )
    assert not evidence_of(
        [Step(1, Call("raster_correlation", {}), result("raster_correlation", fit))]
    ).gives(claim("40,500 ha"))


def test_so_many_days_are_not_as_many_months():
    lasts = Evidence((145.0,), units={145.0: ("days",)})
    assert lasts.shows(claim("145 days")) and not lasts.shows(claim("145 months"))


def test_what_numbers_stand_under_and_how_many_rows_are_left_out_is_not_found():
    text = '[{"date": "2021-07-22", "4": 0.31, "7": 0.58}]\n... 28 of 33 rows are left out: 6 to 33'
    found = evidence_of([Step(1, Call("statistics_by_class", {}), Observation("result", text))]).numbers
    assert found == (0.31, 0.58)


def test_what_marks_pixels_has_no_size():
    def found(role: str) -> tuple[float, ...]:
        wrote = ProductRecord("m.tif", "m.tif", role, "", minimum=0.0, maximum=1.0, mean=0.271)
        seen = Observation("result", "values 0 to 1, mean 0.271", products=(wrote,))
        return evidence_of([Step(1, Call("hotspot", {}), seen)]).numbers

    assert 1.0 not in found("mask") and 0.271 in found("mask")
    assert 1.0 in found("ndvi")

"""What is called the largest, the smallest, or what lost most."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from tests.core.engine.verification.test_cheats import FOREST, MEANS, Told, result, series
from treeline.core.engine.actions import Observation
from treeline.core.engine.verification.columns import Column
from treeline.core.engine.verification.extremes import _losses, _requested_extreme, _single

FILES = [f"Lake_{day}_NDVI.tif" for day in ("2020-07-01", "2021-05-01", "2021-07-01", "2022-07-01")]
NDVI = (MEANS, series([0.2, 0.7, 0.5, 0.4], FILES, "1"))
ROWS = [
    {"name": "Bled", "change": -3.5},
    {"name": "Bohinj", "change": -1.5},
    {"name": "Cerknica", "change": 2.5},
]
CHANGES = ("zonal_change", result("zonal_change", ROWS, "1"))


@pytest.mark.parametrize(
    ("question", "text", "right"),
    [
        ("When is the NDVI highest?", "It is highest on 2021-05-01.", True),
        ("When is the NDVI highest?", "It is highest on 2021-07-01.", False),
        ("When is the NDVI lowest?", "It is lowest on 2020-07-01.", True),
        ("When is the NDVI lowest?", "It is lowest on 2021-05-01.", False),
        ("When is the NDVI highest in July?", "It is highest on 2021-07-01.", True),
        ("When is the NDVI highest in July?", "It is highest on 2022-07-01.", False),
        ("When is the NDVI lowest in 2021?", "It is lowest on 2021-07-01.", True),
        ("When is the NDVI lowest in 2021?", "It is lowest on 2021-05-01.", False),
        ("Of 2020-07-01 and 2022-07-01, when is the NDVI highest?", "It is highest on 2022-07-01.", True),
        ("Of 2020-07-01 and 2022-07-01, when is the NDVI highest?", "It is highest on 2020-07-01.", False),
        ("When is the NDVI lowest from 2021-05-01 to 2022-07-01?", "It is lowest on 2022-07-01.", True),
        ("When is the NDVI lowest from 2021-05-01 to 2022-07-01?", "It is lowest on 2021-07-01.", False),
        ("What is the highest mean NDVI?", "The highest is 0.7.", True),
        ("What is the highest mean NDVI?", "The highest is 0.5.", False),
        ("What is the lowest mean NDVI?", "The lowest is 0.2.", True),
        ("What is the lowest mean NDVI?", "The lowest is 0.4.", False),
        ("What is the range of the NDVI?", "It ranges from 0.2 to 0.7.", True),
        ("What is the range of the NDVI?", "It ranges from 0.4 to 0.7.", False),
        ("What is the range of the NDVI?", "It ranges from 0.2 to 0.5.", False),
    ],
)
def test_the_extreme_of_a_series_is_that_of_its_dates(question: str, text: str, right: bool):
    assert (Told(question, text, (NDVI,)).why() == "") == right


@pytest.mark.parametrize(
    ("question", "text", "right"),
    [
        ("Which lake lost the most?", "Bled lost the most.", True),
        ("Which lake lost the most?", "Bohinj lost the most.", False),
        ("Which lake lost the most?", "Cerknica lost the most.", False),
        ("Which lake lost the least?", "Bohinj lost the least.", True),
        ("Which lake lost the least?", "Bled lost the least.", False),
    ],
)
def test_what_lost_is_below_zero(question: str, text: str, right: bool):
    assert ("is not what lost" in Told(question, text, (CHANGES,)).why()) != right


@pytest.mark.parametrize(
    ("text", "right"),
    [
        ("The extreme is on 2021-05-01.", True),
        ("2021-05-01 is the highest, 2020-07-01 the lowest.", True),
        ("2021-05-01 is the lowest, 2020-07-01 the highest.", False),
        ("Of all dates 2021-07-01 is the highest.", False),
    ],
)
def test_each_clause_is_held_against_its_own_extreme(text: str, right: bool):
    assert (Told("Which dates are extreme?", text, (NDVI,)).why() == "") == right


SIZES = (
    "areas",
    result(
        "areas",
        [
            {"name": "Bled", "area": 7.0},
            {"name": "Bohinj", "area": 9.0},
            {"name": "Cerknica", "area": 3.0},
        ],
        "ha",
    ),
)


@pytest.mark.parametrize(
    ("question", "text", "right"),
    [
        ("Which is larger, Bled or Cerknica?", "Bled is the largest.", True),
        ("Which is larger, Bled or Cerknica?", "Cerknica is the largest.", False),
        ("Which of Bled and Bohinj is smaller?", "Bled is the smallest.", True),
        ("Which lake is the largest?", "Bled is the largest.", False),
    ],
)
def test_the_extreme_of_those_that_are_asked_for(question: str, text: str, right: bool):
    assert (Told(question, text, (SIZES,)).why() == "") == right


@pytest.mark.parametrize(
    ("record", "text", "right"),
    [
        ({"min": 0.2, "mean": 0.5, "max": 0.7}, "It ranges from 0.2 to 0.7.", True),
        ({"min": 0.2, "mean": 0.5, "max": 0.7}, "It ranges from 0.2 to 0.5.", False),
        ({"min": 0.2, "mean": 0.5, "max": 0.7}, "It ranges from 0.5 to 0.7.", False),
        ({"minimum": 0.2, "maximum": 0.7}, "It ranges from 0.2 to 0.7.", True),
    ],
)
def test_a_range_goes_from_the_minimum_to_the_maximum(record: dict[str, float], text: str, right: bool):
    why = Told("What is the range?", text, (("statistics", result("statistics", record, "1")),)).why()
    assert (why == "") == right and (right or why.endswith("It ranges from 0.2 to 0.7."))


def areas(**sizes: float) -> tuple:
    return ("areas", result("areas", [{"name": name, "area": size} for name, size in sizes.items()], "ha"))


@pytest.mark.parametrize(
    ("sizes", "text", "right"),
    [
        ({"Bled": 7.0, "Bohinj": 9.0}, "Bohinj is the largest.", True),
        ({"Bled": 7.0, "Bohinj": 9.0}, "Bled is the largest.", False),
        ({"Bled": 7.0, "Bohinj": 7.0, "Cerknica": 7.0}, "Bled is the largest.", False),  # none is
        ({"Bled": 9.0, "Bohinj": 9.0, "Cerknica": 7.0}, "Bled is the largest.", True),
    ],
)
def test_of_equal_ones_none_is_the_largest(sizes: dict[str, float], text: str, right: bool):
    assert (Told("Which lake is the largest?", text, (areas(**sizes),)).why() == "") == right


def test_what_was_lost_is_below_zero():
    changes = [Column({"forest": -0.2, "meadow": 0.4, "water": 0.0}), Column({"forest": 0.4})]
    answer = SimpleNamespace(question="", text="", columns=[], changes=changes)
    assert [dict(c.numbers) for c in _losses(answer, "forest")] == [{"forest": -0.2}]  # type: ignore[arg-type]


def test_regions_are_held_against_regions_and_not_against_classes_that_lost_more():
    regions = Column({"ashfield": -0.04, "lakeside": -0.02})
    changes = [Column({"forest": -0.2, "meadow": -0.1})]
    answer = SimpleNamespace(question="Which lost?", text="", columns=[regions], changes=changes)
    assert _losses(answer, "ashfield") == [regions]  # type: ignore[arg-type]


def test_a_year_with_two_dates_is_no_single_one_of_them():
    answer = SimpleNamespace(columns=[Column({"2021-05-03": 0.2, "2021-07-20": 0.6}, dated=True)])
    assert _single(answer, ["2021", "2021-05-03", "2021-07"]) == ["2021-05-03", "2021-07"]  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("question", "direction"),
    [
        ("Which is warmer, town or water?", 1),
        ("Which is cooler, town or water?", -1),
        ("Which is cooler: town, water or wood?", 0),  # of three it is not told which two are compared
        ("Which is the coolest: town, water or wood?", -1),
        ("Is the town cooler?", 0),
    ],
)
def test_of_two_that_a_question_offers_the_comparative_asks_for_one(question: str, direction: int):
    answer = SimpleNamespace(question=question, columns=[Column({"town": 1.0, "water": 2.0, "wood": 3.0})])
    assert _requested_extreme(answer) == direction  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("time", "text", "right"),
    [
        ("from July 2020 to July 2021", "The NDVI peaked on 2021-05-01.", True),
        ("from July 2020 to July 2021", "The NDVI peaked on 2021-07-01.", False),  # the highest of one end
        ("between July 2020 and July 2021", "The NDVI peaked on 2021-07-01.", False),
        ("in July 2020 and July 2021", "The NDVI peaked on 2021-07-01.", True),  # in which of the two
    ],
)
def test_the_ends_of_a_time_are_no_times_of_their_own(time: str, text: str, right: bool):
    assert (Told(f"On which date {time} was the mean NDVI highest?", text, (NDVI,)).why() == "") == right


@pytest.mark.parametrize(
    ("text", "right"),
    [
        ("Meadow is the larger one, with 204.7 ha against 55.9 ha of water.", True),
        ("Water is the larger one, with 55.9 ha against 204.7 ha of meadow.", False),
        ("Water is the smaller one, with 55.9 ha against 204.7 ha of meadow.", True),
    ],
)
def test_the_larger_of_two_is_larger_than_what_it_is_set_against(text: str, right: bool):
    assert (Told("Which is larger, meadow or water?", text, (FOREST,)).why() == "") == right


@pytest.mark.parametrize(
    ("question", "text", "right"),
    [
        ("Within which range does the NDVI vary?", "From 0.2 to 0.7.", True),
        ("Within which range does the NDVI vary?", "From 0.4 to 0.7.", False),
        ("What are its minimum and maximum?", "0.2 to 0.7", True),
        ("What are its minimum and maximum?", "0.2 to 0.5", False),
        ("How green is it?", "It ranges from 0.2 to 0.7, with a mean of 0.45.", True),
        ("How green is it?", "It ranges from 0.4 to 0.7, with a mean of 0.45.", False),
    ],
)
def test_what_is_asked_for_as_a_range_is_told_by_its_ends(question: str, text: str, right: bool):
    assert (Told(question, text, (NDVI,)).why() == "") is right


WARMED = (
    "statistics_by_class",
    result(
        "statistics_by_class",
        [{"forest": 1.2, "meadow": 4.4, "water": 0.6, "town": 3.1}],
        "K",
        classes_path="Vale_LULC.tif",
        file_list=["Vale_difference.tif"],
    ),
)
SEASONS = (
    "phenology_of_zones",
    result(
        "phenology_of_zones",
        [
            {"zone": 1, "name": "Alder", "start": "2021-05-20", "end": "2021-09-01", "length": 104.2},
            {"zone": 2, "name": "Birch", "start": "2021-05-02", "end": "2021-09-21", "length": 142.4},
            {"zone": 3, "name": "Cedar", "start": "2021-06-01", "end": "2021-08-20", "length": 80.3},
        ],
    ),
)
BAND_FILES = [f"Vale_2021-07-12_B{n:02d}.tif" for n in (2, 4, 8)]
BANDS = (
    MEANS,
    Observation(
        "result",
        "2021-07-12 blue 0.05; 2021-07-12 red 0.09; 2021-07-12 nir 0.31",
        value=[0.05, 0.09, 0.31],
        arguments={"file_list": BAND_FILES},
        unit="1",
    ),
)


@pytest.mark.parametrize(
    ("text", "right"),
    [
        ("Meadow warmed most (+4.4 K), water least (+0.6 K).", True),
        ("Meadow warmed the most, by 4.4 K, and water the least, by 0.6 K.", True),
        ("Meadow gained most; water (0.6 K) least.", True),
        ("Meadow warmed least (+4.4 K), water most (+0.6 K).", False),
        ("Meadow warmed most (+4.4 K), forest least (+1.2 K).", False),
        ("Town warmed most, by 3.1 K.", False),
        ("Meadow warmed most, water the most.", False),
        ("Meadow, with 4.4 K, exceeds all the others.", True),
        ("Meadow saw the strongest warming, one that exceeds that of every other class.", True),
        ("Forest saw the strongest warming, one that exceeds that of every other class.", False),
        ("Town warmed by 3.1 K, more than any of the others.", False),
    ],
)
def test_what_is_named_behind_the_most_did_the_same_least(text: str, right: bool):
    why = Told("How did the classes warm?", text, (WARMED,)).why()
    assert (not why) is right, why


@pytest.mark.parametrize(
    ("text", "right"),
    [
        ("The longest season belongs to Birch (142 days, 2 May to 21 September 2021).", True),
        ("The shortest season is that of Cedar (80 days, 1 June to 20 August 2021).", True),
        ("The shortest season belongs to Birch (142 days, 2 May to 21 September 2021).", False),
        ("The longest season is that of Alder (104 days, 20 May to 1 September 2021).", False),
        ("Cedar was green for 80 days, a shorter season than any of its neighbours had.", True),
        ("Alder was green for 104 days, a briefer season than any of its neighbours had.", False),
    ],
)
def test_the_length_of_a_time_is_the_most_of_all_beside_its_dates(text: str, right: bool):
    asked = "When do the zones green up in 2021, and whose season is shortest and longest?"
    why = Told(asked, text, (SEASONS,)).why()
    assert ("is not the" not in why) is right, why


@pytest.mark.parametrize(
    ("text", "right"),
    [
        ("NIR is the brightest of the three (0.31), blue the darkest (0.05).", True),
        ("NIR is the darkest of the three (0.31), blue the brightest (0.05).", False),
        ("Red is the darkest band (0.09).", False),
        ("No other band is brighter than NIR.", True),
    ],
)
def test_the_bands_of_a_day_are_told_apart(text: str, right: bool):
    why = Told("Which bands are brightest and darkest on 2021-07-12?", text, (BANDS,)).why()
    assert (not why) is right, why


@pytest.mark.parametrize(
    ("text", "right"),
    [
        ("Bled deviates the most, by -3.5.", True),
        ("Bohinj deviates the most, by -1.5.", False),
        ("Bled is furthest below, at -3.5.", True),
        ("Bohinj is furthest below, at -1.5.", False),
        ("Cerknica is furthest above, at 2.5.", True),
        ("Bled is farthest above, at -3.5.", False),
    ],
)
def test_how_far_something_lies_off_counts_by_its_size(text: str, right: bool):
    why = Told("Which lake was furthest below its mean?", text, (CHANGES,)).why()
    assert (not why) is right, why


@pytest.mark.parametrize(
    ("text", "right"),
    [
        ("On 2020-07-01 it is 0.2 - the lowest mean of all four dates.", True),
        ("On 2020-07-01 it is 0.2 - the highest mean of all four dates.", False),
        ("No other date has a higher mean than 2021-05-01, with 0.7.", True),
        ("No other day is lower than 2021-05-01, with 0.7.", False),
    ],
)
def test_the_most_of_all_is_told_behind_a_dash_or_of_no_other_day(text: str, right: bool):
    why = Told("What is the mean NDVI by date?", text, (NDVI,)).why()
    assert (not why) is right, why


@pytest.mark.parametrize(("name", "right"), [("Bled", True), ("Bohinj", False)])
def test_the_unit_of_a_rate_is_no_order(name: str, right: bool):
    rows = [{"name": "Bled", "slope": 0.4123}, {"name": "Bohinj", "slope": 0.2871}]
    slopes = ("zonal_statistics", result("zonal_statistics", rows, "per year"))
    number = next(row["slope"] for row in rows if row["name"] == name)
    text = f"The strongest rise is that of {name}, at {number:.2f} K per year."
    assert (Told("How do the zones differ?", text, (slopes,)).why() == "") == right


@pytest.mark.parametrize(
    ("text", "right"),
    [
        ("Cerknica gained most: it rose by 2.5.", True),
        ("Bled gained most: it fell by 3.5.", False),
        ("Bled gained the most: it fell by 3.5.", False),
    ],
)
def test_what_fell_gained_least_however_far_it_fell(text: str, right: bool):
    why = Told("Which lake lost most?", text, (CHANGES,)).why()
    assert ("is not the largest" not in why) is right, why


@pytest.mark.parametrize(("zone", "other", "right"), [("Bled", "Bohinj", True), ("Bohinj", "Bled", False)])
def test_what_all_come_to_is_not_the_largest_of_them(zone: str, other: str, right: bool):
    rows = [
        {"zone": "Bled", "area": 512.0},
        {"zone": "Bohinj", "area": 317.0},
        {"zone": "all", "area": 829.0},
    ]
    areas = ("areas_of_features", result("areas_of_features", rows, "ha"))
    text = f"{zone} is the largest, followed by {other}."
    assert (Told("Which zone is the largest?", text, (areas,)).why() == "") == right

"""Correlations, rankings, other years as the measure, yes or no, and the shape of the land."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
import rasterio
from scipy import ndimage

from tests.core.policies.planner.arrays import Array, ratio, read, scene, series
from tests.core.policies.planner.conftest import Ask, answer_of
from tests.core.policies.planner.running import ask as answer_to
from tests.core.policies.planner.test_extents import bands, ndvi
from tests.core.policies.planner.test_zones import CROPLAND, cover, lst
from treeline.core.query.expression import Aggregate, Compare, Direction, Number, Span, Variable, When

DATES_2021 = ("2021-04-12", "2021-05-16", "2021-06-19", "2021-07-22", "2021-08-24", "2021-10-05")
DATES_2022 = ("2022-04-08", "2022-05-12", "2022-06-15", "2022-07-18", "2022-08-20", "2022-10-04")
DAY = "2021-07-22"


def r_of(x: Array, y: Array) -> float:
    both = np.isfinite(x) & np.isfinite(y)
    return float(np.corrcoef(x[both], y[both])[0, 1])


def elevation(folder: Path) -> Array:
    return read(folder / "Demo_DEM.tif")


def slope(path: Path) -> Array:
    """Return the slope in degrees by Horn's 3 x 3 weights, NaN at the edge."""
    with rasterio.open(path) as raster:
        dx, dy = raster.res
        dem = raster.read(1).astype(float)
    east, south = ndimage.sobel(dem, axis=1) / (8 * dx), ndimage.sobel(dem, axis=0) / (8 * dy)
    angle = np.degrees(np.arctan(np.hypot(east, south)))
    angle[[0, -1]] = angle[:, [0, -1]] = np.nan
    return angle


def mean_lst(folder: Path, dates: tuple[str, ...]) -> float:
    return float(np.mean([np.nanmean(lst(folder, date)) for date in dates]))


DEMO: list[tuple[str, Callable[[Path], float], str]] = [
    (
        f"What is the correlation between NDVI and LST on {DAY}?",
        lambda f: r_of(ndvi(f, DAY), lst(f, DAY)),
        "Over 14,400 pixels.",
    ),
    (
        f"Is LST negatively correlated with NDVI in cropland on {DAY}?",
        lambda f: r_of(
            np.where(cover(f) == CROPLAND, lst(f, DAY), np.nan),
            np.where(cover(f) == CROPLAND, ndvi(f, DAY), np.nan),
        ),
        "Yes: the correlation of LST of Cropland",
    ),
    (
        "How are NDVI and LST correlated over time?",
        lambda f: r_of(
            np.array([np.nanmean(ndvi(f, d)) for d in (*DATES_2021, *DATES_2022)]),
            np.array([np.nanmean(lst(f, d)) for d in (*DATES_2021, *DATES_2022)]),
        ),
        "over 12 dates",
    ),
    (
        "Was mean LST in 2022 higher than in 2021?",
        lambda f: mean_lst(f, DATES_2022) - mean_lst(f, DATES_2021),
        "Yes: the mean LST rose by",
    ),
    (
        "Was mean LST in July 2022 lower than in July 2021?",
        lambda f: mean_lst(f, ("2022-07-18",)) - mean_lst(f, (DAY,)),
        "No: the mean LST rose by",
    ),
    (
        f"Was the mean NDVI higher on {DAY} than on 2022-07-18?",
        lambda f: float(ndvi(f, DAY).mean() - ndvi(f, "2022-07-18").mean()),
        "Yes: ",
    ),
    (
        "What is the range of LST on 2022-07-18?",
        lambda f: float(np.nanmax(lst(f, "2022-07-18")) - np.nanmin(lst(f, "2022-07-18"))),
        "The range of LST",
    ),
    (
        f"What is the mean NDVI on slopes steeper than 15 degrees on {DAY}?",
        lambda f: float(ndvi(f, DAY)[slope(f / "Demo_DEM.tif") > 15].mean()),
        "terrain slope is above 15\u00b0",
    ),
    (
        "How many hectares were hotter than 35 degrees on 2022-07-18?",
        lambda f: 0.04 * float(np.sum(np.rint(100 * lst(f, "2022-07-18")) > 30815)),
        "above 35 \u00b0C",
    ),
    (
        f"What is the mean elevation where NDVI exceeds 0.7 on {DAY}?",
        lambda f: float(elevation(f)[ndvi(f, DAY) > 0.7].mean()),
        "mean elevation where NDVI",
    ),
    (
        "mean LST above 400 m on 2022-07-18",
        lambda f: float(np.nanmean(lst(f, "2022-07-18")[elevation(f) > 400])),
        "elevation is above 400 m",
    ),
]


@pytest.mark.parametrize(("question", "expected", "words"), DEMO, ids=[q[0] for q in DEMO])
def test_what_variables_have_to_do_with_each_other(
    ask: Ask, demo: Path, question: str, expected: Callable[[Path], float], words: str
) -> None:
    answer = answer_of(ask(question, demo))
    assert answer.value == pytest.approx(expected(demo), rel=2e-4, abs=1e-5)
    assert words in answer.text


def means(slovenia: Path, first: str = "", last: str = "9999") -> dict[str, float]:
    found = series(slovenia / "ndvi", "Slovenia_NDVI_", first, last)
    return {date: float(np.nanmean(values)) for date, values in found.items()}


def test_a_ranking_lists_as_many_as_asked(ask: Ask, slovenia: Path) -> None:
    ordered = sorted(means(slovenia, "2017", "2017").items(), key=lambda entry: -entry[1])
    answer = answer_of(ask("List the three greenest dates of 2017", slovenia / "ndvi"))
    places = [answer.text.find(f"{date} ({value:.4f})") for date, value in ordered[:3]]
    assert places == sorted(places) and min(places) > 0
    assert ordered[3][0] not in answer.text


def test_the_second_highest_is_not_the_highest(ask: Ask, slovenia: Path) -> None:
    ordered = sorted(means(slovenia).items(), key=lambda entry: -entry[1])
    answer = answer_of(ask("Which date had the second highest mean NDVI?", slovenia / "ndvi"))
    assert answer.value == pytest.approx(ordered[1][1], rel=1e-5)
    assert ordered[1][0] in answer.text


def test_years_are_ranked(ask: Ask, slovenia: Path) -> None:
    yearly = {y: np.mean(list(means(slovenia, y, y).values())) for y in ("2015", "2016", "2017")}
    answer = answer_of(ask("Rank the years by mean NDVI", slovenia / "ndvi"))
    ordered = sorted(yearly, key=lambda year: -yearly[year])
    assert [answer.text.find(f"{y} ({yearly[y]:.4f})") for y in ordered] == sorted(
        answer.text.find(f"{y} ({yearly[y]:.4f})") for y in ordered
    )


def test_the_share_of_steep_land(ask: Ask, slovenia: Path) -> None:
    steep = slope(slovenia / "Slovenia_DEM.tif")
    expected = 100 * float(np.mean(steep[np.isfinite(steep)] > 15))
    answer = answer_of(
        ask("What share of the land is steeper than 15 degrees?", slovenia / "Slovenia_DEM.tif")
    )
    assert answer.value == pytest.approx(expected, abs=0.05) and answer.unit == "%"


def test_scenes_of_two_dates_correlate(ask: Ask, slovenia: Path) -> None:
    one, other = (scene(slovenia / "scenes", date) for date in ("2015-07-11", "2015-08-30"))
    expected = r_of(ratio(one["B08"], one["B04"]), ratio(other["B08"], other["B04"]))
    question = "correlation between NDVI on 2015-07-11 and NDVI on 2015-08-30"
    answer = answer_of(ask(question, slovenia / "scenes"))
    assert answer.value == pytest.approx(expected, abs=1e-4)


def bands_mean(folder: Path, name: str, date: str) -> float:
    return float(np.mean(bands(folder, date)[name]))


def test_a_ratio_is_followed_through_the_dates(ask: Ask, demo: Path) -> None:
    ratios = {d: bands_mean(demo, "nir", d) / bands_mean(demo, "red", d) for d in DATES_2022}
    answer = answer_of(ask("In which month of 2022 was the ratio of mean NIR to mean red highest?", demo))
    best = max(ratios, key=lambda date: ratios[date])
    assert answer.value == pytest.approx(ratios[best], rel=1e-4) and best[:7] in answer.text
    assert "ratio of mean near-infrared reflectance in 2022 and mean red reflectance" in answer.text


def test_the_driest_has_the_highest_dryness(ask: Ask, demo: Path) -> None:
    driest = answer_of(ask("Which month of 2021 had the highest mean TVDI?", demo))
    wettest = answer_of(ask("Which month of 2021 had the lowest mean TVDI?", demo))
    assert driest.value is not None and wettest.value is not None
    assert driest.value > wettest.value and "has the highest" in driest.text


def test_hot_pixels_of_several_dates_are_those_of_their_mean(demo: Path) -> None:
    stack = np.nanmean([lst(demo, d) for d in ("2022-06-15", "2022-07-18", "2022-08-20")], axis=0)
    limit = 309.0
    rows, columns = np.nonzero(stack > limit)
    dy, dx = rows - (stack.shape[0] - 1) / 2, columns - (stack.shape[1] - 1) / 2
    sides = {
        "east": np.sum((dx > 0) & (abs(dx) > abs(dy))),
        "west": np.sum((dx < 0) & (abs(dx) > abs(dy))),
        "south": np.sum((dy > 0) & (abs(dy) > abs(dx))),
        "north": np.sum((dy < 0) & (abs(dy) > abs(dx))),
    }
    summer = When((Span(dt.date(2022, 6, 1), dt.date(2022, 8, 31)),))
    mean_of_dates = Aggregate("mean", Variable("lst", summer, unit="K"), "date")
    answer = answer_to(Direction(Compare(mean_of_dates, "gt", Number(limit, "K"))), demo)
    assert max(sides, key=lambda side: sides[side]) in answer.text


def test_cloud_cover_beside_other_variables_is_a_share(ask: Ask, demo: Path) -> None:
    answer = answer_of(ask("mean NDVI, mean LST and cloud cover on 2022-05-12", demo))
    share = 100 * np.mean(read(demo / "Demo_cloud_mask_2022-05-12.tif") > 0)
    assert f"cloud cover on 2022-05-12 is {share:.2f} %" in answer.text


def test_a_place_that_is_not_there_is_said(ask: Ask, demo: Path) -> None:
    finished = ask(f"mean NDVI of Ljubljana on {DAY}", demo)
    assert finished.status == "declined" and finished.answer is not None
    assert "\u201cljubljana\u201d" in finished.answer.text


@pytest.mark.parametrize("by", ["over the dates", f"by class on {DAY}"])
def test_a_slope_of_one_on_the_other_has_the_unit_of_the_one_per_unit_of_the_other(
    ask: Ask, demo: Path, by: str
) -> None:
    finished = ask(f"What is the regression slope of LST on NDVI {by}?", demo)
    assert finished.status == "answered"
    assert answer_of(finished).unit == "K"

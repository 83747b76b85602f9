"""Correlations, rankings, other years as the measure, yes or no, and the shape of the land."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
import rasterio
from scipy import ndimage

from tests.core.policies.planner.arrays import Array, read, series
from tests.core.policies.planner.conftest import Ask, answer_of
from tests.core.policies.planner.test_extents import bands, ndvi
from tests.core.policies.planner.test_zones import CROPLAND, cover, lst

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
        "r = -",
    ),
    (
        f"Is LST negatively correlated with NDVI in cropland on {DAY}?",
        lambda f: r_of(
            np.where(cover(f) == CROPLAND, lst(f, DAY), np.nan),
            np.where(cover(f) == CROPLAND, ndvi(f, DAY), np.nan),
        ),
        "Yes: the correlation of LST and NDVI in cropland",
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
        f"Was the vegetation greener on {DAY} than on 2022-07-18?",
        lambda f: float(ndvi(f, DAY).mean() - ndvi(f, "2022-07-18").mean()),
        "Yes: ",
    ),
    (
        f"What is the mean NDVI on slopes steeper than 15 degrees on {DAY}?",
        lambda f: float(ndvi(f, DAY)[slope(f / "Demo_DEM.tif") > 15].mean()),
        "terrain slope is above 15\u00b0",
    ),
    (
        f"What is the mean elevation where NDVI exceeds 0.7 on {DAY}?",
        lambda f: float(elevation(f)[ndvi(f, DAY) > 0.7].mean()),
        "mean elevation where NDVI",
    ),
]


def means(slovenia: Path, first: str = "", last: str = "9999") -> dict[str, float]:
    found = series(slovenia / "ndvi", "Slovenia_NDVI_", first, last)
    return {date: float(np.nanmean(values)) for date, values in found.items()}


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


def bands_mean(folder: Path, name: str, date: str) -> float:
    return float(np.mean(bands(folder, date)[name]))

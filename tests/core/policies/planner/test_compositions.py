"""Questions that put statistics, years, dates and ground together, against arrays."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import rasterio
from pyproj import Geod, Transformer

from tests.core.policies.planner.arrays import Array, read
from tests.core.policies.planner.conftest import Ask, answer_of
from tests.core.policies.planner.test_zones import CONIFER, cover, lst

DATES = tuple(
    f"{year}-{day}"
    for year, days in {
        2021: ("04-12", "05-16", "06-19", "07-22", "08-24", "10-05"),
        2022: ("04-08", "05-12", "06-15", "07-18", "08-20", "10-04"),
    }.items()
    for day in days
)


def rises(folder: Path) -> tuple[Array, Array]:
    """Return the rise eastward and northward by Horn's weights, without the rim."""
    with rasterio.open(folder / "Demo_DEM.tif") as raster:
        pixel = raster.transform.a
    z = read(folder / "Demo_DEM.tif")
    weights = (1, 2, 1)
    rows = [slice(None, -2), slice(1, -1), slice(2, None)]
    east = sum(w * (z[r, 2:] - z[r, :-2]) for w, r in zip(weights, rows, strict=True)) / (8 * pixel)
    north = sum(w * (z[:-2, r] - z[2:, r]) for w, r in zip(weights, rows, strict=True)) / (8 * pixel)
    return east, north


def test_slope_in_per_cent_is_the_mean_of_the_tangents(ask: Ask, demo: Path) -> None:
    steep = 100 * np.hypot(*rises(demo))
    # The lengths on the ground differ from those on the map by some tenths of a per mille.
    assert answer_of(ask("mean slope in per cent", demo)).value == pytest.approx(steep.mean(), rel=2e-3)
    share = answer_of(ask("What share of the area has a slope above 20 %?", demo)).value
    assert share == pytest.approx(100 * np.mean(steep > 20), abs=0.3)


def test_the_terrain_mostly_faces_where_most_pixels_do(ask: Ask, demo: Path) -> None:
    east, north = rises(demo)
    facing = np.degrees(np.arctan2(-east, -north))[np.hypot(east, north) >= 0.08]
    sectors = {"north": 0, "east": 90, "south": 180, "west": 270}
    counts = {name: np.sum((facing - middle + 45) % 360 < 90) for name, middle in sectors.items()}
    told = answer_of(ask("Which way does the terrain mostly face?", demo)).text
    assert told.lower().startswith(max(counts, key=lambda name: counts[name]))


def test_the_distance_of_the_extremes_is_that_on_the_ellipsoid(ask: Ask, demo: Path) -> None:
    z = read(demo / "Demo_DEM.tif")
    with rasterio.open(demo / "Demo_DEM.tif") as raster:
        places = [raster.xy(*np.unravel_index(n, z.shape)) for n in (z.argmax(), z.argmin())]
        to_degrees = Transformer.from_crs(raster.crs, "EPSG:4326", always_xy=True)
    (x, y), (u, v) = (to_degrees.transform(*place) for place in places)
    _, _, expected = Geod(ellps="WGS84").inv(x, y, u, v)
    answer = answer_of(ask("How far is the highest point from the lowest point?", demo))
    assert (answer.value, answer.unit) == (pytest.approx(expected, abs=1), "m")


def test_a_relation_is_one_of_the_ground_that_one_side_names(ask: Ask, demo: Path) -> None:
    inside = cover(demo) == CONIFER
    height, warmth = read(demo / "Demo_DEM.tif")[inside], lst(demo, "2021-07-22")[inside]
    known = np.isfinite(warmth)
    slope = np.polyfit(height[known], warmth[known], 1)[0]
    answer = answer_of(ask("regression of conifer forest LST on elevation on 2021-07-22", demo))
    assert answer.value == pytest.approx(slope, abs=1e-5)


def test_a_condition_on_every_year_tells_the_years_in_which_it_fails(ask: Ask, demo: Path) -> None:
    means = {date: float(np.nanmean(lst(demo, date))) for date in DATES}
    warmer = {
        year: means[f"{year}-08-{d}"] > means[f"{year}-07-{e}"]
        for year, d, e in ((2021, 24, 22), (2022, 20, 18))
    }
    answer = answer_of(ask("Was mean LST higher in August than in July in every year?", demo))
    assert answer.text.startswith("Yes" if all(warmer.values()) else "No")
    assert f"holds in {sum(warmer.values())} of 2 years" in answer.text
    failed = [str(year) for year, holds in warmer.items() if not holds]
    assert all(year in answer.text for year in failed)


def test_the_warmest_class_of_each_date(ask: Ask, demo: Path) -> None:
    classes = cover(demo)
    numbers = [int(number) for number in np.unique(classes) if number]
    names = dict(
        enumerate(
            (
                "Water",
                "Cropland",
                "Grassland",
                "Broadleaf forest",
                "Conifer forest",
                "Built up",
                "Bare ground",
            ),
            1,
        )
    )
    told = answer_of(ask("Which class is warmest on each date?", demo)).text
    for date in DATES:
        warmth = lst(demo, date)
        highest = max(numbers, key=lambda number: np.nanmean(warmth[classes == number]))
        assert f"{date} {names[highest]} (" in told


def test_a_sky_is_cloudy_beyond_half_of_it(ask: Ask, demo: Path) -> None:
    for date in DATES:
        share = 100 * np.nanmean(read(demo / f"Demo_cloud_mask_{date}.tif") == 1)
        answer = answer_of(ask(f"Was it cloudy on {date}?", demo))
        assert answer.value == pytest.approx(share, abs=0.01)
        assert answer.text.startswith("Yes" if share > 50 else "No")
        assert "more than half" in answer.text


def test_a_trimmed_mean_is_asked_how_much_it_leaves_out(ask: Ask, demo: Path) -> None:
    finished = ask("trimmed mean of LST on 2021-07-22", demo)
    assert finished.status == "declined" and "10 % trimmed mean" in str(
        finished.answer and finished.answer.text
    )

"""Classes of a land cover and named polygons: variables within them, their sizes, which is the highest."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
import rasterio
from pyproj import Geod
from rasterio.features import rasterize

from tests.core.policies.planner.arrays import Array, read
from tests.core.policies.planner.conftest import Ask, answer_of
from tests.core.policies.planner.test_extents import PIXEL_HA, ndvi

WATER, CROPLAND, GRASSLAND, BROADLEAF, CONIFER, BUILT_UP = range(1, 7)
DAY = "2021-07-22"


def cover(folder: Path) -> Array:
    with rasterio.open(folder / "Demo_land_cover.tif") as raster:
        return raster.read(1)


def forest(folder: Path) -> Array:
    return np.isin(cover(folder), (BROADLEAF, CONIFER))


def lst(folder: Path, date: str) -> Array:
    return read(folder / f"Demo_LST_{date}.tif")


def region(folder: Path, name: str) -> Array:
    """Return where a region lies: pixels whose centre it holds."""
    from treeline.toolkit.vector import read_features

    with rasterio.open(folder / "Demo_DEM.tif") as raster:
        features = read_features(str(folder / "Demo_regions.geojson")).in_crs("EPSG:32633")
        shapes = [item.geometry for item in features.items if item.attributes["name"] == name]
        return rasterize(shapes, raster.shape, transform=raster.transform).astype(bool)


QUESTIONS: list[tuple[str, Callable[[Path], float], str]] = [
    ("How many hectares of forest are there?", lambda f: forest(f).sum() * PIXEL_HA, "ha"),
    ("What share of the scene is grassland?", lambda f: 100 * np.mean(cover(f) == GRASSLAND), "%"),
    ("How much of the area is water?", lambda f: 100 * np.mean(cover(f) == WATER), "%"),
    ("How many pixels belong to class 3?", lambda f: float(np.sum(cover(f) == 3)), "pixels"),
    (
        f"What is the mean NDVI of the forest on {DAY}?",
        lambda f: float(ndvi(f, DAY)[forest(f)].mean()),
        "1",
    ),
    (
        f"What is the median NDVI in class 3 on {DAY}?",
        lambda f: float(np.median(ndvi(f, DAY)[cover(f) == 3])),
        "1",
    ),
    (
        "How much warmer is the town than the forest on 2022-07-18?",
        lambda f: (
            np.nanmean(lst(f, "2022-07-18")[cover(f) == BUILT_UP])
            - np.nanmean(lst(f, "2022-07-18")[forest(f)])
        ),
        "K",
    ),
    (
        f"What share of Lakeside had NDVI above 0.5 on {DAY}?",
        lambda f: 100 * np.mean(ndvi(f, DAY)[region(f, "Lakeside")] > 0.5),
        "%",
    ),
    (
        f"LST where NDVI is above 0.6 in grassland on {DAY}",
        lambda f: float(np.nanmean(lst(f, DAY)[(cover(f) == GRASSLAND) & (ndvi(f, DAY) > 0.6)])),
        "K",
    ),
]


@pytest.mark.parametrize(("question", "expected", "unit"), QUESTIONS, ids=[q[0] for q in QUESTIONS])
def test_a_number_within_a_zone(
    ask: Ask, demo: Path, question: str, expected: Callable[[Path], float], unit: str
) -> None:
    answer = answer_of(ask(question, demo))
    assert answer.value == pytest.approx(expected(demo), rel=1e-4)
    assert answer.unit == unit


def test_the_size_of_a_polygon_is_that_on_the_ellipsoid(ask: Ask, demo: Path) -> None:
    from treeline.toolkit.vector import read_features

    features = read_features(str(demo / "Demo_regions.geojson"))
    shape = next(i.geometry for i in features.items if i.attributes["name"] == "Upper Larchford")
    expected = abs(Geod(ellps="WGS84").geometry_area_perimeter(shape)[0]) / 1e4
    answer = answer_of(ask("How large is Upper Larchford?", demo))
    assert answer.value == pytest.approx(expected, rel=1e-6) and answer.unit == "ha"

"""Classes of a land cover and named polygons: variables within them, their sizes, which is the highest."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
import rasterio
from pyproj import Geod
from rasterio.features import rasterize

from tests.core.policies.planner.arrays import Array, ratio, read, scene
from tests.core.policies.planner.conftest import Ask, answer_of
from tests.core.policies.planner.running import ask as answer_to
from tests.core.policies.planner.running import evaluate
from tests.core.policies.planner.test_extents import PIXEL_HA, dnbr, ndvi
from treeline.core.query.expression import Aggregate, Place, Show, Span, Variable, When, Which, Zones

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
        "area in ha of the forest with dNBR above 0.27 between 2022-07-18 and 2022-08-20",
        lambda f: np.sum(forest(f) & (dnbr(f) > 0.27)) * PIXEL_HA,
        "ha",
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


def test_a_word_that_means_two_classes_is_told(ask: Ask, demo: Path) -> None:
    answer = answer_of(ask(f"What is the mean NDVI of the forest on {DAY}?", demo))
    assert "Broadleaf forest and Conifer forest" in answer.text


def test_the_class_with_the_highest_number_comes_first(ask: Ask, demo: Path) -> None:
    means = {c: np.nanmean(lst(demo, DAY)[cover(demo) == c]) for c in np.unique(cover(demo))}
    answer = answer_of(ask(f"Which land cover class has the highest mean LST on {DAY}?", demo))
    assert answer.value == pytest.approx(max(means.values()), rel=1e-5)
    assert max(means, key=lambda c: means[c]) == BUILT_UP and answer.text.startswith("Built up has")


def test_each_polygon_has_a_number(ask: Ask, demo: Path) -> None:
    answer = answer_of(ask(f"mean NDVI per region on {DAY}", demo))
    for name in ("Larchford", "Marshend"):
        assert f"{name} {ndvi(demo, DAY)[region(demo, name)].mean():.4f}" in answer.text


def test_the_size_of_a_polygon_is_that_on_the_ellipsoid(ask: Ask, demo: Path) -> None:
    from treeline.toolkit.vector import read_features

    features = read_features(str(demo / "Demo_regions.geojson"))
    shape = next(i.geometry for i in features.items if i.attributes["name"] == "Upper Larchford")
    expected = abs(Geod(ellps="WGS84").geometry_area_perimeter(shape)[0]) / 1e4
    answer = answer_of(ask("How large is Upper Larchford?", demo))
    assert answer.value == pytest.approx(expected, rel=1e-6) and answer.unit == "ha"


def test_classes_without_names_are_told_by_number(ask: Ask, slovenia: Path) -> None:
    data = [slovenia / "Slovenia_LULC.tif", slovenia / "ndvi"]
    classes = read(slovenia / "Slovenia_LULC.tif")
    values, counts = np.unique(classes[np.isfinite(classes)], return_counts=True)
    areas = Aggregate("area", Place("class", tuple(f"{v:g}" for v in values)), "pixel", by=Zones("class"))
    assert f"Class {values[counts.argmax()]:g}" in answer_to(Which(areas, "highest"), data).text
    declined = ask("How many hectares of forest are there?", *data)
    assert declined.status == "declined" and declined.answer is not None
    assert "forest" in declined.answer.text


def test_which_classes_there_are_rests_on_the_pixels(ask: Ask, demo: Path, slovenia: Path) -> None:
    named = ask("Which classes are there?", demo)
    assert named.status == "answered" and named.answer is not None
    assert named.answer.text.startswith("There are 7 classes: Water, Cropland, ")
    numbers = np.unique(read(slovenia / "Slovenia_LULC.tif"))
    with_polygons = ask(
        "Which classes are there?", slovenia / "Slovenia_LULC.tif", slovenia / "Slovenia_LULC.gpkg"
    )
    assert with_polygons.status == "answered" and with_polygons.answer is not None
    assert "The polygons of Slovenia_LULC.gpkg are called " in with_polygons.answer.text
    assert "forest" in with_polygons.answer.text
    answer = answer_of(ask("Which classes are there?", slovenia / "Slovenia_LULC.tif"))
    assert answer.value == numbers.size
    assert all(f"class {number:g}" in answer.text for number in numbers)


def test_polygons_name_what_the_classes_do_not(ask: Ask, slovenia: Path) -> None:
    from treeline.toolkit.vector import read_features

    found = scene(slovenia / "scenes", "2015-08-30")
    values = ratio(found["B08"], found["B04"])
    with rasterio.open(slovenia / "Slovenia_LULC.tif") as raster:
        features = read_features(str(slovenia / "Slovenia_LULC.gpkg")).in_crs("EPSG:32633")
        shapes = [i.geometry for i in features.items if i.attributes["LULC_NAME"] == "grassland"]
        inside = rasterize(shapes, raster.shape, transform=raster.transform).astype(bool)
    data = (slovenia / "scenes", slovenia / "Slovenia_LULC.tif", slovenia / "Slovenia_LULC.gpkg")
    answer = answer_of(ask("What is the mean NDVI in grassland on 2015-08-30?", *data))
    assert answer.value == pytest.approx(values[inside].mean(), rel=1e-4)
    assert "of grassland" in answer.text


def test_the_second_largest_polygon_is_measured_as_it_was_found(ask: Ask, slovenia: Path) -> None:
    from treeline.toolkit.vector import read_features

    features = read_features(str(slovenia / "Slovenia_LULC.gpkg")).in_crs("EPSG:4326")
    ellipsoid = Geod(ellps="WGS84")
    areas = sorted(
        abs(ellipsoid.geometry_area_perimeter(item.geometry)[0])
        for item in features.items
        if item.attributes["LULC_NAME"] == "forest"
    )
    data = (slovenia / "Slovenia_LULC.tif", slovenia / "Slovenia_LULC.gpkg")
    for unit, size in (("ha", 1e4), ("m2", 1.0)):
        answer = answer_of(ask(f"What is the size of the second largest forest polygon, in {unit}?", *data))
        assert answer.value == pytest.approx(areas[-2] / size, rel=1e-5) and answer.unit == unit


def test_a_map_of_zones_has_the_value_of_each(tmp_path: Path, demo: Path) -> None:
    zones = Zones("feature", source="Demo_regions.geojson", attribute="name")
    day = When((Span(dt.date(2021, 7, 22), dt.date(2021, 7, 22)),))
    of_day = Aggregate("mean", Variable("lst", day), "pixel", by=zones)
    outcome = evaluate(Show(of_day, "map"), demo, tmp_path)
    assert outcome.kind == "raster" and outcome.unit == "K"
    shown, taken = read(outcome.paths[0]), lst(demo, DAY)
    for name in ("Ashfield", "Larchford", "Marshend"):
        ground = region(demo, name)
        assert np.allclose(shown[ground], taken[ground].mean(), rtol=1e-6)
    assert np.unique(shown[~np.isnan(shown)]).size == 10


def test_one_zone_raster_serves_a_table_and_its_map(tmp_path: Path, demo: Path) -> None:
    zones = Zones("feature", source="Demo_regions.geojson", attribute="name")
    outcome = evaluate(
        Show(Aggregate("area", Place("class", ("Water",)), "pixel", by=zones), "map"), demo, tmp_path
    )
    assert outcome.tools.count("number_features") == 1 and outcome.unit == "ha"

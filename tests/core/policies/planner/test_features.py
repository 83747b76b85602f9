"""Points, lines and nameless polygons of a vector file: what is asked at, along, within and of each."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest
import rasterio
import shapely
from exactextract import exact_extract
from pyproj import Geod, Transformer
from rasterio.features import geometry_mask
from shapely.geometry import LineString, Point, box, mapping
from shapely.geometry.base import BaseGeometry

from tests.core.policies.planner.arrays import Array, read, series
from tests.core.policies.planner.conftest import Ask, answer_of

DAY = "2015-08-30"
TO_GLOBE = Transformer.from_crs(32633, 4326, always_xy=True)


@dataclass(frozen=True)
class Ground:
    """Real rasters, and geometries on them that a test gives in longitude and latitude."""

    slovenia: Path
    folder: Path

    @property
    def dem(self) -> Path:
        return self.slovenia / "Slovenia_DEM.tif"

    @property
    def ndvi(self) -> Path:
        return self.slovenia / "ndvi"

    def at(self, *shares: tuple[float, float]) -> list[tuple[float, float]]:
        """Return places of the DEM by their share of its width and height."""
        with rasterio.open(self.dem) as raster:
            left, bottom, right, top = raster.bounds
        return [(left + x * (right - left), bottom + y * (top - bottom)) for x, y in shares]

    def write(self, name: str, geometries: list[BaseGeometry], names: list[str] | None = None) -> Path:
        """Write geometries of EPSG:32633 as GeoJSON, with a name each where given."""
        globe = [shapely.transform(g, TO_GLOBE.transform, interleaved=False) for g in geometries]
        members = [
            {"type": "Feature", "geometry": mapping(g), "properties": {"site": names[i]} if names else {}}
            for i, g in enumerate(globe)
        ]
        path = self.folder / name
        path.write_text(json.dumps({"type": "FeatureCollection", "features": members}), "utf-8")
        return path

    def inside(self, *geometries: BaseGeometry) -> Array:
        with rasterio.open(self.dem) as raster:
            return ~geometry_mask(geometries, raster.shape, raster.transform)

    def values(self, path: Path, places: list[tuple[float, float]]) -> list[float]:
        with rasterio.open(path) as raster:
            return [float(value[0]) for value in raster.sample(places)]


@pytest.fixture
def ground(slovenia: Path, tmp_path: Path) -> Ground:
    return Ground(slovenia, tmp_path)


@pytest.fixture
def stations(ground: Ground) -> tuple[Path, list[tuple[float, float]]]:
    places = ground.at((0.104, 0.203), (0.503, 0.508), (0.903, 0.102))
    return ground.write("stations.geojson", [Point(p) for p in places], ["Alder", "B", "Cedar"]), places


@pytest.fixture
def fields(ground: Ground) -> tuple[Path, list[BaseGeometry]]:
    corners = [ground.at(a, b) for a, b in (((0.1, 0.6), (0.9, 0.95)), ((0.1, 0.05), (0.7, 0.4)))]
    areas: list[BaseGeometry] = [box(*low, *high) for low, high in corners]
    return ground.write("aoi.geojson", areas), areas


@pytest.mark.parametrize("question", ["What are the elevations at the points?", "elevation at each station"])
def test_each_point_has_the_value_of_its_pixel(
    ask: Ask, ground: Ground, stations: tuple[Path, list[tuple[float, float]]], question: str
) -> None:
    path, places = stations
    answer = answer_of(ask(question, ground.dem, path))
    for name, value in zip(("Alder", "B", "Cedar"), ground.values(ground.dem, places), strict=True):
        assert f"{value:g} m ({name})" in answer.text
    assert answer.text.startswith("The elevation is")


def test_one_point_by_its_name_and_the_highest_of_them(
    ask: Ask, ground: Ground, stations: tuple[Path, list[tuple[float, float]]]
) -> None:
    path, places = stations
    values = ground.values(ground.ndvi / f"Slovenia_NDVI_{DAY}.tif", places)
    one = answer_of(ask(f"What is the NDVI at station B on {DAY}?", ground.ndvi, path))
    assert one.value == pytest.approx(values[1], abs=1e-5)
    best = answer_of(ask(f"Which station has the highest NDVI on {DAY}?", ground.ndvi, path))
    assert best.value == pytest.approx(max(values), abs=1e-5)
    assert f"highest in {('Alder', 'B', 'Cedar')[int(np.argmax(values))]}" in best.text


def test_a_point_outside_has_no_value_and_the_others_have_theirs(ask: Ask, ground: Ground) -> None:
    places = ground.at((0.503, 0.508), (7, 7))
    path = ground.write("plots.geojson", [Point(p) for p in places])
    answer = answer_of(ask("What is the elevation at the plots?", ground.dem, path))
    assert f"{ground.values(ground.dem, places[:1])[0]:g} m (point 1)" in answer.text
    assert "without a valid pixel (point 2)" in answer.text


def test_the_mean_of_many_dates_at_points(
    ask: Ask, ground: Ground, stations: tuple[Path, list[tuple[float, float]]]
) -> None:
    path, places = stations
    dates = [p for p in sorted(ground.ndvi.glob("*.tif")) if "_2016-" in p.name]
    means = np.mean([ground.values(p, places) for p in dates], axis=0)
    answer = answer_of(ask("NDVI at each point in 2016", ground.ndvi, path))
    for name, value in zip(("Alder", "B", "Cedar"), means, strict=True):
        assert f"{value:.4f} ({name})" in answer.text


def test_what_happens_over_time_is_told_of_each_point(
    ask: Ask, ground: Ground, stations: tuple[Path, list[tuple[float, float]]]
) -> None:
    path, _ = stations
    answer = answer_of(ask("What is the NDVI trend at each station?", ground.ndvi, path))
    assert [f"NDVI at {name} changes by" in answer.text for name in ("Alder", "B", "Cedar")] == [True] * 3


WITHIN: list[tuple[str, Callable[[Array], float]]] = [
    ("What is the mean elevation in the area of interest?", np.mean),
    ("What is the median elevation within the polygons?", np.median),
    ("What is the maximum elevation in the AOI?", np.max),
]


@pytest.mark.parametrize(("question", "statistic"), WITHIN, ids=[q[0] for q in WITHIN])
def test_all_polygons_of_a_file_are_an_area_of_interest(
    ask: Ask,
    ground: Ground,
    fields: tuple[Path, list[BaseGeometry]],
    question: str,
    statistic: Callable[[Array], float],
) -> None:
    path, areas = fields
    answer = answer_of(ask(question, ground.dem, path))
    assert answer.value == pytest.approx(statistic(read(ground.dem)[ground.inside(*areas)]), rel=1e-5)
    assert "polygons of aoi.geojson" in answer.text


def test_nameless_polygons_are_told_by_their_number(
    ask: Ask, ground: Ground, fields: tuple[Path, list[BaseGeometry]]
) -> None:
    path, areas = fields
    members = [{"type": "Feature", "geometry": mapping(a), "properties": {}} for a in areas]
    expected = [row["properties"]["mean"] for row in exact_extract(str(ground.dem), members, ["mean"])]
    answer = answer_of(ask("Mean elevation in each polygon", ground.dem, path))
    for number, value in enumerate(expected, start=1):
        assert f"{value:.2f} m (polygon {number})" in answer.text
    shares = answer_of(ask("What share of each polygon has elevation above 700 m?", ground.dem, path))
    for number, area in enumerate(areas, start=1):
        share = 100 * np.mean(read(ground.dem)[ground.inside(area)] > 700)
        assert f"{share:.2f} % (polygon {number})" in shares.text


def test_the_size_of_an_area_of_interest(
    ask: Ask, ground: Ground, fields: tuple[Path, list[BaseGeometry]]
) -> None:
    path, areas = fields
    globe = [shapely.transform(a, TO_GLOBE.transform, interleaved=False) for a in areas]
    expected = sum(abs(Geod(ellps="WGS84").geometry_area_perimeter(a)[0]) for a in globe) / 1e4
    answer = answer_of(ask("How large is the area of interest in hectares?", ground.dem, path))
    assert answer.value == pytest.approx(expected, rel=1e-6) and answer.unit == "ha"


def test_a_change_within_an_area_of_interest(
    ask: Ask, ground: Ground, fields: tuple[Path, list[BaseGeometry]]
) -> None:
    path, areas = fields
    inside = ground.inside(*areas)
    dates = series(ground.ndvi, "Slovenia_NDVI_", "2015-07-31", DAY)
    expected = dates[DAY][inside].mean() - dates["2015-07-31"][inside].mean()
    question = f"By how much did NDVI change in the AOI between 2015-07-31 and {DAY}?"
    answer = answer_of(ask(question, ground.ndvi, path))
    assert answer.value == pytest.approx(expected, abs=1e-5)


def test_values_along_a_line(ask: Ask, ground: Ground) -> None:
    start, end = ground.at((0.03, 0.03), (0.9, 0.9))
    path = ground.write("transect.geojson", [LineString([start, end])])
    answer = answer_of(ask("What is the elevation profile along the line?", ground.dem, path))
    first, last = ground.values(ground.dem, [start, end])
    globe = [TO_GLOBE.transform(*place) for place in (start, end)]
    length = Geod(ellps="WGS84").line_length(*zip(*globe, strict=True))
    assert f"runs from {first:g} m to {last:g} m over {length:,.2f} m" in answer.text
    steps = LineString([start, end]).segmentize(1.0)
    under = ground.values(ground.dem, list(steps.coords))
    highest = answer_of(ask("Highest elevation along the transect?", ground.dem, path))
    assert highest.value == max(under)


@pytest.mark.parametrize(
    "words",
    [
        "at {x}, {y}",
        "at longitude {x} and latitude {y}",
        "at lat {y}, lon {x}",
        "at {y}\u00b0N, {x}\u00b0E",
        "at the point ({x}, {y})",
    ],
)
def test_a_place_by_its_coordinates(ask: Ask, ground: Ground, words: str) -> None:
    place = ground.at((0.503, 0.508))[0]
    x, y = (f"{degrees:.6f}" for degrees in TO_GLOBE.transform(*place))
    answer = answer_of(ask(f"What is the elevation {words.format(x=x, y=y)}?", ground.dem))
    assert answer.value == ground.values(ground.dem, [place])[0] and answer.unit == "m"
    assert f"longitude {float(x):.12g}, latitude {float(y):.12g}" in answer.text


def test_a_series_at_a_place_and_the_mean_of_a_rectangle(ask: Ask, ground: Ground) -> None:
    place = ground.at((0.503, 0.508))[0]
    x, y = (f"{degrees:.6f}" for degrees in TO_GLOBE.transform(*place))
    values = {p.stem[-10:]: ground.values(p, [place])[0] for p in ground.ndvi.glob("*_2016-*.tif")}
    best = answer_of(ask(f"On which date of 2016 was NDVI at {x}, {y} highest?", ground.ndvi))
    assert best.value == pytest.approx(max(values.values()), abs=1e-5)
    assert max(values, key=lambda date: values[date]) in best.text
    west, south, east, north = 14.554, 45.867, 14.561, 45.872
    answer = answer_of(
        ask(f"Mean elevation in the bounding box {west}, {south}, {east}, {north}", ground.dem)
    )
    corners = shapely.transform(
        box(west, south, east, north),
        lambda a, b: TO_GLOBE.transform(a, b, direction="INVERSE"),
        interleaved=False,
    )
    assert answer.value == pytest.approx(read(ground.dem)[ground.inside(corners)].mean(), rel=1e-5)

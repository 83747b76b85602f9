"""Points, lines and nameless polygons of a vector file: what is asked at, along, within and of each."""

from __future__ import annotations

import datetime as dt
import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest
import rasterio
import shapely
from pyproj import Geod, Transformer
from rasterio.features import geometry_mask
from shapely.geometry import LineString, Point, box, mapping
from shapely.geometry.base import BaseGeometry

from tests.core.policies.planner.arrays import Array, read, series
from tests.core.policies.planner.conftest import Ask, answer_of
from tests.core.policies.planner.running import ask as answer_to
from tests.core.policies.planner.running import evaluate
from treeline.core.query.expression import (
    Aggregate,
    Combine,
    Compare,
    Node,
    Number,
    Place,
    Profile,
    Span,
    Statistic,
    Trend,
    Variable,
    When,
    Which,
    Zones,
)

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


STATIONS = Zones("feature", source="stations.geojson", attribute="site")
FIELDS = Place("feature", source="aoi.geojson")


def elevation(where: Node | None = None) -> Variable:
    return Variable("dem", where=where, timeless=True, unit="m")


def greenness(first: str, last: str = "", where: Node | None = None) -> Variable:
    span = Span(dt.date.fromisoformat(first), dt.date.fromisoformat(last or first))
    return Variable("ndvi", When((span,)), where, unit="1")


def of_pixels(statistic: Statistic, of: Node, by: Zones | None = None) -> Aggregate:
    return Aggregate(statistic, of, "pixel", by=by)


def test_each_point_has_the_value_of_its_pixel(
    ground: Ground, stations: tuple[Path, list[tuple[float, float]]]
) -> None:
    path, places = stations
    found = evaluate(of_pixels("mean", elevation(), STATIONS), [ground.dem, path])
    assert found.axes == (("zone", ("Alder", "B", "Cedar")),)
    assert found.values == tuple(ground.values(ground.dem, places)) and found.unit == "m"


def test_one_point_by_its_name_and_the_highest_of_them(
    ground: Ground, stations: tuple[Path, list[tuple[float, float]]]
) -> None:
    path, places = stations
    sources = [ground.ndvi, path]
    values = ground.values(ground.ndvi / f"Slovenia_NDVI_{DAY}.tif", places)
    one = Place("feature", ("B",), "stations.geojson", "site")
    assert evaluate(of_pixels("mean", greenness(DAY, where=one)), sources).values == pytest.approx(
        (values[1],)
    )
    best = evaluate(Which(of_pixels("mean", greenness(DAY), STATIONS), "highest"), sources)
    assert best.labels == (("Alder", "B", "Cedar")[int(np.argmax(values))],)
    assert best.values == pytest.approx((max(values),))


def test_a_point_outside_has_no_value_and_the_others_have_theirs(ground: Ground) -> None:
    places = ground.at((0.503, 0.508), (7, 7))
    path = ground.write("plots.geojson", [Point(p) for p in places])
    found = evaluate(of_pixels("mean", elevation(), Zones("feature")), [ground.dem, path])
    assert found.values == (ground.values(ground.dem, places[:1])[0], None)


def test_the_mean_of_many_dates_at_points(
    ground: Ground, stations: tuple[Path, list[tuple[float, float]]]
) -> None:
    path, places = stations
    dates = [p for p in sorted(ground.ndvi.glob("*.tif")) if "_2016-" in p.name]
    means = np.mean([ground.values(p, places) for p in dates], axis=0)
    year = greenness("2016-01-01", "2016-12-31")
    found = evaluate(Aggregate("mean", of_pixels("mean", year, STATIONS), "date"), [ground.ndvi, path])
    assert found.values == pytest.approx(tuple(means), abs=1e-5)


def test_the_trend_at_a_point(ground: Ground, stations: tuple[Path, list[tuple[float, float]]]) -> None:
    path, places = stations
    dates = sorted(ground.ndvi.glob("*.tif"))
    days = [dt.date.fromisoformat(p.stem.removeprefix("Slovenia_NDVI_")[:10]) for p in dates]
    years = [day.toordinal() / 365.25 for day in days]
    values = [ground.values(p, places[:1])[0] for p in dates]
    expected = np.polyfit(years, values, 1)[0]
    where = Place("feature", ("Alder",), "stations.geojson", "site")
    found = evaluate(
        Trend(of_pixels("mean", Variable("ndvi", where=where, unit="1")), "linear"), [ground.ndvi, path]
    )
    assert found.values == pytest.approx((expected,), rel=1e-3)


def test_two_images_of_a_day_keep_their_own_pixels(
    ground: Ground, stations: tuple[Path, list[tuple[float, float]]]
) -> None:
    path, places = stations
    where = Place("feature", ("Alder",), "stations.geojson", "site")
    day = of_pixels("mean", greenness("2015-12-08", where=where))
    series_of_day = of_pixels("mean", greenness("2015-12-07", "2015-12-09", where=where))
    found = evaluate(series_of_day, [ground.ndvi, path])
    expected = [ground.values(p, places[:1])[0] for p in sorted(ground.ndvi.glob("*2015-12-08*.tif"))]
    assert found.values == pytest.approx(tuple(expected)) and len(set(expected)) == 2
    assert evaluate(day, [ground.ndvi, path]).kind == "declined"


WITHIN: list[tuple[Statistic, Callable[[Array], float]]] = [
    ("mean", np.mean),
    ("median", np.median),
    ("max", np.max),
]


@pytest.mark.parametrize(("statistic", "expected"), WITHIN, ids=[name for name, _ in WITHIN])
def test_all_polygons_of_a_file_are_an_area_of_interest(
    ground: Ground,
    fields: tuple[Path, list[BaseGeometry]],
    statistic: Statistic,
    expected: Callable[[Array], float],
) -> None:
    path, areas = fields
    answer = answer_to(of_pixels(statistic, elevation(FIELDS)), [ground.dem, path])
    assert answer.value == pytest.approx(expected(read(ground.dem)[ground.inside(*areas)]), rel=1e-5)
    assert "aoi.geojson" in answer.text


def test_nameless_polygons_are_told_by_their_number(
    ask: Ask, ground: Ground, fields: tuple[Path, list[BaseGeometry]]
) -> None:
    path, areas = fields
    answer = answer_of(ask("Mean elevation in each polygon", ground.dem, path))
    high = Compare(elevation(), "gt", Number(700, "m"))
    shares = answer_to(Aggregate("share", high, "pixel", by=Zones("feature")), [ground.dem, path])
    for number, area in enumerate(areas, start=1):
        inside = read(ground.dem)[ground.inside(area)]
        assert f"polygon {number} {inside.mean():.2f} m" in answer.text
        assert f"polygon {number} {100 * np.mean(inside > 700):.2f} %" in shares.text


def test_the_size_of_an_area_of_interest(ground: Ground, fields: tuple[Path, list[BaseGeometry]]) -> None:
    path, areas = fields
    globe = [shapely.transform(a, TO_GLOBE.transform, interleaved=False) for a in areas]
    expected = sum(abs(Geod(ellps="WGS84").geometry_area_perimeter(a)[0]) for a in globe) / 1e4
    answer = answer_to(Aggregate("area", FIELDS, "pixel", unit="ha"), [ground.dem, path])
    assert answer.value == pytest.approx(expected, rel=1e-6) and answer.unit == "ha"


def test_named_ground_that_reaches_beyond_the_rasters_is_counted_inside_them(ground: Ground) -> None:
    inside, half = (
        box(*low, *high)
        for low, high in (ground.at((0.1, 0.1), (0.4, 0.4)), ground.at((0.5, 0.5), (0.9, 1.4)))
    )
    path = ground.write("stands.geojson", [inside, half], ["Beech", "Pine"])
    held = ground.inside(half).sum() / ground.inside(inside).sum()
    sizes = {}
    for name in ("Beech", "Pine"):
        place = Place("feature", (name,), "stands.geojson", "site")
        sizes[name] = answer_to(Aggregate("area", place, "pixel", unit="ha"), [ground.dem, path])
    assert sizes["Pine"].value == pytest.approx(held * sizes["Beech"].value, rel=0.05)
    assert "which the polygons reach beyond" in sizes["Pine"].text
    assert "beyond" not in sizes["Beech"].text
    pine = Place("feature", ("Pine",), "stands.geojson", "site")
    whole = answer_to(
        Aggregate("area", pine, "pixel", by=Zones("feature", source="stands.geojson"), unit="ha"),
        [ground.dem, path],
    )
    assert "whole polygons" in whole.text


def test_a_change_within_an_area_of_interest(ground: Ground, fields: tuple[Path, list[BaseGeometry]]) -> None:
    path, areas = fields
    inside = ground.inside(*areas)
    dates = series(ground.ndvi, "Slovenia_NDVI_", "2015-07-31", DAY)
    later, earlier = (of_pixels("mean", greenness(day, where=FIELDS)) for day in (DAY, "2015-07-31"))
    answer = answer_to(Combine("difference", later, earlier), [ground.ndvi, path])
    expected = dates[DAY][inside].mean() - dates["2015-07-31"][inside].mean()
    assert answer.value == pytest.approx(expected, abs=1e-5)
    assert f"on {DAY}" in answer.text and "on 2015-07-31" in answer.text


def test_values_along_a_line(ground: Ground) -> None:
    start, end = ground.at((0.03, 0.03), (0.9, 0.9))
    path = ground.write("transect.geojson", [LineString([start, end])])
    line = Place("feature", source="transect.geojson")
    ends = [Place("point", (repr(x), repr(y)), attribute="map") for x, y in (start, end)]
    found = evaluate(Profile(elevation(), *ends), [ground.dem])
    first, last = ground.values(ground.dem, [start, end])
    globe = [TO_GLOBE.transform(*place) for place in (start, end)]
    length = Geod(ellps="WGS84").line_length(*zip(*globe, strict=True))
    assert (found.values[0], found.values[-1]) == (first, last)
    assert float(found.axes[0][1][-1].removeprefix("at ").removesuffix(" m")) == pytest.approx(length, abs=1)
    steps = LineString([start, end]).segmentize(1.0)
    under = ground.values(ground.dem, list(steps.coords))
    assert evaluate(of_pixels("max", elevation(line)), [ground.dem, path]).values == (max(under),)


@pytest.mark.parametrize("words", ["at lat {y}, lon {x}", "at {y}\u00b0N, {x}\u00b0E"])
def test_a_place_by_its_coordinates(ask: Ask, ground: Ground, words: str) -> None:
    place = ground.at((0.503, 0.508))[0]
    x, y = (f"{degrees:.4f}" for degrees in TO_GLOBE.transform(*place))
    expected = ground.values(ground.dem, [TO_GLOBE.transform(float(x), float(y), direction="INVERSE")])
    answer = answer_of(ask(f"What is the elevation {words.format(x=x, y=y)}?", ground.dem))
    assert answer.value == expected[0] and answer.unit == "m"
    assert f"longitude {float(x):.12g}, latitude {float(y):.12g}" in answer.text


def test_a_place_outside_is_said(ask: Ask, ground: Ground) -> None:
    finished = ask("What is the elevation at latitude 46 and longitude 14?", ground.dem)
    assert finished.status == "declined" and finished.answer is not None and finished.answer.value is None
    outside = answer_to(of_pixels("mean", elevation(Place("point", ("14", "46")))), ground.dem)
    assert outside.declined and "Longitude 14, latitude 46 lies outside" in outside.text


def test_a_series_at_a_place_and_the_mean_of_a_rectangle(ground: Ground) -> None:
    place = ground.at((0.503, 0.508))[0]
    point = Place("point", tuple(f"{degrees:.6f}" for degrees in TO_GLOBE.transform(*place)))
    values = {p.stem[-10:]: ground.values(p, [place])[0] for p in ground.ndvi.glob("*_2016-*.tif")}
    year = greenness("2016-01-01", "2016-12-31", point)
    best = evaluate(Which(of_pixels("mean", year), "highest"), ground.ndvi)
    assert best.values == pytest.approx((max(values.values()),), abs=1e-5)
    assert best.labels == (max(values, key=lambda date: values[date]),)
    edges = (14.554, 45.867, 14.561, 45.872)
    answer = answer_to(of_pixels("mean", elevation(Place("box", tuple(map(str, edges))))), ground.dem)
    corners = shapely.transform(
        box(*edges), lambda a, b: TO_GLOBE.transform(a, b, direction="INVERSE"), interleaved=False
    )
    assert answer.value == pytest.approx(read(ground.dem)[ground.inside(corners)].mean(), rel=1e-5)

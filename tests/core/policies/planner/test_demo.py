"""Temperatures, areas and events on the simulated landscape."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from tests.core.policies.planner.arrays import Array, ratio, read
from tests.core.policies.planner.conftest import Ask, answer_of
from tests.core.policies.planner.running import ask as answer_to
from tests.core.policies.planner.running import evaluate
from treeline.core.query.expression import Aggregate, Combine, Variable

pytestmark = pytest.mark.sample(2)

LST = "Demo_LST_{}.tif"
LANDSAT = "LC08_L2SP_190028_20210701_20210701_02_T1_SR_"


def lst(demo: Path, date: str) -> Array:
    return read(demo / LST.format(date))


def bands(demo: Path, date: str) -> dict[str, Array]:
    names = ("blue", "green", "red", "nir", "swir1", "swir2")
    return {name: read(demo / f"Demo_{date}.tif", index) for index, name in enumerate(names, 1)}


def ndvi(demo: Path, date: str) -> Array:
    found = bands(demo, date)
    return ratio(found["nir"], found["red"])


QUESTIONS: list[tuple[str, Callable[[Path], float]]] = [
    ("What is the mean land surface temperature on 2022-07-18?", lambda d: np.nanmean(lst(d, "2022-07-18"))),
    (
        "mean LST of the hottest decile on 2022-07-18",
        lambda d: np.mean(
            (v := lst(d, "2022-07-18")[np.isfinite(lst(d, "2022-07-18"))])[v >= np.percentile(v, 90)]
        ),
    ),
    ("mean LST on 18 July 2022 in degrees Celsius", lambda d: np.nanmean(lst(d, "2022-07-18")) - 273.15),
    (
        "What share of the area is hotter than 30.004 °C on 2022-07-18?",
        lambda d: 100 * np.nanmean(lst(d, "2022-07-18") > 303.154),
    ),
    (
        "percentage of the area with LST above 303.154 K on 2022-07-18",
        lambda d: 100 * np.nanmean(lst(d, "2022-07-18") > 303.154),
    ),
    (
        "mean LST where NDVI > 0.6 on 2022-07-18",
        lambda d: np.nanmean(lst(d, "2022-07-18")[ndvi(d, "2022-07-18") > 0.6]),
    ),
    (
        "What is the average surface temperature in areas with NDVI below 0.4 on 2022-07-18?",
        lambda d: np.nanmean(lst(d, "2022-07-18")[ndvi(d, "2022-07-18") < 0.4]),
    ),
    (
        "difference between the mean LST where NDVI > 0.6 and the mean LST where NDVI < 0.4 on 2022-07-18",
        lambda d: (
            np.nanmean(lst(d, "2022-07-18")[ndvi(d, "2022-07-18") > 0.6])
            - np.nanmean(lst(d, "2022-07-18")[ndvi(d, "2022-07-18") < 0.4])
        ),
    ),
    (
        "By how much was 2022-07-18 warmer than 2021-07-22?",
        lambda d: np.nanmean(lst(d, "2022-07-18")) - np.nanmean(lst(d, "2021-07-22")),
    ),
    (
        "What area in km2 has an NDWI above 0 on 2021-07-22?",
        lambda d: (
            np.nansum(ratio(bands(d, "2021-07-22")["green"], bands(d, "2021-07-22")["nir"]) > 0)
            * pixel_km2(d)
        ),
    ),
    ("mean elevation", lambda d: np.nanmean(read(d / "Demo_DEM.tif"))),
]


def pixel_km2(demo: Path) -> float:
    import rasterio

    with rasterio.open(demo / "Demo_DEM.tif") as raster:
        return abs(raster.transform.a * raster.transform.e) / 1e6


@pytest.mark.parametrize(("question", "expected"), QUESTIONS, ids=[q for q, _ in QUESTIONS])
def test_demo(ask: Ask, demo: Path, question: str, expected: Callable[[Path], float]) -> None:
    answer = answer_of(ask(question, demo))
    assert answer.value == pytest.approx(float(expected(demo)), rel=2e-3, abs=2e-3)


def test_the_size_of_a_class_that_is_found_is_that_of_this_class(ask: Ask, demo: Path) -> None:
    classes, temperature = read(demo / "Demo_land_cover.tif"), lst(demo, "2022-07-18")
    warmest = max(np.unique(classes), key=lambda number: np.nanmean(temperature[classes == number]))
    question = "Which land cover class had the highest mean LST on 2022-07-18, and how large is it in km2?"
    state = ask(question, demo)
    area = answer_of(state).parts[1]
    assert area.value == pytest.approx(np.sum(classes == warmest) * pixel_km2(demo), rel=2e-3)
    assert (state.status, area.unit) == ("answered", "km2")


def test_temperature_is_derived_where_only_brightness_temperature_is_there(ask: Ask, demo: Path) -> None:
    date = "2022-07-18"
    sources = (demo / f"Demo_{date}.tif", demo / f"Demo_BT10_{date}.tif")
    answer = answer_of(ask("What is the mean land surface temperature?", *sources))
    assert answer.value is not None
    assert answer.value > np.nanmean(read(sources[1])), "the emissivity is below 1"
    assert answer.value == pytest.approx(np.nanmean(lst(demo, date)), abs=3)


def test_brightness_temperature_alone_is_not_taken_for_surface_temperature(ask: Ask, demo: Path) -> None:
    finished = ask("What is the mean land surface temperature?", demo / "Demo_BT10_2022-07-18.tif")
    assert finished.status == "declined" and finished.answer is not None
    told = finished.answer.text
    assert (
        "LST could be computed by lst_single_channel with red reflectance (red) and near-infrared "
        "reflectance (nir); or by split_window with brightness temperature, band 32 (bt32), " in told
    )
    assert "Add such a raster on the Data page" in told


@pytest.fixture(scope="module")
def two_sensors(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with red and near infrared of a Landsat and a Sentinel-2 scene of one day."""
    import rasterio
    from rasterio.transform import from_origin

    folder = tmp_path_factory.mktemp("sensors")
    generator = np.random.default_rng(5)

    def write(name: str, reflectance: Array, scale: float, offset: float) -> None:
        profile = {"driver": "GTiff", "width": 40, "height": 40, "count": 1, "dtype": "uint16"}
        place = {"crs": "EPSG:32633", "transform": from_origin(5e5, 5e6, 30, 30)}
        with rasterio.open(folder / name, "w", **profile, **place) as raster:
            raster.write(((reflectance - offset) / scale).astype("uint16"), 1)

    red, nir = generator.uniform(0.05, 0.1, (40, 40)), generator.uniform(0.3, 0.4, (40, 40))
    for band, values in (("B4", red), ("B5", nir)):
        write(f"{LANDSAT}{band}.TIF", values, 2.75e-5, -0.2)
    for band, values in (("B04", red), ("B08", nir - 0.1)):
        write(f"T33TVM_20210701T100031_{band}_10m.tif", values, 1e-4, 0.0)
    return folder


def test_two_sensors_are_compared(ask: Ask, two_sensors: Path) -> None:
    landsat, sentinel = (
        Aggregate("mean", Variable("ndvi", sensor=name, unit="1"), "pixel")
        for name in ("Landsat 8", "Sentinel-2")
    )
    red, near = (
        read(path).astype(float) * 2.75e-5 - 0.2
        for path in (two_sensors / f"{LANDSAT}{band}.TIF" for band in ("B4", "B5"))
    )
    found = evaluate(landsat, two_sensors)
    assert found.values[0] == pytest.approx(float(np.mean(ratio(near, red))), abs=1e-6)
    apart = answer_to(Combine("difference", landsat, sentinel), two_sensors)
    other = evaluate(sentinel, two_sensors).values[0]
    assert other is not None and found.values[0] is not None
    assert apart.value == pytest.approx(found.values[0] - other, abs=1e-6)
    assert apart.value > 0.05


def test_a_sensor_that_nobody_named_is_told(ask: Ask, two_sensors: Path) -> None:
    assert "there is also Sentinel-2" in answer_of(ask("mean NDVI", two_sensors)).text


@pytest.mark.parametrize(
    "question",
    [
        "On which first date was the mean NDVI above 0.6?",
        "was 2022 hotter than 2021 in Larchford but not in Marshend?",
        "the three coldest dates and their cloud share",
        "Which are the top two regions by area, and what was their mean LST on 2021-07-22?",
        "difference of mean NDVI between cropland and forest on 2021-06-19 and on 2021-07-22",
        "correlation of NDVI and LST in Oakhollow and in Larchford on 2021-07-22",
        "Which regions have more than 30 % of the forest?",
        "median elevation, largest class and mean NDVI on 2021-07-22",
        "Which dates were cloud-free and what was their mean LST?",
        "Which dates were cloudy in Larchford but not in Marshend?",
        "What share of Larchford belongs to the hottest 10 % of the pixels on 2021-07-22?",
        "Is Willowbank greener than Larchford and Marshend on 2021-07-22?",
        "Which classes cover more than 10 % of the area above 500 m?",
        "What is the total area of the regions larger than 1000 ha?",
        "Was either July 2021 or August 2021 cloud-free?",
    ],
)
def test_what_is_not_understood_as_a_whole_is_refused(ask: Ask, demo: Path, question: str) -> None:
    assert ask(question, demo).status == "declined"


def test_dates_that_share_the_last_place_of_a_ranking_are_told(ask: Ask, demo: Path) -> None:
    answer = answer_of(ask("What are the two least cloudy dates of 2022?", demo))
    assert "have the value of the last one" in answer.text

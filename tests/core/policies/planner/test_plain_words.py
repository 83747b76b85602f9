"""Plain words of farmers, students and analysts, on small rasters with names as products have them."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path

import numpy as np
import pytest

from tests.core.policies.planner.arrays import Array, ratio, read, scene, series
from tests.core.policies.planner.conftest import Ask, answer_of
from tests.rasters import write_raster
from treeline.core.policies.planner.languages import foreign
from treeline.core.policies.planner.layers import stamp_of

SHAPE = (40, 50)


@pytest.fixture(scope="module")
def products(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Day and night temperature, thermal bands, a quality band and backscatter, a folder each."""
    root = tmp_path_factory.mktemp("products")
    random = np.random.default_rng(3)
    for name in ("heat", "thermal", "clouds", "radar", "rain"):
        (root / name).mkdir()
    for month, warmth in ((1, 270.0), (4, 285.0), (7, 300.0)):
        for half, less in (("Day", 0.0), ("Night", 12.0)):
            kelvin = warmth - less + random.normal(0, 1, SHAPE)
            day = {1: "001", 4: "091", 7: "182"}[month]
            name = f"MOD11A2.061_LST_{half}_1km_doy2019{day}_aid0001.tif"
            write_raster(root / "heat" / name, np.round(kelvin / 0.02).astype("uint16"), nodata=0)
    for band in (10, 11, 12, 13, 14):
        kelvin = 300 + band / 10 + random.normal(0, 1, SHAPE)
        write_raster(root / "thermal" / f"2020_03_24_BT_{band}.tif", kelvin.astype("float32"), pixel=90)
    quality = np.where(np.arange(50) < 10, 22280, 21824) * np.ones(SHAPE, int)
    stem = "LC08_L2SP_190028_20210817_20210826_02_T1"
    write_raster(root / "clouds" / f"{stem}_QA_PIXEL.TIF", quality.astype("uint16"), nodata=1)
    lake = np.arange(50) < 10
    for band, wet, dry in (("SR_B3", 10000, 10000), ("SR_B5", 8000, 20000), ("ST_B10", 42000, 45000)):
        numbers = np.where(lake, wet, dry) * np.ones(SHAPE, int)
        write_raster(root / "clouds" / f"{stem}_{band}.TIF", numbers.astype("uint16"), nodata=0)
    decibel = np.where(np.arange(50) < 20, -25.0, -15.0) * np.ones(SHAPE)
    name = "S1A_IW_GRDH_1SDV_20230517T165911_20230517T165936_048400_05D2A1_9A1B_VH.tif"
    write_raster(root / "radar" / name, decibel.astype("float32"))
    for month, amount in ((1, 80.0), (7, 20.0)):
        rain = np.full(SHAPE, amount, "float32")
        write_raster(root / "rain" / f"chirps-v2.0.2021.{month:02d}.tif", rain, nodata=-9999)
    return root


@pytest.mark.parametrize(
    ("question", "folder", "value"),
    [
        ("How many months of 2019 were warmer than 20 degrees by day?", "heat", 1),
        ("difference between day and night temperature on 2019-07-01", "heat", 12.0),
        ("Which share of the area has VH below -22 dB?", "radar", 40.0),
        ("How cloudy was the scene of 17 August 2021?", "clouds", 20.0),
        ("What was the coldest night of 2019?", "heat", 258.0),
        ("Which month was the driest?", "rain", 20.0),
        ("How much rain fell in 2021?", "rain", 100.0),
    ],
)
def test_numbers(ask: Ask, products: Path, question: str, folder: str, value: float) -> None:
    assert answer_of(ask(question, products / folder)).value == pytest.approx(value, abs=0.15)


@pytest.mark.parametrize("question", ["How warm was the lake?", "Mean LST of the water on 17 August 2021"])
def test_ground_with_a_usual_limit_is_where_that_holds(ask: Ask, products: Path, question: str) -> None:
    answer = answer_of(ask(question, products / "clouds"))
    assert answer.value == pytest.approx(42000 * 0.00341802 + 149, abs=1e-3)
    assert "McFeeters" in answer.text


def test_a_band_of_brightness_temperature(ask: Ask, products: Path) -> None:
    answer = answer_of(
        ask("Average brightness temperature of band 13 on 24 March 2020", products / "thermal")
    )
    assert answer.value == pytest.approx(301.3, abs=0.1) and "band 13" in answer.text


def test_three_temperatures_take_three_bands(ask: Ask, products: Path) -> None:
    text = "Mean LST by the Three-Temperature Method (TTM) from ASTER bands 10-12"
    assert 290 < (answer_of(ask(text, products / "thermal")).value or 0) < 320


@pytest.mark.parametrize(
    ("when", "first", "last"),
    [
        ("at the end of July 2017", "2017-07-21", "2017-07-31"),
        ("in early July 2017", "2017-07-01", "2017-07-10"),
        ("in the middle of July 2017", "2017-07-11", "2017-07-20"),
        ("in the second half of June 2017", "2017-06-16", "2017-06-30"),
        ("in winter 2016/17", "2016-12", "2017-02"),
        ("from the beginning of May 2017 to the end of July 2017", "2017-05", "2017-07"),
    ],
)
def test_parts_of_a_month(ask: Ask, slovenia: Path, when: str, first: str, last: str) -> None:
    kept = series(slovenia / "ndvi", "Slovenia_NDVI_", first, last)
    answer = answer_of(ask(f"How green was it {when}?", slovenia / "ndvi"))
    assert answer.value == pytest.approx(float(np.mean([np.nanmean(v) for v in kept.values()])), abs=1e-6)


def of(slovenia: Path, date: str, first: str, second: str) -> Array:
    bands = scene(slovenia / "scenes", date)
    return ratio(bands[first], bands[second])


def lost(slovenia: Path, first: str, last: str, limit: float) -> float:
    change = of(slovenia, last, "B08", "B04") - of(slovenia, first, "B08", "B04")
    return 100 * float(np.mean(change < -limit))


@pytest.mark.parametrize(
    ("question", "dates", "limit"),
    [
        ("How much of the ground lost more than 0.1 NDVI between 11 July and 9 September 2015?",
         ("2015-07-11", "2015-09-09"), 0.1),
        ("What percentage of the scene dropped by more than 0.1 in NDVI from the first to the last date?",
         ("2015-07-11", "2015-09-09"), 0.1),
        ("How much area became less green by more than 0.05 NDVI from 11 July to 30 August 2015?",
         ("2015-07-11", "2015-08-30"), 0.05),
    ],
)  # fmt: skip
def test_a_limit_on_the_change_of_each_pixel(
    ask: Ask, slovenia: Path, question: str, dates: tuple[str, str], limit: float
) -> None:
    answer = answer_of(ask(question, slovenia / "scenes"))
    assert answer.value == pytest.approx(lost(slovenia, *dates, limit), abs=0.02)
    assert f"{dates[0]} (before)" in answer.text and f"{dates[1]} (after)" in answer.text


def test_burned_ground_by_severity(ask: Ask, tmp_path: Path) -> None:
    columns = np.arange(50) * np.ones(SHAPE, int)
    for date, nir in (
        ("2022-07-12", 3000),
        ("2022-08-13", np.select([columns < 10, columns < 15], [900, 1900], 3000)),
    ):
        for band, values in (("b02", nir), ("b07", 1200)):
            raster = (values * np.ones(SHAPE)).astype("int16")
            write_raster(tmp_path / f"Rhodes_sur_refl_{band}_{date}.tif", raster, pixel=500, nodata=-28672)
    text = answer_of(ask("Give me the burned area by severity class in km2", tmp_path)).text
    assert "100 km2 (moderate-high severity" in text and "50 km2 (low severity" in text
    assert "0 km2 (high severity" in text


def test_the_ratio_of_two_bands(ask: Ask, slovenia: Path) -> None:
    bands = scene(slovenia / "scenes", "2015-08-30")
    answer = answer_of(ask("What is the ratio of NIR to red on average on 2015-08-30?", slovenia / "scenes"))
    assert answer.value == pytest.approx(bands["B08"].mean() / bands["B04"].mean(), rel=1e-4)


def test_two_percentiles_are_a_list(ask: Ask, slovenia: Path) -> None:
    text = answer_of(ask("NDVI 10th and 90th percentile on 11 July 2015", slovenia / "scenes")).text
    ndvi = of(slovenia, "2015-07-11", "B08", "B04")
    assert f"{np.percentile(ndvi, 10):.4f}" in text and f"{np.percentile(ndvi, 90):.4f}" in text


def test_two_sides_of_one_limit(ask: Ask, slovenia: Path) -> None:
    sources = (slovenia / "scenes", slovenia / "Slovenia_DEM.tif")
    question = "What is the difference in mean NDVI between land above and below 700 m on 2015-08-30?"
    high = read(slovenia / "Slovenia_DEM.tif") > 700
    ndvi = of(slovenia, "2015-08-30", "B08", "B04")
    value = answer_of(ask(question, *sources)).value
    assert value == pytest.approx(ndvi[high].mean() - ndvi[~high].mean(), abs=0.001)


def test_depends_on_asks_for_a_correlation(ask: Ask, slovenia: Path) -> None:
    answer = answer_of(ask("Does NDVI depend on NDMI on 2015-08-30?", slovenia / "scenes"))
    pair = [of(slovenia, "2015-08-30", "B08", other).ravel() for other in ("B04", "B11")]
    assert answer.value == pytest.approx(np.corrcoef(*pair)[0, 1], abs=1e-4)


@pytest.mark.parametrize(
    ("question", "words"),
    [
        ("What was the NDVI within 500 m of the river on 2015-08-30?", "within a distance"),
        ("Which scene is the brightest?", "albedo"),
        ("how many days between the first and the last image", "days between dates"),
        ("What is the NDVI at latitude 46 and longitude 14?", "coordinates I did not understand"),
        ("Is the vegetation stressed?", "say what counts"),
        ("When did the greenness first exceed 0.7?", "the first date that passes"),
        ("What was the average NDVI last summer?", "name the year"),
        (
            "What share of the area lost more than 10 % of its NDVI from 11 July to 30 August 2015?",
            "per cent",
        ),
        ("What is the NDVI of the clearest scene?", "cloud_mask"),
        ("What is the mean NDVI in the northern half of the image on 2015-08-30?", "one side of the image"),
        ("Which week of 2015 was the greenest?", "by week"),
        ("Mean NDVI in 2015, excluding July", "a period with a gap"),
        ("Compute the mean of NDVI squared", "a function of the values"),
        ("What is the average of the monthly NDVI maxima?", "an average of extremes"),
        ("mean NDVI of every second date", "every so many dates"),
        ("Did NDVI drop after the harvest in July 2015?", "two times"),
        ("In which scene is less than 20 % of the area greener than 0.5?", "the share of each date"),
        ("Urban heat island intensity", "which pixels are which"),
        ("Welcher Anteil der Fl\u00e4che hat einen NDVI \u00fcber 0,7?", "German"),
    ],
)
def test_declined_with_what_is_missing(ask: Ask, slovenia: Path, question: str, words: str) -> None:
    finished = ask(question, slovenia / "scenes")
    assert finished.status == "declined" and finished.answer is not None
    assert words in finished.answer.text


@pytest.mark.parametrize(
    ("question", "language"),
    [
        ("Wie hoch ist der mittlere NDVI am 30. August 2015?", "German"),
        ("Quelle est la moyenne du NDVI en 2017 ?", "French"),
        ("\u00bfCu\u00e1l es el NDVI medio de la zona?", "Spanish"),
        ("Kateri dan je bil NDVI najvi\u0161ji in kje?", "Slovene"),
        ("Mean NDVI 2016", ""),
        ("mean NDVI of the La Mancha polygon de la vega in 2016", ""),
        ("What is the mean NDVI in July 2017?", ""),
    ],
)
def test_language(question: str, language: str) -> None:
    assert foreign(question) == language


@pytest.mark.parametrize(
    ("stem", "date", "stamp"),
    [
        ("2020_01_01_0530_Reflectance_2", datetime(2020, 1, 1, 5, 30), "2020_01_01_0530"),
        ("Field_20210601_b4", datetime(2021, 6, 1), "20210601"),
        ("Slovenia_NDVI_2017-07-05", datetime(2017, 7, 5), "2017-07-05"),
        ("tile_20210601_b4", datetime(2019, 6, 1), ""),
        ("scene", datetime(2019, 6, 1), ""),
        ("Field_20210601", None, ""),
    ],
)
def test_products_bear_the_date_as_their_inputs_do(stem: str, date: datetime | None, stamp: str) -> None:
    assert stamp_of(stem, date) == stamp

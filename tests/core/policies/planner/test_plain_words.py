"""Plain words of farmers, students and analysts, on small rasters with names as products have them."""

from __future__ import annotations

from datetime import date, datetime
from pathlib import Path

import numpy as np
import pytest
import rasterio

from tests.core.policies.planner.arrays import Array, ratio, read, scene, series
from tests.core.policies.planner.conftest import Ask, answer_of
from tests.core.policies.planner.running import evaluate
from tests.rasters import write_raster
from treeline.core.policies.planner.layers import stamp_of
from treeline.core.query.expression import Aggregate, Combine, Compare, Number, Span, Variable, When

pytestmark = pytest.mark.sample(2)

SHAPE = (40, 50)
DATES = ("2015-07-11", "2015-07-31", "2015-08-20", "2015-08-30", "2015-09-09")


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
        ("How many months have a mean lst day above 20 \u00b0C?", "heat", 1),
        ("mean lst day on 2019-07-01 minus mean lst night on 2019-07-01", "heat", 12.0),
        ("Which share of the area has VH below -22 dB?", "radar", 40.0),
        ("cloud cover on 17 August 2021", "clouds", 20.0),
        ("On which date was the mean lst night lowest?", "heat", 258.0),
        ("Which month had the lowest mean precipitation?", "rain", 20.0),
        ("sum over the dates of mean precipitation in 2021", "rain", 100.0),
    ],
)
def test_numbers(ask: Ask, products: Path, question: str, folder: str, value: float) -> None:
    assert answer_of(ask(question, products / folder)).value == pytest.approx(value, abs=0.15)


def test_ground_by_its_limit_is_where_that_holds(ask: Ask, products: Path) -> None:
    answer = answer_of(ask("mean LST where NDWI > 0 on 2021-08-17", products / "clouds"))
    assert answer.value == pytest.approx(42000 * 0.00341802 + 149, abs=1e-3)
    assert "McFeeters" in answer.text


def test_a_band_of_brightness_temperature(products: Path) -> None:
    day = When((Span(date(2020, 3, 24), date(2020, 3, 24)),))
    found = evaluate(Aggregate("mean", Variable("tir13", day, unit="K"), "pixel"), products / "thermal")
    assert found.values == pytest.approx((301.3,), abs=0.1) and found.unit == "K"


def test_three_temperatures_take_three_bands(products: Path) -> None:
    temperature = Variable("lst", unit="K", method="ttm_lst")
    found = evaluate(Aggregate("mean", temperature, "pixel"), products / "thermal")
    assert "ttm_lst" in found.tools and 290 < (found.values[0] or 0) < 320


@pytest.mark.parametrize(
    ("when", "first", "last"),
    [
        ("from 21 July 2017 to 31 July 2017", "2017-07-21", "2017-07-31"),
        ("in early July 2017", "2017-07-01", "2017-07-10"),
        ("in the middle of July 2017", "2017-07-11", "2017-07-20"),
        ("in the second half of June 2017", "2017-06-16", "2017-06-30"),
        ("from December 2016 to February 2017", "2016-12", "2017-02"),
        ("from the beginning of May 2017 to July 2017", "2017-05", "2017-07"),
    ],
)
def test_parts_of_a_month(ask: Ask, slovenia: Path, when: str, first: str, last: str) -> None:
    kept = series(slovenia / "ndvi", "Slovenia_NDVI_", first, last)
    answer = answer_of(ask(f"How green was it {when}?", slovenia / "ndvi"))
    assert answer.value == pytest.approx(float(np.mean([np.nanmean(v) for v in kept.values()])), abs=1e-6)


def of(slovenia: Path, date: str, first: str, second: str) -> Array:
    bands = scene(slovenia / "scenes", date)
    return ratio(bands[first], bands[second])


def lost_share(slovenia: Path, first: str, last: str, limit: float) -> float:
    change = of(slovenia, last, "B08", "B04") - of(slovenia, first, "B08", "B04")
    return 100 * float(np.mean(change < -limit))


@pytest.mark.parametrize(
    ("question", "dates", "limit"),
    [
        (
            "How much of the ground lost more than 0.1 NDVI between 11 July and 9 September 2015?",
            ("2015-07-11", "2015-09-09"),
            0.1,
        ),
        (
            "share of the area where NDVI dropped by more than 0.1 between 2015-07-11 and 2015-09-09",
            ("2015-07-11", "2015-09-09"),
            0.1,
        ),
        (
            "share of the area where NDVI fell by more than 0.05 from 2015-07-11 to 2015-08-30",
            ("2015-07-11", "2015-08-30"),
            0.05,
        ),
    ],
)
def test_a_limit_on_the_change_of_each_pixel(
    ask: Ask, slovenia: Path, question: str, dates: tuple[str, str], limit: float
) -> None:
    answer = answer_of(ask(question, slovenia / "scenes"))
    assert answer.value == pytest.approx(lost_share(slovenia, *dates, limit), abs=0.02)
    assert f"difference between NDVI on {dates[1]} and NDVI on {dates[0]} below" in answer.text


@pytest.mark.parametrize(("limit", "expected"), [(0.1, 150.0), (0.27, 100.0), (0.66, 0.0)])
def test_burned_ground_by_severity(tmp_path: Path, limit: float, expected: float) -> None:
    columns = np.arange(50) * np.ones(SHAPE, int)
    for day, nir in (
        ("2022-07-12", 3000),
        ("2022-08-13", np.select([columns < 10, columns < 15], [900, 1900], 3000)),
    ):
        for band, values in (("b02", nir), ("b07", 1200)):
            raster = (values * np.ones(SHAPE)).astype("int16")
            write_raster(tmp_path / f"Rhodes_sur_refl_{band}_{day}.tif", raster, pixel=500, nodata=-28672)
    before, after = (
        Variable("nbr", When((Span(day, day),)), unit="1") for day in (date(2022, 7, 12), date(2022, 8, 13))
    )
    burned = Compare(Combine("difference", before, after), "ge", Number(limit))
    found = evaluate(Aggregate("area", burned, "pixel", unit="km2"), tmp_path)
    assert found.values == pytest.approx((expected,)) and found.unit == "km2"


def test_the_ratio_of_two_bands(ask: Ask, slovenia: Path) -> None:
    bands = scene(slovenia / "scenes", "2015-08-30")
    answer = answer_of(ask("ratio of mean NIR to mean red on 2015-08-30", slovenia / "scenes"))
    assert answer.value == pytest.approx(bands["B08"].mean() / bands["B04"].mean(), rel=1e-4)


def test_two_percentiles_are_a_list(ask: Ask, slovenia: Path) -> None:
    text = answer_of(
        ask("10th percentile and 90th percentile of NDVI on 2015-07-11", slovenia / "scenes")
    ).text
    ndvi = of(slovenia, "2015-07-11", "B08", "B04")
    assert f"{np.percentile(ndvi, 10):.4f}" in text and f"{np.percentile(ndvi, 90):.4f}" in text


def test_two_sides_of_one_limit(ask: Ask, slovenia: Path) -> None:
    sources = (slovenia / "scenes", slovenia / "Slovenia_DEM.tif")
    question = "difference between mean NDVI above 700 m and mean NDVI below 700 m on 2015-08-30"
    high = read(slovenia / "Slovenia_DEM.tif") > 700
    ndvi = of(slovenia, "2015-08-30", "B08", "B04")
    value = answer_of(ask(question, *sources)).value
    assert value == pytest.approx(ndvi[high].mean() - ndvi[~high].mean(), abs=0.001)


def test_depends_on_asks_for_a_correlation(ask: Ask, slovenia: Path) -> None:
    answer = answer_of(ask("correlation between NDVI and NDMI on 2015-08-30", slovenia / "scenes"))
    pair = [of(slovenia, "2015-08-30", "B08", other).ravel() for other in ("B04", "B11")]
    assert answer.value == pytest.approx(np.corrcoef(*pair)[0, 1], abs=1e-4)


def test_the_first_date_that_passes(ask: Ask, slovenia: Path) -> None:
    first = min(d for d in DATES if of(slovenia, d, "B08", "B04").mean() > 0.7)
    answer = answer_of(ask("When did the greenness first exceed 0.7?", slovenia / "scenes"))
    assert answer.text.startswith(first)


def test_one_side_of_the_image(ask: Ask, slovenia: Path) -> None:
    ndvi = of(slovenia, "2015-08-30", "B08", "B04")
    with rasterio.open(next((slovenia / "scenes").glob("*2015-08-30*.tif"))) as raster:
        middle = (raster.bounds.bottom + raster.bounds.top) / 2
        # The row in the very middle counts.
        rows = [raster.xy(row, 0)[1] > middle - 1e-6 for row in range(raster.height)]
    question = "What is the mean NDVI in the northern half of the image on 2015-08-30?"
    answer = answer_of(ask(question, slovenia / "scenes"))
    assert answer.value == pytest.approx(ndvi[rows].mean(), abs=1e-4)


def test_a_period_with_a_gap(ask: Ask, slovenia: Path) -> None:
    kept = [of(slovenia, d, "B08", "B04").mean() for d in DATES if "-07-" not in d]
    answer = answer_of(ask("Mean NDVI in 2015, excluding July", slovenia / "scenes"))
    assert answer.value == pytest.approx(float(np.mean(kept)), abs=1e-4)


def test_the_average_of_the_monthly_maxima(ask: Ask, slovenia: Path) -> None:
    months = sorted({d[:7] for d in DATES})
    extremes = [max(of(slovenia, d, "B08", "B04").max() for d in DATES if d[:7] == month) for month in months]
    answer = answer_of(ask("What is the average of the monthly NDVI maxima?", slovenia / "scenes"))
    assert answer.value == pytest.approx(float(np.mean(extremes)), abs=1e-4)


def test_the_dates_with_a_small_share(ask: Ask, slovenia: Path) -> None:
    question = "In which scene is less than 20 % of the area greener than 0.5?"
    text = answer_of(ask(question, slovenia / "scenes")).text
    for d in DATES:
        assert (d in text) == (100 * np.mean(of(slovenia, d, "B08", "B04") > 0.5) < 20)


@pytest.mark.parametrize(
    ("question", "words"),
    [
        ("What was the NDVI within 500 m of the river on 2015-08-30?", "\u201criver\u201d"),
        ("Which scene is the brightest?", "Reflectance is that of a band"),
        ("Is the vegetation stressed?", "\u201cstressed\u201d"),
        ("What was the average NDVI last summer?", "\u201clast\u201d"),
        ("What is the NDVI of the clearest scene?", "cloud mask"),
        ("Which week of 2015 was the greenest?", "\u201cweek\u201d"),
        ("Compute the mean of NDVI squared", "\u201csquared\u201d"),
        ("mean NDVI of every second date", "every\u201d"),
        ("Did NDVI drop after the harvest in July 2015?", "\u201charvest\u201d"),
        ("Urban heat island intensity", "island"),
        ("Welcher Anteil der Fl\u00e4che hat einen NDVI \u00fcber 0,7?", "\u201cwelcher"),
    ],
)
def test_declined_with_what_is_missing(ask: Ask, slovenia: Path, question: str, words: str) -> None:
    finished = ask(question, slovenia / "scenes")
    assert finished.status == "declined" and finished.answer is not None and finished.answer.value is None
    assert words in finished.answer.text


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

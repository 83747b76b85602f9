"""Plain words of farmers, students and analysts, on small rasters with names as products have them."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path

import numpy as np
import pytest

from tests.core.policies.planner.arrays import Array, ratio, scene
from tests.core.policies.planner.conftest import Ask
from tests.rasters import write_raster
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


def of(slovenia: Path, date: str, first: str, second: str) -> Array:
    bands = scene(slovenia / "scenes", date)
    return ratio(bands[first], bands[second])


def lost(slovenia: Path, first: str, last: str, limit: float) -> float:
    change = of(slovenia, last, "B08", "B04") - of(slovenia, first, "B08", "B04")
    return 100 * float(np.mean(change < -limit))


@pytest.mark.parametrize(
    ("question", "words"),
    [
        (
            "What share of the area lost more than 10 % of its NDVI from 11 July to 30 August 2015?",
            "per cent",
        ),
    ],
)
def test_declined_with_what_is_missing(ask: Ask, slovenia: Path, question: str, words: str) -> None:
    finished = ask(question, slovenia / "scenes")
    assert finished.status == "declined" and finished.answer is not None
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

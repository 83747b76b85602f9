"""Clouds by the quality bands of real products, where the workspace has no cloud mask."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from tests.core.policies.planner.conftest import Ask, answer_of
from tests.rasters import write_raster

SIZE = 40
LANDSAT = "LC08_L2SP_190028_20200715_20200913_02_T1_"
SENTINEL = "T33TVK_20200712T100031_"
MODIS = "MOD09A1.A2020193.h18v04.061.sur_refl_"
# Per product: names of red, near infrared and quality band, clear, cloudy and missing quality.
PRODUCTS = {
    "landsat": (f"{LANDSAT}SR_B4.TIF", f"{LANDSAT}SR_B5.TIF", f"{LANDSAT}QA_PIXEL.TIF", 21824, 22280, 1),
    "sentinel-2": (f"{SENTINEL}B04_10m.tif", f"{SENTINEL}B08_10m.tif", f"{SENTINEL}SCL_20m.tif", 4, 9, 0),
    "modis": (f"{MODIS}b01.tif", f"{MODIS}b02.tif", f"{MODIS}state_500m.tif", 0, 1, 65535),
}


@pytest.fixture(params=PRODUCTS)
def scene(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    """A scene of a product: rows 0-9 are clouds, 10-13 are missing in the quality band."""
    red, nir, quality, clear, cloud, missing = PRODUCTS[request.param]
    values = np.random.default_rng(4).integers(8000, 9000, (2, SIZE, SIZE)).astype("uint16")
    flags = np.full((SIZE, SIZE), clear, "uint8" if request.param == "sentinel-2" else "uint16")
    flags[:10], flags[10:14] = cloud, missing
    for name, data in zip((red, nir, quality), (*values, flags), strict=True):
        write_raster(tmp_path / name, data)
    return tmp_path


QUESTIONS = [
    ("What is the cloud cover?", 100 * 10 / 36, "%"),
    ("What share of the scene is cloudy?", 100 * 10 / 36, "%"),
    ("What percentage of the pixels is cloud-free?", 100 * 26 / 36, "%"),
    ("How many cloud-free dates are there?", 0, "dates"),
]


@pytest.mark.parametrize(("question", "expected", "unit"), QUESTIONS, ids=[q[0] for q in QUESTIONS])
def test_clouds_are_counted_by_the_quality_band(
    ask: Ask, scene: Path, question: str, expected: float, unit: str
) -> None:
    answer = answer_of(ask(question, scene))
    assert answer.value == pytest.approx(expected) and answer.unit == unit


def test_the_area_under_clouds_is_that_of_the_mask(ask: Ask, scene: Path) -> None:
    answer = answer_of(ask("How many hectares are covered by clouds?", scene))
    assert answer.value == pytest.approx(10 * SIZE * 100 / 1e4) and answer.unit == "ha"

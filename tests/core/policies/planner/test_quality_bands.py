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


@pytest.mark.parametrize(
    ("question", "expected"),
    [("What is the cloud cover?", 25.0), ("What is the mean NDVI of the clear pixels?", None)],
)
def test_clouds_of_an_image_without_a_date_are_those_beside_it(
    ask: Ask, tmp_path: Path, question: str, expected: float | None
) -> None:
    red, nir = np.random.default_rng(4).integers([[[300]], [[3000]]], [[[600]], [[3400]]], (2, SIZE, SIZE))
    red[:10], flags = nir[:10], np.zeros((SIZE, SIZE))
    flags[:10] = 1024
    for name, data in (("B4", red), ("B8", nir), ("QA60", flags)):
        write_raster(tmp_path / f"{name}.tif", data.astype("uint16"))
    clear = ((nir - red) / (nir + red))[10:].mean()
    assert answer_of(ask(question, tmp_path)).value == pytest.approx(expected or clear)


def test_a_mask_without_a_date_is_of_no_one_of_several_dates(ask: Ask, tmp_path: Path) -> None:
    values = np.random.default_rng(4).integers(300, 4000, (4, 20, 20)).astype("uint16")
    for name, data in zip(("B4_20200712", "B8_20200712", "B4_20200722", "B8_20200722"), values, strict=True):
        write_raster(tmp_path / f"{name}.tif", data)
    write_raster(tmp_path / "QA60.tif", np.full((20, 20), 1024, "uint16"))
    finished = ask("What is the mean NDVI without clouds?", tmp_path)
    assert finished.status == "declined" and finished.answer and "no cloud mask" in finished.answer.text

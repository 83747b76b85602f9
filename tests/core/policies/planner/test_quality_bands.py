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


@pytest.mark.parametrize("time", ["", " on 2020-07-12"])
def test_a_mask_without_a_date_is_of_no_one_of_several_dates(ask: Ask, tmp_path: Path, time: str) -> None:
    values = np.random.default_rng(4).integers(300, 4000, (4, 20, 20)).astype("uint16")
    for name, data in zip(("B4_20200712", "B8_20200712", "B4_20200722", "B8_20200722"), values, strict=True):
        write_raster(tmp_path / f"{name}.tif", data)
    write_raster(tmp_path / "QA60.tif", np.full((20, 20), 1024, "uint16"))
    finished = ask(f"What is the mean NDVI without clouds{time}?", tmp_path)
    assert finished.status == "declined" and finished.answer and "no cloud mask" in finished.answer.text
    assert "QA60.tif has no date, so nothing tells which of 2 dates" in finished.answer.text
    left_in = answer_of(ask(f"What is the mean NDVI{time}?", tmp_path))
    assert "Clouds are left in. QA60.tif has no date" in left_in.text


def test_a_mask_without_a_date_is_that_of_the_one_date(ask: Ask, tmp_path: Path) -> None:
    values = np.random.default_rng(4).uniform(0.2, 0.8, (20, 20)).astype("float32")
    write_raster(tmp_path / "NDVI_2020-07-12.tif", values)
    mask = np.zeros((20, 20), "uint8")
    mask[:5] = 1
    write_raster(tmp_path / "cloud_mask.tif", mask)
    assert "clouds left in" in answer_of(ask("What is the mean NDVI?", tmp_path)).read_as
    clear = answer_of(ask("What is the mean NDVI on 2020-07-12 excluding clouds?", tmp_path))
    assert clear.value == pytest.approx(values[5:].mean())


def test_clouds_of_an_index_without_a_date_are_those_of_the_mask_beside_it(ask: Ask, tmp_path: Path) -> None:
    values = np.random.default_rng(4).uniform(0.2, 0.8, (20, 20)).astype("float32")
    write_raster(tmp_path / "NDVI.tif", values)
    mask = np.zeros((20, 20), "uint8")
    mask[:5] = 1
    write_raster(tmp_path / "cloud_mask.tif", mask)
    clear = answer_of(ask("What is the mean NDVI excluding clouds?", tmp_path))
    assert clear.value == pytest.approx(values[5:].mean())
    assert "clouds left in" in answer_of(ask("What is the mean NDVI?", tmp_path)).read_as


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("mean soil moisture", 0.15),
        ("mean root-zone soil moisture", 0.35),
        ("mean moisture of the root zone", 0.35),
    ],
)
def test_soil_moisture_of_the_surface_and_of_the_root_zone_are_two(
    ask: Ask, tmp_path: Path, question: str, expected: float
) -> None:
    for name, value in (("sm_surface", 0.15), ("sm_rootzone", 0.35)):
        write_raster(tmp_path / f"{name}_2020-07-15.tif", np.full((20, 20), value, "float32"))
    answer = answer_of(ask(question, tmp_path))
    assert answer.value == pytest.approx(expected)
    assert ("there is also root-zone soil moisture" in answer.text) == (expected == 0.15)

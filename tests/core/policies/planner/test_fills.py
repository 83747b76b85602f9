"""Questions about rasters with undeclared fills, asked as people ask them: no wrong number is answered."""

from __future__ import annotations

import threading
from pathlib import Path

import numpy as np
import pytest

from tests.core.policies.planner.running import data_of
from tests.fill_rasters import KINDS, LOWEST, SHARES, fits, write_filled
from tests.rasters import write_raster
from treeline.core.disclosure.progressive import Progressive
from treeline.core.engine.budget import Budget
from treeline.core.engine.environment import Environment
from treeline.core.engine.events import RunFinished
from treeline.core.engine.loop import drive
from treeline.core.engine.state import State
from treeline.core.policies.planner.policy import Planner
from treeline.toolkit import SkillTree, registry
from treeline.toolkit.recognition.describe import describe

pytestmark = pytest.mark.sample(2)

FILLS = (-9999, -32768, LOWEST, 65535)


def ask_folder(question: str, folder: Path, home: Path) -> RunFinished:
    data, disclosure = data_of(folder, home), Progressive(SkillTree.of(registry()))
    environment = Environment(data, disclosure, registry())
    return drive(
        State(question),
        Planner(data, disclosure),
        environment,
        Budget(),
        lambda event: None,
        threading.Event(),
    )


@pytest.fixture
def place(tmp_path: Path) -> tuple[Path, Path]:
    """The folder of the rasters, and that of the run."""
    rasters, home = tmp_path / "rasters", tmp_path / "home"
    rasters.mkdir()
    return rasters, home


@pytest.mark.parametrize("share", SHARES)
@pytest.mark.parametrize(
    ("name", "fill"), [(name, fill) for name, kind in KINDS.items() for fill in FILLS if fits(kind, fill)]
)
def test_a_fill_is_left_out_of_an_answer_and_said(place, name: str, fill: float, share: float) -> None:
    folder, home = place
    made = write_filled(folder, KINDS[name], fill, share)
    finished = ask_folder(KINDS[name].question, folder, home)
    assert finished.answer is not None and finished.status == "answered"
    np.testing.assert_allclose(finished.answer.value, made.mean, rtol=1e-6, atol=1e-6)
    assert f"{fill:g}" in finished.answer.text


@pytest.mark.parametrize("name", ["dem", "ndvi", "celsius", "reflectance", "radar"])
def test_a_value_that_may_be_a_fill_makes_an_answer_unverified(place, name: str) -> None:
    folder, home = place
    write_filled(folder, KINDS[name], 0, 0.05)
    finished = ask_folder(KINDS[name].question, folder, home)
    assert finished.status == "unverified"
    assert "may be no data" in finished.reason and "Data page" in finished.reason


def test_an_empty_map_is_declined_with_where_its_pixels_went(place) -> None:
    folder, home = place
    write_raster(folder / "area_DEM.tif", np.full((30, 30), -9999, "int16"))
    finished = ask_folder("Map the slope.", folder, home)
    assert finished.status == "declined"
    assert "area_DEM.tif has nothing but fill (-9999)" in finished.answer.text
    number = ask_folder("What is the mean elevation?", folder, home / "second")
    assert number.status == "declined" and "fill -9999" in number.answer.text


def test_clouds_are_named_where_they_take_every_pixel(place) -> None:
    folder, home = place
    bands = np.random.default_rng(2).integers(500, 4000, (2, 40, 40)).astype("uint16")
    write_raster(folder / "L_2021-05-01.tif", bands, descriptions=("red", "nir"), scale=0.0001, offset=0.0)
    write_raster(folder / "L_2021-05-01_cloud_mask.tif", np.ones((40, 40), "uint8"))
    finished = ask_folder("Map the NDVI on 2021-05-01 without clouds.", folder, home)
    assert finished.status == "declined"
    assert "L_2021-05-01_cloud_mask.tif marks, such as clouds" in finished.answer.text


def test_a_map_that_its_variable_cannot_have_is_unverified(place) -> None:
    folder, home = place
    write_raster(
        folder / "A_NDVI_2021-06-01.tif", np.random.default_rng(2).uniform(3, 7, (40, 40)).astype("float32")
    )
    assert ask_folder("Map the NDVI.", folder, home).status in ("unverified", "declined")


L1 = "LC08_L1TP_047027_20201204_20210313_02_T1_{}.TIF"
# Bands whose offset nobody states: Sentinel-2 since 2022 without a baseline, Landsat Level 1 without MTL.
WITHOUT_OFFSET = {
    "sentinel2": ("A_2023-05-01_B04.tif", "A_2023-05-01_B08.tif"),
    "landsat": (L1.format("B4"), L1.format("B5")),
}


# Landsat surface reflectance as its stored numbers, whose names and tags say nothing: NDVI 0.32 for 0.74.
NUMBERS = {"one file": ("scene.tif",), "a file each": ("red.tif", "nir.tif")}


@pytest.mark.parametrize("names", list(NUMBERS.values()), ids=list(NUMBERS))
def test_a_ratio_of_numbers_that_nothing_explains_is_not_answered(place, names: tuple[str, ...]) -> None:
    folder, home = place
    rng = np.random.default_rng(2)
    bands = np.stack([rng.integers(low, low + 500, (40, 40)) for low in (8500, 16500)]).astype("uint16")
    if len(names) == 1:
        write_raster(folder / names[0], bands, descriptions=("red", "nir"))
    else:
        for name, band in zip(names, bands, strict=True):
            write_raster(folder / name, band)
    finished = ask_folder("What is the mean NDVI?", folder, home)
    assert finished.status == "declined" and finished.answer.value is None
    assert "ratios" in finished.answer.text and "Data page" in finished.answer.text


MTL = """GROUP = LANDSAT_METADATA_FILE
  GROUP = IMAGE_ATTRIBUTES
    SPACECRAFT_ID = "LANDSAT_8"
    DATE_ACQUIRED = 2020-12-04
    SUN_ELEVATION = 30.0
  END_GROUP = IMAGE_ATTRIBUTES
  GROUP = LEVEL1_RADIOMETRIC_RESCALING
    RADIANCE_MULT_BAND_10 = 3.3420E-04
    RADIANCE_ADD_BAND_10 = 0.10000
    REFLECTANCE_MULT_BAND_4 = 2.0000E-05
    REFLECTANCE_ADD_BAND_4 = -0.100000
    REFLECTANCE_MULT_BAND_5 = 2.0000E-05
    REFLECTANCE_ADD_BAND_5 = -0.100000
  END_GROUP = LEVEL1_RADIOMETRIC_RESCALING
  GROUP = LEVEL1_THERMAL_CONSTANTS
    K1_CONSTANT_BAND_10 = 774.8853
    K2_CONSTANT_BAND_10 = 1321.0789
  END_GROUP = LEVEL1_THERMAL_CONSTANTS
END_GROUP = LANDSAT_METADATA_FILE
"""


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("What is the mean NDVI?", (0.16 - 0.06) / (0.16 + 0.06)),
        ("What is the mean red reflectance?", 0.06 / 0.5),  # of a sun 30 degrees high
        (
            "What is the mean brightness temperature?",
            1321.0789 / np.log(774.8853 / (3.342e-4 * 26000 + 0.1) + 1),
        ),
    ],
)
def test_level_1_is_calibrated_by_the_mtl_beside_it(place, question: str, expected: float) -> None:
    folder, home = place
    for band, number in (("B4", 8000), ("B5", 13000), ("B10", 26000)):
        write_raster(folder / L1.format(band), np.full((40, 40), number, "uint16"))
    (folder / L1.format("MTL").replace(".TIF", ".txt")).write_text(MTL)
    finished = ask_folder(question, folder, home)
    assert finished.status == "answered"
    np.testing.assert_allclose(finished.answer.value, expected, rtol=1e-4)


def test_sentinel_2_before_the_offset_keeps_answering_and_says_why(place) -> None:
    folder, home = place
    for band, number in (("B04", 1500), ("B08", 4500)):
        write_raster(folder / f"A_2017-05-01_{band}.tif", np.full((40, 40), number, "uint16"))
    finished = ask_folder("What is the mean NDVI?", folder, home)
    assert finished.status == "answered"
    np.testing.assert_allclose(finished.answer.value, 0.5, rtol=1e-6)
    evidence = describe(folder / "A_2017-05-01_B08.tif").bands[0].evidence
    assert any("before baseline 04.00" in each.because for each in evidence)


@pytest.mark.parametrize("names", list(WITHOUT_OFFSET.values()), ids=list(WITHOUT_OFFSET))
def test_a_ratio_of_bands_without_a_known_offset_is_not_answered(place, names: tuple[str, str]) -> None:
    folder, home = place
    rng = np.random.default_rng(2)
    for name, low in zip(names, (7000, 12000), strict=True):
        write_raster(folder / name, rng.integers(low, low + 2000, (40, 40)).astype("uint16"))
    finished = ask_folder("What is the mean NDVI?", folder, home)
    assert finished.status != "answered"
    said = f"{finished.reason} {finished.answer.text}"
    assert "scale" in said and "Data page" in said


def test_radar_amplitudes_are_no_backscatter(place) -> None:
    folder, home = place
    amplitude = np.random.default_rng(2).integers(40, 400, (64, 64)).astype("uint16")
    moment = "20200701t050000"
    write_raster(folder / f"s1a-iw-grd-vv-{moment}-{moment}-033000-03d000-001.tif", amplitude)
    finished = ask_folder("What is the mean VV backscatter?", folder, home)
    assert finished.status != "answered"
    assert "scale" in f"{finished.reason} {finished.answer.text}"

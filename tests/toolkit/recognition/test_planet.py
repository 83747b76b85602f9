"""Images of PlanetScope with the XML of Planet's specification beside them; not real products."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from tests.rasters import write_raster
from treeline.toolkit.recognition import describe_name
from treeline.toolkit.recognition.describe import describe
from treeline.toolkit.recognition.model import RasterDescription

SCENE = "20210601_093012_1003_3B_"
COEFFICIENTS = ("2.1e-5", "2.2e-5", "2.4e-5", "3.6e-5")
SPACE = "http://schemas.planet.com/ps/v1/planet_product_metadata_geocorrected_level"


def image(folder: Path, asset: str, metadata: str, coefficients: tuple[str, ...]) -> RasterDescription:
    bands = "".join(
        f"<ps:bandSpecificMetadata><ps:bandNumber>{number}</ps:bandNumber><ps:reflectanceCoefficient>"
        f"{each}</ps:reflectanceCoefficient></ps:bandSpecificMetadata>"
        for number, each in enumerate(coefficients, start=1)
    )
    text = f'<?xml version="1.0"?><ps:EarthObservation xmlns:ps="{SPACE}">{bands}</ps:EarthObservation>'
    (folder / f"{SCENE}{metadata}.xml").write_text(text)
    numbers = np.random.default_rng(3).integers(3000, 9000, (4, 8, 8)).astype("uint16")
    return describe(write_raster(folder / f"{SCENE}{asset}.tif", numbers))


@pytest.mark.parametrize("end", ["", "_clip"])
def test_coefficients_make_reflectance(tmp_path: Path, end: str) -> None:
    found = image(tmp_path, f"AnalyticMS{end}", f"AnalyticMS_metadata{end}", COEFFICIENTS)
    assert [band.role for band in found.bands] == ["blue", "green", "red", "nir"]
    assert [band.scale for band in found.bands] == [float(each) for each in COEFFICIENTS]
    assert all(band.scale_known for band in found.bands)


def test_coefficients_are_none_of_surface_reflectance(tmp_path: Path) -> None:
    found = image(tmp_path, "AnalyticMS_SR", "AnalyticMS_metadata", COEFFICIENTS)
    assert {band.scale for band in found.bands} == {0.0001}


@pytest.mark.parametrize("broken", [COEFFICIENTS[:3], (*COEFFICIENTS[:3], "nan"), (*COEFFICIENTS[:3], "0")])
def test_radiance_without_all_coefficients_stays_open(tmp_path: Path, broken: tuple[str, ...]) -> None:
    found = image(tmp_path, "AnalyticMS", "AnalyticMS_metadata", broken)
    assert not any(band.scale_known for band in found.bands)


def test_the_satellite_is_no_place() -> None:
    assert describe_name(f"{SCENE}AnalyticMS_SR.tif").place == ""


def test_coefficients_are_none_of_surface_reflectance_by_its_own_name_either(tmp_path: Path) -> None:
    found = image(tmp_path, "AnalyticMS_SR", "AnalyticMS_SR_metadata", COEFFICIENTS)
    assert {band.scale for band in found.bands} == {0.0001}


@pytest.mark.parametrize(("asset", "scale"), [("Analytic", None), ("Analytic_SR", 0.0001)])
def test_rapideye_is_radiance_unless_it_is_surface_reflectance(
    tmp_path: Path, asset: str, scale: float | None
) -> None:
    """Not a real product. Radiance of bands whose sunlight differs makes no ratio."""
    numbers = np.random.default_rng(3).integers(300, 4000, (5, 8, 8)).astype("uint16")
    found = describe(write_raster(tmp_path / f"3363707_2015-07-15_RE4_3A_{asset}.tif", numbers))
    assert [band.role for band in found.bands] == ["blue", "green", "red", "rededge1", "nir"]
    assert [band.scale_known for band in found.bands] == [scale is not None] * 5
    assert scale is None or {band.scale for band in found.bands} == {scale}
    assert scale is not None or not any(band.proportional for band in found.bands)

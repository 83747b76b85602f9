"""Sentinel-1 GRD calibrated by annotations in the form of the Product Specification; not a real product."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from tests.rasters import write_raster
from tests.workplace import Workplace
from treeline.toolkit.errors import InputError
from treeline.toolkit.recognition import FileResolver

STEM = "s1a-iw-grd-vv-20210712t052510-20210712t052535-038742-04924e-001"
HEIGHT, WIDTH = 60, 80
LINES, PIXELS = (-10, 40, 90), (0, 40, 79)
DN = np.random.default_rng(3).integers(20, 400, (HEIGHT, WIDTH)).astype("uint16")


def gain(name: str) -> np.ndarray:
    """A table that is linear between its nodes, so that every pixel's value is known."""
    start = {"sigmaNought": 300.0, "gamma": 250.0, "betaNought": 200.0}[name]
    return start + 0.5 * np.arange(HEIGHT)[:, None] + 0.25 * np.arange(WIDTH)[None]


def vector(tag: str, line: int, tables: dict[str, list[float]]) -> str:
    values = "".join(f"<{n} count='3'>{' '.join(map(repr, v))}</{n}>" for n, v in tables.items())
    pixels = " ".join(map(str, PIXELS))
    return f"<{tag}><line>{line}</line><pixel count='3'>{pixels}</pixel>{values}</{tag}>"


def write_product(folder: Path, *, noise: bool = True, beside: bool = False) -> Path:
    product = folder / "S1A_IW_GRDH_1SDV_20210712T052510_20210712T052535_038742_04924E_1F2C.SAFE"
    measurement = product / "measurement"
    annotation = measurement if beside else product / "annotation" / "calibration"
    measurement.mkdir(parents=True)
    annotation.mkdir(parents=True, exist_ok=True)
    stored = DN.copy()
    stored[0, :5] = 0
    write_raster(measurement / f"{STEM}.tiff", stored, crs=None)
    starts = {"sigmaNought": 300.0, "gamma": 250.0, "betaNought": 200.0}
    vectors = "".join(
        vector(
            "calibrationVector",
            line,
            {name: [start + 0.5 * line + 0.25 * pixel for pixel in PIXELS] for name, start in starts.items()},
        )
        for line in LINES
    )
    (annotation / f"calibration-{STEM}.xml").write_text(
        f"<calibration><calibrationVectorList>{vectors}</calibrationVectorList></calibration>"
    )
    ranges = "".join(vector("noiseRangeVector", line, {"noiseRangeLut": [100.0] * 3}) for line in LINES)
    azimuth = (
        "<noiseAzimuthVector><swath>IW1</swath><firstAzimuthLine>0</firstAzimuthLine>"
        "<firstRangeSample>0</firstRangeSample><lastAzimuthLine>59</lastAzimuthLine>"
        "<lastRangeSample>39</lastRangeSample><line count='2'>0 59</line>"
        "<noiseAzimuthLut count='2'>1.0 2.0</noiseAzimuthLut></noiseAzimuthVector>"
    )
    if noise:
        (annotation / f"noise-{STEM}.xml").write_text(f"<noise><l>{ranges}</l><l>{azimuth}</l></noise>")
    return product


def noise_there() -> np.ndarray:
    factor = np.ones((HEIGHT, WIDTH))
    factor[:, :40] = np.linspace(1, 2, HEIGHT)[:, None]
    return 100.0 * factor


def place_of(folder: Path) -> Workplace:
    return Workplace(folder, FileResolver(folder))


@pytest.mark.parametrize(
    ("quantity", "table"), [("sigma0", "sigmaNought"), ("gamma0", "gamma"), ("beta0", "betaNought")]
)
@pytest.mark.parametrize("noise", [True, False])
@pytest.mark.parametrize("scale", ["linear", "dB"])
def test_against_the_formula(tmp_path: Path, quantity: str, table: str, noise: bool, scale: str) -> None:
    write_product(tmp_path)
    place = place_of(tmp_path)
    place.run(
        "calibrate_sentinel1",
        input_path=f"{STEM}.tiff",
        output_path="vv.tif",
        quantity=quantity,
        remove_noise=noise,
        scale=scale,
    )
    power = DN.astype("float64") ** 2 - (noise_there() if noise else 0)
    expected = np.where(power > 0, power, np.nan) / gain(table) ** 2
    expected[0, :5] = np.nan
    expected = 10 * np.log10(expected) if scale == "dB" else expected
    np.testing.assert_allclose(place.read("vv.tif"), expected, rtol=2e-6)
    assert not place.context.doubts


def test_what_is_calibrated_is_backscatter(tmp_path: Path) -> None:
    write_product(tmp_path, beside=True)
    place = place_of(tmp_path)
    place.run("calibrate_sentinel1", input_path=f"{STEM}.tiff", output_path="vv.tif")
    place.run("decibel_to_linear", input_path="vv.tif", output_path="linear.tif")
    with pytest.raises(InputError, match="no digital numbers any more"):
        place.run("calibrate_sentinel1", input_path="vv.tif", output_path="again.tif")


def test_without_its_annotation_it_is_refused(tmp_path: Path) -> None:
    product = write_product(tmp_path, noise=False)
    place = place_of(tmp_path)
    with pytest.raises(InputError, match=f"noise-{STEM}.xml is not there"):
        place.run("calibrate_sentinel1", input_path=f"{STEM}.tiff", output_path="vv.tif")
    place.run("calibrate_sentinel1", input_path=f"{STEM}.tiff", output_path="vv.tif", remove_noise=False)
    annotation = product / "annotation" / "calibration" / f"calibration-{STEM}.xml"
    for text in ("<calibration/>", "<!DOCTYPE a [<!ENTITY b 'c'>]><a/>", "no xml"):
        annotation.write_text(text)
        with pytest.raises(InputError, match="calibration"):
            place_of(tmp_path).run(
                "calibrate_sentinel1", input_path=f"{STEM}.tiff", output_path="x.tif", remove_noise=False
            )

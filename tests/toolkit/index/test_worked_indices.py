"""Worked numbers of the indices and their classes, reached through the tools."""

from __future__ import annotations

import math

import numpy as np
import pytest

from tests.toolkit.pixels import Pixel, run_pixels
from tests.workplace import Workplace

VEGETATION = {"B": 0.05, "G": 0.08, "R": 0.06, "N": 0.40, "S1": 0.20, "S2": 0.10}
WATER = {"B": 0.06, "G": 0.07, "R": 0.05, "N": 0.02, "S1": 0.01, "S2": 0.005}
ROLES = {"B": "blue", "G": "green", "R": "red", "N": "nir", "S1": "swir1", "S2": "swir2", "S12": "swir12"}


@pytest.mark.parametrize(
    ("name", "bands", "expected"),
    [
        ("NDVI", VEGETATION, 0.739130),
        ("EVI", VEGETATION, 0.613718),
        ("EVI2", VEGETATION, 0.550518),
        ("SAVI", VEGETATION, 0.531250),
        ("MSAVI", VEGETATION, 0.539445),
        ("NDTI_turbidity", VEGETATION, -0.142857),
        ("NDTI_tillage", VEGETATION, 0.333333),
        ("NDSI_snow", VEGETATION, -0.428571),
        ("NBR", VEGETATION, 0.6),
        ("NDWI_McFeeters", VEGETATION, -0.666667),
        ("NDMI", VEGETATION, 0.333333),
        ("WRI", VEGETATION, 0.233333),
        ("AWEInsh", VEGETATION, -0.855),
        ("AWEIsh", VEGETATION, -0.675),
        ("NDWI_McFeeters", WATER, 0.555556),
        ("MNDWI", WATER, 0.75),
        ("WRI", WATER, 4),
        ("AWEInsh", WATER, 0.22125),
        ("AWEIsh", WATER, 0.18875),
        ("NDWI_Gao", {"N": 0.4, "S12": 0.3}, 1 / 7),
    ],
)
def test_indices_by_name(place: Workplace, name: str, bands: dict[str, float], expected: float) -> None:
    rasters = [Pixel(value, ROLES[symbol]) for symbol, value in bands.items()]
    found = run_pixels(place, "spectral_index", name=name, raster_paths=rasters)
    assert found == pytest.approx([expected], abs=2e-6)


ARGUMENTS = {"G": "green", "R": "red", "B": "blue", "N": "nir", "S1": "swir", "S2": "swir"}


@pytest.mark.parametrize(
    ("tool", "symbols", "expected"),
    [
        ("ndvi", "N R", 0.739130),
        ("evi", "N R B", 0.613718),
        ("evi2", "N R", 0.550518),
        ("savi", "N R", 0.531250),
        ("msavi", "N R", 0.539445),
        ("ndti", "R G", -0.142857),
        ("nbr", "N S2", 0.6),
        ("ndwi", "N S1", 0.333333),
        ("ndwi", "N G", -0.666667),
        ("ndmi", "N S1", 0.333333),
        ("wri", "G R N S1", 0.233333),
        ("ndbi", "S1 N", -0.333333),
        ("mndwi", "G S1", -0.428571),
    ],
)
def test_indices_of_a_series(place: Workplace, tool: str, symbols: str, expected: float) -> None:
    bands = {}
    for symbol in symbols.split():
        key = "swir" if (tool, symbol) == ("ndwi", "G") else ARGUMENTS[symbol]
        bands[f"input_{key}_paths"] = [Pixel(VEGETATION[symbol], ROLES[symbol])]
    assert run_pixels(place, f"calculate_batch_{tool}", **bands) == pytest.approx([expected], abs=2e-6)


def test_awei_and_snow_index_of_a_series(place: Workplace) -> None:
    pixels = {symbol: [Pixel(value, ROLES[symbol])] for symbol, value in VEGETATION.items()}
    found = run_pixels(
        place,
        "calculate_batch_awei",
        input_green_paths=pixels["G"],
        input_nir_paths=pixels["N"],
        input_swir1_paths=pixels["S1"],
        input_swir2_paths=pixels["S2"],
    )
    assert found == pytest.approx([-0.855], abs=1e-6)
    found = run_pixels(
        place, "calculate_batch_ndsi", green_file_list=pixels["G"], swir_file_list=pixels["S1"]
    )
    assert found == pytest.approx([-0.428571], abs=1e-6)


@pytest.mark.parametrize(
    ("low", "high", "exponent", "expected"), [(0.05, 0.86, 1.0, 0.493827), (0.2, 0.86, 2.0, 0.143480)]
)
def test_vegetation_cover(
    place: Workplace, low: float, high: float, exponent: float, expected: float
) -> None:
    bands = {"input_nir_paths": [Pixel(0.29, "nir")], "input_red_paths": [Pixel(0.11, "red")]}
    found = run_pixels(place, "calculate_batch_fvc", **bands, ndvi_min=low, ndvi_max=high, exponent=exponent)
    assert found == pytest.approx([expected], abs=2e-6)


@pytest.mark.parametrize(("form", "expected"), [("dNBR", 0.5), ("RdNBR", 0.645497), ("RBR", 0.312305)])
def test_burn_severity(place: Workplace, form: str, expected: float) -> None:
    found = run_pixels(
        place, "burn_severity", nbr_before_path=Pixel(0.6, "nbr"), nbr_after_path=Pixel(0.1, "nbr"), form=form
    )
    assert found == pytest.approx([expected], abs=1e-6)


@pytest.mark.parametrize(
    ("limit", "above"), zip((-0.25, -0.10, 0.10, 0.27, 0.44, 0.66), range(1, 7), strict=True)
)
def test_burn_classes_are_half_open(place: Workplace, limit: float, above: int) -> None:
    below = float(np.nextafter(np.float32(limit), np.float32(-9)))
    for value, expected in ((limit, above), (below, above - 1)):
        assert run_pixels(place, "classify_burn_severity", dnbr_path=Pixel(value, "dnbr")) == [expected]


def test_dryness(place: Workplace) -> None:
    """Dry edge 330 - 30 NDVI, wet edge 285: TVDI of 305 K at NDVI 0.5 is 0.666667."""
    ndvi, share = np.meshgrid(np.arange(0.105, 0.9, 0.01), np.linspace(0, 1, 400))
    lst = 285 + share * (45 - 30 * ndvi)
    ndvi[0, 0], lst[0, 0] = 0.5, 305
    place.raster("ndvi.tif", ndvi.astype("float32"), descriptions=["ndvi"])
    place.raster("lst.tif", lst.astype("float32"), descriptions=["lst"])
    place.run("compute_tvdi", ndvi_path="ndvi.tif", lst_path="lst.tif", output_path="out.tif")
    # The percentiles 2 and 98 lie 2 % within the triangle.
    assert place.read("out.tif")[0, 0] == pytest.approx((20 - 0.02 * 30) / (0.96 * 30), abs=0.005)


@pytest.mark.parametrize(
    ("form", "before", "after"), [("RdNBR", 0.0005, -0.3), ("RdNBR", 0.0, -0.3), ("RBR", -0.9995, 0.9)]
)
def test_relative_burn_severity_near_no_vegetation_is_left_out(
    place: Workplace, form: str, before: float, after: float
) -> None:
    found = run_pixels(
        place,
        "burn_severity",
        nbr_before_path=Pixel(before, "nbr"),
        nbr_after_path=Pixel(after, "nbr"),
        form=form,
    )
    assert math.isnan(found[0])


def test_severity_multiplied_by_1000_is_no_class(place: Workplace) -> None:
    place.raster("d.tif", np.array([[270, 0.27]], "float32"), descriptions=["dnbr"])
    place.run("classify_burn_severity", dnbr_path="d.tif", output_path="c.tif")
    np.testing.assert_array_equal(place.read("c.tif"), [[np.nan, 4]])
    assert any("-2 to 2" in warning for warning in place.context.warnings)


@pytest.mark.parametrize("relation", ["linear", "sigmoid"])
def test_snow_of_no_index_is_left_out(place: Workplace, relation: str) -> None:
    for value in (-1.01, 1.01):
        found = run_pixels(place, "fractional_snow_cover", ndsi_path=Pixel(value, "ndsi"), relation=relation)
        assert math.isnan(found[0])

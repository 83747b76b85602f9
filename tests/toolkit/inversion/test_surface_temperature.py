"""Surface temperature tools on small rasters."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
import rasterio

from tests.rasters import write_raster
from treeline.toolkit.context import ToolContext
from treeline.toolkit.errors import InputError, NoValidPixels, RoleMismatch
from treeline.toolkit.inversion import physics, single_channel
from treeline.toolkit.inversion.bands import BANDS
from treeline.toolkit.tool import REGISTRY


def run(tool: str, context: ToolContext, /, **arguments: Any) -> Any:
    return REGISTRY.get(tool).run(arguments, context)


def read(context: ToolContext, path: str) -> np.ndarray:
    with rasterio.open(context.output_folder / path) as dataset:
        return dataset.read(1)


@pytest.fixture
def landsat(tmp_path: Path) -> None:
    """Bare soil, mixed and dense vegetation, and one pixel without data."""
    write_raster(tmp_path / "bt.tif", np.array([[300, 298, 295, np.nan]], "float32"), descriptions=["bt10"])
    write_raster(tmp_path / "red.tif", np.array([[0.2, 0.1, 0.05, 0.1]], "float32"), descriptions=["red"])
    write_raster(tmp_path / "nir.tif", np.array([[0.25, 0.2, 0.4, 0.3]], "float32"), descriptions=["nir"])


LANDSAT = {"bt_path": "bt.tif", "red_path": "red.tif", "nir_path": "nir.tif", "output_path": "lst.tif"}
EMISSIVITIES = (0.979 - 0.046 * 0.2, 0.971 + 0.016 * ((1 / 3 - 0.2) / 0.3) ** 2, 0.987)


def test_without_water_vapour(landsat: None, context: ToolContext) -> None:
    assert run("lst_single_channel", context, **LANDSAT) == "Result saved at lst.tif"
    pairs = zip((300, 298, 295), EMISSIVITIES, strict=True)
    expected = [physics.correct_for_emissivity(t, e, 10.895) for t, e in pairs]
    np.testing.assert_allclose(read(context, "lst.tif")[0], [*expected, np.nan], rtol=1e-6)
    assert any("atmosphere is not corrected" in warning for warning in context.warnings)
    assert (context.products[0].role, context.products[0].unit) == ("lst", "K")


def test_with_water_vapour(landsat: None, context: ToolContext) -> None:
    run("lst_single_channel", context, **LANDSAT, water_vapour=2.0)
    band = BANDS["Landsat 8-9 band 10"]
    pairs = zip((300, 298, 295), EMISSIVITIES, strict=True)
    expected = [single_channel.generalised_single_channel(t, e, 2.0, band) for t, e in pairs]
    np.testing.assert_allclose(read(context, "lst.tif")[0], [*expected, np.nan], rtol=1e-6)
    assert not context.warnings


def test_water_vapour_in_millimetres_is_refused(landsat: None, context: ToolContext) -> None:
    with pytest.raises(InputError, match="g/cm2"):
        run("lst_single_channel", context, **LANDSAT, water_vapour=20)


def test_band_can_be_named_and_must_be_known(tmp_path: Path, landsat: None, context: ToolContext) -> None:
    run("lst_single_channel", context, **LANDSAT, water_vapour=1.5, band="Landsat 7 band 6")
    with pytest.raises(InputError, match="coefficients"):
        run("lst_single_channel", context, **LANDSAT, water_vapour=1.5, band="MODIS band 31")
    write_raster(tmp_path / "bt.tif", np.full((1, 4), 300, "float32"))
    with pytest.raises(InputError, match="which thermal band"):
        run("lst_single_channel", context, **LANDSAT)


def test_lists_map(landsat: None, context: ToolContext) -> None:
    lists = {name: [value] * 2 for name, value in LANDSAT.items() if name != "output_path"}
    answer = run("lst_single_channel", context, **lists, output_path=["a.tif", "b.tif"])
    assert answer == ["Result saved at a.tif", "Result saved at b.tif"]
    np.testing.assert_array_equal(read(context, "a.tif"), read(context, "b.tif"))


def test_thermal_inertia(tmp_path: Path, context: ToolContext) -> None:
    write_raster(tmp_path / "day.tif", np.array([[310, 318.2, 280]], "float32"), descriptions=["bt31"])
    write_raster(tmp_path / "night.tif", np.array([[285, 289.7, 285]], "float32"), descriptions=["bt31"])
    write_raster(tmp_path / "albedo.tif", np.array([[0.2, 0.25, 0.2]], "float32"), descriptions=["albedo"])
    paths = {"day_temp_path": "day.tif", "night_temp_path": "night.tif", "albedo_path": "albedo.tif"}
    run("ATI", context, **paths, output_path="ati.tif")
    np.testing.assert_allclose(read(context, "ati.tif")[0], [0.032, 0.0263158, np.nan], rtol=1e-5)
    run("ATI", context, **paths, output_path="sun.tif", latitude=0, day_of_year=81)
    np.testing.assert_allclose(read(context, "sun.tif")[0, 0], 0.032 * np.pi / 2, rtol=1e-4)
    with pytest.raises(InputError, match="only one"):
        run("ATI", context, **paths, output_path="x.tif", latitude=10)


@pytest.fixture
def series(tmp_path: Path) -> dict[str, list[str]]:
    """Two dates; of the second fewer pixels count."""
    lst = ([[300, 310, 320, 330]], [[290, np.nan, 280, 270]])
    nir = ([[0.8, 0.8, 0.1, 0.1]], [[0.8, 0.8, 0.1, 0.1]])
    for number in (0, 1):
        write_raster(tmp_path / f"lst{number}.tif", np.array(lst[number], "float32"), descriptions=["lst"])
        write_raster(tmp_path / f"nir{number}.tif", np.array(nir[number], "float32"), descriptions=["nir"])
        write_raster(tmp_path / f"red{number}.tif", np.full((1, 4), 0.1, "float32"), descriptions=["red"])
    return {f"{name}_paths": [f"{name}{number}.tif" for number in (0, 1)] for name in ("red", "nir", "lst")}


def test_temperature_by_vegetation(series: dict[str, list[str]], context: ToolContext) -> None:
    mean = run("calculate_mean_lst_by_ndvi", context, **series, ndvi_threshold=0.5)
    assert mean == pytest.approx((300 + 310 + 290) / 3)
    below = run("calculate_mean_lst_by_ndvi", context, **series, ndvi_threshold=0.5, mode="below")
    assert below == pytest.approx((320 + 330 + 280 + 270) / 4)
    first = {name.removesuffix("s"): files[0] for name, files in series.items()}
    assert run("calculate_max_lst_by_ndvi", context, **first, ndvi_threshold=0.0, mode="above") == 330
    assert run("calculate_max_lst_by_ndvi", context, **first, ndvi_threshold=0.5) == 310
    with pytest.raises(NoValidPixels, match="0.95"):
        run("calculate_mean_lst_by_ndvi", context, **series, ndvi_threshold=0.95)
    with pytest.raises(RoleMismatch):
        run(
            "calculate_mean_lst_by_ndvi",
            context,
            **{**series, "lst_paths": series["nir_paths"]},
            ndvi_threshold=0.5,
        )


def test_bare_soil_where_the_scale_of_reflectance_is_not_known(landsat: None, context: ToolContext) -> None:
    context.resolver.bands = {"red.tif": {"scale_known": False}}  # type: ignore[union-attr]
    run("lst_single_channel", context, **LANDSAT)
    expected = physics.correct_for_emissivity(300, 0.971, 10.895)
    assert read(context, "lst.tif")[0, 0] == pytest.approx(expected, rel=1e-6)
    assert any("bare soil has the emissivity 0.971" in warning for warning in context.warnings)

"""The other retrieval tools on small rasters: outputs, roles, units, refusals."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
import rasterio

from tests.rasters import write_raster
from treeline.toolkit.context import ToolContext
from treeline.toolkit.errors import InputError, RoleMismatch, ScaleUnknown
from treeline.toolkit.inversion import split_window_methods, turbidity
from treeline.toolkit.inversion.physics import correct_for_emissivity
from treeline.toolkit.tool import REGISTRY


def run(tool: str, context: ToolContext, /, **arguments: Any) -> Any:
    return REGISTRY.get(tool).run(arguments, context)


def read(context: ToolContext, path: str) -> np.ndarray:
    with rasterio.open(context.output_folder / path) as dataset:
        return dataset.read()


def write(folder: Path, name: str, row: list[float], role: str | None) -> str:
    write_raster(folder / name, np.array([row], "float32"), descriptions=[role] if role else [])
    return name


@pytest.fixture
def modis(tmp_path: Path) -> dict[str, str]:
    return {
        "band31_path": write(tmp_path, "bt31.tif", [300, 295, 300, np.nan], "bt31"),
        "band32_path": write(tmp_path, "bt32.tif", [298.5, 294.5, 298.5, 290], "bt32"),
        "emissivity31_path": write(tmp_path, "e31.tif", [0.9725, 0.985, 49, 0.98], "emissivity31"),
        "emissivity32_path": write(tmp_path, "e32.tif", [0.9775, 0.985, 0.98, 0.98], "emissivity32"),
    }


def test_split_window_of_modis(modis: dict[str, str], context: ToolContext) -> None:
    run("split_window", context, **modis, parameter="lst", output_path="lst.tif")
    expected = split_window_methods.sobrino_2003(295, 294.5, 0.985, 0, 2.0)
    np.testing.assert_allclose(read(context, "lst.tif")[0, 0], [307.66, expected, np.nan, np.nan], atol=1e-3)
    assert (context.products[0].role, context.products[0].unit) == ("lst", "K")


def test_split_window_refuses(tmp_path: Path, modis: dict[str, str], context: ToolContext) -> None:
    with pytest.raises(InputError, match="coefficients"):
        run("split_window", context, **modis, parameter="PWV", output_path="x.tif")
    with pytest.raises(InputError, match="parameter"):
        run("split_window", context, **modis, parameter="SST", output_path="x.tif")
    with pytest.raises(InputError, match="g/cm2"):
        run("split_window", context, **modis, parameter="LST", output_path="x.tif", water_vapour=25)
    with pytest.raises(InputError, match="Sobrino 2003"):
        run("split_window", context, **modis, parameter="LST", output_path="x.tif", method="Du 2015")
    with pytest.raises(RoleMismatch, match="bt31"):
        run(
            "split_window",
            context,
            **{**modis, "band32_path": "bt31.tif"},
            parameter="LST",
            output_path="x.tif",
        )
    context.resolver.bands = {"e31.tif": {"scale_known": False}}  # type: ignore[union-attr]
    with pytest.raises(ScaleUnknown):
        run("split_window", context, **modis, parameter="LST", output_path="x.tif")
    assert not list(context.output_folder.glob("*"))


def test_split_window_of_landsat_and_calibrated_water(tmp_path: Path, context: ToolContext) -> None:
    landsat = {
        "band31_path": write(tmp_path, "b10.tif", [300], "bt10"),
        "band32_path": write(tmp_path, "b11.tif", [298.5], "bt11"),
        "emissivity31_path": write(tmp_path, "e10.tif", [0.98], None),
        "emissivity32_path": write(tmp_path, "e11.tif", [0.98], None),
    }
    for method, expected in (("", 303.2072), ("Du 2015", (304.9443 + 304.5255) / 2)):
        run("split_window", context, **landsat, parameter="LST", output_path="l.tif", method=method)
        assert read(context, "l.tif")[0, 0, 0] == pytest.approx(expected, abs=1e-3)
    run("split_window", context, **landsat, parameter="PWV", output_path="w.tif", coefficients=[1.0, 0.5])
    assert read(context, "w.tif")[0, 0, 0] == pytest.approx(1.75)


def test_multi_channel(modis: dict[str, str], context: ToolContext) -> None:
    bands = {name: modis[name] for name in ("band31_path", "band32_path")}
    run("lst_multi_channel", context, **bands, output_path="lst.tif")
    assert read(context, "lst.tif")[0, 0, 0] == pytest.approx(307.0744, abs=1e-3)
    assert any("0.98" in warning for warning in context.warnings)
    with pytest.raises(InputError, match="emissivity"):
        run("lst_multi_channel", context, **bands, output_path="x.tif", emissivity=98)
    with pytest.raises(InputError, match="emissivity_difference"):
        run("lst_multi_channel", context, **bands, output_path="x.tif", emissivity_difference=-0.5)


@pytest.fixture
def aster(tmp_path: Path) -> list[str]:
    values = (298.154445, 296.358201, 298.481137, 306.436053, 306.993550)
    return [
        write(tmp_path, f"tir{n}.tif", [v, np.nan], f"tir{n}")
        for n, v in zip(range(10, 15), values, strict=True)
    ]


def test_temperature_emissivity_separation(aster: list[str], context: ToolContext) -> None:
    run(
        "temperature_emissivity_separation",
        context,
        tir_band_paths=aster,
        representative_band_index=3,
        output_path="tes.tif",
    )
    found = read(context, "tes.tif")
    np.testing.assert_allclose(found[:, 0, 0], [310.23856, 0.94865, 0.19947], atol=2e-3)
    assert np.isnan(found[:, 0, 1]).all()
    assert any("sky" in warning for warning in context.warnings)
    assert context.products[0].role == "lst"
    for index, count, match in ((13, 5, "Count from 0"), (0, 2, "at least three")):
        with pytest.raises(InputError, match=match):
            run(
                "temperature_emissivity_separation",
                context,
                tir_band_paths=aster[:count],
                representative_band_index=index,
                output_path="x.tif",
            )


def test_three_bands(aster: list[str], context: ToolContext) -> None:
    run("ttm_lst", context, tir_band_paths=aster[:3], output_path="ttm.tif")
    found = read(context, "ttm.tif")[:, 0, 0]
    assert 298.5 < found[0] < 312 and 0.6 < found[1] < 1
    assert any("regression" in warning for warning in context.warnings)
    with pytest.raises(InputError, match="three of each"):
        run("ttm_lst", context, tir_band_paths=aster, output_path="x.tif")
    with pytest.raises(InputError, match="um"):
        run("ttm_lst", context, tir_band_paths=aster[:3], output_path="x.tif", wavelengths=[8300, 8650, 9100])


def test_day_and_night(tmp_path: Path, context: ToolContext) -> None:
    paths = {
        "BT_day_path": write(tmp_path, "day.tif", [300, 250], "bt31"),
        "BT_night_path": write(tmp_path, "night.tif", [280, 240], "bt31"),
        "Emis_day_path": write(tmp_path, "ed.tif", [0.97, 0.97], "emissivity31"),
        "Emis_night_path": write(tmp_path, "en.tif", [0.98, 0.98], "emissivity31"),
    }
    run("modis_day_night_lst", context, **paths, output_path="dn.tif")
    day, night = correct_for_emissivity(300, 0.97, 11.03), correct_for_emissivity(280, 0.98, 11.03)
    found = read(context, "dn.tif")
    np.testing.assert_allclose(found[:, 0, 0], [day, night, day - night], rtol=1e-5)
    assert np.isfinite(found[:, 0, 1]).all()
    write(tmp_path, "day.tif", [300, 250], "lst_day")
    with pytest.raises(RoleMismatch, match="lst_day"):
        run("modis_day_night_lst", context, **paths, output_path="x.tif")


def test_precipitable_water(tmp_path: Path, context: ToolContext) -> None:
    roles = {
        "b02": ("nir", 0.30),
        "b05": ("swir12", 0.34),
        "b17": ("nir_905", 0.25),
        "b18": ("nir_936", 0.1),
        "b19": ("nir_940", 0.15),
    }
    paths = {f"sur_refl_{n}_path": write(tmp_path, f"{n}.tif", [v, np.nan], r) for n, (r, v) in roles.items()}
    run("band_ratio", context, **paths, output_path="pwv.tif")
    np.testing.assert_allclose(read(context, "pwv.tif")[0, 0], [1.290246, np.nan], atol=1e-5)
    assert any("top of the atmosphere" in warning for warning in context.warnings)
    with pytest.raises(InputError, match="surface"):
        run("band_ratio", context, **paths, output_path="x.tif", surface="sea")


def test_sea_ice(tmp_path: Path, context: ToolContext) -> None:
    channels = {"19H": 200, "19V": 225, "37V": 215}
    paths = {name: write(tmp_path, f"{name}.tif", [value, np.nan], None) for name, value in channels.items()}
    run(
        "nasa_team_sea_ice_concentration",
        context,
        bt_paths=paths,
        output_path="ice.tif",
        tie_points="F13 north",
    )
    found = read(context, "ice.tif")
    np.testing.assert_allclose(found[:, 0, 0], [0.84103, 0.64442, 0.19661], atol=2e-4)
    assert np.isnan(found[:, 0, 1]).all()
    with pytest.raises(InputError, match="37V"):
        run(
            "nasa_team_sea_ice_concentration",
            context,
            bt_paths={"19H": "19H.tif", "19V": "19V.tif"},
            output_path="x.tif",
        )


def test_snow(tmp_path: Path, context: ToolContext) -> None:
    low, high = write(tmp_path, "18h.tif", [245, 226], None), write(tmp_path, "37h.tif", [225, 225], None)
    run(
        "chang_snow_depth",
        context,
        bt18h_path=low,
        bt37h_path=high,
        output_path="sd.tif",
        forest_fraction=0.5,
    )
    np.testing.assert_allclose(read(context, "sd.tif")[0, 0], [63.6, 0], rtol=1e-5)
    arguments = {"bt_paths": [low, high], "diff_pairs": [[0, 1]], "output_path": "c.tif"}
    run("chang_single_param_inversion", context, **arguments, parameter="SWE")
    assert read(context, "c.tif")[0, 0, 0] == pytest.approx(96)
    run("chang_single_param_inversion", context, **arguments, parameter="SM", alphas=[0.01], beta=0.1)
    assert read(context, "c.tif")[0, 0, 0] == pytest.approx(0.3)
    for tool in ("chang_single_param_inversion", "multi_freq_bt"):
        with pytest.raises(InputError, match="alphas"):
            run(tool, context, **arguments, parameter="SM")
        with pytest.raises(InputError, match="diff_pairs"):
            run(tool, context, **{**arguments, "diff_pairs": [[0, 2]]}, parameter="SM", alphas=[1], beta=0)


def test_turbidity(tmp_path: Path, context: ToolContext) -> None:
    red = write(tmp_path, "red.tif", [0.03, 0.3, -0.1], "red")
    run("calculate_water_turbidity_ntu", context, input_red_path=red, output_filename="t.tif", a=1.0, b=0.0)
    np.testing.assert_allclose(read(context, "t.tif")[0, 0], [7.651025, np.nan, np.nan], rtol=1e-5)
    assert any("Nechad" in warning for warning in context.warnings)
    run("calculate_water_turbidity_ntu", context, input_red_path=red, output_path="l.tif", a=100.0, b=2.0)
    np.testing.assert_allclose(read(context, "l.tif")[0, 0], [5, 32, np.nan], rtol=1e-5)
    run(
        "calculate_water_turbidity_ntu",
        context,
        input_red_path=red,
        output_path="p.tif",
        method="power",
        a=100.0,
        n=2,
    )
    assert read(context, "p.tif")[0, 0, 0] == pytest.approx(0.09)
    with pytest.raises(InputError, match="method"):
        run("calculate_water_turbidity_ntu", context, input_red_path=red, output_path="x.tif", method="cubic")
    nir = write(tmp_path, "nir.tif", [0.01, 0.2, 0.1], "nir")
    run("water_turbidity_red_nir", context, input_red_path=red, input_nir_path=nir, output_path="d.tif")
    assert read(context, "d.tif")[0, 0, 0] == pytest.approx(8.373872, abs=1e-4)
    assert turbidity.NECHAD[665] == (282.95, 0.1728)


def test_microwave_differences(tmp_path: Path, context: ToolContext) -> None:
    v, h = write(tmp_path, "v.tif", [270], None), write(tmp_path, "h.tif", [250], None)
    run("dual_polarization_ratio", context, bt_paths={"V": v, "H": h}, parameter="PR", output_path="pr.tif")
    assert read(context, "pr.tif")[0, 0, 0] == pytest.approx(0.038462, abs=1e-6)
    run(
        "dual_polarization_ratio",
        context,
        bt_paths={"V": v, "H": h},
        parameter="VWC",
        output_path="q.tif",
        coeffs={"a": -10, "b": 5},
    )
    np.testing.assert_allclose(read(context, "q.tif")[:, 0, 0], [5 - 0.384615, 0.038462], atol=1e-5)
    with pytest.raises(InputError, match="coeffs"):
        run(
            "dual_polarization_ratio",
            context,
            bt_paths={"V": v, "H": h},
            parameter="VWC",
            output_path="x.tif",
        )
    run(
        "dual_frequency_diff",
        context,
        band1_path=v,
        band2_path=h,
        parameter="SM",
        alpha=0.5,
        beta=1,
        output_path="f.tif",
    )
    np.testing.assert_allclose(read(context, "f.tif")[:, 0, 0], [11, 20])
    run(
        "vegetation_optical_depth",
        context,
        bt_v_path=write(tmp_path, "tv.tif", [278.8516], None),
        bt_h_path=write(tmp_path, "th.tif", [270.7136], None),
        output_path="tau.tif",
        emissivity_v=0.95,
        emissivity_h=0.80,
        incidence_angle=55,
    )
    assert read(context, "tau.tif")[0, 0, 0] == pytest.approx(0.5, abs=1e-3)


def test_radar_polarisations(tmp_path: Path, context: ToolContext) -> None:
    vv, vh = write(tmp_path, "vv.tif", [-10, -9999], "vv"), write(tmp_path, "vh.tif", [-17, -17], "vh")
    arguments = {"pol1_path": vv, "pol2_path": vh, "output_path": "p.tif"}
    run("dual_polarization_differential", context, **arguments, parameter="soil_moisture", a=0.02, b=0.1)
    np.testing.assert_allclose(read(context, "p.tif")[0, 0], [0.24, np.nan], rtol=1e-5)
    run("dual_polarization_differential", context, **arguments, parameter="vegetation_index")
    assert read(context, "p.tif")[0, 0, 0] == pytest.approx((0.1 - 10**-1.7) / (0.1 + 10**-1.7), abs=1e-6)
    assert not any("calibration" in warning for warning in context.warnings)
    run("dual_polarization_differential", context, **arguments, parameter="soil_moisture")
    assert any("calibration" in warning for warning in context.warnings)
    with pytest.raises(InputError, match="input_unit"):
        run("dual_polarization_differential", context, **arguments, parameter="soil_moisture", input_unit="K")


def test_surface_emissivity(tmp_path: Path, context: ToolContext) -> None:
    red, nir = write(tmp_path, "red.tif", [0.15, 0.05], "red"), write(tmp_path, "nir.tif", [0.15, 0.5], "nir")
    run("surface_emissivity", context, red_path=red, nir_path=nir, output_path="e.tif", band="MODIS band 31")
    np.testing.assert_allclose(read(context, "e.tif")[0, 0], [0.97375, 0.99], atol=1e-6)
    with pytest.raises(InputError, match="band"):
        run("surface_emissivity", context, red_path=red, nir_path=nir, output_path="x.tif", band="B6")

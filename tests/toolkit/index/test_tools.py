"""The index tools on small rasters: values, masks, scales, roles, refusals."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
import rasterio
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.rasters import write_raster
from treeline.toolkit.context import ToolContext
from treeline.toolkit.errors import GridMismatch, InputError, NoValidPixels, RoleMismatch, ScaleUnknown
from treeline.toolkit.index import any_index, burn, calculator, dryness, fire, snow
from treeline.toolkit.raster import class_legend, source
from treeline.toolkit.tool import REGISTRY


def run(tool: str, context: ToolContext, /, **arguments: Any) -> Any:
    return REGISTRY.get(tool).run(arguments, context)


def read(context: ToolContext, path: str) -> np.ndarray:
    with rasterio.open(context.output_folder / path) as dataset:
        return dataset.read(1)


@pytest.fixture
def scene(tmp_path: Path) -> dict[str, np.ndarray]:
    """Reflectance x 10000 of six bands, with one fill pixel."""
    generator = np.random.default_rng(7)
    bands = {}
    for role in ("blue", "green", "red", "nir", "swir1", "swir2"):
        stored = generator.integers(100, 6000, (40, 50)).astype("uint16")
        stored[0, 0] = 0
        write_raster(tmp_path / f"{role}.tif", stored, nodata=0, descriptions=[role], scale=1e-4)
        bands[role] = np.where(stored == 0, np.nan, stored * np.float32(1e-4))
    return bands


SIMPLE = {
    "ndvi": (("nir", "red"), lambda n, r: (n - r) / (n + r)),
    "ndbi": (("swir", "nir"), lambda s, n: (s - n) / (s + n)),
    "nbr": (("nir", "swir"), lambda n, s: (n - s) / (n + s)),
    "ndti": (("red", "green"), lambda r, g: (r - g) / (r + g)),
    "wri": (("green", "red", "nir", "swir"), lambda g, r, n, s: (g + r) / (n + s)),
    "savi": (("nir", "red"), lambda n, r: 1.5 * (n - r) / (n + r + 0.5)),
    "evi": (("nir", "red", "blue"), lambda n, r, b: 2.5 * (n - r) / (n + 6 * r - 7.5 * b + 1)),
    "mndwi": (("green", "swir"), lambda g, s: (g - s) / (g + s)),
    "ndmi": (("nir", "swir"), lambda n, s: (n - s) / (n + s)),
}


@pytest.mark.parametrize("name", SIMPLE)
def test_index_tools(name: str, scene: dict[str, np.ndarray], context: ToolContext) -> None:
    parts, formula = SIMPLE[name]
    files = {part: {"swir": "swir2" if name == "nbr" else "swir1"}.get(part, part) for part in parts}
    arguments = {f"input_{part}_paths": [f"{files[part]}.tif"] for part in parts}
    answer = run(f"calculate_batch_{name}", context, **arguments, output_paths=["sub/index.tif"])
    assert answer == ["Result saved at sub/index.tif"]
    expected = formula(*(scene[files[part]] for part in parts))
    low, high = {"wri": (0, 100), "evi": (-1, 2), "savi": (-1.5, 1.5)}.get(name, (-1, 1))
    expected[(expected < low) | (expected > high)] = np.nan
    found = read(context, "sub/index.tif")
    assert np.isnan(found[0, 0])
    np.testing.assert_allclose(found, expected, rtol=1e-4, atol=1e-5)
    assert context.products[0].role == name


def test_names_for_one_raster_are_older_names(scene: dict, context: ToolContext) -> None:
    arguments = {"input_nir_path": ["nir.tif"], "input_swir_path": ["swir2.tif"], "output_path": ["nbr.tif"]}
    assert run("calculate_nbr", context, **arguments) == ["Result saved at nbr.tif"]
    snow_arguments = {
        "input_green_path": ["green.tif"],
        "input_swir_path": ["swir1.tif"],
        "output_filename": ["n.tif"],
    }
    assert run("calculate_ndsi", context, **snow_arguments) == ["Result saved at n.tif"]


def test_fvc_is_a_limited_fraction(scene: dict, context: ToolContext) -> None:
    bands = {"input_nir_paths": ["nir.tif"], "input_red_paths": ["red.tif"]}
    run("calculate_fvc", context, **bands, output_paths=["fvc.tif"], ndvi_min=0.05, ndvi_max=0.86)
    ndvi = (scene["nir"] - scene["red"]) / (scene["nir"] + scene["red"])
    np.testing.assert_allclose(read(context, "fvc.tif"), np.clip((ndvi - 0.05) / 0.81, 0, 1), atol=1e-5)
    with pytest.raises(InputError, match="ndvi_min"):
        run("calculate_fvc", context, **bands, output_paths=["x.tif"], ndvi_min=0.9, ndvi_max=0.1)


def test_fvc_of_the_worked_example(tmp_path: Path, scene: dict, context: ToolContext) -> None:
    red, nir = np.full((2, 2), 0.11), np.full((2, 2), 0.29)
    for name, values in (("red", red), ("nir", nir)):
        write_raster(tmp_path / f"{name}_45.tif", values.astype("float32"), descriptions=[name])
    bands = {"input_nir_paths": ["nir_45.tif"], "input_red_paths": ["red_45.tif"]}
    run("calculate_batch_fvc", context, **bands, output_paths=["f.tif"], ndvi_min=0.05, ndvi_max=0.86)
    np.testing.assert_allclose(read(context, "f.tif"), 0.493827, atol=1e-6)


def test_ndwi_knows_its_bands(scene: dict, context: ToolContext) -> None:
    run(
        "calculate_ndwi",
        context,
        input_nir_paths=["nir.tif"],
        input_swir_paths=["swir1.tif"],
        output_paths=["a.tif"],
    )
    leaf = (scene["nir"] - scene["swir1"]) / (scene["nir"] + scene["swir1"])
    np.testing.assert_allclose(read(context, "a.tif"), leaf, atol=1e-5)
    run(
        "calculate_ndwi",
        context,
        input_nir_paths=["nir.tif"],
        input_swir_paths=["green.tif"],
        output_paths=["b.tif"],
    )
    open_water = (scene["green"] - scene["nir"]) / (scene["green"] + scene["nir"])
    np.testing.assert_allclose(read(context, "b.tif"), open_water, atol=1e-5)
    assert any("McFeeters" in warning for warning in context.warnings)
    with pytest.raises(RoleMismatch, match="green"):
        run(
            "calculate_ndwi",
            context,
            input_nir_paths=["green.tif"],
            input_swir_paths=["swir1.tif"],
            output_paths=["c.tif"],
        )


def test_evi_refuses_digital_numbers_and_ndvi_does_not(
    tmp_path: Path, scene: dict, context: ToolContext
) -> None:
    context.resolver.bands = {"nir.tif": {"scale_known": False}}  # type: ignore[union-attr]
    run(
        "calculate_ndvi",
        context,
        input_nir_paths=["nir.tif"],
        input_red_paths=["red.tif"],
        output_paths=["n.tif"],
    )
    with pytest.raises(ScaleUnknown, match="nir.tif"):
        run(
            "calculate_evi",
            context,
            input_nir_paths=["nir.tif"],
            input_red_paths=["red.tif"],
            input_blue_paths=["blue.tif"],
            output_paths=["evi.tif"],
        )
    assert not (context.output_folder / "evi.tif").exists()


def test_wrong_role_unequal_lists_and_foreign_ground(
    tmp_path: Path, scene: dict, context: ToolContext
) -> None:
    with pytest.raises(RoleMismatch, match="red.tif"):
        run(
            "calculate_ndvi",
            context,
            input_nir_paths=["red.tif"],
            input_red_paths=["red.tif"],
            output_paths=["n.tif"],
        )
    with pytest.raises(InputError, match="length"):
        run(
            "calculate_ndvi",
            context,
            input_nir_paths=["nir.tif"] * 2,
            input_red_paths=["red.tif"],
            output_paths=["n.tif"],
        )
    write_raster(
        tmp_path / "far.tif", np.ones((5, 5), "float32"), origin=(900_000, 100_000), descriptions=["red"]
    )
    with pytest.raises(GridMismatch):
        run(
            "calculate_ndvi",
            context,
            input_nir_paths=["nir.tif"],
            input_red_paths=["far.tif"],
            output_paths=["n.tif"],
        )
    assert not list(context.output_folder.glob("*"))


def test_implausible_values_are_left_out_and_told(tmp_path: Path, context: ToolContext) -> None:
    write_raster(tmp_path / "nir.tif", np.full((3, 3), 0.4, "float32"), descriptions=["nir"])
    write_raster(tmp_path / "red.tif", np.array([[-0.3, 0.1, 0.1]] * 3, "float32"), descriptions=["red"])
    run(
        "calculate_ndvi",
        context,
        input_nir_paths=["nir.tif"],
        input_red_paths=["red.tif"],
        output_paths=["n.tif"],
    )
    np.testing.assert_allclose(read(context, "n.tif")[0], [np.nan, 0.6, 0.6], atol=1e-6)
    assert any("implausible" in warning for warning in context.warnings)


def test_fire_mask_keeps_no_data_apart(tmp_path: Path, context: ToolContext) -> None:
    write_raster(tmp_path / "frp.tif", np.array([[0, 5, 30, np.nan]], "float32"), descriptions=["frp"])
    run("calculate_batch_frp", context, input_frp_paths=["frp.tif"], output_paths=["m.tif"], fire_threshold=5)
    assert read(context, "m.tif").tolist() == [[0, 0, 1, 255]]


def test_share_of_a_binary_map(tmp_path: Path, context: ToolContext) -> None:
    name = "calc_extreme_snow_loss_percentage_from_binary_map"
    write_raster(tmp_path / "one.tif", np.array([[0, 1, 1, 9]], "uint8"), nodata=9)
    write_raster(tmp_path / "full.tif", np.array([[0, 255, 0, 0]], "uint8"))
    write_raster(tmp_path / "classes.tif", np.array([[0, 2, 1, 0]], "uint8"))
    write_raster(tmp_path / "nothing.tif", np.array([[9, 9]], "uint8"), nodata=9)
    assert run(name, context, binary_map_path="one.tif") == pytest.approx(2 / 3)
    assert run(name, context, binary_map_path="full.tif") == pytest.approx(1 / 4)
    with pytest.raises(InputError, match="neither 0, 1 nor 255"):
        run(name, context, binary_map_path="classes.tif")
    with pytest.raises(NoValidPixels):
        run(name, context, binary_map_path="nothing.tif")
    assert fire.calculate_batch_frp.__doc__


def test_index_by_name_from_one_raster_or_several(tmp_path: Path, scene: dict, context: ToolContext) -> None:
    expected = (scene["nir"] - scene["red"]) / (scene["nir"] + scene["red"] + 0.16)
    run("spectral_index", context, name="osavi", raster_paths=["red.tif", "nir.tif"], output_path="o.tif")
    np.testing.assert_allclose(read(context, "o.tif"), expected, atol=1e-5)
    stack = np.nan_to_num(np.stack([scene["red"], scene["nir"]]))
    write_raster(tmp_path / "stack.tif", stack.astype("float32"), descriptions=["red", "nir"])
    run("spectral_index_series", context, name="OSAVI", raster_paths=["stack.tif"], output_paths=["s.tif"])
    np.testing.assert_allclose(read(context, "s.tif")[1:], expected[1:], atol=1e-5)
    bands = {"N": "nir.tif", "R": "stack.tif#1"}
    run("spectral_index", context, name="OSAVI", raster_paths=["green.tif"], output_path="b.tif", bands=bands)
    np.testing.assert_allclose(read(context, "b.tif")[1:], expected[1:], atol=1e-5)


def test_index_by_name_tells_what_is_missing(scene: dict, context: ToolContext) -> None:
    with pytest.raises(InputError, match=r"RE1 \(Red edge \(705 nm\)\)"):
        run("spectral_index", context, name="NDCI", raster_paths=["red.tif"], output_path="x.tif")
    with pytest.raises(InputError, match="slb"):
        run(
            "spectral_index",
            context,
            name="TSAVI",
            raster_paths=["red.tif", "nir.tif"],
            output_path="x.tif",
            parameters={"sla": 1.2},
        )
    with pytest.raises(InputError, match="no parameter 'q'"):
        run(
            "spectral_index",
            context,
            name="NDVI",
            raster_paths=["red.tif", "nir.tif"],
            output_path="x.tif",
            parameters={"q": 1},
        )
    with pytest.raises(InputError, match="lambdaN"):
        run(
            "spectral_index",
            context,
            name="FAI",
            raster_paths=["red.tif", "nir.tif", "swir1.tif"],
            output_path="x.tif",
        )


def test_wavelengths_come_from_the_sensor(scene: dict, context: ToolContext) -> None:
    run(
        "spectral_index",
        context,
        name="FAI",
        raster_paths=["red.tif", "nir.tif", "swir1.tif"],
        output_path="fai.tif",
        sensor="Sentinel-2 MSI",
    )
    slope = (832.8 - 664.6) / (1613.7 - 664.6)
    expected = scene["nir"] - (scene["red"] + (scene["swir1"] - scene["red"]) * slope)
    np.testing.assert_allclose(read(context, "fai.tif"), expected, atol=1e-5)


def test_radar_indices_work_in_linear_power(tmp_path: Path, context: ToolContext) -> None:
    write_raster(tmp_path / "vv.tif", np.full((2, 2), -10, "float32"), descriptions=["vv"])
    write_raster(tmp_path / "vh.tif", np.full((2, 2), 0.02, "float32"), descriptions=["vh"])
    context.resolver.bands = {"vh.tif": {"unit": "1"}}  # type: ignore[union-attr]
    run("spectral_index", context, name="DpRVIVV", raster_paths=["vv.tif", "vh.tif"], output_path="r.tif")
    assert read(context, "r.tif")[0, 0] == pytest.approx(4 * 0.02 / 0.12, rel=1e-5)


def test_list_of_indices(context: ToolContext) -> None:
    snow_indices = any_index.list_spectral_indices(domain="snow")
    assert {"NDSI_snow", "S3"} <= {entry["name"] for entry in snow_indices}
    assert any_index.list_spectral_indices(text="kndvi")[0]["parameters"] == {"sigma": 0.5}
    with pytest.raises(InputError, match="water"):
        any_index.list_spectral_indices(domain="soup")


def test_calculator(scene: dict, context: ToolContext) -> None:
    run(
        "raster_calculator",
        context,
        formula="(a - b) / 2",
        rasters={"a": "nir.tif", "b": "red.tif"},
        output_path="half.tif",
        role="half",
        unit="1",
    )
    np.testing.assert_allclose(read(context, "half.tif"), (scene["nir"] - scene["red"]) / 2, atol=1e-6)
    for formula in ("a.__class__", "__import__('os')", "a - c", "1 + 1"):
        with pytest.raises(InputError):
            calculator.raster_calculator(formula, {"a": "nir.tif"}, "x.tif")


def test_calculator_names_the_classes_that_it_makes(scene: dict, context: ToolContext) -> None:
    names = {"1": "dim", "2": "bright"}
    given = {"formula": "where(a < 0.2, 1, 2)", "rasters": {"a": "nir.tif"}, "output_path": "c.tif"}
    run("raster_calculator", context, **given, class_names=names)
    expected = np.where(np.isnan(scene["nir"]), 255, np.where(scene["nir"] < 0.2, 1, 2))
    np.testing.assert_array_equal(read(context, "c.tif"), expected)
    names_of_file = class_legend(source(str(context.output_folder / "c.tif"))).names
    assert names_of_file == {1: "dim", 2: "bright"}
    for wrong in ({"class_names": {"dim": "1"}}, {"class_names": names, "formula": "a * 10"}):
        with pytest.raises(InputError, match="class"):
            run("raster_calculator", context, **given | wrong)


def test_burn_severity(tmp_path: Path, context: ToolContext) -> None:
    write_raster(tmp_path / "pre.tif", np.full((1, 8), 0.6, "float32"), descriptions=["nbr"])
    drops = np.array([[-0.3, -0.2, 0.0, 0.1, 0.3, 0.5, 0.66, np.nan]], "float32")
    write_raster(tmp_path / "post.tif", 0.6 - drops, descriptions=["nbr"])
    found = {}
    for form in ("dNBR", "RdNBR", "RBR"):
        run(
            "burn_severity",
            context,
            nbr_before_path="pre.tif",
            nbr_after_path="post.tif",
            output_path="d.tif",
            form=form,
        )
        found[form] = read(context, "d.tif")[0, 5]
    assert found == pytest.approx({"dNBR": 0.5, "RdNBR": 0.645497, "RBR": 0.312305}, abs=1e-5)
    write_raster(tmp_path / "dnbr.tif", drops, descriptions=["dnbr"])
    run("classify_burn_severity", context, dnbr_path="dnbr.tif", output_path="c.tif")
    assert read(context, "c.tif").tolist() == [[0, 1, 2, 3, 4, 5, 6, 255]]
    with pytest.raises(InputError, match="six rising"):
        burn.classify_burn_severity("dnbr.tif", "x.tif", limits=[1, 2])


def test_snow(tmp_path: Path, context: ToolContext) -> None:
    write_raster(
        tmp_path / "ndsi.tif", np.array([[-0.5, 0.45, 0.7, 0.9, np.nan]], "float32"), descriptions=["ndsi"]
    )
    write_raster(
        tmp_path / "nir.tif", np.array([[0.5, 0.05, 0.5, 0.5, 0.5]], "float32"), descriptions=["nir"]
    )
    run("fractional_snow_cover", context, ndsi_path="ndsi.tif", output_path="f.tif")
    np.testing.assert_allclose(read(context, "f.tif"), [[0, 0.6425, 1, 1, np.nan]], atol=1e-6)
    run("fractional_snow_cover", context, ndsi_path="ndsi.tif", output_path="g.tif", relation="sigmoid")
    assert read(context, "g.tif")[0, 2] == pytest.approx(0.5 * np.tanh(2.65 * 0.7 - 1.42) + 0.5, abs=1e-6)
    run("snow_mask", context, ndsi_path="ndsi.tif", nir_path="nir.tif", output_path="m.tif")
    assert read(context, "m.tif").tolist() == [[0, 0, 1, 1, 255]]
    with pytest.raises(InputError, match="relation"):
        snow.fractional_snow_cover("ndsi.tif", "x.tif", relation="cubic")


def _triangle(tmp_path: Path, dry: tuple[float, float], wet: float) -> tuple[np.ndarray, np.ndarray]:
    generator = np.random.default_rng(3)
    ndvi = generator.uniform(0.1, 0.9, (200, 200)).astype("float32")
    dryness_truth = generator.uniform(0, 1, ndvi.shape)
    lst = wet + dryness_truth * (dry[0] + dry[1] * ndvi - wet)
    write_raster(tmp_path / "ndvi.tif", ndvi, descriptions=["ndvi"])
    write_raster(tmp_path / "lst.tif", lst.astype("float32"), descriptions=["lst"])
    return ndvi, dryness_truth


def test_tvdi_finds_the_triangle(tmp_path: Path, context: ToolContext) -> None:
    _, truth = _triangle(tmp_path, (330.0, -30.0), 285.0)
    run("compute_tvdi", context, ndvi_path="ndvi.tif", lst_path="lst.tif", output_path="tvdi.tif")
    found = read(context, "tvdi.tif")
    assert np.nanmax(np.abs(found - truth)) < 0.06
    assert np.isfinite(found).mean() > 0.999


def test_tvdi_of_the_paper_s_geometry() -> None:
    centres = np.linspace(0.1, 0.9, 9)
    edges = dryness.fit_edges(centres, 330 - 30 * centres, np.full(9, 285.0))
    assert (edges.intercept, edges.slope, edges.wet) == pytest.approx((330, -30, 285))
    assert (305 - edges.wet) / (edges.intercept + edges.slope * 0.5 - edges.wet) == pytest.approx(
        0.666667, abs=1e-6
    )


def test_tvdi_leaves_out_the_low_ndvi_fall_off_and_outliers() -> None:
    centres = np.linspace(0.1, 0.9, 17)
    dry = 330 - 30 * centres
    dry[:3] -= (9, 6, 3)
    dry[10] += 8
    edges = dryness.fit_edges(centres, dry, np.full(17, 285.0))
    assert (edges.intercept, edges.slope) == pytest.approx((330, -30), abs=1e-6)


def test_tvdi_needs_a_varied_scene(tmp_path: Path, context: ToolContext) -> None:
    write_raster(tmp_path / "ndvi.tif", np.full((30, 30), 0.5, "float32"), descriptions=["ndvi"])
    write_raster(tmp_path / "lst.tif", np.full((30, 30), 300, "float32"), descriptions=["lst"])
    with pytest.raises(Exception, match="NDVI bins"):
        run("compute_tvdi", context, ndvi_path="ndvi.tif", lst_path="lst.tif", output_path="tvdi.tif")


def test_brightness_temperature_is_no_surface_temperature(tmp_path: Path, context: ToolContext) -> None:
    write_raster(tmp_path / "ndvi.tif", np.full((3, 3), 0.5, "float32"), descriptions=["ndvi"])
    write_raster(tmp_path / "bt.tif", np.full((3, 3), 300, "float32"), descriptions=["bt31"])
    with pytest.raises(RoleMismatch, match="bt31"):
        run("compute_tvdi", context, ndvi_path="ndvi.tif", lst_path="bt.tif", output_path="tvdi.tif")


@settings(max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(scale=st.floats(0.2, 5), seed=st.integers(0, 99))
def test_ndvi_is_bounded_and_free_of_scale(scale: float, seed: int) -> None:
    from treeline.toolkit.index.catalogue import find_index

    generator = np.random.default_rng(seed)
    bands = {symbol: generator.uniform(0.0, 1.0, 50) for symbol in "NR"}
    first = find_index("NDVI").compute(bands)
    assert np.nanmax(np.abs(first)) <= 1
    np.testing.assert_allclose(
        find_index("NDVI").compute({s: scale * b for s, b in bands.items()}), first, atol=1e-12
    )


def test_every_tool_of_the_kit_is_documented() -> None:
    tools = REGISTRY.of_kit("Index")
    assert len(tools) >= 25
    assert all(tool.source and tool.document for tool in tools)


@pytest.mark.parametrize("offset", [0, 1000])
@pytest.mark.parametrize(("high", "low", "limit"), [(9, 1, 0.8), (3, 1, 0.5), (13, 7, 0.3), (3, 2, 0.2)])
def test_ratios_of_whole_numbers_are_exact(
    tmp_path: Path, context: ToolContext, offset: int, high: int, low: int, limit: float
) -> None:
    numbers = np.tile(np.arange(100, 1100), (2, 1))
    for role, factor in (("nir", high), ("red", low)):
        write_raster(
            tmp_path / f"{role}.tif",
            (factor * numbers + offset).astype("uint16"),
            descriptions=[role],
            scale=1e-4,
            offset=-1e-4 * offset,
        )
    inputs = {"input_nir_paths": ["nir.tif"], "input_red_paths": ["red.tif"]}
    run("calculate_batch_ndvi", context, **inputs, output_paths=["x.tif"])
    assert (read(context, "x.tif") == np.float32(limit)).all()

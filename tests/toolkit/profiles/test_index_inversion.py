"""The benchmark's index and inversion formulas on random rasters, against plain NumPy in double precision."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import rasterio

import toolkit
from tests.rasters import PlainResolver, write_raster
from treeline.toolkit.context import ToolContext
from treeline.toolkit.errors import InputError, NoValidPixels

Arrays = dict[str, np.ndarray]


@pytest.fixture
def context(tmp_path: Path) -> ToolContext:
    return ToolContext(
        output_folder=tmp_path / "out", resolver=PlainResolver(tmp_path), threads=2, profile="earth_bench"
    )


def run(tool: str, context: ToolContext, /, **arguments: Any) -> Any:
    return toolkit.registry().get(tool).run(arguments, context)


def read(context: ToolContext, path: str = "out.tif") -> np.ndarray:
    with rasterio.open(context.output_folder / path) as dataset:
        return dataset.read()


def raster(folder: Path, name: str, values: np.ndarray, **options: Any) -> np.ndarray:
    write_raster(folder / f"{name}.tif", values, **options)
    return values.astype(float)


@pytest.fixture
def numbers(tmp_path: Path) -> Arrays:
    """Digital numbers with a fill value that the file declares and the benchmark ignores."""
    generator = np.random.default_rng(11)
    found = {}
    for name in ("blue", "green", "red", "nir", "swir"):
        values = generator.integers(1, 10000, (30, 40)).astype("int16")
        values[0, 0] = -28672
        found[name] = raster(tmp_path, name, values, nodata=-28672)
    return found


def _normalised_difference(first: np.ndarray, second: np.ndarray) -> np.ndarray:
    return (first - second) / (first + second + 1e-6)


INDICES: dict[str, tuple[tuple[str, ...], Callable[..., np.ndarray]]] = {
    "ndvi": (("nir", "red"), _normalised_difference),
    "ndwi": (("nir", "swir"), _normalised_difference),
    "ndbi": (("swir", "nir"), _normalised_difference),
    "nbr": (("nir", "swir"), _normalised_difference),
    "ndti": (("red", "green"), _normalised_difference),
    "wri": (("green", "red", "nir", "swir"), lambda g, r, n, s: (g + r) / (n + s + 1e-6)),
    "evi": (("nir", "red", "blue"), lambda n, r, b: 2.5 * (n - r) / (n + 6 * r - 7.5 * b + 1 + 1e-6)),
    "fvc": (("nir", "red"), lambda n, r: np.clip(100 * (_normalised_difference(n, r) - 0.1) / 0.8, 0, 100)),
}


@pytest.mark.parametrize("name", INDICES)
def test_indices(name: str, numbers: Arrays, context: ToolContext) -> None:
    bands, formula = INDICES[name]
    paths = {f"input_{band}_paths": [f"{band}.tif"] for band in bands}
    run(f"calculate_batch_{name}", context, **paths, output_paths=["out.tif"])
    expected = formula(*(numbers[band] for band in bands))
    np.testing.assert_allclose(read(context)[0], expected, rtol=1e-5, atol=1e-5)


def test_water_index_keeps_the_order_given(numbers: Arrays, context: ToolContext) -> None:
    paths = {"input_nir_path": ["green.tif"], "input_swir_path": ["nir.tif"], "output_path": ["out.tif"]}
    run("calculate_ndwi", context, **paths)
    np.testing.assert_allclose(
        read(context)[0], _normalised_difference(numbers["green"], numbers["nir"]), atol=1e-5
    )


def test_snow_index_scales_and_resizes_by_index(
    tmp_path: Path, numbers: Arrays, context: ToolContext
) -> None:
    from scipy import ndimage

    small = raster(
        tmp_path, "small", np.random.default_rng(2).integers(-100, 12000, (15, 20)).astype("int16")
    )
    run(
        "calculate_batch_ndsi",
        context,
        green_file_list=["green.tif"],
        swir_file_list=["small.tif"],
        output_path_list=["out.tif"],
    )
    green, swir = numbers["green"] * 0.0001, small * 0.0001
    green[(green < 0) | (green > 1)], swir[(swir < 0) | (swir > 1)] = np.nan, np.nan
    green = ndimage.zoom(green, 0.5, order=1)
    expected = np.clip((green - swir) / (green + swir + 1e-6), -1, 1)
    np.testing.assert_allclose(read(context)[0], expected, atol=1e-5)


def test_fire_and_binary_maps(tmp_path: Path, context: ToolContext) -> None:
    raster(tmp_path, "frp", np.array([[0, 5, 30, np.nan]], "float32"))
    run(
        "calculate_batch_frp",
        context,
        input_frp_paths=["frp.tif"],
        output_paths=["out.tif"],
        fire_threshold=4,
    )
    assert read(context).tolist() == [[[0, 255, 255, 0]]]
    raster(tmp_path, "map", np.array([[0, 1, 1, 9, np.nan]], "float32"), nodata=9)
    share = run("calc_extreme_snow_loss_percentage_from_binary_map", context, binary_map_path="map.tif")
    assert share == pytest.approx(2 / 4)


def _dryness(ndvi: np.ndarray, lst: np.ndarray) -> np.ndarray:
    from scipy.stats import linregress

    valid = (ndvi >= 0) & (ndvi <= 1) & (lst > 0)
    edges = np.linspace(ndvi[valid].min(), ndvi[valid].max(), 101)
    rows = []
    for low, high in zip(edges[:-1], edges[1:], strict=True):
        inside = lst[valid & (ndvi >= low) & (ndvi < high)]
        if inside.size:
            rows.append(((low + high) / 2, inside.max(), inside.min()))
    centres, highest, lowest = np.array(rows).T
    dry, wet = linregress(centres, highest), linregress(centres, lowest)
    cold = wet.slope * ndvi + wet.intercept
    found = np.clip((lst - cold) / (dry.slope * ndvi + dry.intercept - cold), 0, 1)
    return np.where(valid, found, np.nan)


def test_dryness(tmp_path: Path, context: ToolContext) -> None:
    generator = np.random.default_rng(5)
    ndvi = raster(tmp_path, "ndvi", generator.integers(-3000, 9973, (80, 90)).astype("int16"))
    lst = raster(tmp_path, "lst", generator.integers(0, 16000, (80, 90)).astype("uint16"))
    run("compute_tvdi", context, ndvi_path="ndvi.tif", lst_path="lst.tif", output_path="out.tif")
    np.testing.assert_allclose(read(context)[0], _dryness(ndvi * 0.0001, lst * 0.02), atol=1e-5)
    raster(tmp_path, "few", np.full((80, 90), -3000, "int16"))
    run("compute_tvdi", context, ndvi_path="few.tif", lst_path="lst.tif", output_path="out.tif")
    assert np.isnan(read(context)).all()


@pytest.fixture
def thermal(tmp_path: Path) -> Arrays:
    generator = np.random.default_rng(13)
    found = {}
    for name in ("t1", "t2", "t3", "t4", "t5"):
        found[name] = raster(tmp_path, name, generator.uniform(235, 345, (20, 25)).astype("float32"))
    for name in ("e1", "e2"):
        found[name] = raster(tmp_path, name, generator.integers(0, 256, (20, 25)).astype("uint8"))
    for name in ("red", "nir", "albedo"):
        found[name] = raster(tmp_path, name, generator.uniform(-0.05, 1, (20, 25)).astype("float32"))
    return found


def _correct(bt: np.ndarray, emissivity: np.ndarray, wavelength: float) -> np.ndarray:
    return bt / (1 + (wavelength * bt / 14387.7) * np.log(emissivity))


def _between(values: np.ndarray, low: float, high: float) -> np.ndarray:
    return np.where((values >= low) & (values <= high), values, np.nan)


def test_single_channel(thermal: Arrays, context: ToolContext) -> None:
    run(
        "lst_single_channel",
        context,
        bt_path="t1.tif",
        red_path="red.tif",
        nir_path="nir.tif",
        output_path="out.tif",
    )
    red, nir = (np.where(thermal[name] < 0, np.nan, thermal[name]) for name in ("red", "nir"))
    ndvi = (nir - red) / (nir + red + 1e-6)
    emissivity = np.where(ndvi > 0.7, 0.99, np.where(ndvi < 0.2, 0.96, 0.97 + 0.003 * ndvi))
    np.testing.assert_allclose(read(context)[0], _correct(thermal["t1"], emissivity, 10.9), rtol=1e-6)


def test_multi_channel(thermal: Arrays, context: ToolContext) -> None:
    run("lst_multi_channel", context, band31_path="t1.tif", band32_path="t2.tif", output_path="out.tif")
    expected = 1.022 * thermal["t1"] + 0.47 * (thermal["t1"] - thermal["t2"]) + 0.43
    np.testing.assert_allclose(read(context)[0], expected, rtol=1e-6)


def test_split_window(thermal: Arrays, context: ToolContext) -> None:
    paths = {
        "band31_path": "t1.tif",
        "band32_path": "t2.tif",
        "emissivity31_path": "e1.tif",
        "emissivity32_path": "e2.tif",
        "output_path": "out.tif",
    }
    e1, e2 = thermal["e1"] * 0.002 + 0.49, thermal["e2"] * 0.002 + 0.49
    span, mean = thermal["t1"] - thermal["t2"], np.clip((e1 + e2) / 2, 0.8, 1)
    t = thermal["t1"] - 273.15
    terms = (54.3 - 2.238 * span) * (1 - mean) + (54.3 - 2.238 * span) * (e1 - e2)
    run("split_window", context, **paths, parameter="lst")
    expected = _between(0.268 + 1.378 * t + 0.183 * t**2 / 1000 + terms + 273.15, 200, 350)
    np.testing.assert_allclose(read(context)[0], expected, rtol=1e-6, atol=1e-3)
    run("split_window", context, **paths, parameter="PWV")
    np.testing.assert_allclose(read(context)[0], span / (thermal["t1"] * mean) * 100, atol=1e-4)
    with pytest.raises(InputError, match="parameter"):
        run("split_window", context, **paths, parameter="SST")


def test_the_contract_s_own_example_of_split_window(tmp_path: Path, context: ToolContext) -> None:
    for name, value in {"t31": 300, "t32": 298.5, "e31": 245, "e32": 247}.items():
        raster(tmp_path, name, np.full((2, 2), value, "float32"))
    run(
        "split_window",
        context,
        band31_path="t31.tif",
        band32_path="t32.tif",
        emissivity31_path="e31.tif",
        emissivity32_path="e32.tif",
        parameter="LST",
        output_path="out.tif",
    )
    assert read(context)[0, 0, 0] == pytest.approx(311.3, abs=0.1)


def test_separation(thermal: Arrays, context: ToolContext) -> None:
    paths = [f"t{n}.tif" for n in range(1, 6)]
    run(
        "temperature_emissivity_separation",
        context,
        tir_band_paths=paths,
        representative_band_index=3,
        output_path="out.tif",
    )
    stack = np.stack([thermal[f"t{n}"] for n in range(1, 6)])
    spread = np.ptp(stack, axis=0)
    emissivity = np.clip(0.982 - 0.072 * spread, 0.85, 0.999)
    expected = np.stack([_correct(stack[3], emissivity, 10.6), emissivity, spread])
    np.testing.assert_allclose(read(context), expected, rtol=1e-6, atol=1e-4)
    with pytest.raises(InputError, match="Count from 0"):
        run(
            "temperature_emissivity_separation",
            context,
            tir_band_paths=paths,
            representative_band_index=13,
            output_path="out.tif",
        )


def test_three_temperatures(thermal: Arrays, context: ToolContext) -> None:
    run("ttm_lst", context, tir_band_paths=["t1.tif", "t2.tif", "t3.tif"], output_path="out.tif")
    stack = np.stack([thermal[f"t{n}"] for n in (1, 2, 3)])
    valid = ((stack > 240) & (stack < 340)).all(axis=0)
    lst = np.where(valid, 0.3 * stack[0] + 0.3 * stack[1] + 0.4 * stack[2] + 2, np.nan)
    np.testing.assert_allclose(read(context)[0], lst, rtol=1e-6)
    np.testing.assert_allclose(read(context)[2], np.where(valid, 0.95, np.nan), rtol=1e-6)


def test_day_and_night(thermal: Arrays, context: ToolContext) -> None:
    run(
        "modis_day_night_lst",
        context,
        BT_day_path="t1.tif",
        BT_night_path="t2.tif",
        Emis_day_path="e1.tif",
        Emis_night_path="e2.tif",
        output_path="out.tif",
    )
    day, night = _between(thermal["t1"], 270, 325), _between(thermal["t2"], 270, 325)
    e1, e2 = thermal["e1"] * 0.002 + 0.49, thermal["e2"] * 0.002 + 0.49
    surface = [_between(_correct(t, np.clip(e, 0.5, 1), 11.0), 270, 325) for t, e in ((day, e1), (night, e2))]
    np.testing.assert_allclose(read(context), np.stack([*surface, day, night, e1, e2]), rtol=1e-5)


def test_thermal_inertia(thermal: Arrays, context: ToolContext) -> None:
    run(
        "ATI",
        context,
        day_temp_path="t1.tif",
        night_temp_path="t2.tif",
        albedo_path="albedo.tif",
        output_path="out.tif",
    )
    span = thermal["t1"] - thermal["t2"]
    np.testing.assert_allclose(
        read(context)[0], np.clip((1 - thermal["albedo"]) / span, 0, 10), rtol=1e-4, atol=1e-5
    )


def test_thermal_inertia_stretches_smaller_rasters(
    tmp_path: Path, thermal: Arrays, context: ToolContext
) -> None:
    raster(tmp_path, "coarse", np.full((10, 5), 280, "float32"))
    raster(tmp_path, "hot", np.full((20, 25), 300, "float32"))
    run(
        "ATI",
        context,
        day_temp_path="hot.tif",
        night_temp_path="coarse.tif",
        albedo_path="albedo.tif",
        output_path="out.tif",
    )
    np.testing.assert_allclose(read(context)[0], np.clip((1 - thermal["albedo"]) / 20, 0, 10), atol=1e-5)


def test_temperature_by_vegetation(thermal: Arrays, context: ToolContext) -> None:
    names = {"red_paths": "red.tif", "nir_paths": "nir.tif", "lst_paths": "t1.tif"}
    ndvi = (thermal["nir"] - thermal["red"]) / (thermal["nir"] + thermal["red"])
    for mode, chosen in (("above", ndvi >= 0.3), ("below", ndvi < 0.3), ("over", ndvi >= 0.3)):
        found = run("calculate_mean_lst_by_ndvi", context, **names, ndvi_threshold=0.3, mode=mode)
        assert found == pytest.approx(thermal["t1"][chosen].mean(), rel=1e-6)
    single = {name.removesuffix("s"): path for name, path in names.items()}
    assert run("calculate_max_lst_by_ndvi", context, **single, ndvi_threshold=0.3) == pytest.approx(
        thermal["t1"][ndvi >= 0.3].max()
    )
    assert np.isnan(run("calculate_mean_lst_by_ndvi", context, **names, ndvi_threshold=1e9))
    with pytest.raises(NoValidPixels):
        run("calculate_max_lst_by_ndvi", context, **single, ndvi_threshold=1e9)


def test_precipitable_water(tmp_path: Path, context: ToolContext) -> None:
    generator = np.random.default_rng(3)
    b = {
        n: raster(tmp_path, n, generator.uniform(0.05, 0.6, (9, 9)).astype("float32"))
        for n in ("b02", "b05", "b17", "b18", "b19")
    }
    run("band_ratio", context, **{f"sur_refl_{n}_path": f"{n}.tif" for n in b}, output_path="out.tif")
    ratios = []
    for name, wavelength in (("b17", 0.905), ("b18", 0.936), ("b19", 0.940)):
        expected = b["b02"] + (b["b05"] - b["b02"]) * (wavelength - 0.865) / (1.240 - 0.865)
        ratios.append(b[name] / expected)
    water = np.maximum(-np.log(ratios[1]) / 0.03, 0)
    np.testing.assert_allclose(read(context), np.stack([water, *ratios]), rtol=1e-5, atol=1e-5)


def test_turbidity_returns_the_band(numbers: Arrays, context: ToolContext) -> None:
    run("calculate_water_turbidity_ntu", context, input_red_path="red.tif", output_filename="out.tif")
    np.testing.assert_allclose(read(context)[0], np.maximum(numbers["red"], 0))
    run(
        "calculate_water_turbidity_ntu",
        context,
        input_red_path="red.tif",
        output_path="out.tif",
        method="log",
        a=2,
        b=1,
    )
    np.testing.assert_allclose(
        read(context)[0], np.maximum(2 * np.log(np.maximum(numbers["red"], 1e-6)) + 1, 0), rtol=1e-5
    )
    run(
        "calculate_water_turbidity_ntu",
        context,
        input_red_path="red.tif",
        output_path="out.tif",
        method="power",
        n=0.5,
    )
    np.testing.assert_allclose(read(context)[0], np.maximum(numbers["red"], 1e-6) ** 0.5, rtol=1e-5)


def test_radar(tmp_path: Path, context: ToolContext) -> None:
    generator = np.random.default_rng(8)
    p = [raster(tmp_path, f"p{n}", generator.uniform(-25, -2, (9, 9)).astype("float32")) for n in (1, 2)]
    one, two = 10 ** (p[0] / 10), 10 ** (p[1] / 10)
    for parameter, expected in (
        ("soil_moisture", 0.3 * (one - two) + 0.1),
        ("vegetation_index", (one - two) / (one + two)),
    ):
        paths = {"pol1_path": "p1.tif", "pol2_path": "p2.tif", "output_path": "out.tif"}
        run("dual_polarization_differential", context, **paths, parameter=parameter)
        np.testing.assert_allclose(read(context)[0], expected, atol=1e-5)


def test_microwave(tmp_path: Path, thermal: Arrays, context: ToolContext) -> None:
    t = [thermal[f"t{n}"] / 100 for n in range(1, 5)]
    for number, values in enumerate(t):
        raster(tmp_path, f"m{number}", values.astype("float32"))
    paths = [f"m{number}.tif" for number in range(4)]
    two = {"band1_path": paths[0], "band2_path": paths[1], "output_path": "out.tif"}
    run("dual_frequency_diff", context, **two, parameter="SM", alpha=0.7, beta=0.1)
    expected = np.stack([t[0] - t[1], np.clip(0.7 * (t[0] - t[1]) + 0.1, 0, 1)])
    np.testing.assert_allclose(read(context), expected, atol=1e-5)
    pairs = [[0, 1], [1, 2], [2, 3]]
    differences = [t[i] - t[j] for i, j in pairs]
    run(
        "multi_freq_bt", context, bt_paths=paths, diff_pairs=pairs[:2], parameter="VWC", output_path="out.tif"
    )
    np.testing.assert_allclose(
        read(context)[0], np.clip(0.1 + 0.5 * differences[0] + 0.5 * differences[1], 0, 1), atol=1e-5
    )
    run(
        "chang_single_param_inversion",
        context,
        bt_paths=paths,
        diff_pairs=pairs,
        parameter="SM",
        output_path="out.tif",
    )
    total = 0.02 + 0.65 * differences[0] + 0.3 * differences[1] + 0.1 * differences[2]
    np.testing.assert_allclose(read(context)[0], np.clip(total, 0, 1), atol=1e-5)
    with pytest.raises(InputError, match="diff_pairs"):
        run("multi_freq_bt", context, bt_paths=paths, diff_pairs=pairs, parameter="SM", output_path="out.tif")


def test_sea_ice_and_polarisation(thermal: Arrays, context: ToolContext) -> None:
    channels = {"19V": "t1.tif", "19H": "t2.tif", "37V": "t3.tif", "37H": "t4.tif"}
    run("nasa_team_sea_ice_concentration", context, bt_paths=channels, output_path="out.tif")
    first, second = (thermal["t1"] - thermal["t2"]) / 50, (thermal["t3"] - thermal["t4"]) / 20
    np.testing.assert_allclose(read(context)[0], np.clip((first + second) / 2, 0, 1), atol=1e-5)
    run(
        "dual_polarization_ratio",
        context,
        bt_paths={"V": "t1.tif", "H": "t2.tif"},
        parameter="VWC",
        output_path="out.tif",
    )
    ratio = (thermal["t1"] - thermal["t2"]) / (thermal["t1"] + thermal["t2"])
    np.testing.assert_allclose(read(context), np.stack([15 * ratio + 5, ratio]), atol=1e-5)


def test_every_expert_call_is_understood(shared: Path) -> None:
    registry = toolkit.registry()
    lines = (shared / "earth_bench" / "questions.jsonl").read_text().splitlines()
    steps = [step for line in lines for step in json.loads(line)["ground_truth"]]
    mine = [
        s for s in steps if s["tool"] in registry and registry.get(s["tool"]).kit in ("Index", "Inversion")
    ]
    refused = set()
    for step in mine:
        tool = registry.get(step["tool"])
        named = {tool.parameter_aliases.get(name, name): value for name, value in step["arguments"].items()}
        missing = {p.name for p in tool.parameters if p.required} - set(named)
        unknown = set(named) - {p.name for p in tool.parameters}
        if missing or unknown:
            refused.add((step["tool"], *sorted(step["arguments"])))
    assert len(mine) > 250
    assert refused == {
        ("calculate_ndwi", "file_list", "output_path"),
        ("calculate_ndwi", "output_path", "qa_pixel_path", "sr_band_path"),
    }


CONSTANTS = {
    ("multi_freq_bt", "SM"): ((0.6, 0.4), 0.05),
    ("multi_freq_bt", "VWC"): ((0.5, 0.5), 0.1),
    ("multi_freq_bt", "LAI"): ((0.7, 0.3), 0.0),
    ("chang_single_param_inversion", "SM"): ((0.65, 0.3, 0.1), 0.02),
    ("chang_single_param_inversion", "VWC"): ((0.5, 0.4, 0.2), 0.05),
}


@pytest.mark.parametrize(("tool", "parameter"), CONSTANTS)
def test_frequency_differences(tool: str, parameter: str, tmp_path: Path, context: ToolContext) -> None:
    bands = np.random.default_rng(17).uniform(2.4, 3.4, (4, 9, 8)).astype("float32")
    paths = [f"m{number}.tif" for number in range(4)]
    for path, band in zip(paths, bands, strict=True):
        write_raster(tmp_path / path, band)
    alphas, beta = CONSTANTS[tool, parameter]
    pairs = [[n, n + 1] for n in range(len(alphas))]
    run(tool, context, bt_paths=paths, diff_pairs=pairs, parameter=parameter, output_path="out.tif")
    wide = bands.astype(float)
    total = beta + sum(a * (wide[i] - wide[j]) for a, (i, j) in zip(alphas, pairs, strict=True))
    np.testing.assert_allclose(read(context)[0], np.clip(total, 0, 1), atol=1e-5)


@pytest.mark.parametrize(("parameter", "a", "b"), [("VWC", 15, 5), ("SM", 0.4, 0.1)])
def test_polarisation_ratio(
    parameter: str, a: float, b: float, thermal: Arrays, context: ToolContext
) -> None:
    channels = {"V": "t1.tif", "H": "t2.tif"}
    run("dual_polarization_ratio", context, bt_paths=channels, parameter=parameter, output_path="out.tif")
    ratio = (thermal["t1"] - thermal["t2"]) / (thermal["t1"] + thermal["t2"])
    np.testing.assert_allclose(read(context), np.stack([a * ratio + b, ratio]), atol=1e-5)


def test_options_of_the_indices(numbers: Arrays, context: ToolContext) -> None:
    bands = {f"input_{name}_paths": [f"{name}.tif"] for name in ("nir", "red", "blue")}
    options = {"G": 2.0, "C1": 5.0, "C2": 7.0, "L": 3.0}
    run("calculate_batch_evi", context, **bands, output_paths=["out.tif"], **options)
    n, r, b = (numbers[name] for name in ("nir", "red", "blue"))
    expected = 2 * (n - r) / (n + 5 * r - 7 * b + 3 + 1e-6)
    np.testing.assert_allclose(read(context)[0], expected, rtol=1e-4, atol=1e-5)
    bands.pop("input_blue_paths")
    run("calculate_batch_fvc", context, **bands, output_paths=["out.tif"], ndvi_min=0.2, ndvi_max=0.7)
    expected = np.clip(100 * (_normalised_difference(n, r) - 0.2) / 0.5, 0, 100)
    np.testing.assert_allclose(read(context)[0], expected, rtol=1e-5, atol=1e-4)


def test_tie_points_of_the_benchmark(thermal: Arrays, context: ToolContext) -> None:
    channels = {"19V": "t1.tif", "19H": "t2.tif", "37V": "t3.tif", "37H": "t4.tif"}
    run(
        "nasa_team_sea_ice_concentration",
        context,
        bt_paths=channels,
        output_path="out.tif",
        nd_ice=40.0,
        nd_water=5.0,
        s1_ice=30.0,
        s1_water=-4.0,
    )
    first = (thermal["t1"] - thermal["t2"] - 5) / 35
    second = (thermal["t3"] - thermal["t4"] + 4) / 34
    np.testing.assert_allclose(read(context)[0], np.clip((first + second) / 2, 0, 1), atol=1e-5)

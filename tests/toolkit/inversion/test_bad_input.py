"""Every tool of both kits and both profiles: what it does with one pixel, nothing, and nonsense."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import toolkit
from tests.rasters import PlainResolver, write_raster
from toolkit.context import ToolContext
from toolkit.errors import InputError, PathOutside, RasterMissing, TreelineError
from toolkit.tool import Parameter, Reads, Tool, Writes
from toolkit.variables import VARIABLES

TOOLS = [tool for tool in toolkit.registry() if tool.kit in ("Index", "Inversion")]
PROFILES = ("science", "earth_bench")
TIR = [f"tir{n}" for n in range(10, 15)]
KNOWN: dict[str, dict[str, Any]] = {
    "spectral_index": {"name": "NDVI", "raster_paths": ["nir", "red"]},
    "spectral_index_series": {"name": "CSIwoSWIR"},
    "raster_calculator": {"formula": "a + 1", "rasters": {"a": "nir"}},
    "temperature_emissivity_separation": {"tir_band_paths": TIR, "representative_band_index": 3},
    "ttm_lst": {"tir_band_paths": TIR[:3]},
    "split_window": {"parameter": "LST"},
    "calculate_mean_lst_by_ndvi": {"ndvi_threshold": 0.1},
    "calculate_max_lst_by_ndvi": {"ndvi_threshold": 0.1},
    "dual_polarization_differential": {"parameter": "soil_moisture", "a": 0.1},
    "dual_frequency_diff": {"parameter": "SM", "alpha": 1.0, "beta": 0.0},
    "multi_freq_bt": {"parameter": "SM", "bt_paths": ["bt31", "bt32"], "diff_pairs": [[0, 1], [0, 1]],
                      "alphas": [1.0, 1.0], "beta": 0.0},
    "chang_single_param_inversion": {"parameter": "SM", "bt_paths": ["bt31", "bt32"], "beta": 0.0,
                                     "diff_pairs": [[0, 1]] * 3, "alphas": [1.0] * 3},
    "nasa_team_sea_ice_concentration": {"bt_paths": dict.fromkeys(("19H", "19V", "37V", "37H"), "bt31")},
    "dual_polarization_ratio": {"bt_paths": {"V": "bt31", "H": "bt32"}, "parameter": "SM",
                                "coeffs": {"a": 1, "b": 0}},
    "vegetation_optical_depth": {"emissivity_v": 0.9, "emissivity_h": 0.8, "incidence_angle": 50},
    "calc_extreme_snow_loss_percentage_from_binary_map": {"binary_map_path": "mask"},
}  # fmt: skip
VALUES = {"reflectance": 0.3, "temperature": 300.0, "index": 0.3, "radar": -10.0}


def _value(role: str) -> float:
    known = VARIABLES.get(role)
    special = {"mask": 1.0, "red": 0.1, "bt32": 299.0, "lst_night": 285.0, "nir_940": 0.15, "albedo": 0.2}
    return special.get(role, VALUES.get(known.kind if known else "", 0.98))


def _roles() -> set[str]:
    named = {r for tool in TOOLS for p in tool.inputs for r in (p.contract.roles or ("nir",))}  # type: ignore[union-attr]
    return named | set(VARIABLES) & {"nir", "red", "bt31", "bt32", "mask", *TIR}


def _context(folder: Path, profile: str) -> ToolContext:
    return ToolContext(
        output_folder=folder / "out", resolver=PlainResolver(folder), threads=1, profile=profile
    )


def _scene(folder: Path, make: Any) -> None:
    for role in _roles():
        write_raster(folder / f"{role}.tif", make(_value(role)).astype("float32"), descriptions=[role])


def _files(value: Any) -> Any:
    if isinstance(value, list):
        return [_files(item) for item in value]
    if isinstance(value, dict):
        return {key: _files(item) for key, item in value.items()}
    return f"{value}.tif" if isinstance(value, str) else value


def _argument(parameter: Parameter, given: dict[str, Any]) -> Any:
    if isinstance(parameter.contract, Writes):
        return ["out.tif"] if parameter.many else "out.tif"
    if parameter.name in given:
        is_raster = isinstance(parameter.contract, Reads) or parameter.name == "rasters"
        return _files(given[parameter.name]) if is_raster else given[parameter.name]
    assert isinstance(parameter.contract, Reads), parameter.name
    file = f"{(parameter.contract.roles or ('nir',))[0]}.tif"
    return [file] if parameter.many else file


def arguments(tool: Tool) -> dict[str, Any]:
    given = KNOWN.get(tool.name, {})
    return {p.name: _argument(p, given) for p in tool.parameters if p.required or p.name in given}


def _ids(tool: Tool) -> str:
    return tool.name


@pytest.mark.parametrize("profile", PROFILES)
@pytest.mark.parametrize("tool", TOOLS, ids=_ids)
def test_one_pixel(tool: Tool, profile: str, tmp_path: Path) -> None:
    _scene(tmp_path, lambda value: np.full((1, 1), value))
    try:
        result = tool.run(arguments(tool), _context(tmp_path, profile))
    except TreelineError as error:
        assert tool.name == "compute_tvdi" and "NDVI bins" in error.message
    else:
        json.dumps(result)


@pytest.mark.parametrize("profile", PROFILES)
@pytest.mark.parametrize(
    "make", [lambda v: np.full((3, 3), np.nan), lambda v: np.full((3, 3), np.inf)], ids=["nan", "inf"]
)
@pytest.mark.parametrize("tool", TOOLS, ids=_ids)
def test_nothing_valid(tool: Tool, make: Any, profile: str, tmp_path: Path) -> None:
    _scene(tmp_path, make)
    context = _context(tmp_path, profile)
    try:
        tool.run(arguments(tool), context)
    except TreelineError as error:
        assert error.message.endswith((".", ")")), error.message
        assert not list(tmp_path.glob("out/*"))


@pytest.mark.parametrize("profile", PROFILES)
@pytest.mark.parametrize(
    "tool", [t for t in TOOLS if t.inputs or "rasters" in {p.name for p in t.parameters}], ids=_ids
)
def test_missing_file(tool: Tool, profile: str, tmp_path: Path) -> None:
    context = _context(tmp_path, profile)
    with pytest.raises(RasterMissing, match=r"\.tif"):
        tool.run(arguments(tool), context)
    assert not context.products


@pytest.mark.parametrize("profile", PROFILES)
@pytest.mark.parametrize("tool", [t for t in TOOLS if t.outputs], ids=_ids)
def test_output_leaves_the_folder(tool: Tool, profile: str, tmp_path: Path) -> None:
    generator = np.random.default_rng(1)
    _scene(tmp_path, lambda value: value * generator.uniform(0.9, 1.1, (40, 40)))
    changed = arguments(tool)
    for parameter in tool.outputs:
        changed[parameter.name] = ["../evil.tif"] if parameter.many else "../evil.tif"
    if tool.name == "compute_tvdi":
        write_raster(
            tmp_path / "ndvi.tif",
            generator.uniform(0.1, 0.9, (40, 40)).astype("float32"),
            descriptions=["ndvi"],
        )
    with pytest.raises(PathOutside):
        tool.run(changed, _context(tmp_path, profile))
    assert not list(tmp_path.glob("**/evil*"))


@pytest.mark.parametrize("tool", [t for t in TOOLS if t.inputs], ids=_ids)
def test_a_number_where_a_raster_belongs(tool: Tool, tmp_path: Path) -> None:
    changed = {**arguments(tool), tool.inputs[0].name: 5}
    with pytest.raises(InputError, match=tool.inputs[0].name):
        tool.run(changed, _context(tmp_path, "science"))


@pytest.mark.parametrize("tool", [t for t in TOOLS if t.parameters], ids=_ids)
def test_an_argument_that_is_not_there(tool: Tool, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="nonsense"):
        tool.run({**arguments(tool), "nonsense": 1}, _context(tmp_path, "science"))


@pytest.mark.parametrize("profile", PROFILES)
@pytest.mark.parametrize("tool", [t for t in TOOLS if any(p.many for p in t.inputs)], ids=_ids)
def test_empty_list(tool: Tool, profile: str, tmp_path: Path) -> None:
    _scene(tmp_path, lambda value: np.full((2, 2), value))
    empty = {p.name: [] for p in tool.parameters if p.contract is not None and p.many}
    with pytest.raises(TreelineError):
        tool.run({**arguments(tool), **empty}, _context(tmp_path, profile))

"""Every raster tool of the kits meets rasters that hold little or nothing."""

from __future__ import annotations

import math

import numpy as np
import pytest

from toolkit import registry
from toolkit.errors import InputError, RasterMissing, TreelineError

KITS = ("Statistics", "Analysis", "Series")
RASTERS = {
    "one pixel": np.ones((1, 1), "float32"),
    "nodata": np.full((6, 6), -9, "float32"),
    "nan": np.full((6, 6), np.nan, "float32"),
    "infinite": np.full((6, 6), np.inf, "float32"),
    "zero": np.zeros((6, 6), "float32"),
    "bytes": np.arange(36, dtype="uint8").reshape(6, 6),
}
NUMBERS = {"gsd": 1.0, "threshold": 0.5, "threshold1": 0, "threshold2": 0, "percentile": 50}
OTHERS = {
    "band_conditions": [[0, 0.5, "above"]],
    "condition_band_index": 0,
    "condition_threshold": 0.5,
    "weight_matrix": [[1, 1, 1]] * 3,
    "save_name": "o.tif",
}
RASTER_TOOLS = sorted(tool.name for tool in registry() if tool.kit in KITS and tool.inputs)


def arguments_of(tool, raster):
    """Return the fewest arguments with which a tool can be called."""
    count = 5 if tool.kit == "Series" else 2
    given = {}
    for parameter in tool.parameters:
        if parameter in tool.inputs:
            given[parameter.name] = [raster] * count if parameter.type_text.startswith("list") else raster
        elif parameter in tool.outputs:
            many = parameter.type_text.startswith("list")
            given[parameter.name] = [f"o{n}.tif" for n in range(count)] if many else "o.tif"
        elif parameter.required:
            given[parameter.name] = {**NUMBERS, **OTHERS}[parameter.name]
    if "dates" in given or tool.name == "calculate_trend_map":
        given["dates"] = list(range(count))
    return given


def numbers_in(value):
    if isinstance(value, dict):
        value = list(value.values())
    if isinstance(value, list | tuple):
        return [number for part in value for number in numbers_in(part)]
    return [value] if isinstance(value, float) else []


@pytest.mark.parametrize("kind", RASTERS)
@pytest.mark.parametrize("name", RASTER_TOOLS)
def test_little_or_nothing_gives_a_number_or_a_clear_error(workplace, name, kind):
    workplace.raster("a.tif", RASTERS[kind], nodata=-9 if kind == "nodata" else None)
    tool = registry().get(name)
    for profile in ("science", "earth_bench"):
        try:
            result = workplace.run(name, profile, **arguments_of(tool, "a.tif"))
        except TreelineError as error:
            assert len(error.message) > 15
        else:
            assert profile != "science" or all(map(math.isfinite, numbers_in(result))), result
        assert not list(workplace.folder.glob(".*"))


@pytest.mark.parametrize("name", RASTER_TOOLS)
def test_what_is_missing_or_no_argument_is_named(workplace, name):
    tool = registry().get(name)
    with pytest.raises(RasterMissing, match="absent"):
        workplace.run(name, **arguments_of(tool, "absent.tif"))
    workplace.raster("a.tif", RASTERS["bytes"])
    good = arguments_of(tool, "a.tif")
    with pytest.raises(InputError, match="colour_of_sky"):
        workplace.run(name, **good, colour_of_sky=1)
    for parameter in tool.parameters:
        if parameter.name in NUMBERS:
            with pytest.raises(InputError, match=f"{parameter.name}.*high"):
                workplace.run(name, **{**good, parameter.name: "high"})
        if parameter in tool.outputs:
            outside = "../outside.tif"
            wrong = (
                [outside] * len(good[parameter.name]) if isinstance(good[parameter.name], list) else outside
            )
            with pytest.raises(TreelineError, match="leaves|has no date"):
                workplace.run(name, **{**good, parameter.name: wrong})
    assert not (workplace.folder.parent / "outside.tif").exists()

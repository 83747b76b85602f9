"""Every registered tool meets every kind of bad input: it works, or says in our words what was wrong.

Where a kind has several forms, each argument meets one of them, in turn from one argument and tool to the
next; in the long run it meets all.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable, Iterator, Sequence
from itertools import count
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.toolkit.calls import VECTORS, arguments_of, is_list
from tests.toolkit.scene import Scene
from treeline.toolkit import registry
from treeline.toolkit.context import ToolContext
from treeline.toolkit.errors import (
    GridMismatch,
    InputError,
    PathOutside,
    RasterMissing,
    RasterUnreadable,
    RoleMismatch,
    TreelineError,
)
from treeline.toolkit.raster import open_raster_file
from treeline.toolkit.tool import Parameter, Reads, Tool

# Each tool meets some kinds here, and all in `make soak`.
pytestmark = [pytest.mark.usefixtures("encoder"), pytest.mark.sample(5)]

TOOLS = list(registry())
PLACE = {tool.name: place for place, tool in enumerate(TOOLS)}
PROFILES = ("science", "earth_bench")
NO_FILES = ("", "../secret.tif", "/etc/passwd", "http://127.0.0.1/a.tif", "a\0.tif", "red")
NO_NAMES = ("", ".", "a\0b.tif", "x" * 300 + ".tif")
OUTSIDE = ("../outside.tif", "/tmp/outside.tif", "a/../../outside.tif")
NO_NUMBERS = (math.nan, math.inf, -1, 0, 10**9)
NO_VALUES = (None, {}, [], "words", 3, [None], [[]], ["a", 1])
NO_VECTORS = ("absent.geojson", "broken.geojson", "../x.geojson", "red/good-0.tif")
POOR_VECTORS = ("empty.geojson", "elsewhere.geojson", "points.geojson", "line.geojson", "zones.geojson")

# States of rasters: in another CRS, where the others are not, nowhere, or as a single pixel.
ELSEWHERE = ("degrees", "elsewhere", "bare", "pixel")
LITTLE = ("nan", "inf", "zero", "pixel", "bare", "degrees")

# Bands of the reference's signature that the published method does not use.
UNREAD = {("band_ratio", "sur_refl_b17_path"), ("band_ratio", "sur_refl_b18_path")}
# Rasters whose values count, wherever they lie.
ANYWHERE = {("match_histogram", "reference_path")}

Arguments = dict[str, Any]
Forms = Callable[[Sequence[Any]], Sequence[Any]]


def every(tools: Any) -> Any:
    return pytest.mark.parametrize("tool", list(tools), ids=lambda tool: tool.name)


every_tool = every(TOOLS)
with_rasters = every(tool for tool in TOOLS if tool.inputs)
with_outputs = every(tool for tool in TOOLS if tool.outputs)
under_profiles = pytest.mark.parametrize(
    ("tool", "profile"),
    [(t, p) for t in TOOLS for p in PROFILES if p in t.profiles],
    ids=lambda value: value if isinstance(value, str) else value.name,
)


class Trial:
    """Runs tools in a scene and looks at what they leave behind."""

    def __init__(self, scene: Scene, folder: Path) -> None:
        self.scene = scene
        self.folder = folder

    def run(self, tool: Tool, arguments: Arguments, profile: str = "science") -> Any:
        """Return the result as plain data; whatever was written must be whole."""
        context = ToolContext(self.folder, self.scene.resolver, profile, threads=1)
        try:
            return json.loads(json.dumps(tool.run(arguments, context)))
        finally:
            self.clear()

    def clear(self) -> list[str]:
        """Remove what was written and return its names."""
        found = [path for path in self.folder.rglob("*") if path.is_file()]
        for path in found:
            assert not path.name.startswith("."), f"{path.name} is half-written"
            if path.suffix == ".tif":
                open_raster_file(path).close()
            path.unlink()
        return [path.name for path in found]

    def expect_refusal(
        self,
        tool: Tool,
        arguments: Arguments,
        argument: str,
        *words: str,
        error: type[TreelineError] = TreelineError,
    ) -> None:
        """Expect an error that names the argument and what was found, and says what would do."""
        with pytest.raises(error) as raised:
            self.run(tool, arguments)
        check_words(raised.value)
        message = raised.value.message
        assert re.search(rf"\b({argument})\b", message), f"{argument} is not named: {message}"
        assert all(word in str(raised.value) for word in words), raised.value

    def expect_outcome(self, tool: Tool, arguments: Arguments, profile: str = "science") -> None:
        """Expect a plausible result or an error of ours."""
        try:
            result = self.run(tool, arguments, profile)
        except TreelineError as error:
            check_words(error)
        else:
            assert profile != "science" or all(map(math.isfinite, numbers_in(result))), result


@pytest.fixture(scope="module")
def trial(tmp_path_factory: pytest.TempPathFactory) -> Trial:
    return Trial(Scene(tmp_path_factory.mktemp("scene")), tmp_path_factory.mktemp("out"))


@pytest.fixture(params=["in turn", pytest.param("all", marks=pytest.mark.soak)])
def forms(request: pytest.FixtureRequest) -> Forms:
    """A function from the forms of an input to those that an argument meets."""
    if request.param == "all":
        return lambda values: values
    name = request.node.callspec.params["tool"].name
    turn = count(PLACE[name])
    return lambda values: [values[next(turn) % len(values)]]


def check_words(error: TreelineError) -> None:
    assert error.message.endswith((".", ")")) and len(error.message) > 15, error.message
    assert error.hint, f"no hint: {error.message}"


def numbers_in(value: Any) -> list[float]:
    if isinstance(value, dict):
        value = list(value.values())
    if isinstance(value, list):
        return [number for part in value for number in numbers_in(part)]
    return [value] if isinstance(value, float) else []


def valid_shares(path: Path) -> list[float]:
    """Return the share of valid pixels of each band."""
    with open_raster_file(path) as dataset:
        bands = dataset.read(masked=True).astype("float64").filled(math.nan)
    return [float(np.isfinite(band).mean()) for band in bands]


def good(tool: Tool, trial: Trial, state: str = "good") -> Arguments:
    return trial.scene.in_state(arguments_of(tool), state)


def inputs_of(tool: Tool) -> Iterator[Parameter]:
    given = arguments_of(tool)
    return (parameter for parameter in tool.inputs if parameter.name in given)


def with_first(value: Any, change: Callable[[str], str]) -> Any:
    """Return a value with the first raster in it changed."""
    match value:
        case [first, *others]:
            return [with_first(first, change), *others]
        case dict():
            key = next(iter(value))
            return {**value, key: with_first(value[key], change)}
    return change(value)


def with_raster(tool: Tool, trial: Trial, change: Callable[[str], str]) -> Iterator[tuple[str, Arguments]]:
    """Yield for each input of a tool its name, and good arguments but for a raster of it."""
    arguments = good(tool, trial)
    for parameter in inputs_of(tool):
        yield parameter.name, {**arguments, parameter.name: with_first(arguments[parameter.name], change)}


@pytest.mark.sample(1)
@under_profiles
def test_good_arguments_work(tool, profile, trial):
    trial.run(tool, good(tool, trial), profile)


@pytest.mark.sample(2)
@under_profiles
def test_valid_pixels_and_numbers_of_a_scene_with_holes(tool, profile, trial):
    if not tool.inputs:
        return
    given = good(tool, trial, "holes")
    context = ToolContext(trial.folder, trial.scene.resolver, profile, threads=1)
    try:
        result = tool.run(given, context)
        shares = {p.path.name: valid_shares(p.path) for p in context.products if p.path.suffix == ".tif"}
        empty = [name for name, bands in shares.items() if not all(bands)]
        assert not empty, f"{tool.name} gives no valid pixel: {empty}"
        if tool.gives.kind in ("number", "series") and profile == "science":
            found = numbers_in(result)
            assert all(map(math.isfinite, found)), f"{tool.name} gives {result}"
    finally:
        trial.clear()


@with_rasters
def test_missing_file(tool, trial):
    for name, bad in with_raster(tool, trial, lambda _: "red/absent-0.tif"):
        trial.expect_refusal(tool, bad, name, "red/absent-0.tif", error=RasterMissing)


@with_rasters
def test_file_that_is_no_raster(tool, trial):
    for state in ("text", "cut", "empty"):
        broken = trial.scene.raster("red", state)
        for name, bad in with_raster(tool, trial, lambda _, broken=broken: broken):
            trial.expect_refusal(tool, bad, name, f"{state}-0.tif", error=RasterUnreadable)


@with_rasters
def test_address_that_is_no_file_of_the_workspace(tool, trial, forms):
    for address in forms(NO_FILES):
        for name, bad in with_raster(tool, trial, lambda _, address=address: address):
            trial.expect_refusal(tool, bad, name, error=InputError)


@with_rasters
def test_wrong_role(tool, trial):
    wrong = trial.scene.raster("snow_depth")
    restricted = {p.name for p in tool.inputs if isinstance(p.contract, Reads) and p.contract.roles}
    for name, bad in with_raster(tool, trial, lambda _: wrong):
        if name in restricted:
            trial.expect_refusal(tool, bad, name, "snow_depth", error=RoleMismatch)


@with_rasters
def test_band_that_does_not_exist(tool, trial):
    for name, bad in with_raster(tool, trial, lambda address: f"{address}#ultraviolet"):
        trial.expect_refusal(tool, bad, name, "ultraviolet", error=RasterMissing)


@every(tool for tool in TOOLS if len(tool.inputs) > 1 or any(map(is_list, tool.inputs)))
def test_one_raster_lies_elsewhere(tool, trial, forms):
    arguments = good(tool, trial)
    for parameter in inputs_of(tool):
        for state in forms(ELSEWHERE):
            value = trial.scene.in_state(arguments_of(tool)[parameter.name], state)
            last = [*arguments[parameter.name][:-1], value[-1]] if isinstance(value, list) else value
            trial.expect_outcome(tool, {**arguments, parameter.name: last})


@every(tool for tool in TOOLS if len(list(inputs_of(tool))) > 1)
def test_disjoint_extent(tool, trial):
    arguments, far = good(tool, trial), good(tool, trial, "elsewhere")
    either = "|".join(parameter.name for parameter in inputs_of(tool))
    for parameter in list(inputs_of(tool))[1:]:
        if (tool.name, parameter.name) not in UNREAD | ANYWHERE:
            bad = {**arguments, parameter.name: far[parameter.name]}
            trial.expect_refusal(tool, bad, either, "EPSG:32633", "900000", error=GridMismatch)


@under_profiles
def test_rasters_that_hold_nothing(tool, profile, trial):
    if tool.inputs:
        trial.expect_outcome(tool, good(tool, trial, "nodata"), profile)


@under_profiles
def test_rasters_that_hold_little(tool, profile, trial, forms):
    if tool.inputs:
        for state in forms(LITTLE):
            trial.expect_outcome(tool, good(tool, trial, state), profile)


@every(tool for tool in TOOLS if any(p.many and p.required for p in tool.parameters))
def test_empty_list(tool, trial):
    for parameter in tool.parameters:
        if parameter.many and parameter.required:
            trial.expect_refusal(tool, {**good(tool, trial), parameter.name: []}, parameter.name)


@every(tool for tool in TOOLS if any(is_list(p) for p in tool.outputs))
def test_lists_of_unequal_length(tool, trial):
    arguments = good(tool, trial)
    for parameter in filter(is_list, tool.parameters):
        shorter = arguments[parameter.name][:-1]
        trial.expect_refusal(tool, {**arguments, parameter.name: shorter}, parameter.name, str(len(shorter)))


@every_tool
def test_argument_that_is_unknown_or_missing(tool, trial):
    arguments = good(tool, trial)
    trial.expect_refusal(tool, {**arguments, "colour_of_sky": 1}, "colour_of_sky", error=InputError)
    for parameter in tool.parameters:
        if parameter.required:
            fewer = {name: value for name, value in arguments.items() if name != parameter.name}
            trial.expect_refusal(tool, fewer, parameter.name, tool.name, error=InputError)


@every_tool
def test_text_where_a_number_belongs(tool, trial):
    for parameter in tool.parameters:
        numeric = parameter.contract is None and re.search(r"\b(int|float)\b", parameter.type_text)
        if numeric and "str" not in parameter.type_text:
            bad = {**good(tool, trial), parameter.name: "high"}
            trial.expect_refusal(tool, bad, parameter.name, "high", error=InputError)


@every_tool
def test_number_that_is_none_or_out_of_range(tool, trial, forms):
    arguments = good(tool, trial)
    for parameter in tool.parameters:
        for number in forms(NO_NUMBERS):
            if parameter.contract is None and re.match(r"(int|float)", parameter.type_text):
                trial.expect_outcome(tool, {**arguments, parameter.name: number})
            elif parameter.contract is None and parameter.type_text.startswith("list[float"):
                trial.expect_outcome(tool, {**arguments, parameter.name: [number, 0.5, 0.25, 0.75]})


@every_tool
def test_value_of_another_type(tool, trial, forms):
    arguments = good(tool, trial)
    for parameter in tool.parameters:
        for value in forms(NO_VALUES):
            trial.expect_outcome(tool, {**arguments, parameter.name: value})


@with_outputs
def test_output_that_leaves_the_workspace(tool, trial):
    arguments = good(tool, trial)
    for parameter in tool.outputs:
        for outside in OUTSIDE:
            bad = [outside] * len(arguments[parameter.name]) if is_list(parameter) else outside
            trial.expect_refusal(
                tool, {**arguments, parameter.name: bad}, parameter.name, outside, error=PathOutside
            )
    assert not (trial.folder.parent / "outside.tif").exists()
    assert not Path("/tmp/outside.tif").exists()


@with_outputs
def test_output_that_is_no_file_name(tool, trial):
    arguments = good(tool, trial)
    for parameter in tool.outputs:
        for name in NO_NAMES:
            bad = [name] * len(arguments[parameter.name]) if is_list(parameter) else name
            trial.expect_refusal(tool, {**arguments, parameter.name: bad}, parameter.name, error=InputError)


@every(tool for tool in TOOLS if any(p.name in VECTORS for p in tool.parameters))
def test_vector_file_that_is_not_usable(tool, trial):
    arguments = good(tool, trial)
    trial.scene.raster("red")
    for parameter in tool.parameters:
        if parameter.name in VECTORS:
            apart = {k: v for k, v in arguments.items() if k not in ("points", "line")}
            for file in NO_VECTORS:
                trial.expect_refusal(tool, {**apart, parameter.name: file}, parameter.name, error=InputError)
            for file in POOR_VECTORS:
                trial.expect_outcome(tool, {**apart, parameter.name: file})

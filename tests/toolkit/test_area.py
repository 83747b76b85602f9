"""No tool forgets the area of interest: what lies outside changes nothing, and nothing is written there."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
import rasterio
from rasterio.features import geometry_mask

from tests.rasters import UTM
from tests.toolkit.calls import arguments_of
from tests.toolkit.scene import AREA, Scene
from treeline.toolkit import registry
from treeline.toolkit.context import ToolContext, use_context
from treeline.toolkit.errors import BackendMissing, NoValidPixels
from treeline.toolkit.interest import AreaOfInterest
from treeline.toolkit.tool import Tool

INTEREST = AreaOfInterest(AREA, UTM, "a polygon")
READING = [tool for tool in registry() if tool.inputs and tool.name != "get_filelist"]
# The pixels beside the edge are as without an area: they have their surroundings beyond it.
WITH_SURROUNDINGS = frozenset(
    {
        "calculate_aspect",
        "calculate_curvature",
        "calculate_hillshade",
        "calculate_illumination",
        "calculate_roughness",
        "calculate_ruggedness",
        "calculate_slope",
        "calculate_slope_percent",
        "calculate_topographic_position",
        "distance_to_mask",
        "frost_filter",
        "gamma_map_filter",
        "glcm_texture",
        "lee_filter",
        "majority_filter",
        "mask_slopes_facing",
        "refined_lee_filter",
        "reproject_raster",
        "resample_raster",
    }
)
# Grey levels are those between the extremes of the area.
LEVELLED = {"glcm_texture"}
ALONE = [tool for tool in READING if tool.name not in WITH_SURROUNDINGS]


@pytest.fixture(scope="module")
def scene(tmp_path_factory: pytest.TempPathFactory) -> Scene:
    return Scene(tmp_path_factory.mktemp("scene"))


def outcome(
    tool: Tool, scene: Scene, state: str, folder: Path, area: AreaOfInterest | None = INTEREST
) -> tuple[Any, dict[str, np.ndarray]]:
    """Return what a tool gives, and the bands of what it writes."""
    folder.mkdir()
    with use_context(ToolContext(folder, scene.resolver, threads=1, area=area)) as context:
        try:
            value = tool.run(scene.in_state(arguments_of(tool), state), context)
        except (BackendMissing, NoValidPixels) as error:
            pytest.skip(str(error))
    return value, {p.path.name: _stored_bands(p.path, area) for p in context.products if p.kind == "raster"}


def _stored_bands(path: Path, area: AreaOfInterest | None) -> np.ndarray:
    """Return the bands of a raster, NaN where it has no data; every pixel outside must have none."""
    with rasterio.open(path) as dataset:
        found = dataset.read(masked=True).astype("float64").filled(np.nan)
        if area is not None and dataset.crs == UTM:
            outside = geometry_mask([AREA], dataset.shape, dataset.transform)
            assert np.isnan(found[:, outside]).all()
    return found


@pytest.mark.sample(10)
@pytest.mark.parametrize("tool", ALONE, ids=lambda tool: tool.name)
def test_what_lies_outside_changes_nothing(tool: Tool, scene: Scene, tmp_path: Path) -> None:
    value, written = outcome(tool, scene, "good", tmp_path / "one")
    other, also_written = outcome(tool, scene, "beyond", tmp_path / "other")
    plain, other_plain = str(value), str(other)
    assert plain.replace("beyond", "good") == other_plain.replace("beyond", "good")
    for name, bands in written.items():
        np.testing.assert_allclose(bands, also_written[name], rtol=1e-6, err_msg=name)


@pytest.mark.parametrize("name", sorted(WITH_SURROUNDINGS - LEVELLED))
def test_pixels_beside_the_edge_are_as_without_an_area(name: str, scene: Scene, tmp_path: Path) -> None:
    tool = registry().get(name)
    _, cut = outcome(tool, scene, "good", tmp_path / "cut")
    _, whole = outcome(tool, scene, "good", tmp_path / "whole", area=None)
    for product, bands in cut.items():
        inside = ~np.isnan(bands)
        assert 0 < inside.sum() < inside.size
        np.testing.assert_allclose(bands[inside], whole[product][inside], rtol=1e-6, err_msg=product)

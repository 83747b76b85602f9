"""What a tool writes is what its contract says: the role of every band."""

from __future__ import annotations

import pytest
import rasterio

from tests.toolkit.calls import arguments_of
from tests.toolkit.scene import Scene
from treeline.toolkit import registry
from treeline.toolkit.context import ToolContext
from treeline.toolkit.tool import Writes

pytestmark = pytest.mark.usefixtures("encoder")
WRITING = [tool for tool in registry() if len(tool.outputs) == 1 and tool.gives.kind == "raster"]
# The number of bands, or their roles, are those of the input or of an argument.
LIKE_THE_INPUT = {
    "chang_single_param_inversion",
    "change_mask",
    "clip_to_area",
    "clip_to_bounds",
    "dual_frequency_diff",
    "dual_polarization_ratio",
    "embed_chips",
    "ir_mad",
    "multi_freq_bt",
    "pansharpen",
    "principal_components",
    "stack_bands",
}


@pytest.fixture(scope="module")
def scene(tmp_path_factory) -> Scene:
    return Scene(tmp_path_factory.mktemp("scene"))


@pytest.mark.parametrize("tool", [t for t in WRITING if t.name not in LIKE_THE_INPUT], ids=lambda t: t.name)
def test_bands_are_those_of_the_contract(tool, scene, tmp_path):
    context = ToolContext(tmp_path, scene.resolver, threads=1)
    tool.run(scene.in_state(arguments_of(tool)), context)
    contract = tool.outputs[0].contract
    with rasterio.open(context.products[0].path) as dataset:
        assert dataset.count == 1 + len(contract.further)
        assert dataset.descriptions[1:] == contract.further


def test_the_band_of_a_role_is_told():
    contract = Writes("lst", further=("emissivity",))
    assert [contract.band_of(role) for role in ("lst", "emissivity", "ndvi")] == [1, 2, None]
    assert contract.describe() == "where to write lst [K, 170 to 355], then bands of emissivity [1, 0.6 to 1]"


def test_tools_are_found_by_a_further_band_after_those_whose_first_it_is():
    names = [tool.name for tool in registry().writers_of("emissivity")]
    assert names[0] == "surface_emissivity" and "temperature_emissivity_separation" in names
    assert [tool.name for tool in registry().writers_of("lst_night")] == ["modis_day_night_lst"]

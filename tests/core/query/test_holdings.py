"""What a workspace holds by name is found in its files."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from tests.rasters import write_raster
from treeline.core.demo import write_demo
from treeline.core.query.holdings import inventory_of
from treeline.core.query.inventory import Inventory
from treeline.core.query.reading import read
from treeline.core.workspace import Workspace
from treeline.toolkit.context import ToolContext, use_context


@pytest.fixture(scope="module")
def inventory(tmp_path_factory: pytest.TempPathFactory) -> Inventory:
    folder: Path = tmp_path_factory.mktemp("held")
    write_demo(folder / "demo", size=120)
    workspace = Workspace(folder / "home", [folder / "demo"])
    with use_context(ToolContext(resolver=workspace.resolver)):
        return inventory_of(workspace, derivable=("ndvi", "terrain_slope"), methods=("Otsu",))


def test_variables_have_units_and_dates(inventory: Inventory):
    surface = inventory.holding("lst")
    assert surface is not None and surface.unit == "K" and len(surface.dates) == 12
    height = inventory.holding("dem")
    assert height is not None and not height.dates
    made = inventory.holding("ndvi")
    assert made is not None and made.made


def test_classes_and_features_have_their_names(inventory: Inventory):
    classes = next(ground for ground in inventory.grounds if ground.by == "class")
    assert "Cropland" in classes.names
    regions = next(ground for ground in inventory.grounds if ground.by == "feature")
    assert "Willowbank" in regions.names and regions.attribute == "name"


def test_clouds_and_methods_are_told(inventory: Inventory):
    assert len(inventory.cloud_dates) == 12
    assert inventory.methods == ("otsu",)


def test_a_question_is_read_of_it(inventory: Inventory):
    assert read("how many ha of Willowbank are broadleaf forest?", inventory).status == "read"


def test_rates_and_depths_together_make_no_total(tmp_path: Path):
    for name in ("D.2021-07-D1", "M.2021-07"):
        write_raster(tmp_path / f"WAPOR-3.L2-AETI-{name}.tif", np.full((8, 8), 40, "int16"), scale=0.1)
    workspace = Workspace(tmp_path / "home", [tmp_path])
    with use_context(ToolContext(resolver=workspace.resolver)):
        held = inventory_of(workspace).holding("evapotranspiration")
    assert held is not None and (held.unit, held.periods) == ("mm/day", False)

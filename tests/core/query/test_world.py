"""The invented place and its files say the same."""

from __future__ import annotations

import numpy as np
import pytest

from tests.core.query.strategies import inventory_of
from tests.core.query.world import CLASS_NAMES, World, read_back, write_world
from treeline.core.query.holdings import inventory_of as workspace_inventory
from treeline.core.workspace import Workspace
from treeline.toolkit.context import ToolContext, use_context
from treeline.toolkit.raster import source
from treeline.toolkit.raster.classes import class_legend
from treeline.toolkit.vector import read_features


@pytest.fixture(scope="module")
def workspace(world: World, tmp_path_factory: pytest.TempPathFactory) -> Workspace:
    folder = tmp_path_factory.mktemp("vale")
    return Workspace(folder / "own", [write_world(world, folder / "data")])


def test_roles_and_dates_are_recognised(workspace: Workspace, world: World):
    assert not workspace.problems
    found = {
        collection.role: tuple(m.date.date() for m in collection.members if m.date)
        for collection in workspace.collections.values()
    }
    expected = {role: world.days.get(role, ()) for role in world.rasters}
    assert found == {**expected, "cloud_mask": tuple(sorted(world.clouds))}


def test_every_number_is_read_as_it_is(workspace: Workspace, world: World):
    for collection in workspace.collections.values():
        if collection.role not in world.rasters:
            continue
        rasters = np.array([read_back(member.description.path) for member in collection.members])
        expected = world.rasters[collection.role]
        np.testing.assert_array_equal(rasters, expected.reshape(rasters.shape))


def test_classes_and_features_are_named(workspace: Workspace, world: World):
    with use_context(ToolContext(workspace.products_folder, workspace.resolver)):
        assert dict(class_legend(source("Vale_land_cover.tif")).names) == CLASS_NAMES
        names = [feature.attributes["name"] for feature in read_features("Vale_regions.gpkg").items]
    assert names == list(world.features["Vale_regions.gpkg"])


def test_the_reader_is_told_what_the_world_holds(workspace: Workspace, world: World):
    told, known = workspace_inventory(workspace), inventory_of(world)
    assert set(told.grounds) == set(known.grounds)
    assert told.cloud_dates == known.cloud_dates
    for holding in known.holdings:
        if not holding.made:
            found = told.holding(holding.role)
            assert found is not None
            assert (found.unit, found.dates) == (holding.unit, holding.dates)


def test_the_place_has_what_makes_questions_go_wrong(world: World):
    assert set(world.days["lst"]) - set(world.days["ndvi"]), "a date of one variable alone"
    assert all(np.isnan(world.rasters[role]).any() for role in ("ndvi", "lst", "landcover")), "holes"
    assert world.clear_dates, "a clear date"
    assert any(cloud.all() for cloud in world.clouds.values()), "a date of nothing but clouds"
    east, north = world.gradients
    assert ((east == 0) & (north == 0)).any(), "flat ground"

"""One invented place for all tests of expressions."""

from __future__ import annotations

import pytest

from tests.core.query.strategies import inventory_of
from tests.core.query.world import World, make_world
from treeline.core.query.inventory import Inventory


@pytest.fixture(scope="session")
def world() -> World:
    return make_world()


@pytest.fixture(scope="session")
def inventory(world: World) -> Inventory:
    return inventory_of(world)

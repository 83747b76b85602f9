from __future__ import annotations

import numpy as np
import pytest
from scipy import ndimage

from treeline.core.demo.landscape import TREE_LINE, Cover, build_landscape
from treeline.core.demo.parcels import build_parcels

SIZE = 240


@pytest.fixture(scope="module", params=[7, 0, 6])
def place(request):
    return build_landscape(request.param, SIZE)


def test_same_seed_same_landscape_and_another_seed_another():
    first, again, other = build_landscape(5, 130), build_landscape(5, 130), build_landscape(6, 130)
    np.testing.assert_array_equal(first.cover, again.cover)
    np.testing.assert_array_equal(first.terrain.elevation, again.terrain.elevation)
    np.testing.assert_array_equal(first.severity, again.severity)
    assert (first.cover != other.cover).mean() > 0.1


def test_every_cover_is_there(place):
    shares = {cover: (place.cover == cover).mean() for cover in Cover}
    assert all(share > 0.0005 for share in shares.values()), shares
    assert sum(shares.values()) == pytest.approx(1)


def test_the_river_crosses_the_scene_in_one_piece(place):
    parts, _ = ndimage.label(place.terrain.river, np.ones((3, 3)))
    from_north, to_south = set(parts[0]) - {0}, set(parts[-1]) - {0}
    assert from_north & to_south


def test_the_river_lies_lower_than_the_land_beside_it(place):
    terrain = place.terrain
    land = (terrain.river_distance > 12) & (terrain.river_distance < 40) & ~terrain.lake
    assert terrain.elevation[terrain.river].mean() < terrain.elevation[land].mean() - 3


def test_streams_run_in_hollows(place):
    terrain = place.terrain
    around = ndimage.uniform_filter(terrain.elevation, 25)
    streams = (terrain.stream_distance == 0) & (terrain.slope > 0.05) & ~terrain.water
    assert (terrain.elevation - around)[streams].mean() < -2


def test_the_lake_is_level_and_in_one_piece(place):
    lake = place.terrain.lake
    assert np.ptp(place.terrain.elevation[lake]) < 0.01
    assert ndimage.label(lake, np.ones((3, 3)))[1] == 1


def test_no_forest_above_the_tree_line(place):
    forest = place.mask_of(Cover.BROADLEAF_FOREST, Cover.CONIFER_FOREST)
    assert place.terrain.elevation[forest].max() < TREE_LINE + 250


def test_only_forest_burns(place):
    forest = place.mask_of(Cover.BROADLEAF_FOREST, Cover.CONIFER_FOREST)
    assert place.burned.any()
    assert not (place.burned & ~forest).any()
    np.testing.assert_array_equal(place.severity > 0, place.burned)
    assert place.severity[place.burned].min() > 0.5


def test_roads_reach_every_settlement(place):
    parts, _ = ndimage.label(place.settlement.roads > 0, np.ones((3, 3)))
    rows, columns = place.settlement.places.T
    assert len(set(parts[rows, columns])) == 1 and parts[rows[0], columns[0]] != 0


def test_parcels_are_pieces_of_field_size():
    parcels = build_parcels(7, SIZE)
    hectares = np.bincount(parcels.numbers.ravel(), minlength=parcels.count) * 0.04
    assert 1 < np.median(hectares) < 30
    assert hectares.max() < 120
    assert 0.05 < parcels.margin.mean() < 0.5

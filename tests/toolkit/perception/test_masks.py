from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from PIL import Image
from skimage import measure

from treeline.toolkit.errors import InputError, NoValidPixels, RasterMissing
from treeline.toolkit.perception.components import component_sizes, count_outer_contours, skeleton

RANDOM = np.random.default_rng(3)
NODATA = -9999.0


@pytest.fixture
def values(workplace):
    array = RANDOM.normal(0, 10, (20, 30)).astype("float32")
    array[0, :5] = NODATA
    array[1, 1] = np.nan
    workplace.raster("v.tif", array, nodata=NODATA)
    return array


def test_mask_and_count_leave_nodata_out(workplace, values):
    arguments = {"input_image_path": "v.tif", "threshold": -99999, "output_path": "m.tif"}
    assert workplace.run("threshold_segmentation", **arguments) == "Result saved at m.tif"
    mask = workplace.read("m.tif")
    valid = (values != NODATA) & ~np.isnan(values)
    assert np.isnan(mask[~valid]).all() and (mask[valid] == 1).all()
    count = workplace.run("count_above_threshold", file_path="v.tif", threshold=1.5)
    assert count == int((values[valid] > 1.5).sum())


def test_scale_makes_thresholds_physical(workplace):
    workplace.raster("v.tif", np.array([[10, 20, 30]], "int16"), scale=0.1)
    assert workplace.run("count_above_threshold", file_path="v.tif", threshold=1.5) == 2


def test_benchmark_takes_stored_values(workplace, values):
    workplace.run(
        "threshold_segmentation", "earth_bench", input_image_path="v.tif", threshold=1, output_path="m.tif"
    )
    np.testing.assert_array_equal(workplace.stored_bands("m.tif")[0], 255 * (values > 1))
    np.testing.assert_array_equal(workplace.read("m.tif"), 255 * (values > 1))
    below = workplace.run("count_above_threshold", "earth_bench", file_path="v.tif", threshold=-10000)
    assert below == values.size - 1


def test_thresholds_map_over_lists(workplace, values):
    found = workplace.run("count_above_threshold", file_path=["v.tif", "v.tif"], threshold=0)
    assert len(found) == 2 and found[0] == found[1] > 0


@given(arrays(bool, st.tuples(st.integers(1, 12), st.integers(1, 12))))
@settings(max_examples=40)
def test_components_are_those_of_skimage(mask):
    for neighbours, connectivity in ((4, 1), (8, 2)):
        labels = measure.label(mask, connectivity=connectivity)
        sizes = np.bincount(labels.ravel())[1:]
        assert sorted(component_sizes(mask, neighbours)) == sorted(sizes)


def test_contours_inside_a_hole_are_not_counted():
    mask = np.zeros((11, 11), bool)
    mask[1:10, 1:10] = True
    mask[3:8, 3:8] = False
    mask[5, 5] = True
    assert len(component_sizes(mask)) == 2
    assert count_outer_contours(mask) == 1
    assert count_outer_contours(skeleton(mask)) == 1


@pytest.fixture
def objects(workplace):
    mask = np.zeros((40, 60), "uint8")
    mask[5:15, 5:15] = mask[5:15, 25:40] = mask[25:35, 5:12] = 1
    mask[30, 50] = 1
    mask[20:22, 30:34] = 1
    workplace.raster("m.tif", mask, nodata=255)
    Image.fromarray(mask * 255).save(workplace.folder / "m.png")
    return mask


def test_objects_are_counted(workplace, objects):
    assert workplace.run("count_connected_components", image_path="m.tif") == 5
    assert workplace.run("count_connected_components", image_path="m.tif", minimum_size=5) == 4
    assert workplace.run("count_connected_components", image_path="m.png") == 5
    assert workplace.run("count_skeleton_contours", image_path="m.tif") == 5
    assert workplace.run("count_skeleton_contours", image_path="m.tif", erosion=1) == 3


def test_corners_join_only_with_eight_neighbours(workplace):
    workplace.raster("m.tif", np.eye(4, dtype="uint8"))
    assert workplace.run("count_connected_components", image_path="m.tif") == 1
    assert workplace.run("count_connected_components", image_path="m.tif", connectivity=4) == 4


def test_benchmark_erodes_grey_values_above_127(workplace, objects):
    assert workplace.run("count_skeleton_contours", "earth_bench", image_path="m.png") == 3
    assert workplace.run("count_skeleton_contours", "earth_bench", image_path="m.tif") == 0


def test_nodata_is_no_object(workplace):
    workplace.raster("m.tif", np.array([[1, 255, 1]], "uint8"), nodata=255)
    assert workplace.run("count_connected_components", image_path="m.tif") == 2


def test_erosion_that_removes_all_is_told(workplace, objects):
    assert workplace.run("count_skeleton_contours", image_path="m.tif", erosion=20) == 0
    assert any("removed all 5" in warning for warning in workplace.context.warnings)


def test_bad_masks_are_refused(workplace, objects):
    workplace.raster("empty.tif", np.full((3, 3), 7, "uint8"), nodata=7)
    with pytest.raises(NoValidPixels, match="empty.tif"):
        workplace.run("count_connected_components", image_path="empty.tif")
    with pytest.raises(RasterMissing):
        workplace.run("count_skeleton_contours", image_path="other.tif")
    with pytest.raises(InputError, match="minimum_size"):
        workplace.run("count_connected_components", image_path="m.tif", minimum_size=0)
    with pytest.raises(InputError, match="connectivity"):
        workplace.run("count_connected_components", image_path="m.tif", connectivity=6)
    with pytest.raises(InputError, match="erosion"):
        workplace.run("count_skeleton_contours", image_path="m.tif", erosion=-1)
    assert not list(workplace.folder.glob(".*"))

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.rasters import write_raster
from treeline.core.runs.calling import Calls
from treeline.toolkit.raster import class_legend, source
from treeline.toolkit.statistics.conditions import COMPARE

VALUES = [[1, 2, 3, -9, 5]]
TESTED = [[0.1, 0.5, 0.9, 0.9, -9]]
ARGUMENTS = {"image_path": "v.tif", "condition_path": "t.tif", "output_path": "k.tif"}


@pytest.mark.parametrize(
    ("mode", "kept"),
    [
        ("above", [[np.nan, np.nan, 3, np.nan, np.nan]]),
        ("above_equal", [[np.nan, 2, 3, np.nan, np.nan]]),
        ("below", [[1, np.nan, np.nan, np.nan, np.nan]]),
        ("not_equal", [[1, np.nan, 3, np.nan, np.nan]]),
    ],
)
def test_pixels_are_kept_where_the_condition_holds(workplace, mode, kept):
    workplace.raster("v.tif", np.array(VALUES, "float32"), nodata=-9, descriptions=("ndvi",))
    workplace.raster("t.tif", np.array(TESTED, "float32"), nodata=-9)
    workplace.run("keep_where", **ARGUMENTS, threshold=0.5, mode=mode)
    np.testing.assert_array_equal(workplace.read("k.tif"), kept)
    assert workplace.context.products[-1].role == "ndvi"


def test_each_pixel_has_a_value_or_none(workplace):
    workplace.raster("v.tif", np.array(VALUES, "float32"), nodata=-9, descriptions=("ndvi",))
    workplace.run("mark_valid_pixels", image_path="v.tif", output_path="m.tif")
    np.testing.assert_array_equal(workplace.read("m.tif"), [[1, 1, 1, 0, 1]])


def test_what_is_kept_is_of_the_date_of_the_raster_not_of_the_condition(tmp_path):
    write_raster(tmp_path / "v_2021-07-12.tif", np.array([[1, 2, 3]], "float32"))
    write_raster(tmp_path / "t_2020-01-01.tif", np.array([[0.1, 0.5, 0.9]], "float32"))
    paths = {"image_path": "v_2021-07-12.tif", "condition_path": "t_2020-01-01.tif", "output_path": "k.tif"}
    Calls([tmp_path], tmp_path)("keep_where", **paths, threshold=0.3)
    date = source(tmp_path / "k.tif").description.date
    assert date is not None and f"{date:%Y-%m-%d}" == "2021-07-12"


def test_what_is_kept_of_classes_is_called_as_before(workplace):
    names = {"TREELINE_ROLE": "landcover", "TREELINE_CLASSES": '{"1": "Water"}'}
    workplace.raster("v.tif", np.array([[1, 1, 2]], "uint8"), tags=names)
    workplace.raster("t.tif", np.array([[0.1, 0.5, 0.9]], "float32"))
    workplace.run("keep_where", **ARGUMENTS, threshold=0.3)
    copy = {"formula": "x0 + 0", "rasters": {"x0": ["v.tif"]}, "output_paths": ["c.tif"], "role": "landcover"}
    workplace.run("calculate_batch_formula", **copy)
    workplace.run("calculate_batch_formula", **copy | {"formula": "x0 + 1", "output_paths": ["d.tif"]})
    written = (workplace.folder / name for name in ("k.tif", "c.tif", "d.tif"))
    kept, copied, other = (class_legend(source(path)).names for path in written)
    assert kept == copied == {1: "Water"} and other == {}


def test_its_own_result_meets_a_second_condition(workplace):
    workplace.raster("v.tif", np.array([[1, 2, 3]], "float32"))
    workplace.raster("t.tif", np.array([[0.1, 0.5, 0.9]], "float32"))
    workplace.run("keep_where", **ARGUMENTS, threshold=0.3)
    workplace.run(
        "keep_where",
        image_path="k.tif",
        condition_path="t.tif",
        output_path="b.tif",
        threshold=0.7,
        mode="below",
    )
    np.testing.assert_array_equal(workplace.read("b.tif"), [[np.nan, 2, np.nan]])


@given(st.lists(st.floats(-10, 10, width=32), min_size=1, max_size=6), st.floats(-10, 10, width=32))
def test_a_condition_and_its_opposite_share_no_pixel_and_leave_none_out(values, limit):
    array = np.array(values)
    for one, other in (("above", "below_equal"), ("below", "above_equal"), ("equal", "not_equal")):
        assert (COMPARE[one](array, limit) ^ COMPARE[other](array, limit)).all()

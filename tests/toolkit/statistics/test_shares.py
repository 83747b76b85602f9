from __future__ import annotations

from datetime import datetime

import numpy as np
import pytest

import treeline.toolkit.statistics  # noqa: F401
from treeline.toolkit.errors import InputError, NoValidPixels
from treeline.toolkit.statistics.conditional_statistics import pairs_of

IMAGE = np.array([[0.1, 0.5, 0.9, -1]], dtype="float32")


@pytest.mark.parametrize(
    ("mode", "count"),
    [("above", 1), ("above_equal", 2), ("below", 1), ("below_equal", 2), ("equal", 1), ("not_equal", 2)],
)
def test_every_comparison(workplace, mode, count):
    workplace.raster("a.tif", IMAGE, nodata=-1)
    found = workplace.run("calculate_threshold_ratio", image_paths="a.tif", threshold=0.5, mode=mode)
    assert found == pytest.approx(100 * count / 3)


def test_mean_of_shares_pooled_share_and_series(workplace):
    files = [
        workplace.raster("a.tif", np.array([[1, 0]], "float32")),
        workplace.raster("b.tif", np.array([[1, 0, 0, 0, 0, 0, 0, 0]], "float32")),
        workplace.raster("c.tif", np.array([[-1, -1]], "float32"), nodata=-1),
    ]
    assert workplace.run("calc_batch_threshold_ratio", image_paths=files) == [50, 12.5, None]
    assert workplace.run("calculate_threshold_ratio", image_paths=files) == 31.25
    assert workplace.run("calculate_pooled_threshold_ratio", image_paths=files) == 20
    assert workplace.run("calc_batch_image_hotspot_percentage", file_list=files, threshold=0.5) == [
        0.5,
        0.125,
        None,
    ]
    assert workplace.run("count_images_exceeding_threshold_ratio", image_paths=files) == 1
    assert workplace.run("average_ratio_exceeding_threshold", image_paths=files) == 50
    assert workplace.run("average_ratio_exceeding_threshold", image_paths=files, ratio_threshold=90) == 0
    with pytest.raises(NoValidPixels):
        workplace.run("calculate_threshold_ratio", image_paths="c.tif")


def test_a_stretched_threshold_marks_the_same_pixels(workplace):
    workplace.raster("a.tif", np.array([[0, 10, 20, 30]], "float32"))
    found = workplace.run(
        "calc_batch_image_hotspot_percentage", file_list=["a.tif"], threshold=127, uint8=True
    )
    assert found == [0.5]


def test_bands_are_counted_from_zero(workplace):
    bands = np.stack([np.zeros((2, 2)), np.ones((2, 2))]).astype("float32")
    workplace.raster("a.tif", bands, descriptions=("red", "nir"))
    assert workplace.run("calculate_threshold_ratio", image_paths="a.tif", band_index=1) == 100
    assert workplace.run("calculate_threshold_ratio", image_paths="a.tif") == 0
    assert workplace.run("calculate_threshold_ratio", image_paths="a.tif#nir") == 100
    with pytest.raises(InputError, match="has 2 bands"):
        workplace.run("calculate_threshold_ratio", image_paths="a.tif", band_index=2)


def test_conditions_on_several_bands(workplace):
    bands = np.array([[[1, 2, 3, -1]], [[9, 8, 7, 6]]], "float32")
    workplace.raster("a.tif", bands, nodata=-1, descriptions=("red", "nir"))
    conditions = [[0, 1, "above"], ["nir", 8, "above_equal"]]
    run = workplace.run
    assert run("count_pixels_satisfying_conditions", image_path="a.tif", band_conditions=conditions) == 1
    share = run("calculate_multi_band_threshold_ratio", image_path="a.tif", band_conditions=conditions)
    assert share == pytest.approx(100 / 3)
    for wrong in ([], [[5, 1, "above"]], [[0, 1, "over"]], [[0, 1]]):
        with pytest.raises(InputError, match="band_conditions"):
            run("count_pixels_satisfying_conditions", image_path="a.tif", band_conditions=wrong)


def test_percentiles_equal_numpy_and_map_over_lists(workplace):
    image = np.random.default_rng(2).normal(size=(20, 20)).astype("float32")
    files = [workplace.raster("a.tif", image), workplace.raster("b.tif", (image * 100).astype("int16"))]
    found = workplace.run("get_percentile_value_from_image", image_path=files, percentile=70)
    assert found == pytest.approx(
        [np.percentile(image, 70), np.percentile((image * 100).astype("int16"), 70)]
    )
    with pytest.raises(InputError, match="percentile"):
        workplace.run("get_percentile_value_from_image", image_path="a.tif", percentile=101)


def test_the_mean_ratio_of_files_and_of_bands(workplace):
    one, two = np.array([[2, 6, 5, -1]], "float32"), np.array([[1, 2, 0, 4]], "float32")
    workplace.raster("one.tif", one, nodata=-1)
    workplace.raster("two.tif", two)
    workplace.raster("both.tif", np.stack([one, two]), nodata=-1)
    assert workplace.run("image_division_mean", image_path1="one.tif", image_path2="two.tif") == 2.5
    assert workplace.run("image_division_mean", image_path1="both.tif") == 2.5
    with pytest.raises(InputError, match="band2"):
        workplace.run("image_division_mean", image_path1="one.tif")


def test_the_share_where_both_meet(workplace):
    workplace.raster("ndvi.tif", np.array([[0.7, 0.7, 0.1, -1]], "float32"), nodata=-1)
    workplace.raster("lst.tif", np.array([[300, 280, 300, 300]], "float32"))
    arguments = {"path1": "ndvi.tif", "threshold1": 0.6, "path2": "lst.tif", "threshold2": 290}
    assert workplace.run("calculate_intersection_percentage", **arguments) == pytest.approx(100 / 3)
    assert workplace.run("calculate_intersection_percentage", **arguments, mode2="below") == pytest.approx(
        100 / 3
    )


def test_means_under_a_condition(workplace):
    bands = np.array([[[10, 20, 30, 40]], [[1, 2, 3, -1]]], "float32")
    workplace.raster("a.tif", bands, nodata=-1)
    arguments = {"image_path": "a.tif", "condition_band_index": 1, "condition_threshold": 2}
    assert workplace.run("calculate_band_mean_by_condition", **arguments) == 25
    assert workplace.run("calculate_band_mean_by_condition", **arguments, condition_mode="below") == 10
    with pytest.raises(NoValidPixels):
        workplace.run("calculate_band_mean_by_condition", **{**arguments, "condition_threshold": 9})


def test_conditional_mean_over_pairs_is_pooled(workplace):
    for name, values in {"t1": [1, 9], "t2": [9, 9], "v1": [10, 20], "v2": [30, 40]}.items():
        workplace.raster(f"{name}.tif", np.array([values], "float32"))
    arguments = {"path1": ["t1.tif", "t2.tif"], "path2": ["v1.tif", "v2.tif"]}
    assert workplace.run("calc_threshold_value_mean", **arguments, threshold=5) == 30
    with pytest.raises(NoValidPixels):
        workplace.run("calc_threshold_value_mean", **arguments, threshold=50)
    with pytest.raises(InputError, match="2 and 1"):
        workplace.run("calc_threshold_value_mean", path1=arguments["path1"], path2="v1.tif", threshold=5)


def test_pairs_are_made_by_date(workplace, monkeypatch):
    from treeline.toolkit.context import ToolContext, use_context

    class DatedFile(type(workplace.resolver)):
        def describe(self, address):
            description, band = super().describe(address)
            moment = datetime(2021, 1, int(address.split("_")[1][:2]))
            return type(description)(
                **{**{s: getattr(description, s) for s in description.__slots__}, "date": moment}
            ), band

    for name in ("a_01", "a_02", "a_03", "b_03", "b_02"):
        workplace.raster(f"{name}.tif", np.ones((1, 1), "float32"))
    with use_context(ToolContext(workplace.folder, DatedFile(workplace.folder))) as context:
        pairs = pairs_of(["a_01.tif", "a_02.tif", "a_03.tif"], ["b_03.tif", "b_02.tif"])
        assert pairs == [("a_02.tif", "b_02.tif"), ("a_03.tif", "b_03.tif")]
        assert "1 rasters have no partner" in context.warnings[-1]
        with pytest.raises(InputError, match="no date in common"):
            pairs_of(["a_01.tif", "a_02.tif"], ["b_03.tif"])


def test_severe_water_loss_is_of_what_was_water(workplace):
    workplace.raster("a.tif", np.array([[0.5, 0.5, 0.4, -0.2, 0.3]], "float32"), descriptions=("ndwi",))
    workplace.raster(
        "b.tif", np.array([[0.1, 0.45, -0.3, -0.9, -9]], "float32"), nodata=-9, descriptions=("ndwi",)
    )
    arguments = {"ndwi_a_path": "a.tif", "ndwi_b_path": "b.tif"}
    assert workplace.run("calc_severe_water_loss_percentage", **arguments) == pytest.approx(200 / 3)
    with pytest.raises(InputError, match="drop_ratio"):
        workplace.run("calc_severe_water_loss_percentage", **arguments, drop_ratio=0)
    workplace.raster("dry.tif", np.full((1, 5), -0.2, "float32"), descriptions=("ndwi",))
    with pytest.raises(InputError, match="was water"):
        workplace.run("calc_severe_water_loss_percentage", ndwi_a_path="dry.tif", ndwi_b_path="b.tif")

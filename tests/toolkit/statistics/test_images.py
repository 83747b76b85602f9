from __future__ import annotations

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy import stats

import treeline.toolkit.statistics  # noqa: F401
from treeline.toolkit.errors import InputError, NoValidPixels, RasterMissing

IMAGE = np.array([[1, 2, -9999], [4, 5, 9]], dtype="float32")
EXPECTED = {
    "mean": np.mean,
    "std": lambda v: np.std(v, ddof=1),
    "median": np.median,
    "min": np.min,
    "max": np.max,
    "sum": np.sum,
    "skewness": lambda v: stats.skew(v, bias=False),
    "kurtosis": stats.kurtosis,
}


@pytest.mark.parametrize("name", EXPECTED)
def test_statistics_of_valid_pixels_equal_numpy_and_scipy(workplace, name):
    other = np.random.default_rng(1).integers(0, 200, (40, 30)).astype("uint8")
    files = [workplace.raster("a.tif", IMAGE, nodata=-9999), workplace.raster("b.tif", other)]
    found = workplace.run(f"calc_batch_image_{name}", file_list=files)
    assert found[0] == pytest.approx(EXPECTED[name](IMAGE[IMAGE > 0].astype("float64")))
    assert found[1] == pytest.approx(EXPECTED[name](other.astype("float64").ravel()))


@settings(max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(arrays("float32", (4, 5), elements=st.floats(-1e3, 1e3, width=32)), st.sampled_from(sorted(EXPECTED)))
def test_a_stretch_is_that_of_the_values(workplace, image, name):
    image[0, 0], image[0, 1] = -2000, 2000
    workplace.raster("a.tif", image)
    stretched = (image.astype("float64") - image.min()) * 255 / (image.max() - image.min())
    found = workplace.run(f"calc_batch_image_{name}", file_list=["a.tif"], uint8=True)
    assert found[0] == pytest.approx(EXPECTED[name](stretched.ravel()), rel=1e-6, abs=1e-6)


def test_an_image_without_pixels_is_null_and_told(workplace):
    workplace.raster("a.tif", np.full((2, 2), -1, "float32"), nodata=-1)
    workplace.raster("b.tif", np.full((2, 2), 3, "float32"))
    assert workplace.run("calc_batch_image_mean", file_list=["a.tif", "b.tif"]) == [None, 3]
    assert any("a.tif" in warning for warning in workplace.context.warnings)
    assert workplace.run("calc_batch_image_mean_mean", file_list=["a.tif", "b.tif"]) == 3
    with pytest.raises(NoValidPixels):
        workplace.run("calc_batch_image_mean_mean", file_list=["a.tif"])


def test_a_constant_image_has_no_skewness(workplace):
    workplace.raster("a.tif", np.full((2, 2), 3, "float32"))
    assert workplace.run("calc_batch_image_skewness", file_list=["a.tif"]) == [None]
    assert workplace.run("calc_batch_image_std", file_list=["a.tif"]) == [0]


def test_scale_offset_and_named_bands_are_honoured(workplace):
    bands = np.stack([np.full((3, 3), 10), np.full((3, 3), 30)]).astype("int16")
    workplace.raster("a.tif", bands, scale=0.5, offset=1.0, descriptions=("red", "nir"))
    assert workplace.run("calc_batch_image_mean", file_list=["a.tif", "a.tif#nir"]) == [6, 16]


def test_pooled_and_mean_of_means_differ_by_their_weights(workplace):
    small, large = np.full((1, 1), 10, "float32"), np.zeros((3, 3), "float32")
    files = [workplace.raster("s.tif", small), workplace.raster("l.tif", large)]
    assert workplace.run("calc_batch_image_mean_mean", file_list=files) == 5
    pooled = workplace.run("calc_batch_image_pooled_statistics", file_list=files)
    everything = np.concatenate([small.ravel(), large.ravel()])
    assert pooled["mean"] == pytest.approx(everything.mean())
    assert pooled["std"] == pytest.approx(everything.std())
    assert (pooled["min"], pooled["max"], pooled["sum"], pooled["count"]) == (0, 10, 10, 10)


def test_numbers_over_the_means(workplace):
    files = [workplace.raster(f"{v}.tif", np.array([[v, v + 2]], "float32")) for v in (0, 10, 20)]
    assert workplace.run("calc_batch_image_mean_max", file_list=files) == 21
    assert workplace.run("calc_batch_image_mean_max_min", file_list=files) == [11, 22, 0]
    run = workplace.run
    assert run("calc_batch_image_mean_threshold", file_list=files, threshold=1) == pytest.approx(200 / 3)
    assert run("calc_batch_image_mean_threshold", file_list=files, threshold=1, return_type="count") == 2
    assert (
        run(
            "calc_batch_image_mean_threshold", file_list=files, threshold=20, above=False, return_type="count"
        )
        == 2
    )
    assert run("count_images_exceeding_mean_multiplier", image_paths=files, mean_multiplier=1.1) == 1
    assert (
        run("count_images_exceeding_mean_multiplier", image_paths=files, mode="below", mean_multiplier=1.1)
        == 2
    )


@pytest.mark.parametrize(
    ("arguments", "error", "found"),
    [
        ({"file_list": []}, InputError, "file_list"),
        ({"file_list": ["absent.tif"]}, RasterMissing, "absent.tif"),
        ({}, InputError, "file_list"),
        ({"file_list": 3}, InputError, "file_list"),
    ],
)
def test_what_cannot_be_read_is_named(workplace, arguments, error, found):
    with pytest.raises(error, match=found):
        workplace.run("calc_batch_image_mean", **arguments)

from __future__ import annotations

import json
import math

import numpy as np
import pytest
from PIL import Image
from scipy import ndimage, stats

from treeline.toolkit import registry
from treeline.toolkit.errors import InputError, RasterMissing

KITS = ("Statistics", "Analysis")


def run(name, **arguments):
    tool = registry().get(name)
    return tool.implementation("earth_bench")(**tool.validate(arguments))


def same(found, expected):
    if isinstance(expected, list):
        return len(found) == len(expected) and all(map(same, found, expected))
    if isinstance(expected, float):
        return math.isclose(found, expected, rel_tol=1e-9, abs_tol=1e-12)
    return found == expected


def test_every_recorded_scalar_case_is_met(shared):
    cases = json.loads((shared / "earth_bench" / "scalar_cases.json").read_text())
    ours = [case for case in cases if case["tool"] in registry() and registry().get(case["tool"]).kit in KITS]
    wrong = [c for c in ours if not same(run(c["tool"], **c["arguments"]), c["reference_output"])]
    assert len(ours) > 100
    assert wrong == []


def test_quirks_of_lists():
    example = [2.0, 4, 4, 5, 7, 9, 12]
    assert run("skewness", x=example, bias=False) != pytest.approx(0.762451, abs=1e-3)
    assert run("kurtosis", x=example, bias=False) == pytest.approx(-3.104618, abs=1e-6)
    assert run("kurtosis", x=example, bias=False, fisher=False) == pytest.approx(-0.104618, abs=1e-6)
    assert run("skewness", x=[1, 1]) == 0
    assert math.isnan(run("mean", x=[1, math.nan]))
    assert run("division", a=0, b=1) == math.inf
    assert run("percentage_change", a=-10, b=-5) == -50


def test_quirks_of_series():
    assert run("detect_change_points", signal=[0] * 12 + [9] * 13) == [10, 15, 25]
    assert run("autocorrelation_function", x=[1, 2, 3, 4], nlags=3) == pytest.approx([1, 1 / 3, -0.6, -1.8])
    assert run("detect_seasonality_acf", values=list(range(40))) == 2
    assert run("detect_seasonality_acf", values=[1, 2, 1, 2, 1]) == "Data is not cyclical"
    step = float(np.float32(0.1))
    assert run("count_spikes_from_values", values=[0, step], spike_threshold=0.1) == 0


RANDOM = np.random.default_rng(11)
NODATA = -9999.0


@pytest.fixture
def image(workplace):
    values = RANDOM.normal(0, 100, (2, 12, 15)).astype("float32")
    values[0, 0, :3] = NODATA
    values[1, 3, 3] = np.nan
    workplace.raster("a.tif", values, nodata=NODATA, scale=0.5, offset=7)
    return values


@pytest.mark.parametrize(
    ("name", "operation"),
    [
        ("mean", np.nanmean),
        ("std", lambda v: np.nanstd(v, ddof=1)),
        ("median", np.nanmedian),
        ("min", np.nanmin),
        ("max", np.nanmax),
        ("sum", np.nansum),
        ("skewness", lambda v: stats.skew(v.ravel(), bias=False)),
        ("kurtosis", lambda v: stats.kurtosis(v.ravel(), fisher=False)),
    ],
)
def test_image_statistics_take_all_bands_and_nodata(workplace, image, name, operation):
    found = workplace.run(f"calc_batch_image_{name}", "earth_bench", file_list=["a.tif"])
    assert found == pytest.approx([float(operation(image))], rel=1e-5, nan_ok=True)


def test_shares_and_means_follow_the_contracts(workplace, image):
    def run(name, **arguments):
        return workplace.run(name, "earth_bench", **arguments)

    first = np.where(image[0] == NODATA, np.nan, image[0]).astype("float64")
    second = image[1].astype("float64")
    assert run("calculate_threshold_ratio", image_paths="a.tif", threshold=0) == pytest.approx(
        100 * (image[0] > 0).sum() / image[0].size
    )
    assert run("calc_batch_image_hotspot_percentage", file_list=["a.tif"], threshold=0) == pytest.approx(
        [(image > 0).sum() / (~np.isnan(image)).sum()]
    )
    share = 100 * (first > 0).sum() / (~np.isnan(first)).sum()
    arguments = {"image_paths": ["a.tif"], "value_threshold": 0, "ratio_threshold": 1}
    assert run("average_ratio_exceeding_threshold", **arguments) == pytest.approx(share)
    assert run("count_images_exceeding_threshold_ratio", **arguments) == 1
    assert run("calc_batch_image_mean_threshold", file_list=["a.tif"], threshold=np.nanmean(first) - 1) == 100
    assert run("calc_batch_fire_pixels", file_list=["a.tif"]) == [int((image > 0).sum())]
    assert run("image_division_mean", image_path1="a.tif") == pytest.approx(
        np.nanmean(image[0] / second), rel=1e-6
    )
    assert run("get_percentile_value_from_image", image_path="a.tif", percentile=40) == pytest.approx(
        np.percentile(image[0], 40)
    )
    conditions = [[0, 0, "above"], [1, 10, "below"]]
    met = int(((first > 0) & (second < 10)).sum())
    assert run("count_pixels_satisfying_conditions", image_path="a.tif", band_conditions=conditions) == met
    assert run(
        "calculate_multi_band_threshold_ratio", image_path="a.tif", band_conditions=conditions
    ) == pytest.approx(100 * met / (~np.isnan(first)).sum())
    assert run(
        "calculate_band_mean_by_condition", image_path="a.tif", condition_band_index=1, condition_threshold=0
    ) == pytest.approx(np.nanmean(first[second >= 0]))
    assert run(
        "calculate_intersection_percentage", path1="a.tif", threshold1=0, path2="a.tif", threshold2=50
    ) == pytest.approx(100 * (first > 50).sum() / (~np.isnan(first)).sum())


def test_numbers_over_means(workplace, image):
    means = [float(np.nanmean(image)), 3.0]
    workplace.raster("b.tif", np.full((2, 2), 3, "float32"))
    for name, expected in (("mean_mean", np.mean(means)), ("mean_max", max(means))):
        found = workplace.run(f"calc_batch_image_{name}", "earth_bench", file_list=["a.tif", "b.tif"])
        assert found == pytest.approx(expected, rel=1e-5)
    found = workplace.run("calc_batch_image_mean_max_min", "earth_bench", file_list=["a.tif", "b.tif"])
    assert found == pytest.approx([(image[0].mean() + 3) / 2, image[0].max(), NODATA], rel=1e-5)


def test_pairs_by_time_stamp_keep_values_of_0_to_1(workplace):
    workplace.raster("lst_2021_01_01_0300.tif", np.array([[301, 302, 299, 305]], "float32"))
    workplace.raster("lst_2021_01_03_0300.tif", np.array([[400, 400, 400, 400]], "float32"))
    workplace.raster("ati_2021_01_01_0300.tif", np.array([[0.5, 2, 0.1, 0.7]], "float32"))
    workplace.raster("ati_2021_01_02_0300.tif", np.array([[9, 9, 9, 9]], "float32"))
    found = workplace.run(
        "calc_threshold_value_mean",
        "earth_bench",
        path1=["lst_2021_01_01_0300.tif", "lst_2021_01_03_0300.tif"],
        path2=["ati_2021_01_02_0300.tif", "ati_2021_01_01_0300.tif"],
    )
    assert found == pytest.approx(0.6)


def test_maps_equal_the_formulas(workplace, image):
    other = RANDOM.normal(0, 100, image.shape).astype("float32")
    workplace.raster("b.tif", other)

    def write(name, output="o.tif", **arguments):
        workplace.run(name, "earth_bench", **arguments)
        return workplace.stored_bands(output).astype("float64")

    def close(found, expected):
        np.testing.assert_allclose(found, np.asarray(expected, "float64"), rtol=1e-5, atol=1e-5)

    wide, wide_other = image.astype("float64"), other.astype("float64")
    pair = {"image_a_path": "a.tif", "image_b_path": "b.tif", "output_path": "o.tif"}
    close(write("calculate_tif_difference", **pair), wide_other - wide)
    average = write("calculate_tif_average", file_list=["a.tif", "b.tif"], output_path="o.tif")
    close(average, (wide + wide_other) / 2)
    close(
        write("subtract", img1_path="a.tif", img2_path="b.tif", output_path="o.tif")[0],
        (wide - wide_other)[0],
    )
    mask = write("calc_batch_image_hotspot_tif", file_list=["a.tif"], threshold=0, output_path_list=["o.tif"])
    close(mask[0], image[0] < 0)
    increase = write("create_fire_increase_map", change_image_path="a.tif", output_path="o.tif")
    close(increase[0], image[0] >= 20)
    prone = write("identify_fire_prone_areas", file_path="a.tif", output_path="o.tif")
    close(prone[0], image[0] >= np.percentile(image[0][image[0] > 0], 75))
    reflectance = write("radiometric_correction_sr", input_band_path="a.tif", output_path="o.tif")
    close(reflectance[0], wide[0] * 0.0000275 - 0.2)
    quality = RANDOM.integers(0, 64, image[0].shape).astype("uint16")
    workplace.raster("q.tif", quality)
    clear = write("apply_cloud_mask", sr_band_path="a.tif", qa_pixel_path="q.tif", output_path="o.tif")
    close(clear[0], np.where(quality & 31 == 0, wide[0], np.nan))
    weights = np.array([[0, 1, 2], [1, 3, 1], [0, 1, 5]], float)
    scores = write(
        "getis_ord_gi_star", image_path="a.tif", weight_matrix=weights.tolist(), output_path="o.tif"
    )
    x, n = wide[0], wide[0].size
    spread = x.std() * np.sqrt((n * (weights**2).sum() - weights.sum() ** 2) / (n - 1))
    close(scores[0], (ndimage.convolve(x, weights, mode="constant") - x.mean() * weights.sum()) / spread)


def test_areas_count_every_band_and_nodata(workplace, image):
    assert workplace.run("calculate_area", "earth_bench", input_image_path="a.tif", gsd=2) == 4 * image.size
    assert workplace.run("calculate_area", "earth_bench", input_image_path="a.tif", gsd=None) == image.size


def test_directions_give_ties_to_west_and_east(workplace):
    mask = np.zeros((5, 5), "float32")
    mask[0, 0] = 1
    workplace.raster("m.tif", mask)
    assert workplace.run("analyze_hotspot_direction", "earth_bench", hotspot_map_path="m.tif") == "west"
    workplace.raster("m.tif", mask * 255)
    answer = workplace.run("analyze_hotspot_direction", "earth_bench", hotspot_map_path="m.tif")
    assert answer == "no hotspots found"


def test_bad_input_is_refused_here_too(workplace, image):
    workplace.raster("small.tif", np.ones((3, 3), "float32"))
    for name, arguments, error in (
        ("calc_batch_image_mean", {"file_list": ["absent.tif"]}, RasterMissing),
        ("calc_batch_image_mean", {"file_list": []}, InputError),
        ("calculate_threshold_ratio", {"image_paths": "a.tif", "band_index": 5}, InputError),
        ("subtract", {"img1_path": "a.tif", "img2_path": "small.tif", "output_path": "o.tif"}, InputError),
        ("calculate_tif_average", {"file_list": ["a.tif", "small.tif"], "output_path": "o.tif"}, InputError),
    ):
        with pytest.raises(error):
            workplace.run(name, "earth_bench", **arguments)
    assert not (workplace.folder / "o.tif").exists()


def _as_bytes(values):
    low, high = np.nanmin(values), np.nanmax(values)
    return np.floor((values.astype("float64") - low) / (high - low) * 255)


@pytest.mark.parametrize(
    ("name", "operation"),
    [
        ("mean", np.mean),
        ("std", lambda v: v.std(ddof=1)),
        ("median", np.median),
        ("max", np.max),
        ("sum", np.sum),
        ("skewness", lambda v: stats.skew(v.ravel(), bias=False)),
        ("kurtosis", lambda v: stats.kurtosis(v.ravel(), fisher=False)),
    ],
)
def test_statistics_on_the_scale_of_bytes(workplace, name, operation):
    values = RANDOM.normal(0, 100, (2, 12, 15)).astype("float32")
    values[0, 0, 0] = NODATA
    workplace.raster("a.tif", values, nodata=NODATA)
    found = workplace.run(f"calc_batch_image_{name}", "earth_bench", file_list=["a.tif"], uint8=True)
    assert found == pytest.approx([float(operation(_as_bytes(values)))], rel=1e-5)


def test_maps_on_the_scale_of_bytes(workplace):
    first, second = RANDOM.normal(0, 100, (2, 2, 12, 15)).astype("float32")
    workplace.raster("a.tif", first)
    workplace.raster("b.tif", second)
    lone = workplace.raster("c.tif", first[0])
    wide = first.astype("float64"), second.astype("float64")
    workplace.run(
        "calculate_tif_average", "earth_bench", file_list=["a.tif", "b.tif"], output_path="o.tif", uint8=True
    )
    np.testing.assert_array_equal(workplace.stored_bands("o.tif"), _as_bytes((wide[0] + wide[1]) / 2))
    workplace.run(
        "calculate_tif_difference",
        "earth_bench",
        image_a_path="a.tif",
        image_b_path="b.tif",
        output_path="o.tif",
        uint8=True,
    )
    np.testing.assert_array_equal(workplace.stored_bands("o.tif"), _as_bytes(wide[1] - wide[0]))
    workplace.run(
        "calc_batch_image_hotspot_tif",
        "earth_bench",
        file_list=[lone],
        threshold=100,
        output_path_list=["o.tif"],
        uint8=True,
    )
    scaled = _as_bytes(first[0])
    np.testing.assert_array_equal(workplace.stored_bands("o.tif")[0], scaled < 100)
    answer = workplace.run(
        "identify_fire_prone_areas",
        "earth_bench",
        file_path=lone,
        output_path="o.tif",
        threshold_percentile=60,
        uint8=True,
    )
    limit = np.percentile(scaled[scaled > 0], 60)
    assert answer == ["Result saved at o.tif", pytest.approx(limit)]
    np.testing.assert_array_equal(workplace.stored_bands("o.tif")[0], scaled >= limit)
    share = workplace.run(
        "calc_batch_image_hotspot_percentage", "earth_bench", file_list=[lone], threshold=100, uint8=True
    )
    assert share == pytest.approx([(scaled > 100).mean()])


@pytest.mark.parametrize(
    ("mode", "compare"),
    [
        ("above", np.greater),
        ("below", np.less),
        ("equal", np.equal),
        ("above_equal", np.greater_equal),
        ("below_equal", np.less_equal),
    ],
)
def test_ratios_of_every_mode_average_the_images(workplace, mode, compare):
    images = RANDOM.integers(0, 4, (2, 8, 9)).astype("float32")
    images[0, :4] = np.nan
    for name, image in zip("ab", images, strict=True):
        workplace.raster(f"{name}.tif", image)
    found = workplace.run(
        "calculate_threshold_ratio", "earth_bench", image_paths=["a.tif", "b.tif"], threshold=2, mode=mode
    )
    shares = [100 * compare(v, 2).sum() / (~np.isnan(v)).sum() for v in images]
    assert found == pytest.approx(np.mean(shares))


@pytest.mark.parametrize("profile", ["science", "earth_bench"])
def test_colours_are_those_of_matplotlib(workplace, profile):
    import matplotlib

    values = RANDOM.normal(0, 1, (9, 11)).astype("float32")
    workplace.raster("v.tif", values)
    workplace.run("grayscale_to_colormap", profile, image_path="v.tif", save_name="o.png", cmap_name="RdYlGn")
    scaled = (values.astype("float64") - values.min()) / np.ptp(values.astype("float64"))
    expected = matplotlib.colormaps["RdYlGn"](scaled, bytes=True)
    np.testing.assert_array_equal(np.asarray(Image.open(workplace.folder / "o.png")), expected)


def test_moments_of_the_contracts():
    x = np.array([2.0, 4, 4, 5, 7, 9, 12])
    cubes, fourths, n = ((x - x.mean()) ** 3).mean(), ((x - x.mean()) ** 4).mean(), x.size
    excess = fourths / x.std() ** 4 - 3
    assert run("skewness", x=x.tolist()) == pytest.approx(cubes / x.std() ** 3)
    assert run("kurtosis", x=x.tolist()) == pytest.approx(excess)
    twice = cubes / x.std(ddof=1) ** 3 * math.sqrt(n * (n - 1)) / (n - 2)
    assert run("skewness", x=x.tolist(), bias=False) == pytest.approx(twice)
    corrected = (n - 1) / ((n - 2) * (n - 3)) * ((n + 1) * excess + 6)
    assert run("kurtosis", x=x.tolist(), bias=False) == pytest.approx(corrected - 3)


def test_temperatures_are_converted_whatever_the_value():
    assert run("celsius_to_kelvin", celsius=-300) == pytest.approx(-26.85)
    assert run("kelvin_to_celsius", kelvin=-1) == pytest.approx(-274.15)


def test_mean_max_min_on_the_scale_of_bytes_clips_to_one(workplace):
    values = np.array([[-1.0, 0.25, 0.5, 3.0]], "float32")
    workplace.raster("v.tif", values)
    found = workplace.run("calc_batch_image_mean_max_min", "earth_bench", file_list=["v.tif"], uint8=True)
    assert found == pytest.approx([255 * 1.75 / 4, 255, 0])

"""Oracles of the statistics of images."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
import pandas as pd
from scipy import ndimage, stats

from tests.toolkit.oracles.registry import add, oracle
from tests.toolkit.oracles.scenes import Floats, RandomScene, agree

LOW, HIGH = 0.05, 0.85
ALMOST = 0.995


def truth_of(condition: Any, *values: Floats) -> Floats:
    """Return 1 and 0, NaN where one of the values is missing."""
    return np.where(np.isnan(sum(values)), np.nan, condition)  # type: ignore[call-overload]


# One number from each image: the tool and pandas.
SERIES: dict[str, Callable[[pd.Series], float]] = {
    "calc_batch_image_mean": lambda v: v.mean(),
    "calc_batch_image_std": lambda v: v.std(),
    "calc_batch_image_median": lambda v: v.median(),
    "calc_batch_image_min": lambda v: v.min(),
    "calc_batch_image_max": lambda v: v.max(),
    "calc_batch_image_skewness": lambda v: v.skew(),
    "calc_batch_image_kurtosis": lambda v: stats.kurtosis(v),
    "calc_batch_image_sum": lambda v: v.sum(),
}


def by_pandas(tool: str, expected: Callable[[pd.Series], float], scene: RandomScene) -> None:
    names, values = scene.fields("ndvi", 3, LOW, HIGH)
    found = scene.run(tool, file_list=names)
    agree(found, [expected(pd.Series(image.ravel()).dropna()) for image in values], rel=2e-5, abs=1e-4)


for tool, expected in SERIES.items():
    add(
        tool,
        "library",
        "pandas.Series" if "kurtosis" not in tool else "scipy.stats.kurtosis",
        partial(by_pandas, tool, expected),
    )


@oracle("image_statistics", "library", "scipy.stats and pandas, seven statistics")
def of_statistics(scene: RandomScene) -> None:
    names, values = scene.fields("ndvi", 2, LOW, HIGH)
    each = [pd.Series(image.ravel()).dropna() for image in values]
    expected: dict[str, Callable[[pd.Series], float]] = {
        "mean": pd.Series.mean,
        "variance": pd.Series.var,
        "range": np.ptp,
        "iqr": stats.iqr,
        "cv": lambda v: stats.variation(v, ddof=1),
        "mad": stats.median_abs_deviation,
        "rms": lambda v: np.linalg.norm(v) / np.sqrt(v.size),
        "trimmed_mean": lambda v: stats.trim_mean(v, 0.1),
    }
    for name, function in expected.items():
        found = scene.run("image_statistics", file_list=names, statistic=name)
        agree(found, [function(v) for v in each], rel=2e-3, abs=1e-3)


@oracle("pooled_image_statistic", "library", "pandas.concat of all pixels")
def of_pooled_statistic(scene: RandomScene) -> None:
    names, values = scene.fields("ndvi", 3, LOW, HIGH)
    pixels = pd.Series(values.ravel()).dropna()
    for name, value in (
        ("mean", pixels.mean()),
        ("std", pixels.std()),
        ("max", pixels.max()),
        ("median", pixels.median()),
    ):
        agree(scene.run("pooled_image_statistic", file_list=names, statistic=name), value, rel=1e-3, abs=1e-4)


@oracle("statistics_by_class", "library", "pandas.groupby and scipy.ndimage, twelve statistics")
def of_class_statistics(scene: RandomScene) -> None:
    names, values = scene.fields("ndvi", 2, LOW, HIGH)
    address, zones = scene.classes("classes", 4)
    expected: dict[str, Callable[[pd.Series], float]] = {
        "mean": pd.Series.mean,
        "min": pd.Series.min,
        "max": pd.Series.max,
        "sum": pd.Series.sum,
        "std": pd.Series.std,
        "variance": pd.Series.var,
        "range": np.ptp,
        "median": pd.Series.median,
        "iqr": stats.iqr,
        "skewness": pd.Series.skew,
        "mad": stats.median_abs_deviation,
        "trimmed_mean": lambda v: stats.trim_mean(v, 0.1),
    }
    for name, function in expected.items():
        found = scene.run("statistics_by_class", file_list=names, classes_path=address, statistic=name)
        for image, table in zip(values, found, strict=True):
            groups = pd.Series(image.ravel()).groupby(zones.ravel())
            for zone, group in groups:
                group = group.dropna()
                if len(group) > 3:
                    agree(table[str(int(zone))], function(group), rel=3e-3, abs=2e-3)  # type: ignore[call-overload]


@oracle("image_weighted_mean", "library", "numpy.average with weights")
def of_weighted(scene: RandomScene) -> None:
    names, values = scene.fields("ndvi", 2, LOW, HIGH)
    address, weight = scene.field("fvc", 0.05, 1.0)
    expected = []
    for image in values:
        there = ~np.isnan(image + weight)
        expected.append(np.average(image[there], weights=weight[there]))
    agree(scene.run("image_weighted_mean", file_list=names, weight_path=address), expected, abs=1e-5)


def means(scene: RandomScene) -> tuple[list[str], pd.Series]:
    names, values = scene.fields("ndvi", 5, LOW, HIGH)
    return names, pd.Series([pd.Series(image.ravel()).mean() for image in values])


@oracle("calc_batch_image_mean_mean", "library", "pandas, mean of means")
def of_mean_mean(scene: RandomScene) -> None:
    names, series = means(scene)
    agree(scene.run("calc_batch_image_mean_mean", file_list=names), series.mean(), abs=1e-5)


@oracle("calc_batch_image_mean_max", "library", "pandas, largest of means")
def of_mean_max(scene: RandomScene) -> None:
    names, series = means(scene)
    agree(scene.run("calc_batch_image_mean_max", file_list=names), series.max(), abs=1e-5)


@oracle("calc_batch_image_mean_max_min", "library", "numpy.nanmean, nanmax and nanmin")
def of_mean_max_min(scene: RandomScene) -> None:
    names, values = scene.fields("ndvi", 3, LOW, HIGH)
    expected = [np.mean([np.nanmean(v) for v in values]), np.nanmax(values), np.nanmin(values)]
    agree(scene.run("calc_batch_image_mean_max_min", file_list=names), expected, abs=1e-5)


@oracle("calc_batch_image_pooled_statistics", "library", "scipy.stats.describe of all pixels")
def of_pooled(scene: RandomScene) -> None:
    names, values = scene.fields("ndvi", 3, LOW, HIGH)
    pixels = values[~np.isnan(values)]
    about = stats.describe(pixels, ddof=0)
    found = scene.run("calc_batch_image_pooled_statistics", file_list=names)
    assert found["count"] == about.nobs
    agree(
        [found["mean"], found["std"], found["min"], found["max"], found["sum"]],
        [about.mean, np.sqrt(about.variance), *about.minmax, pixels.sum()],
        rel=1e-5,
    )


@oracle("calc_batch_image_mean_threshold", "library", "pandas.Series.gt; above and below share all images")
def of_mean_threshold(scene: RandomScene) -> None:
    names, series = means(scene)
    limit = float(series.median()) + 1e-4
    above, below = (
        scene.run("calc_batch_image_mean_threshold", file_list=names, threshold=limit, above=above)
        for above in (True, False)
    )
    agree(above + below, 100.0)
    agree(above, 100 * series.gt(limit).mean())


@oracle(
    "count_images_exceeding_mean_multiplier", "library", "pandas, against a multiple of the mean of means"
)
def of_multiplier(scene: RandomScene) -> None:
    names, series = means(scene)
    for factor in (0.98, 1.0, 1.02):
        found = scene.run("count_images_exceeding_mean_multiplier", image_paths=names, mean_multiplier=factor)
        assert found == int(series.gt(factor * series.mean()).sum())


def shares(scene: RandomScene, limit: float) -> tuple[list[str], Floats, np.ndarray]:
    names, values = scene.fields("ndvi", 4, LOW, HIGH)
    each = np.array([100 * stats.percentileofscore(-v[~np.isnan(v)], -limit, "strict") / 100 for v in values])
    return names, values, each


@oracle("calculate_threshold_ratio", "library", "scipy.stats.percentileofscore")
def of_ratio(scene: RandomScene) -> None:
    names, _, each = shares(scene, 0.5)
    agree(scene.run("calculate_threshold_ratio", image_paths=names, threshold=0.5), each.mean(), abs=0.06)


@oracle("calc_batch_threshold_ratio", "library", "scipy.stats.percentileofscore")
def of_batch_ratio(scene: RandomScene) -> None:
    names, _, each = shares(scene, 0.5)
    agree(scene.run("calc_batch_threshold_ratio", image_paths=names, threshold=0.5), each, abs=0.2)


@oracle("calculate_pooled_threshold_ratio", "library", "scipy.stats.ecdf of all pixels")
def of_pooled_ratio(scene: RandomScene) -> None:
    names, values, _ = shares(scene, 0.5)
    curve = stats.ecdf(values[~np.isnan(values)])
    agree(
        scene.run("calculate_pooled_threshold_ratio", image_paths=names, threshold=0.5),
        100 * float(curve.sf.evaluate(0.5)),
        abs=0.06,
    )


@oracle("count_images_exceeding_threshold_ratio", "library", "scipy.stats.percentileofscore")
def of_exceeding(scene: RandomScene) -> None:
    names, _, each = shares(scene, 0.5)
    limit = float(np.sort(each)[1:3].mean())
    found = scene.run(
        "count_images_exceeding_threshold_ratio",
        image_paths=names,
        value_threshold=0.5,
        ratio_threshold=limit,
    )
    assert found == int((each > limit).sum())


@oracle("average_ratio_exceeding_threshold", "library", "numpy.ma mean of the shares that exceed")
def of_average_exceeding(scene: RandomScene) -> None:
    names, _, each = shares(scene, 0.5)
    limit = float(np.sort(each)[1:3].mean())
    found = scene.run(
        "average_ratio_exceeding_threshold", image_paths=names, value_threshold=0.5, ratio_threshold=limit
    )
    agree(found, np.ma.masked_less_equal(each, limit).mean(), abs=0.2)


@oracle("calc_batch_image_hotspot_percentage", "library", "scipy.stats.percentileofscore")
def of_hot_share(scene: RandomScene) -> None:
    names, _, each = shares(scene, 0.4)
    agree(
        scene.run("calc_batch_image_hotspot_percentage", file_list=names, threshold=0.4), each / 100, abs=2e-3
    )


@oracle("calculate_multi_band_threshold_ratio", "library", "pandas.DataFrame.query")
def of_bands_ratio(scene: RandomScene) -> None:
    name, values = scene.bands(("red", "nir", "swir1"), 0.0, 1.0)
    frame = pd.DataFrame(values.reshape(3, -1).T, columns=["a", "b", "c"])[["a", "c"]].dropna()
    found = scene.run(
        "calculate_multi_band_threshold_ratio",
        image_path=name,
        band_conditions=[[0, 0.4, "above"], [2, 0.7, "below"]],
    )
    agree(found, 100 * len(frame.query("a > 0.4 and c < 0.7")) / len(frame))


@oracle("count_pixels_satisfying_conditions", "library", "pandas.DataFrame.query")
def of_bands_count(scene: RandomScene) -> None:
    name, values = scene.bands(("red", "nir", "swir1"), 0.0, 1.0)
    frame = pd.DataFrame(values.reshape(3, -1).T, columns=["a", "b", "c"]).dropna()
    found = scene.run(
        "count_pixels_satisfying_conditions",
        image_path=name,
        band_conditions=[[0, 0.4, "above"], [1, 0.7, "below"]],
    )
    assert found == len(frame.query("a > 0.4 and b < 0.7"))


@oracle("draw_map", "property", "the colours of a raster turned upside down stand upside down")
def of_map(scene: RandomScene) -> None:
    from PIL import Image

    halves = np.repeat([[0.1] * 12, [0.9] * 12], 6, axis=0).astype("float32")
    pictures = []
    for name, values in (("one", halves), ("two", halves[::-1])):
        scene.run("draw_map", image_path=scene.write(values, "ndvi", None), save_name=f"{name}.png")
        pictures.append(np.asarray(Image.open(scene.folder / f"{name}.png").convert("RGB")).astype(int))
    height, width, _ = pictures[0].shape
    places = [(int(height * share), int(width * 0.4)) for share in (0.3, 0.7)]
    (top, bottom), (other_top, other_bottom) = ([p[place] for place in places] for p in pictures)
    assert np.any(top != bottom) and np.all(top == other_bottom) and np.all(bottom == other_top)


@oracle("draw_histogram", "library", "numpy.histogram")
def of_histogram(scene: RandomScene) -> None:
    name, values = scene.field("ndvi", LOW, HIGH)
    found = scene.run("draw_histogram", file_list=[name], save_name="h.png", bins=16)
    counts, edges = np.histogram(values[~np.isnan(values)], 16)
    agree(found["edges"], edges, abs=1e-4)
    assert np.abs(np.array(found["counts"]) - counts).max() <= 2 and sum(found["counts"]) == counts.sum()


@oracle("draw_scatter", "property", "as many pixels as are valid in both")
def of_scatter(scene: RandomScene) -> None:
    (a, one), (b, other) = scene.field("ndvi", LOW, HIGH), scene.field("lst", 280, 310)
    found = scene.run("draw_scatter", path1=a, path2=b, save_name="s.png")
    assert found["pixels"] == (~np.isnan(one + other)).sum()


@oracle("radiometric_correction_sr", "property", "digital numbers recovered from the reflectance")
def of_reflectance(scene: RandomScene) -> None:
    numbers = scene.rng.integers(7273, 43636, scene.shape).astype("uint16")
    numbers[scene.rng.random(scene.shape) < 0.05] = 0
    name = scene.write(numbers, "red", 0)
    found = scene.make("radiometric_correction_sr", input_band_path=name)
    agree((found + 0.2) / 0.0000275, np.where(numbers == 0, np.nan, numbers), abs=0.02)


# Landsat Collection 2 QA_PIXEL: bits of fill, dilated cloud, cirrus, cloud, cloud shadow (LSDS-1619).
FILL, HIDING = 0, (1, 2, 3, 4)


def quality(scene: RandomScene) -> tuple[str, Floats]:
    """Write a Landsat quality band; return 1 where the ground is hidden, NaN at fill."""
    bits = (scene.rng.random((16, *scene.shape)) < 0.15).astype("uint16")
    bits[FILL] = scene.rng.random(scene.shape) < 0.05
    bits[1:, bits[FILL] == 1] = 0
    words = np.tensordot(2 ** np.arange(16), bits, 1).astype("uint16")
    hidden = np.unpackbits(words.view("uint8").reshape(*scene.shape, 2), axis=-1, bitorder="little")[
        ..., list(HIDING)
    ].any(axis=-1)
    return scene.write(words, "qa_pixel", None), np.where(bits[FILL] == 1, np.nan, hidden)


@oracle("cloud_mask", "library", "numpy.unpackbits of the quality words")
def of_cloud_mask(scene: RandomScene) -> None:
    name, hidden = quality(scene)
    agree(scene.make("cloud_mask", quality_path=name), hidden)


@oracle("apply_cloud_mask", "library", "numpy.unpackbits of the quality words")
def of_apply_cloud_mask(scene: RandomScene) -> None:
    name, hidden = quality(scene)
    band, values = scene.field("red", LOW, HIGH)
    agree(
        scene.make("apply_cloud_mask", sr_band_path=band, qa_pixel_path=name),
        np.where(hidden == 0, values, np.nan),
    )


@oracle("calculate_cloud_cover", "library", "numpy.unpackbits of the quality words")
def of_cloud_cover(scene: RandomScene) -> None:
    name, hidden = quality(scene)
    agree(scene.run("calculate_cloud_cover", qa_pixel_path=name), 100 * np.nanmean(hidden))


@oracle("grayscale_to_colormap", "library", "matplotlib.colormaps of scikit-image's rescaled intensity")
def of_colours(scene: RandomScene) -> None:
    import matplotlib
    from PIL import Image
    from skimage.exposure import rescale_intensity

    name, values = scene.field("ndvi", LOW, HIGH, holes=False)
    scene.run("grayscale_to_colormap", image_path=name, save_name="c.png")
    expected = matplotlib.colormaps["viridis"](rescale_intensity(values, out_range=(0.0, 1.0)), bytes=True)[
        ..., :3
    ]
    found = np.asarray(Image.open(scene.folder / "c.png").convert("RGB"))
    assert np.abs(found.astype(int) - expected).max() <= 6


@oracle("get_percentile_value_from_image", "library", "scipy.stats.scoreatpercentile")
def of_percentile(scene: RandomScene) -> None:
    name, values = scene.field("ndvi", LOW, HIGH)
    for share in (5.0, 50.0, 93.0):
        found = scene.run("get_percentile_value_from_image", image_path=name, percentile=share)
        agree(found, stats.scoreatpercentile(values[~np.isnan(values)], share), abs=1e-4)


@oracle("image_division_mean", "library", "numpy.ma")
def of_division_mean(scene: RandomScene) -> None:
    (a, one), (b, other) = scene.field("nir", 0.1, 0.5), scene.field("red", 0.1, 0.4)
    agree(
        scene.run("image_division_mean", image_path1=a, image_path2=b),
        np.ma.masked_invalid(one / other).mean(),
        rel=1e-5,
    )


@oracle("calculate_intersection_percentage", "library", "pandas.crosstab")
def of_intersection(scene: RandomScene) -> None:
    (a, one), (b, other) = scene.field("ndvi", LOW, HIGH), scene.field("lst", 280, 310)
    frame = pd.DataFrame({"a": one.ravel(), "b": other.ravel()}).dropna()
    table = pd.crosstab(frame["a"] > 0.4, frame["b"] < 300, normalize=True)
    found = scene.run(
        "calculate_intersection_percentage", path1=a, threshold1=0.4, path2=b, threshold2=300, mode2="below"
    )
    agree(found, 100 * table.loc[True, True], abs=0.3)


@oracle("calculate_band_mean_by_condition", "library", "pandas.DataFrame.loc")
def of_band_mean(scene: RandomScene) -> None:
    name, values = scene.bands(("red", "nir"), 0.0, 1.0)
    frame = pd.DataFrame(values.reshape(2, -1).T, columns=["a", "b"]).dropna()
    found = scene.run(
        "calculate_band_mean_by_condition", image_path=name, condition_band_index=1, condition_threshold=0.6
    )
    agree(found, frame.loc[frame["b"] >= 0.6, "a"].mean())


@oracle("calc_threshold_value_mean", "library", "scipy.ndimage.mean by labels")
def of_threshold_mean(scene: RandomScene) -> None:
    (a, one), (b, other) = scene.field("lst", 280, 310), scene.field("ndvi", LOW, HIGH)
    labels = (one > 295) & ~np.isnan(other)
    found = scene.run("calc_threshold_value_mean", path1=a, path2=b, threshold=295.0)
    agree(found, ndimage.mean(other, labels, 1), rel=2e-3)


@oracle("raster_correlation", "library", "scipy.stats.linregress")
def of_raster_correlation(scene: RandomScene) -> None:
    a, one = scene.field("ndvi", LOW, HIGH)
    b, other = scene.field(
        "lst", 270, 330, values=310 - 20 * one + 4 * scene.rng.random(scene.shape), holes=False
    )
    there = ~np.isnan(one + other)
    fit = stats.linregress(one[there], other[there])
    found = scene.run("raster_correlation", path1=a, path2=b)
    agree([found["r"], found["slope"], found["intercept"]], [fit.rvalue, fit.slope, fit.intercept], rel=1e-4)
    assert found["pixels"] == there.sum()


@oracle("calc_batch_fire_pixels", "library", "pandas.Series.gt")
def of_fire_pixels(scene: RandomScene) -> None:
    names, values = scene.fields("frp", 3, 0, 100)
    found = scene.run("calc_batch_fire_pixels", file_list=names, fire_threshold=30.003)
    assert found == [int(pd.Series(v.ravel()).gt(30.003).sum()) for v in values]


@oracle("create_fire_increase_map", "library", "pandas.Series.ge of the valid pixels")
def of_fire_increase(scene: RandomScene) -> None:
    name, values = scene.field("difference", -50, 80)
    found = scene.make("create_fire_increase_map", change_image_path=name, threshold=20.0)
    increased = pd.Series(values.ravel()).ge(20.0).to_numpy().reshape(values.shape)
    agree(found, truth_of(increased, values), share=ALMOST)


@oracle("identify_fire_prone_areas", "library", "scipy.stats.scoreatpercentile of what is above 0")
def of_fire_prone(scene: RandomScene) -> None:
    name, values = scene.field("frp", 0, 100, values=np.maximum(scene.rng.normal(10, 30, scene.shape), 0))
    said, limit = scene.run(
        "identify_fire_prone_areas", file_path=name, output_path="out.tif", threshold_percentile=75
    )
    expected = stats.scoreatpercentile(values[values > 0], 75)
    agree(limit, expected, rel=2e-3)
    agree(scene.read("out.tif"), truth_of(values >= expected, values), share=0.99)


@oracle("calc_severe_water_loss_percentage", "library", "pandas.DataFrame.query")
def of_water_loss(scene: RandomScene) -> None:
    (a, one), (b, other) = scene.field("ndwi", -0.4, 0.8), scene.field("ndwi", -0.4, 0.8)
    water = pd.DataFrame({"a": one.ravel(), "b": other.ravel()}).dropna().query("a > 0")
    found = scene.run("calc_severe_water_loss_percentage", ndwi_a_path=a, ndwi_b_path=b, drop_ratio=0.3)
    agree(found, 100 * len(water.query("b <= 0.7 * a")) / len(water), abs=0.4)


@oracle("calculate_tif_average", "library", "xarray.DataArray.mean")
def of_average(scene: RandomScene) -> None:
    import xarray as xr

    names, values = scene.fields("ndvi", 4, LOW, HIGH)
    agree(
        scene.make("calculate_tif_average", file_list=names),
        xr.DataArray(values, dims=("t", "y", "x")).mean("t"),
        abs=5e-6,
    )


@oracle("calculate_tif_difference", "library", "xarray.DataArray.diff of the two")
def of_difference(scene: RandomScene) -> None:
    import xarray as xr

    (a, one), (b, other) = scene.field("ndvi", LOW, HIGH), scene.field("ndvi", LOW, HIGH)
    expected = xr.DataArray(np.stack([one, other]), dims=("t", "y", "x")).diff("t")[0]
    agree(scene.make("calculate_tif_difference", image_a_path=a, image_b_path=b), expected, abs=5e-6)


@oracle("subtract", "library", "numpy.ma.subtract; antisymmetric")
def of_subtract(scene: RandomScene) -> None:
    (a, one), (b, other) = scene.field("ndvi", LOW, HIGH), scene.field("ndvi", LOW, HIGH)
    expected = np.ma.subtract(np.ma.masked_invalid(one), np.ma.masked_invalid(other)).filled(np.nan)
    made = scene.make("subtract", img1_path=a, img2_path=b)
    agree(made, expected, abs=5e-6)
    agree(made, -scene.make("subtract", img1_path=b, img2_path=a))


@oracle("calc_batch_image_hotspot_tif", "library", "numpy.ma.less of the valid pixels")
def of_hotspots(scene: RandomScene) -> None:
    names, values = scene.fields("ndvi", 2, LOW, HIGH)
    outputs = ["o0.tif", "o1.tif"]
    scene.run("calc_batch_image_hotspot_tif", file_list=names, threshold=0.43211, output_path_list=outputs)
    for name, image in zip(outputs, values, strict=True):
        expected = np.ma.less(np.ma.masked_invalid(image), 0.43211).astype(float).filled(np.nan)
        agree(scene.read(name), expected, share=ALMOST)


@oracle("keep_where", "library", "numpy.ma.masked_where")
def of_keep(scene: RandomScene) -> None:
    (a, one), (b, other) = scene.field("lst", 280, 310), scene.field("ndvi", LOW, HIGH)
    found = scene.make("keep_where", image_path=a, condition_path=b, threshold=0.43211)
    expected = np.ma.masked_where(~(other > 0.43211), one).filled(np.nan)
    agree(found, expected, share=ALMOST)


@oracle("mark_valid_pixels", "library", "numpy.ma.masked_invalid")
def of_marking(scene: RandomScene) -> None:
    name, values = scene.field("lst", 280, 310)
    found = scene.make("mark_valid_pixels", image_path=name)
    agree(found, 1.0 - np.ma.getmaskarray(np.ma.masked_invalid(values)))


@oracle("calculate_area", "formulation", "the ring around each pixel on the ellipsoid, by pyproj.Geod")
def of_area(scene: RandomScene) -> None:
    from pyproj import Geod

    name, mask = scene.mask()
    found = scene.run("calculate_area", input_image_path=name, gsd=None)
    geod, total = Geod(ellps="WGS84"), 0.0
    for row, column in np.argwhere(mask == 1):
        corners = [
            scene.place.transform * (column + dx, row + dy) for dx, dy in ((0, 0), (0, 1), (1, 1), (1, 0))
        ]
        longitude, latitude = scene.degrees(*np.array(corners).T)
        total += abs(geod.polygon_area_perimeter(longitude, latitude)[0])
    # The map is taken as it is where it is true to a hundredth.
    agree(found, total, rel=0.011)
    plain = scene.run("calculate_area", input_image_path=name, gsd=7.0)
    agree(plain, 49.0 * (mask == 1).sum())
